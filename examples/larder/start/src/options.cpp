#include "options.h"

#include "failure.h"

#include <string_view>

namespace larder {
namespace {

IndexKind parse_index(std::string_view value) {
  if (value == "hash")
    return IndexKind::Hash;
  if (value == "sorted")
    return IndexKind::Sorted;
  throw Failure("--index must be one of hash, sorted");
}

Flush parse_flush(std::string_view value) {
  if (value == "never")
    return Flush::Never;
  if (value == "end")
    return Flush::End;
  if (value == "batch")
    return Flush::Batch;
  throw Failure("--flush must be one of never, end, batch");
}

void parse_option(std::string_view option, Options& options) {
  const std::size_t equals = std::min(option.find('='), option.size());
  const std::string_view name = option.substr(0, equals);
  const std::string_view value = option.substr(std::min(equals + 1, option.size()));
  if (name == "--data")
    options.store.data = value;
  else if (name == "--index")
    options.store.index = parse_index(value);
  else if (name == "--flush")
    options.store.flush = parse_flush(value);
  else if (option == "--compress")
    options.store.compress = true;
  else if (option == "--checksum")
    options.store.checksum = true;
  else if (option == "--verify")
    options.store.verify = true;
  else if (option == "--help")
    options.help = true;
  else
    throw Failure("unknown option");
}

} // namespace

Options parse_options(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string_view argument = arguments[i];
    if (argument.starts_with("--"))
      parse_option(argument, options);
    else
      options.words.emplace_back(argument);
  }
  if (options.store.verify && !options.store.checksum)
    throw Failure("--verify needs --checksum");
  return options;
}

} // namespace larder
