// The performance suite of eval/rank for jsoncpp: reading, writing, and working on values.
#include "suite.h"

#include <json/json.h>

#include <cstdlib>
#include <sstream>

namespace {

void check(bool good) {
  if (!good) {
    std::fputs("the suite does not do what it should\n", stderr);
    std::exit(1);
  }
}

Json::Value read(const std::string& text, bool comments = true) {
  Json::Value root;
  Json::Reader reader;
  check(reader.parse(text, root, comments));
  return root;
}

template <int times>
void parse(const std::string& text) {
  for (int i = 0; i < times; ++i)
    check(!read(text).empty());
}

template <int times>
void parse_plain(const std::string& text) {
  for (int i = 0; i < times; ++i)
    check(!read(text, false).empty());
}

template <int times>
void parse_stream(const std::string& text) {
  for (int i = 0; i < times; ++i) {
    std::istringstream stream(text);
    Json::Value root;
    stream >> root;
    check(!root.empty());
  }
}

template <int times>
void write_fast(const std::string& text) {
  const Json::Value root = read(text);
  for (int i = 0; i < times; ++i) {
    Json::FastWriter writer;
    check(writer.write(root).size() > 2);
  }
}

template <int times>
void write_styled(const std::string& text) {
  const Json::Value root = read(text);
  for (int i = 0; i < times; ++i)
    check(root.toStyledString().size() > 2);
}

template <int times>
void write_stream(const std::string& text) {
  const Json::Value root = read(text);
  for (int i = 0; i < times; ++i) {
    std::ostringstream stream;
    Json::StyledStreamWriter writer(" ");
    writer.write(stream, root);
    check(stream.str().size() > 2);
  }
}

template <int times>
void copy(const std::string& text) {
  const Json::Value root = read(text);
  for (int i = 0; i < times; ++i) {
    const Json::Value other(root);
    check(other.size() == root.size());
  }
}

template <int times>
void equal(const std::string& text) {
  const Json::Value one = read(text);
  const Json::Value other = read(text);
  for (int i = 0; i < times; ++i)
    check(one == other);
}

template <int times>
void order(const std::string& text) {
  const Json::Value one = read(text);
  const Json::Value other = read(text);
  for (int i = 0; i < times; ++i)
    check(!(one < other));
}

double sum_of(const Json::Value& value) {
  if (value.isNumeric())
    return value.asDouble();
  if (value.isString())
    return static_cast<double>(value.asString().size());
  double sum = 1;
  if (value.isArray() || value.isObject())
    for (Json::Value::const_iterator at = value.begin(); at != value.end(); ++at)
      sum += sum_of(*at);
  return sum;
}

template <int times>
void iterate(const std::string& text) {
  const Json::Value root = read(text);
  double sum = 0;
  for (int i = 0; i < times; ++i)
    sum += sum_of(root);
  check(sum != 0);
}

std::size_t names_in(const Json::Value& value) {
  std::size_t length = 0;
  if (value.isObject()) {
    const Json::Value::Members names = value.getMemberNames();
    for (std::size_t i = 0; i < names.size(); ++i)
      length += names[i].size() + names_in(value[names[i]]);
  } else if (value.isArray())
    for (Json::ArrayIndex i = 0; i < value.size(); ++i)
      length += names_in(value[i]);
  return length;
}

template <int times>
void names(const std::string& text) {
  const Json::Value root = read(text);
  std::size_t length = 0;
  for (int i = 0; i < times; ++i)
    length += names_in(root);
  check(length > 0);
}

template <int times>
void index(const std::string& text) {
  const Json::Value root = read(text);
  int sum = 0;
  for (int i = 0; i < times; ++i)
    for (Json::ArrayIndex k = 0; k < root.size(); ++k)
      sum += root[k].isNull();
  check(sum == 0);
}

template <int times>
void look_up(const std::string& text) {
  const Json::Value root = read(text);
  const Json::Value::Members all = root.getMemberNames();
  int found = 0;
  for (int i = 0; i < times; ++i)
    for (std::size_t k = 0; k < all.size(); ++k)
      found += root.isMember(all[k]) + root.isMember("not there");
  check(found > 0);
}

template <int times>
void get(const std::string& text) {
  const Json::Value root = read(text);
  double sum = 0;
  for (int i = 0; i < times; ++i)
    for (Json::ArrayIndex k = 0; k < root.size(); ++k)
      sum += root[k].get("score", 0).asDouble() + root[k].get("missing", 1).asInt() +
             root[k]["address"]["position"][0u].asDouble();
  check(sum != 0);
}

template <int times>
void path(const std::string& text) {
  const Json::Value root = read(text);
  double sum = 0;
  for (int i = 0; i < times; ++i) {
    const Json::Path way(".[150].address.position[1]");
    sum += way.resolve(root).asDouble();
  }
  check(sum != 0);
}

void append(const std::string&) {
  for (int i = 0; i < 10; ++i) {
    Json::Value root(Json::arrayValue);
    for (int k = 0; k < 2000; ++k)
      root.append(k);
    check(root.size() == 2000);
  }
}

void append_strings(const std::string&) {
  for (int i = 0; i < 10; ++i) {
    Json::Value root(Json::arrayValue);
    for (int k = 0; k < 1500; ++k)
      root.append("a string that is not very long");
    check(root.size() == 1500);
  }
}

void set(const std::string&) {
  for (int i = 0; i < 5; ++i) {
    Json::Value root;
    for (int k = 0; k < 2000; ++k) {
      char name[32];
      std::snprintf(name, sizeof name, "member %d", k * 7919 % 2003);
      root[name] = k;
    }
    check(root.size() > 0);
  }
}

void build(const std::string&) {
  for (int i = 0; i < 5; ++i) {
    Json::Value root;
    for (int k = 0; k < 500; ++k) {
      Json::Value one;
      one["number"] = k;
      one["name"] = "somebody";
      one["list"].append(k * 0.5);
      one["list"].append(true);
      root["all"].append(one);
    }
    check(root["all"].size() == 500);
  }
}

void resize(const std::string&) {
  for (int i = 0; i < 20; ++i) {
    Json::Value root(Json::arrayValue);
    for (Json::ArrayIndex k = 0; k < 1000; ++k)
      root[k] = i;
    root.resize(10);
    check(root.size() == 10);
  }
}

template <int times>
void remove(const std::string& text) {
  for (int i = 0; i < times; ++i) {
    Json::Value root = read(text);
    const Json::Value::Members all = root.getMemberNames();
    for (std::size_t k = 0; k < all.size(); k += 2)
      root.removeMember(all[k]);
    check(root.size() > 0);
  }
}

template <int times>
void clear(const std::string& text) {
  const Json::Value root = read(text);
  for (int i = 0; i < times; ++i) {
    Json::Value other = root;
    other.clear();
    check(other.empty());
  }
}

template <int times>
void swap(const std::string& text) {
  Json::Value one = read(text);
  for (int i = 0; i < times; ++i)
    for (Json::ArrayIndex k = 1; k < one.size(); ++k)
      one[k].swap(one[k - 1]);
  check(one.size() > 1);
}

template <int times>
void strings(const std::string& text) {
  const Json::Value root = read(text);
  std::size_t length = 0;
  for (int i = 0; i < times; ++i)
    for (Json::ArrayIndex k = 0; k < root.size(); ++k)
      length += root[k].asString().size();
  check(length > 0);
}

template <int times>
void quote(const std::string& text) {
  const Json::Value root = read(text);
  std::size_t length = 0;
  for (int i = 0; i < times; ++i)
    for (Json::ArrayIndex k = 0; k < root.size(); ++k)
      length += Json::valueToQuotedString(root[k].asCString()).size();
  check(length > 0);
}

template <int times>
void print_numbers(const std::string& text) {
  const Json::Value root = read(text);
  std::size_t length = 0;
  for (int i = 0; i < times; ++i)
    for (Json::ArrayIndex k = 0; k < root.size(); ++k)
      length += Json::valueToString(root[k].asDouble()).size();
  check(length > 0);
}

void wrong(const std::string& text) {
  for (int i = 0; i < 10; ++i) {
    Json::Value root;
    Json::Reader reader;
    check(!reader.parse(text.substr(0, text.size() - 20) + ": ?", root));
    check(!reader.getFormattedErrorMessages().empty());
  }
}

} // namespace

int main(int count, char** words) {
  const Case list[] = {
      {"parse records", "records.json", parse<6>},
      {"parse integers", "integers.json", parse<6>},
      {"parse doubles", "doubles.json", parse<6>},
      {"parse strings", "strings.json", parse<10>},
      {"parse long", "long.json", parse<10>},
      {"parse escapes", "escapes.json", parse<8>},
      {"parse foreign", "foreign.json", parse<10>},
      {"parse ascii", "ascii.json", parse<6>},
      {"parse keys", "keys.json", parse<4>},
      {"parse short", "short.json", parse<6>},
      {"parse nested", "nested.json", parse<60>},
      {"parse arrays", "arrays.json", parse<8>},
      {"parse members", "members.json", parse<4>},
      {"parse words", "words.json", parse<5>},
      {"parse matrix", "matrix.json", parse<10>},
      {"parse empty", "empty.json", parse<6>},
      {"parse spaced", "spaced.json", parse<8>},
      {"parse commented", "commented.json", parse<8>},
      {"parse plain commented", "commented.json", parse_plain<8>},
      {"parse plain records", "records.json", parse_plain<6>},
      {"parse stream records", "records.json", parse_stream<6>},
      {"parse stream strings", "strings.json", parse_stream<10>},
      {"parse wrong", "spaced.json", wrong},
      {"write fast records", "records.json", write_fast<8>},
      {"write fast integers", "integers.json", write_fast<10>},
      {"write fast doubles", "doubles.json", write_fast<4>},
      {"write fast strings", "strings.json", write_fast<20>},
      {"write fast escapes", "escapes.json", write_fast<10>},
      {"write fast foreign", "foreign.json", write_fast<10>},
      {"write fast keys", "keys.json", write_fast<8>},
      {"write fast arrays", "arrays.json", write_fast<20>},
      {"write styled records", "records.json", write_styled<6>},
      {"write styled strings", "strings.json", write_styled<12>},
      {"write styled matrix", "matrix.json", write_styled<10>},
      {"write styled members", "members.json", write_styled<8>},
      {"write styled nested", "nested.json", write_styled<50>},
      {"write styled commented", "commented.json", write_styled<8>},
      {"write stream records", "records.json", write_stream<6>},
      {"write stream empty", "empty.json", write_stream<8>},
      {"write stream words", "words.json", write_stream<5>},
      {"copy records", "records.json", copy<12>},
      {"copy strings", "strings.json", copy<60>},
      {"copy keys", "keys.json", copy<12>},
      {"copy arrays", "arrays.json", copy<15>},
      {"equal records", "records.json", equal<30>},
      {"equal members", "members.json", equal<20>},
      {"order integers", "integers.json", order<40>},
      {"order strings", "strings.json", order<150>},
      {"iterate records", "records.json", iterate<40>},
      {"iterate arrays", "arrays.json", iterate<30>},
      {"iterate keys", "keys.json", iterate<30>},
      {"names records", "records.json", names<10>},
      {"names members", "members.json", names<8>},
      {"index integers", "integers.json", index<40>},
      {"look up keys", "keys.json", look_up<8>},
      {"get records", "records.json", get<20>},
      {"path records", "records.json", path<4000>},
      {"append", "matrix.json", append},
      {"append strings", "matrix.json", append_strings},
      {"set", "matrix.json", set},
      {"build", "matrix.json", build},
      {"resize", "matrix.json", resize},
      {"remove keys", "keys.json", remove<2>},
      {"clear records", "records.json", clear<10>},
      {"swap short", "short.json", swap<30>},
      {"strings", "strings.json", strings<200>},
      {"quote strings", "strings.json", quote<20>},
      {"quote escapes", "escapes.json", quote<20>},
      {"print doubles", "doubles.json", print_numbers<4>},
  };
  return run_suite(std::vector<Case>(list, list + sizeof list / sizeof *list), count, words);
}
