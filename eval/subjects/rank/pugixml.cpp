// The performance suite of eval/rank for pugixml: parsing, printing, walking, editing, and XPath.
#include "suite.h"

#include "pugixml.hpp"

#include <cstdlib>

namespace {

using namespace pugi;

struct Sink : xml_writer {
  std::size_t size;
  Sink() : size(0) {}
  virtual void write(const void*, std::size_t more) { size += more; }
};

void check(bool good) {
  if (!good) {
    std::fputs("the suite does not do what it should\n", stderr);
    std::exit(1);
  }
}

void load(xml_document& document, const std::string& text, unsigned int flags = parse_default) {
  check(document.load_buffer(text.data(), text.size(), flags));
}

template <unsigned int flags>
void parse(const std::string& text) {
  for (int i = 0; i < 20; ++i) {
    xml_document document;
    load(document, text, flags);
  }
}

template <unsigned int flags>
void print(const std::string& text) {
  xml_document document;
  load(document, text);
  for (int i = 0; i < 20; ++i) {
    Sink sink;
    document.save(sink, "\t", flags);
    check(sink.size > 0);
  }
}

template <xml_encoding encoding>
void print_in(const std::string& text) {
  xml_document document;
  load(document, text);
  for (int i = 0; i < 10; ++i) {
    Sink sink;
    document.save(sink, "  ", format_default, encoding);
    check(sink.size > 0);
  }
}

struct Counter : xml_tree_walker {
  int nodes;
  Counter() : nodes(0) {}
  virtual bool for_each(xml_node& node) {
    nodes += node.type() == node_element;
    return true;
  }
};

void walk(const std::string& text) {
  xml_document document;
  load(document, text);
  for (int i = 0; i < 60; ++i) {
    Counter counter;
    document.traverse(counter);
    check(counter.nodes > 0);
  }
}

void siblings(const std::string& text) {
  xml_document document;
  load(document, text);
  std::size_t length = 0;
  for (int i = 0; i < 100; ++i)
    for (xml_node node = document.first_child().first_child(); node; node = node.next_sibling())
      length += std::strlen(node.child_value());
  check(length > 0);
}

void look_up(const std::string& text) {
  xml_document document;
  load(document, text);
  double sum = 0;
  for (int i = 0; i < 40; ++i)
    for (xml_node node = document.first_child().first_child(); node; node = node.next_sibling())
      sum += node.attribute("weight").as_double() + node.attribute("id").as_int() +
             node.attribute("open").as_bool() + std::strlen(node.attribute("note").value());
  check(sum > 0);
}

void convert(const std::string& text) {
  xml_document document;
  load(document, text);
  double sum = 0;
  for (int i = 0; i < 20; ++i)
    for (xml_node node = document.first_child().first_child(); node; node = node.next_sibling())
      sum += node.attribute("x").as_float() + node.attribute("y").as_int() +
             node.attribute("z").as_uint();
  check(sum != 0);
}

void search(const std::string& text) {
  xml_document document;
  load(document, text);
  for (int i = 0; i < 60; ++i) {
    char number[16];
    std::snprintf(number, sizeof number, "%d", i * 11);
    check(document.first_child().find_child_by_attribute("item", "id", number));
  }
}

void by_path(const std::string& text) {
  xml_document document;
  load(document, text);
  for (int i = 0; i < 3000; ++i)
    check(document.first_element_by_path("/node/node/node/node/node/node/leaf"));
}

void paths(const std::string& text) {
  xml_document document;
  load(document, text);
  std::size_t length = 0;
  for (int i = 0; i < 20; ++i)
    for (xml_node node = document.first_child().first_child(); node; node = node.next_sibling())
      length += node.first_child().path().size();
  check(length > 0);
}

void append(const std::string&) {
  for (int i = 0; i < 10; ++i) {
    xml_document document;
    xml_node root = document.append_child(node_element);
    root.set_name("root");
    for (int k = 0; k < 2000; ++k) {
      xml_node node = root.append_child(node_element);
      node.set_name("child");
      node.append_attribute("number").set_value("17");
      node.append_child(node_pcdata).set_value("some text that is longer than a few letters");
    }
  }
}

void insert(const std::string&) {
  for (int i = 0; i < 10; ++i) {
    xml_document document;
    xml_node root = document.append_child(node_element);
    xml_node last = root.append_child(node_element);
    for (int k = 0; k < 2000; ++k) {
      xml_node before = root.insert_child_before(node_element, last);
      before.set_name("before");
      root.insert_child_after(node_comment, last).set_value("after");
    }
  }
}

void remove(const std::string& text) {
  for (int i = 0; i < 12; ++i) {
    xml_document document;
    load(document, text);
    xml_node root = document.first_child();
    while (xml_node node = root.first_child())
      check(root.remove_child(node));
  }
}

void rename(const std::string& text) {
  xml_document document;
  load(document, text);
  for (int i = 0; i < 20; ++i)
    for (xml_node node = document.first_child().first_child(); node; node = node.next_sibling()) {
      node.set_name(i % 2 ? "shorter" : "a-name-that-is-much-longer");
      for (xml_attribute one = node.first_attribute(); one; one = one.next_attribute())
        one.set_value(i % 2 ? "1" : "another value for it");
    }
}

void copy(const std::string& text) {
  xml_document document;
  load(document, text);
  for (int i = 0; i < 12; ++i) {
    xml_document other;
    for (xml_node node = document.first_child(); node; node = node.next_sibling())
      check(other.append_copy(node));
  }
}

void numbers(const std::string& text) {
  xml_document document;
  load(document, text);
  for (int i = 0; i < 8; ++i)
    for (xml_node node = document.first_child().first_child(); node; node = node.next_sibling()) {
      node.attribute("x").set_value(i * 0.3);
      node.attribute("y").set_value(i);
    }
}

// Queries, each with how often it is asked.
struct Question {
  const char* query;
  int times;
};

const Question questions[] = {
    {"//item", 60},
    {"/list/item[@kind='k3']", 40},
    {"//leaf[@v > 50]", 6},
    {"//node[@d='1']/leaf", 8},
    {"//leaf[last()]", 6},
    {"//node[2]/leaf[position() < 3]", 5},
    {"//leaf/ancestor::node", 1},
    {"//leaf/parent::node/@name", 4},
    {"//row/following-sibling::row[1]/c", 4},
    {"//row[position() mod 10 = 0]/preceding-sibling::row[1]", 1},
    {"//a | //c | //b", 8},
    {"//category[. = 'c4']/../title", 20},
    {"//item[contains(description, 'th')]/link", 10},
    {"//item[starts-with(title, 'a')]", 20},
    {"//satz[string-length(.) > 20]", 8},
    {"//satz[translate(@wort, 'abc', 'xyz') != @wort]", 4},
    {"//p[normalize-space(.) != '']", 6},
    {"/book/chapter/title[substring(., 2, 3) != 'ent']", 60},
    {"//a:x[b:z]/a:w", 10},
    {"//*[local-name() = 'w']", 8},
    {"//*[namespace-uri() = 'urn:c3']", 2},
    {"//point[@x > 0 and @y > 0]", 8},
    {"//point[@x * @x + @y * @y < 1000000000]", 6},
    {"//point[floor(@x) mod 2 = 0]", 6},
    {"//line[contains(., '<')]/@at", 10},
    {"descendant-or-self::level/attribute::n", 30},
    {"//level[@n > 300]/descendant::level[1]", 1},
    {"//comment() | //processing-instruction()", 20},
    {"//text()", 15},
    {"(//e)[position() > 3990]", 20},
    {"/all/e[number(.) > 3000]", 12},
};

const Question numeric[] = {
    {"count(//leaf)", 8},
    {"sum(//point/@y)", 20},
    {"count(//node/node[count(*) = 4])", 5},
    {"string-length(concat(/book, '!', //title[3]))", 30},
    {"sum(//c) div count(//c)", 12},
    {"count(//leaf[@v = /node/node[1]/node[1]/node[1]/node[1]/node[1]/leaf[1]/@v])", 1},
};

template <int number>
void query(const std::string& text) {
  xml_document document;
  load(document, text, parse_full);
  const xpath_query asked(questions[number].query);
  for (int i = 0; i < questions[number].times; ++i)
    check(!asked.evaluate_node_set(document).empty());
}

template <int number>
void compute(const std::string& text) {
  xml_document document;
  load(document, text);
  const xpath_query asked(numeric[number].query);
  for (int i = 0; i < numeric[number].times; ++i)
    check(asked.evaluate_number(document) >= -1e15);
}

// Compiling queries takes no document.
void compile(const std::string&) {
  for (int i = 0; i < 60; ++i)
    for (const Question& question : questions)
      check(xpath_query(question.query));
}

const unsigned int everything = parse_full;
const unsigned int normal = parse_default | parse_wnorm_attribute;

} // namespace

int main(int count, char** words) {
  const Case list[] = {
      {"parse attributes", "attributes.xml", parse<parse_default>},
      {"parse article", "article.xml", parse<parse_default>},
      {"parse entities", "entities.xml", parse<parse_default>},
      {"parse deep", "deep.xml", parse<parse_default>},
      {"parse wide", "wide.xml", parse<parse_default>},
      {"parse feed", "feed.xml", parse<parse_default>},
      {"parse feed full", "feed.xml", parse<everything>},
      {"parse feed minimal", "feed.xml", parse<parse_minimal>},
      {"parse pretty", "pretty.xml", parse<parse_default>},
      {"parse pretty spaces", "pretty.xml", parse < parse_default | parse_ws_pcdata > },
      {"parse foreign", "foreign.xml", parse<parse_default>},
      {"parse numbers normal", "numbers.xml", parse<normal>},
      {"parse tree", "tree.xml", parse<parse_default>},
      {"parse utf16", "utf16.xml", parse<parse_default>},
      {"print attributes", "attributes.xml", print<format_default>},
      {"print article raw", "article.xml", print<format_raw>},
      {"print entities", "entities.xml", print<format_default>},
      {"print entities plain", "entities.xml", print<format_no_escapes>},
      {"print feed", "feed.xml", print<format_default>},
      {"print tree", "tree.xml", print<format_default>},
      {"print tree raw", "tree.xml", print<format_raw>},
      {"print foreign utf16", "foreign.xml", print_in<encoding_utf16>},
      {"print article utf32", "article.xml", print_in<encoding_utf32>},
      {"walk tree", "tree.xml", walk},
      {"siblings wide", "wide.xml", siblings},
      {"look up attributes", "attributes.xml", look_up},
      {"convert numbers", "numbers.xml", convert},
      {"search attributes", "attributes.xml", search},
      {"by path tree", "tree.xml", by_path},
      {"paths feed", "feed.xml", paths},
      {"append", "wide.xml", append},
      {"insert", "wide.xml", insert},
      {"remove wide", "wide.xml", remove},
      {"remove tree", "tree.xml", remove},
      {"rename attributes", "attributes.xml", rename},
      {"copy tree", "tree.xml", copy},
      {"copy attributes", "attributes.xml", copy},
      {"write numbers", "numbers.xml", numbers},
      {"compile", "deep.xml", compile},
      {"query all", "attributes.xml", query<0>},
      {"query kind", "attributes.xml", query<1>},
      {"query greater", "tree.xml", query<2>},
      {"query step", "tree.xml", query<3>},
      {"query last", "tree.xml", query<4>},
      {"query position", "tree.xml", query<5>},
      {"query ancestors", "tree.xml", query<6>},
      {"query parents", "tree.xml", query<7>},
      {"query following", "pretty.xml", query<8>},
      {"query preceding", "pretty.xml", query<9>},
      {"query union", "pretty.xml", query<10>},
      {"query up", "feed.xml", query<11>},
      {"query contains", "feed.xml", query<12>},
      {"query starts", "feed.xml", query<13>},
      {"query length", "foreign.xml", query<14>},
      {"query translate", "foreign.xml", query<15>},
      {"query normal", "article.xml", query<16>},
      {"query substring", "article.xml", query<17>},
      {"query space", "spaces.xml", query<18>},
      {"query local", "spaces.xml", query<19>},
      {"query uri", "spaces.xml", query<20>},
      {"query both", "numbers.xml", query<21>},
      {"query sums", "numbers.xml", query<22>},
      {"query floor", "numbers.xml", query<23>},
      {"query entities", "entities.xml", query<24>},
      {"query self", "deep.xml", query<25>},
      {"query descendants", "deep.xml", query<26>},
      {"query comments", "feed.xml", query<27>},
      {"query text", "article.xml", query<28>},
      {"query filter", "wide.xml", query<29>},
      {"query number", "wide.xml", query<30>},
      {"compute count", "tree.xml", compute<0>},
      {"compute sum", "numbers.xml", compute<1>},
      {"compute nested", "tree.xml", compute<2>},
      {"compute length", "article.xml", compute<3>},
      {"compute mean", "pretty.xml", compute<4>},
      {"compute equal", "tree.xml", compute<5>},
  };
  return run_suite(std::vector<Case>(list, list + sizeof list / sizeof *list), count, words);
}
