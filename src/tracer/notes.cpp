#include "tracer/notes.h"

#include "base/files.h"
#include "runtime/trace_wire.h"

#include <fcntl.h>
#include <unistd.h>

#include <string>
#include <string_view>

namespace dragnet::tracer {

void Notes::append(const char* name, std::string_view text) const {
  const FileDescriptor file(
      ::open((folder_ / name).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  [[maybe_unused]] const auto put = ::write(file.number(), text.data(), text.size());
}

void Notes::add(const std::string& text) {
  if (known_.insert(text).second)
    append(DRAGNET_TRACE_NOTES, text + '\n');
}

void Notes::refuse(std::string_view why) const {
  append(DRAGNET_TRACE_REFUSED, why);
}

void Notes::not_started(int error_number) const {
  append(DRAGNET_TRACE_NOT_STARTED, std::to_string(error_number));
}

} // namespace dragnet::tracer
