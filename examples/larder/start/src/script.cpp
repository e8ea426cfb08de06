#include "script.h"

#include "failure.h"
#include "generate.h"

#include <charconv>
#include <vector>

namespace larder {
namespace {

using Words = std::vector<std::string_view>;

Words split(std::string_view line) {
  Words words;
  while (true) {
    const std::size_t start = line.find_first_not_of(" \t");
    if (start == line.npos)
      return words;
    line.remove_prefix(start);
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

std::uint32_t number(std::string_view word) {
  std::uint32_t value = 0;
  const auto result = std::from_chars(word.data(), word.data() + word.size(), value);
  if (result.ec != std::errc() || result.ptr != word.data() + word.size())
    throw Failure("'" + std::string(word) + "' is not a number");
  return value;
}

void put(Store& store, const Words& words, std::ostream&) { store.put(words[1], words[2]); }

void get(Store& store, const Words& words, std::ostream& out) {
  std::string value;
  if (store.get(words[1], value))
    out << value << '\n';
  else
    out << words[1] << ": not found\n";
}

void erase(Store& store, const Words& words, std::ostream& out) {
  if (!store.erase(words[1]))
    out << words[1] << ": not found\n";
}

void scan(Store& store, const Words& words, std::ostream& out) {
  std::size_t keys = 0;
  std::size_t bytes = 0;
  store.scan(words.size() > 1 ? words[1] : "", [&](std::string_view, std::string_view value) {
    ++keys;
    bytes += value.size();
  });
  out << keys << " keys, " << bytes << " bytes\n";
}

void compact(Store& store, const Words&, std::ostream& out) {
  out << store.compact() << " bytes saved\n";
}

void fill(Store& store, const Words& words, std::ostream&) {
  const std::uint32_t count = number(words[1]);
  const std::size_t value_size = number(words[3]);
  KeyMaker keys(number(words[2]));
  const std::string text = make_text(64 * 1024 + value_size);
  for (std::uint32_t i = 0; i < count; ++i)
    store.put(keys.key(i), std::string_view(text).substr((i * 61) % (64 * 1024), value_size));
}

void lookup(Store& store, const Words& words, std::ostream& out) {
  const std::uint32_t count = number(words[1]);
  const std::uint32_t range = number(words[3]);
  if (range == 0)
    throw Failure("RANGE must not be 0");
  KeyMaker keys(number(words[2]));
  Numbers numbers(11);
  std::string value;
  std::size_t found = 0;
  for (std::uint32_t i = 0; i < count; ++i)
    found += store.get(keys.key(static_cast<std::uint32_t>(numbers.next() % range)), value);
  out << found << " of " << count << " found\n";
}

struct Command {
  std::string_view name;
  std::size_t fewest_words;
  std::size_t most_words;
  void (*run)(Store&, const Words&, std::ostream&);
};

constexpr Command commands[] = {
    {"put", 3, 3, put},       {"get", 2, 2, get},         {"erase", 2, 2, erase},
    {"scan", 1, 2, scan},     {"compact", 1, 1, compact}, {"fill", 4, 4, fill},
    {"lookup", 4, 4, lookup},
};

void run_line(Store& store, const Words& words, std::ostream& out) {
  for (const Command& command : commands) {
    if (command.name != words[0])
      continue;
    if (words.size() < command.fewest_words || words.size() > command.most_words)
      throw Failure("wrong number of words for " + std::string(words[0]));
    return command.run(store, words, out);
  }
  throw Failure("unknown command '" + std::string(words[0]) + "'");
}

} // namespace

void run_script(Store& store, std::istream& script, const std::string& name, std::ostream& out) {
  std::string line;
  for (int line_number = 1; std::getline(script, line); ++line_number) {
    const Words words = split(line);
    if (words.empty() || words[0].starts_with('#'))
      continue;
    try {
      run_line(store, words, out);
    } catch (const Failure& failure) {
      throw Failure(name + ":" + std::to_string(line_number) + ": " + failure.what());
    }
  }
}

} // namespace larder
