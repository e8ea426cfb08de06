#include "failure.h"
#include "generate.h"
#include "options.h"
#include "script.h"
#include "store.h"

#include <charconv>
#include <exception>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace larder;

constexpr std::string_view usage = R"(usage: larder [OPTION...] COMMAND [ARGUMENT...]

commands
  load FILE         put each line of the file: a key, a tab, a value
  get KEY...        print the values of these keys
  put KEY VALUE     store a value
  erase KEY         erase a key
  scan [PREFIX]     print the keys that begin with the prefix, and their values
  compact           drop what is erased and overwritten from the data file
  run FILE          run a workload script
  make-words N      print N lines that load can read
A FILE named - is the standard input.

options
  --data=FILE                  the data file; without it nothing is kept
  --index=hash|sorted          the index in memory (hash)
  --flush=never|end|batch      when the data file is written (never: when the buffer is full)
  --compress                   compress values
  --checksum                   store a checksum with each record, and check it when it is read
  --verify                     check all records first; needs --checksum
)";

using Words = std::vector<std::string>;

/// Calls `read` with the file, or with the standard input if its name is "-".
template <class Read> void with_file(const std::string& name, Read read) {
  if (name == "-")
    return read(std::cin);
  std::ifstream file(name);
  if (!file)
    throw Failure("cannot read " + name);
  read(file);
}

void load(Store& store, std::istream& file, const std::string& name) {
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const std::size_t tab = line.find('\t');
    if (tab == line.npos)
      throw Failure(name + ":" + std::to_string(number) + ": no tab between key and value");
    store.put(std::string_view(line).substr(0, tab), std::string_view(line).substr(tab + 1));
  }
}

int get_all(Store& store, const Words& words) {
  int status = 0;
  std::string value;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (store.get(words[i], value)) {
      std::cout << value << '\n';
    } else {
      std::cerr << "larder: " << words[i] << ": not found\n";
      status = 1;
    }
  }
  return status;
}

void print_all(Store& store, std::string_view prefix) {
  store.scan(prefix, [](std::string_view key, std::string_view value) {
    std::cout << key << '\t' << value << '\n';
  });
}

void make_words(const std::string& word) {
  unsigned count = 0;
  const auto result = std::from_chars(word.data(), word.data() + word.size(), count);
  if (result.ec != std::errc() || *result.ptr != '\0')
    throw Failure("'" + word + "' is not a number");
  Numbers numbers(3);
  for (unsigned i = 0; i < count; ++i)
    std::cout << make_word(numbers.next()) << '-' << i << '\t' << make_word(numbers.next()) << '\n';
}

int run_command(Store& store, const Words& words) {
  const std::string& command = words[0];
  if (command == "load" && words.size() == 2)
    with_file(words[1], [&](std::istream& file) { load(store, file, words[1]); });
  else if (command == "get" && words.size() >= 2)
    return get_all(store, words);
  else if (command == "put" && words.size() == 3)
    store.put(words[1], words[2]);
  else if (command == "erase" && words.size() == 2)
    return store.erase(words[1]) ? 0 : 1;
  else if (command == "scan" && words.size() <= 2)
    print_all(store, words.size() == 2 ? words[1] : "");
  else if (command == "compact" && words.size() == 1)
    std::cout << store.compact() << " bytes saved\n";
  else if (command == "run" && words.size() == 2)
    with_file(words[1], [&](std::istream& file) { run_script(store, file, words[1], std::cout); });
  else if (command == "make-words" && words.size() == 2)
    make_words(words[1]);
  else
    throw Failure("wrong command; try larder --help");
  return 0;
}

int run(int count, char** arguments) {
  const Options options = parse_options(count, arguments);
  if (options.help || options.words.empty()) {
    std::cout << usage;
    return options.help ? 0 : 2;
  }
  Store store(options.store);
  const int status = run_command(store, options.words);
  store.close();
  return status;
}

} // namespace

int main(int count, char** arguments) {
  try {
    return run(count, arguments);
  } catch (const std::exception& failure) {
    std::cerr << "larder: " << failure.what() << '\n';
    return 2;
  }
}
