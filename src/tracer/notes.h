// What a watcher leaves beside its stacks files, for who has started it (runtime/trace_wire.h).
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

namespace dragnet::tracer {

class Notes {
public:
  explicit Notes(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Says once what is not seen.
  void add(const std::string& text);

  /// Says why nothing can be watched at all.
  void refuse(std::string_view why) const;

  /// Says that the command could not be started.
  void not_started(int error_number) const;

private:
  void append(const char* name, std::string_view text) const;
  std::filesystem::path folder_;
  std::set<std::string> known_;
};

} // namespace dragnet::tracer
