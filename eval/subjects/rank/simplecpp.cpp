// The performance suite of eval/rank for simplecpp: reading C sources as tokens, preprocessing
// them, and work on lists of tokens.
#include "suite.h"

#include "simplecpp.h"

#include <cstdlib>
#include <list>
#include <sstream>

namespace {

using namespace simplecpp;

std::string folder = "."; // of the documents

void check(bool good) {
  if (!good) {
    std::fputs("the suite does not do what it should\n", stderr);
    std::exit(1);
  }
}

// A list of tokens with the names of files that it refers to.
struct Source {
  explicit Source(const std::string& text)
      : stream(text), tokens(stream, files, folder + "/suite.c") {}

  std::vector<std::string> files;
  std::istringstream stream;
  TokenList tokens;
};

std::size_t length_of(const TokenList& tokens) {
  std::size_t length = 0;
  for (const Token* token = tokens.cfront(); token; token = token->next)
    length += token->str().size();
  return length;
}

void preprocess_with(const DUI& options, Source& source, TokenList& output) {
  auto headers = load(source.tokens, source.files, options);
  preprocess(output, source.tokens, source.files, headers, options);
  cleanup(headers);
}

template <int times>
void read(const std::string& text) {
  for (int i = 0; i < times; ++i)
    check(length_of(Source(text).tokens) > 0);
}

template <int times>
void expand(const std::string& text) {
  for (int i = 0; i < times; ++i) {
    Source source(text);
    TokenList output(source.files);
    preprocess_with(DUI(), source, output);
    check(length_of(output) > 0);
  }
}

template <int times>
void expand_read(const std::string& text) {
  Source source(text);
  for (int i = 0; i < times; ++i) {
    TokenList output(source.files);
    preprocess_with(DUI(), source, output);
  }
}

template <int times>
void expand_with_headers(const std::string& text) {
  DUI options;
  options.includePaths.push_back(folder);
  for (int i = 0; i < times; ++i) {
    Source source(text);
    TokenList output(source.files);
    preprocess_with(options, source, output);
    check(length_of(output) > 0);
  }
}

std::string numbered(const std::string& name, int number) {
  std::ostringstream text;
  text << name << number;
  return text.str();
}

void search_paths(const std::string& text) {
  DUI options;
  for (int i = 0; i < 20; ++i)
    options.includePaths.push_back(numbered(folder + "/none/", i));
  options.includePaths.push_back(folder);
  Source source(text);
  TokenList output(source.files);
  preprocess_with(options, source, output);
  check(length_of(output) > 0);
}

void define_many(const std::string& text) {
  DUI options;
  for (int i = 0; i < 600; ++i)
    options.defines.push_back(numbered("GIVEN_", i) + "=1");
  Source source(text);
  for (int i = 0; i < 4; ++i) {
    TokenList output(source.files);
    preprocess_with(options, source, output);
  }
}

void report_usage(const std::string& text) {
  Source source(text);
  for (int i = 0; i < 4; ++i) {
    std::list<MacroUsage> usage;
    const DUI options;
    auto headers = load(source.tokens, source.files, options);
    TokenList output(source.files);
    preprocess(output, source.tokens, source.files, headers, options, nullptr, &usage);
    cleanup(headers);
    check(!usage.empty());
  }
}

void report_messages(const std::string& text) {
  Source source(text);
  for (int i = 0; i < 10; ++i) {
    OutputList messages;
    const DUI options;
    auto headers = load(source.tokens, source.files, options, &messages);
    TokenList output(source.files);
    preprocess(output, source.tokens, source.files, headers, options, &messages);
    cleanup(headers);
    check(!messages.empty());
  }
}

template <int times>
void print(const std::string& text) {
  const Source source(text);
  for (int i = 0; i < times; ++i)
    check(!source.tokens.stringify().empty());
}

template <int times>
void copy(const std::string& text) {
  const Source source(text);
  for (int i = 0; i < times; ++i) {
    TokenList other(source.tokens);
    check(other.cfront() != nullptr);
  }
}

template <int times>
void assign(const std::string& text) {
  Source source(text);
  TokenList other(source.files);
  for (int i = 0; i < times; ++i)
    other = source.tokens;
  check(other.cfront() != nullptr);
}

template <int times>
void remove_comments(const std::string& text) {
  const Source source(text);
  for (int i = 0; i < times; ++i) {
    TokenList other(source.tokens);
    other.removeComments();
  }
}

void take(const std::string& text) {
  Source source(text);
  TokenList all(source.files);
  for (int i = 0; i < 15; ++i) {
    TokenList other(source.tokens);
    all.takeTokens(other);
  }
  check(length_of(all) > 0);
}

void delete_tokens(const std::string& text) {
  const Source source(text);
  for (int i = 0; i < 15; ++i) {
    TokenList other(source.tokens);
    while (other.front())
      other.deleteToken(other.front());
  }
}

void skip_comments(const std::string& text) {
  const Source source(text);
  std::size_t steps = 0;
  for (int i = 0; i < 300; ++i) {
    for (const Token* token = source.tokens.cfront(); token; token = token->nextSkipComments())
      ++steps;
    for (const Token* token = source.tokens.cback(); token; token = token->previousSkipComments())
      ++steps;
  }
  check(steps > 0);
}

void set_texts(const std::string& text) {
  Source source(text);
  for (int i = 0; i < 30; ++i)
    for (Token* token = source.tokens.front(); token; token = token->next)
      token->setstr(i % 2 ? "name" : "17");
}

void compare_texts(const std::string& text) {
  const Source source(text);
  std::size_t found = 0;
  for (int i = 0; i < 30; ++i)
    for (const Token* token = source.tokens.cfront(); token; token = token->next)
      found += token->isOneOf("+-*/") + token->startsWithOneOf("abc") + token->endsWithOneOf("xyz");
  check(found > 0);
}

// Expressions as they stand behind #if.
template <int times>
void fold(const char* expression) {
  for (int i = 0; i < times; ++i) {
    Source source(expression);
    source.tokens.constFold();
    check(source.tokens.cfront() == source.tokens.cback());
  }
}

void fold_sums(const std::string&) {
  fold<600>("1 + 2 - 3 + 4 - 5 + 6 - 7 + 8 + 9 + 10");
}

void fold_products(const std::string&) {
  fold<600>("2 * 3 / 2 * 7 % 10 * 3 / 2 * 5 * 6 % 17");
}

void fold_bits(const std::string&) {
  fold<600>("1 << 4 >> 2 & 6 | 9 ^ 3 | 12 & 10 ^ 5 << 2");
}

void fold_comparisons(const std::string&) {
  fold<600>("1 < 2 == 1 != 0 && 4 >= 3 || 2 <= 1 && 5 > 4");
}

void fold_signs(const std::string&) {
  fold<600>("!0 && !(!5) && -3 < -2 && ~7 == -8 && +4");
}

void fold_brackets(const std::string&) {
  fold<300>("((((((((((1 + 2)) * (3)))) - ((4))))))) + (((5)))");
}

void fold_choices(const std::string&) {
  fold<300>("1 ? (2 ? 3 : 4) : (0 ? 5 : 6)");
}

void fold_long(const std::string&) {
  std::string expression = "1";
  for (int i = 0; i < 400; ++i)
    expression += i % 2 ? " + 3" : " * 1";
  fold<8>(expression.c_str());
}

void simplify_paths(const std::string&) {
  std::size_t length = 0;
  for (int i = 0; i < 4000; ++i)
    length += simplifyPath("a/b/../c/./d//e/../../f/./g/../h.h").size() +
              simplifyPath("../../include/./inner/../file.h").size();
  check(length > 0);
}

void small_sources(const std::string&) {
  for (int i = 0; i < 300; ++i)
    expand<1>("#define TWICE(x) ((x) * 2)\n#if 2 > 1\nint a = TWICE(4); // small\n#endif\n");
}

} // namespace

int main(int count, char** words) {
  if (count > 2)
    folder = words[2];
  const Case list[] = {
      {"read plain", "plain.c", read<3>},
      {"read comments", "comments.c", read<8>},
      {"read strings", "strings.c", read<4>},
      {"read raw strings", "raw_strings.c", read<8>},
      {"read numbers", "numbers.c", read<3>},
      {"read operators", "operators.c", read<4>},
      {"read brackets", "brackets.c", read<8>},
      {"read one line", "one_line.c", read<4>},
      {"read spaced", "spaced.c", read<6>},
      {"read continued", "continued.c", read<8>},
      {"read markers", "markers.c", read<4>},
      {"read unused", "unused.c", read<2>},
      {"read skipped", "skipped.c", read<2>},
      {"read utf16", "utf16.c", read<2>},
      {"read guarded", "guarded.c", read<15>},
      {"expand plain", "plain.c", expand<2>},
      {"expand comments", "comments.c", expand<5>},
      {"expand strings", "strings.c", expand_read<5>},
      {"expand operators", "operators.c", expand_read<5>},
      {"expand one line", "one_line.c", expand_read<5>},
      {"expand markers", "markers.c", expand_read<5>},
      {"expand objects", "objects.c", expand<3>},
      {"expand used", "used.c", expand_read<3>},
      {"expand unused", "unused.c", expand_read<3>},
      {"expand chains", "chains.c", expand_read<3>},
      {"expand functions", "functions.c", expand<3>},
      {"expand functions read", "functions.c", expand_read<3>},
      {"expand inner", "inner.c", expand_read<3>},
      {"expand variadic", "variadic.c", expand_read<3>},
      {"expand stringified", "stringified.c", expand_read<3>},
      {"expand pasted", "pasted.c", expand_read<3>},
      {"expand lists", "lists.c", expand_read<3>},
      {"expand long macro", "long_macro.c", expand_read<2>},
      {"expand many parameters", "many_parameters.c", expand_read<2>},
      {"expand recursive", "recursive.c", expand_read<3>},
      {"expand built in", "built_in.c", expand_read<4>},
      {"expand redefined", "redefined.c", expand_read<5>},
      {"expand arithmetic", "arithmetic.c", expand_read<2>},
      {"expand logic", "logic.c", expand_read<2>},
      {"expand choices", "choices.c", expand_read<2>},
      {"expand characters", "characters.c", expand_read<2>},
      {"expand macro conditions", "macro_conditions.c", expand_read<2>},
      {"expand defined", "defined.c", expand_read<2>},
      {"expand if defined", "if_defined.c", expand_read<8>},
      {"expand skipped", "skipped.c", expand_read<8>},
      {"expand skipped deeply", "skipped_deeply.c", expand_read<20>},
      {"expand chosen", "chosen.c", expand_read<4>},
      {"expand guarded", "guarded.c", expand_read<10>},
      {"headers", "headers.c", expand_with_headers<2>},
      {"headers again", "again.c", expand_with_headers<3>},
      {"headers once", "once.c", expand_with_headers<4>},
      {"headers inside", "inside.c", expand_with_headers<4>},
      {"headers missing", "missing.c", expand_with_headers<4>},
      {"headers by macro", "by_macro.c", expand_with_headers<4>},
      {"headers in many folders", "headers.c", search_paths},
      {"define many", "plain.c", define_many},
      {"report usage", "functions.c", report_usage},
      {"report messages", "missing.c", report_messages},
      {"print plain", "plain.c", print<6>},
      {"print comments", "comments.c", print<30>},
      {"print markers", "markers.c", print<10>},
      {"copy plain", "plain.c", copy<6>},
      {"copy strings", "strings.c", copy<10>},
      {"assign plain", "plain.c", assign<6>},
      {"remove comments", "comments.c", remove_comments<15>},
      {"take tokens", "plain.c", take},
      {"delete tokens", "numbers.c", delete_tokens},
      {"skip comments", "comments.c", skip_comments},
      {"set texts", "plain.c", set_texts},
      {"compare texts", "plain.c", compare_texts},
      {"fold sums", "inside.c", fold_sums},
      {"fold products", "inside.c", fold_products},
      {"fold bits", "inside.c", fold_bits},
      {"fold comparisons", "inside.c", fold_comparisons},
      {"fold signs", "inside.c", fold_signs},
      {"fold brackets", "inside.c", fold_brackets},
      {"fold choices", "inside.c", fold_choices},
      {"fold long", "inside.c", fold_long},
      {"simplify paths", "inside.c", simplify_paths},
      {"small sources", "inside.c", small_sources},
  };
  return run_suite(std::vector<Case>(list, list + sizeof list / sizeof *list), count, words);
}
