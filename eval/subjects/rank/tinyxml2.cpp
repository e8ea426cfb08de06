// The performance suite of eval/rank for tinyxml2: parsing, printing, walking, and editing.
#include "suite.h"

#include "tinyxml2.h"

#include <cstdlib>

namespace {

using namespace tinyxml2;

void check(bool good) {
  if (!good) {
    std::fputs("the suite does not do what it should\n", stderr);
    std::exit(1);
  }
}

void load(XMLDocument& document, const std::string& text) {
  document.Parse(text.c_str());
  check(!document.Error() && document.RootElement());
}

// tinyxml2 takes no instructions inside of elements: in a feed they become unknown tags.
std::string without_marks(std::string text) {
  for (std::size_t at = text.find("<?mark"); at != text.npos; at = text.find("<?mark", at))
    text[at + 1] = '!';
  return text;
}

// Levels inside of each other, fewer than tinyxml2 allows, again and again.
std::string levels() {
  std::string text = "<root>";
  for (int i = 0; i < 30; ++i) {
    for (int k = 0; k < 90; ++k)
      text += "<level n=\"17\">word";
    for (int k = 0; k < 90; ++k)
      text += "</level>";
  }
  return text + "</root>";
}

template <int times, Whitespace whitespace = PRESERVE_WHITESPACE, bool entities = true>
void parse(const std::string& text) {
  for (int i = 0; i < times; ++i) {
    XMLDocument document(entities, whitespace);
    load(document, text);
  }
}

void parse_feed(const std::string& text) {
  parse<8>(without_marks(text));
}

void parse_levels(const std::string&) {
  parse<4>(levels());
}

void parse_small(const std::string&) {
  for (int i = 0; i < 2500; ++i) {
    XMLDocument document;
    load(document, "<item id='17' name=\"small\">a &lt; b<!-- note --></item>");
  }
}

void parse_again(const std::string& text) {
  XMLDocument document;
  for (int i = 0; i < 4; ++i)
    load(document, text);
}

// Strings are only made when they are asked for.
std::size_t length_of(const XMLNode* parent) {
  std::size_t length = 0;
  for (const XMLNode* node = parent->FirstChild(); node; node = node->NextSibling()) {
    length += std::strlen(node->Value());
    if (const XMLElement* element = node->ToElement())
      for (const XMLAttribute* one = element->FirstAttribute(); one; one = one->Next())
        length += std::strlen(one->Name()) + std::strlen(one->Value());
    length += length_of(node);
  }
  return length;
}

template <int times, Whitespace whitespace = PRESERVE_WHITESPACE>
void read(const std::string& text) {
  for (int i = 0; i < times; ++i) {
    XMLDocument document(true, whitespace);
    load(document, text);
    check(length_of(&document) > 0);
  }
}

template <int times, bool compact = false, bool entities = true>
void print(const std::string& text) {
  XMLDocument document(entities);
  load(document, text);
  for (int i = 0; i < times; ++i) {
    XMLPrinter printer(0, compact);
    document.Print(&printer);
    check(printer.CStrSize() > 1);
  }
}

void print_feed(const std::string& text) {
  print<10>(without_marks(text));
}

void print_levels(const std::string&) {
  print<2>(levels());
}

void print_file(const std::string& text) {
  XMLDocument document;
  load(document, text);
  for (int i = 0; i < 3; ++i) {
    FILE* file = std::fopen("/dev/null", "w");
    check(file);
    XMLPrinter printer(file);
    document.Print(&printer);
    std::fclose(file);
  }
}

void stream_elements(const std::string&) {
  for (int i = 0; i < 10; ++i) {
    XMLPrinter printer;
    printer.PushHeader(false, true);
    printer.OpenElement("root");
    for (int k = 0; k < 700; ++k) {
      printer.OpenElement("outer");
      printer.OpenElement("inner");
      printer.PushText("some text & more of it, \"longer\" than a few letters");
      printer.CloseElement();
      printer.CloseElement();
    }
    printer.CloseElement();
    check(printer.CStrSize() > 1);
  }
}

void stream_attributes(const std::string&) {
  for (int i = 0; i < 10; ++i) {
    XMLPrinter printer;
    printer.OpenElement("root");
    for (int k = 0; k < 700; ++k) {
      printer.OpenElement("child");
      printer.PushAttribute("name", "a name");
      printer.PushAttribute("kind", "a <kind> & more");
      printer.PushAttribute("note", "some text that is longer than a few letters");
      printer.CloseElement();
    }
    printer.CloseElement();
    check(printer.CStrSize() > 1);
  }
}

void stream_numbers(const std::string&) {
  XMLPrinter printer;
  printer.OpenElement("root");
  for (int i = 0; i < 2500; ++i) {
    printer.OpenElement("child");
    printer.PushAttribute("n", i);
    printer.PushAttribute("x", i * 0.3);
    printer.PushAttribute("open", i % 2 == 0);
    printer.PushText(i * i);
    printer.CloseElement();
  }
  printer.CloseElement();
  check(printer.CStrSize() > 1);
}

void stream_comments(const std::string&) {
  for (int i = 0; i < 10; ++i) {
    XMLPrinter printer;
    printer.OpenElement("root");
    for (int k = 0; k < 2000; ++k) {
      printer.PushComment(" a comment ");
      printer.PushUnknown("MARK unknown");
      printer.PushText("<b>text</b>", true);
    }
    printer.CloseElement();
    check(printer.CStrSize() > 1);
  }
}

int count_in(const XMLNode* parent) {
  int count = 1;
  for (const XMLNode* node = parent->FirstChild(); node; node = node->NextSibling())
    count += count_in(node);
  return count;
}

int count_back(const XMLNode* parent) {
  int count = 1;
  for (const XMLNode* node = parent->LastChild(); node; node = node->PreviousSibling())
    count += count_back(node);
  return count;
}

int count_elements(const XMLNode* parent) {
  int count = 1;
  for (const XMLElement* node = parent->FirstChildElement(); node;
       node = node->NextSiblingElement())
    count += count_elements(node);
  return count;
}

template <int times, int count(const XMLNode*)>
void walk(const std::string& text) {
  XMLDocument document;
  load(document, text);
  for (int i = 0; i < times; ++i)
    check(count(&document) > 1);
}

void siblings_named(const std::string& text) {
  XMLDocument document;
  load(document, text);
  int count = 0;
  for (int i = 0; i < 60; ++i)
    for (XMLElement* row = document.RootElement()->FirstChildElement("row"); row;
         row = row->NextSiblingElement("row"))
      count += row->FirstChildElement("c") != 0;
  check(count > 0);
}

struct Counter : XMLVisitor {
  int elements;
  int others;
  Counter() : elements(0), others(0) {}
  virtual bool VisitEnter(const XMLDocument&) { return true; }
  virtual bool VisitEnter(const XMLElement&, const XMLAttribute* first) {
    elements += first ? 2 : 1;
    return true;
  }
  virtual bool Visit(const XMLText&) { return ++others; }
  virtual bool Visit(const XMLComment&) { return ++others; }
  virtual bool Visit(const XMLUnknown&) { return ++others; }
  virtual bool Visit(const XMLDeclaration&) { return ++others; }
};

template <int times>
void visit(const std::string& text) {
  XMLDocument document;
  load(document, without_marks(text));
  for (int i = 0; i < times; ++i) {
    Counter counter;
    document.Accept(&counter);
    check(counter.elements > 0 && counter.others > 0);
  }
}

void handles(const std::string& text) {
  XMLDocument document;
  load(document, text);
  for (int i = 0; i < 30000; ++i) {
    XMLHandle root(&document);
    XMLHandle node = root.FirstChildElement("node").FirstChild().NextSibling().FirstChildElement();
    check(node.LastChild().PreviousSibling().FirstChildElement("node").ToElement());
    check(!node.FirstChildElement("none").FirstChild().NextSiblingElement().ToNode());
  }
}

XMLElement* first_in(XMLDocument& document) {
  return document.RootElement()->FirstChildElement();
}

void look_up(const std::string& text) {
  XMLDocument document;
  load(document, text);
  std::size_t length = 0;
  for (int i = 0; i < 40; ++i)
    for (XMLElement* node = first_in(document); node; node = node->NextSiblingElement())
      length += std::strlen(node->Attribute("name")) + std::strlen(node->Attribute("note"));
  check(length > 0);
}

void look_up_equal(const std::string& text) {
  XMLDocument document;
  load(document, text);
  int equal = 0;
  for (int i = 0; i < 60; ++i)
    for (XMLElement* node = first_in(document); node; node = node->NextSiblingElement())
      equal += node->Attribute("kind", "k3") != 0;
  check(equal > 0);
}

void look_up_none(const std::string& text) {
  XMLDocument document;
  load(document, text);
  for (int i = 0; i < 40; ++i)
    for (const XMLElement* node = first_in(document); node; node = node->NextSiblingElement())
      check(!node->FindAttribute("missing") && !node->FindAttribute("names"));
}

void query_int(const std::string& text) {
  XMLDocument document;
  load(document, text);
  for (int i = 0; i < 20; ++i)
    for (XMLElement* node = first_in(document); node; node = node->NextSiblingElement()) {
      int number = -1;
      check(!node->QueryIntAttribute("id", &number) && number >= 0);
    }
}

void query_double(const std::string& text) {
  XMLDocument document;
  load(document, text);
  for (int i = 0; i < 12; ++i)
    for (XMLElement* node = first_in(document); node; node = node->NextSiblingElement()) {
      double number = -1;
      check(!node->QueryDoubleAttribute("weight", &number) && number >= 0);
    }
}

void query_bool(const std::string& text) {
  XMLDocument document;
  load(document, text);
  for (int i = 0; i < 20; ++i)
    for (XMLElement* node = first_in(document); node; node = node->NextSiblingElement()) {
      bool open = false;
      check(!node->QueryBoolAttribute("open", &open));
    }
}

void convert(const std::string& text) {
  XMLDocument document;
  load(document, text);
  double sum = 0;
  for (int i = 0; i < 4; ++i)
    for (XMLElement* node = first_in(document); node; node = node->NextSiblingElement())
      sum += node->DoubleAttribute("x") + node->FloatAttribute("x") + node->IntAttribute("y") +
             node->UnsignedAttribute("z");
  check(sum != 0);
}

void walk_attributes(const std::string& text) {
  XMLDocument document;
  load(document, text);
  std::size_t length = 0;
  for (int i = 0; i < 40; ++i)
    for (XMLElement* node = first_in(document); node; node = node->NextSiblingElement())
      for (const XMLAttribute* one = node->FirstAttribute(); one; one = one->Next())
        length += std::strlen(one->Name()) + std::strlen(one->Value());
  check(length > 0);
}

void attribute_values(const std::string& text) {
  XMLDocument document;
  load(document, text);
  double sum = 0;
  for (int i = 0; i < 6; ++i)
    for (XMLElement* node = first_in(document); node; node = node->NextSiblingElement()) {
      const XMLAttribute* one = node->FirstAttribute();
      sum += one->DoubleValue() + one->Next()->IntValue() + one->Next()->BoolValue();
    }
  check(sum != 0);
}

void int_texts(const std::string& text) {
  XMLDocument document;
  load(document, text);
  for (int i = 0; i < 6; ++i)
    for (XMLElement* node = first_in(document); node; node = node->NextSiblingElement()) {
      int number = -1;
      check(!node->QueryIntText(&number) && number >= 0);
    }
}

void double_texts(const std::string& text) {
  XMLDocument document;
  load(document, text);
  for (int i = 0; i < 5; ++i)
    for (XMLElement* node = first_in(document); node; node = node->NextSiblingElement()) {
      double number = -1;
      check(!node->QueryDoubleText(&number) && number >= 0);
    }
}

void get_texts(const std::string& text) {
  XMLDocument document;
  load(document, text);
  std::size_t length = 0;
  for (int i = 0; i < 50; ++i)
    for (XMLElement* node = first_in(document); node; node = node->NextSiblingElement())
      length += node->GetText()[0];
  check(length > 0);
}

void from_text(const std::string&) {
  const char* const numbers[] = {"0", "17", "-123456", " 2000000000", "0.5", "-1e10", "true", "x"};
  int good = 0;
  for (int i = 0; i < 1500; ++i)
    for (const char* number : numbers) {
      int whole;
      double real;
      bool truth;
      good += XMLUtil::ToInt(number, &whole) + XMLUtil::ToDouble(number, &real) +
              XMLUtil::ToBool(number, &truth);
    }
  check(good > 0);
}

void to_text(const std::string&) {
  char text[64];
  for (int i = 0; i < 6000; ++i) {
    XMLUtil::ToStr(i * 7919, text, sizeof text);
    check(*text);
    XMLUtil::ToStr(i * 0.3, text, sizeof text);
    check(*text);
    XMLUtil::ToStr(i % 2 == 0, text, sizeof text);
    check(*text);
  }
}

void characters(const std::string&) {
  const char* const references[] = {"&#65;", "&#x20AC;", "&#x1F600;", "&#228;"};
  for (int i = 0; i < 30000; ++i)
    for (const char* reference : references) {
      char text[10];
      int length = 0;
      check(XMLUtil::GetCharacterRef(reference, text, &length) && length > 0);
    }
}

void set_strings(const std::string& text) {
  XMLDocument document;
  load(document, text);
  for (int i = 0; i < 12; ++i)
    for (XMLElement* node = first_in(document); node; node = node->NextSiblingElement()) {
      node->SetAttribute("id", i % 2 ? "1" : "another value for it");
      node->SetAttribute("kind", i % 2 ? "a kind" : "some other kind");
      node->SetAttribute("note", i % 2 ? "shorter" : "some text that is longer");
    }
}

void set_ints(const std::string& text) {
  XMLDocument document;
  load(document, text);
  for (int i = 0; i < 8; ++i)
    for (XMLElement* node = first_in(document); node; node = node->NextSiblingElement()) {
      node->SetAttribute("y", i * 1001);
      node->SetAttribute("z", i - 8);
    }
}

void set_doubles(const std::string& text) {
  XMLDocument document;
  load(document, text);
  for (int i = 0; i < 6; ++i)
    for (XMLElement* node = first_in(document); node; node = node->NextSiblingElement())
      node->SetAttribute("x", i * 0.3);
}

void set_bools(const std::string& text) {
  XMLDocument document;
  load(document, text);
  for (int i = 0; i < 20; ++i)
    for (XMLElement* node = first_in(document); node; node = node->NextSiblingElement())
      node->SetAttribute("open", i % 2 == 0);
}

void add_attributes(const std::string& text) {
  for (int i = 0; i < 4; ++i) {
    XMLDocument document;
    load(document, text);
    for (XMLElement* node = first_in(document); node; node = node->NextSiblingElement()) {
      node->SetAttribute("first", "1");
      node->SetAttribute("second", "another value for it");
      node->SetAttribute("third", "a third one");
    }
  }
}

template <bool fixed>
void rename(const std::string& text) {
  XMLDocument document;
  load(document, text);
  for (int i = 0; i < 40; ++i)
    for (XMLElement* node = first_in(document); node; node = node->NextSiblingElement())
      node->SetName(i % 2 ? "shorter" : "a-name-that-is-much-longer", fixed);
}

void set_values(const std::string& text) {
  XMLDocument document;
  load(document, text);
  for (int i = 0; i < 15; ++i)
    for (XMLElement* node = first_in(document); node; node = node->NextSiblingElement())
      node->FirstChild()->SetValue(i % 2 ? "a text" : "a text that is longer than it was");
}

void append(const std::string&) {
  for (int i = 0; i < 5; ++i) {
    XMLDocument document;
    XMLNode* root = document.InsertEndChild(document.NewElement("root"));
    for (int k = 0; k < 1500; ++k) {
      XMLElement* node = document.NewElement("child");
      root->InsertEndChild(node);
      node->SetAttribute("number", "17");
      node->InsertEndChild(document.NewText("some text that is longer than a few letters"));
    }
  }
}

void prepend(const std::string&) {
  for (int i = 0; i < 12; ++i) {
    XMLDocument document;
    XMLNode* root = document.InsertFirstChild(document.NewElement("root"));
    for (int k = 0; k < 1500; ++k)
      root->InsertFirstChild(document.NewElement("before"));
  }
}

void insert(const std::string&) {
  for (int i = 0; i < 8; ++i) {
    XMLDocument document;
    XMLNode* root = document.InsertEndChild(document.NewElement("root"));
    XMLNode* first = root->InsertEndChild(document.NewElement("first"));
    for (int k = 0; k < 1200; ++k) {
      XMLNode* after = root->InsertAfterChild(first, document.NewComment(" a comment "));
      check(root->InsertAfterChild(after, document.NewElement("after")));
    }
  }
}

// Nodes that are made long before they have a place.
void insert_late(const std::string&) {
  for (int i = 0; i < 6; ++i) {
    XMLDocument document;
    XMLNode* root = document.InsertEndChild(document.NewElement("root"));
    std::vector<XMLNode*> nodes;
    for (int k = 0; k < 800; ++k)
      nodes.push_back(document.NewElement("late"));
    for (std::size_t k = nodes.size(); k > 0; --k)
      root->InsertEndChild(nodes[k - 1]);
  }
}

void remove(const std::string& text) {
  for (int i = 0; i < 5; ++i) {
    XMLDocument document;
    load(document, text);
    XMLElement* root = document.RootElement();
    while (XMLNode* node = root->FirstChild())
      root->DeleteChild(node);
  }
}

void remove_all(const std::string& text) {
  for (int i = 0; i < 4; ++i) {
    XMLDocument document;
    load(document, text);
    document.RootElement()->DeleteChildren();
    check(document.RootElement()->NoChildren());
  }
}

void remove_nodes(const std::string&) {
  for (int i = 0; i < 12; ++i) {
    XMLDocument document;
    XMLNode* root = document.InsertEndChild(document.NewElement("root"));
    for (int k = 0; k < 1500; ++k)
      root->InsertEndChild(document.NewElement("child"));
    while (XMLNode* node = root->LastChild())
      document.DeleteNode(node);
  }
}

void remove_attributes(const std::string& text) {
  XMLDocument document;
  load(document, text);
  for (int i = 0; i < 12; ++i)
    for (XMLElement* node = first_in(document); node; node = node->NextSiblingElement()) {
      node->DeleteAttribute("note");
      node->DeleteAttribute("kind");
      node->SetAttribute("note", "1");
      node->SetAttribute("kind", "2");
    }
}

// Removed nodes give their memory to new ones.
void replace(const std::string& text) {
  XMLDocument document;
  load(document, text);
  XMLElement* root = document.RootElement();
  for (int i = 0; i < 30000; ++i) {
    root->DeleteChild(root->FirstChild());
    root->InsertEndChild(document.NewElement("new"));
  }
}

void clone_into(XMLDocument& document, XMLNode* to, const XMLNode* from) {
  for (const XMLNode* node = from->FirstChild(); node; node = node->NextSibling())
    clone_into(document, to->InsertEndChild(node->ShallowClone(&document)), node);
}

template <int times>
void clone(const std::string& text) {
  XMLDocument document;
  load(document, without_marks(text));
  for (int i = 0; i < times; ++i) {
    XMLDocument other;
    clone_into(other, &other, &document);
    check(other.RootElement());
  }
}

bool equal_in(const XMLNode* one, const XMLNode* other) {
  const XMLNode* left = one->FirstChild();
  const XMLNode* right = other->FirstChild();
  for (; left && right; left = left->NextSibling(), right = right->NextSibling())
    if (!left->ShallowEqual(right) || !equal_in(left, right))
      return false;
  return !left && !right;
}

void equal(const std::string& text) {
  XMLDocument one, other;
  load(one, text);
  load(other, text);
  for (int i = 0; i < 12; ++i)
    check(equal_in(&one, &other));
}

} // namespace

int main(int count, char** words) {
  const Case list[] = {
      {"parse attributes", "attributes.xml", parse<10>},
      {"parse article", "article.xml", parse<20>},
      {"parse entities", "entities.xml", parse<10>},
      {"parse wide", "wide.xml", parse<4>},
      {"parse feed", "feed.xml", parse_feed},
      {"parse pretty", "pretty.xml", parse<6>},
      {"parse foreign", "foreign.xml", parse<12>},
      {"parse numbers", "numbers.xml", parse<8>},
      {"parse tree", "tree.xml", parse<3>},
      {"parse spaces", "spaces.xml", parse<10>},
      {"parse levels", "wide.xml", parse_levels},
      {"parse small", "wide.xml", parse_small},
      {"parse pretty collapsed", "pretty.xml", parse<6, COLLAPSE_WHITESPACE>},
      {"parse entities plain", "entities.xml", parse<10, PRESERVE_WHITESPACE, false>},
      {"parse again tree", "tree.xml", parse_again},
      {"read article collapsed", "article.xml", read<8, COLLAPSE_WHITESPACE>},
      {"read entities", "entities.xml", read<8>},
      {"read pretty", "pretty.xml", read<5>},
      {"read pretty collapsed", "pretty.xml", read<5, COLLAPSE_WHITESPACE>},
      {"print attributes", "attributes.xml", print<10>},
      {"print article", "article.xml", print<10>},
      {"print entities", "entities.xml", print<10>},
      {"print entities plain", "entities.xml", print<10, false, false>},
      {"print feed", "feed.xml", print_feed},
      {"print foreign compact", "foreign.xml", print<10, true>},
      {"print tree", "tree.xml", print<3>},
      {"print tree compact", "tree.xml", print<3, true>},
      {"print tree file", "tree.xml", print_file},
      {"print levels", "wide.xml", print_levels},
      {"stream elements", "wide.xml", stream_elements},
      {"stream attributes", "wide.xml", stream_attributes},
      {"stream numbers", "wide.xml", stream_numbers},
      {"stream comments", "wide.xml", stream_comments},
      {"walk tree", "tree.xml", walk<150, count_in>},
      {"walk tree back", "tree.xml", walk<150, count_back>},
      {"walk tree elements", "tree.xml", walk<80, count_elements>},
      {"siblings named", "pretty.xml", siblings_named},
      {"visit tree", "tree.xml", visit<60>},
      {"visit feed", "feed.xml", visit<100>},
      {"handles tree", "tree.xml", handles},
      {"look up attributes", "attributes.xml", look_up},
      {"look up equal", "attributes.xml", look_up_equal},
      {"look up none", "attributes.xml", look_up_none},
      {"query int", "attributes.xml", query_int},
      {"query double", "attributes.xml", query_double},
      {"query bool", "attributes.xml", query_bool},
      {"convert numbers", "numbers.xml", convert},
      {"walk attributes", "attributes.xml", walk_attributes},
      {"attribute values", "numbers.xml", attribute_values},
      {"int texts", "wide.xml", int_texts},
      {"double texts", "wide.xml", double_texts},
      {"get texts", "wide.xml", get_texts},
      {"from text", "wide.xml", from_text},
      {"to text", "wide.xml", to_text},
      {"characters", "wide.xml", characters},
      {"set strings", "attributes.xml", set_strings},
      {"set ints", "numbers.xml", set_ints},
      {"set doubles", "numbers.xml", set_doubles},
      {"set bools", "attributes.xml", set_bools},
      {"add attributes", "attributes.xml", add_attributes},
      {"rename", "wide.xml", rename<false>},
      {"rename fixed", "wide.xml", rename<true>},
      {"set values", "wide.xml", set_values},
      {"append", "wide.xml", append},
      {"prepend", "wide.xml", prepend},
      {"insert", "wide.xml", insert},
      {"insert late", "wide.xml", insert_late},
      {"remove wide", "wide.xml", remove},
      {"remove all tree", "tree.xml", remove_all},
      {"remove nodes", "wide.xml", remove_nodes},
      {"remove attributes", "attributes.xml", remove_attributes},
      {"replace", "wide.xml", replace},
      {"clone tree", "tree.xml", clone<3>},
      {"clone feed", "feed.xml", clone<10>},
      {"equal tree", "tree.xml", equal},
  };
  return run_suite(std::vector<Case>(list, list + sizeof list / sizeof *list), count, words);
}
