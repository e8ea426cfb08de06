#include "console/output.h"

#include <cerrno>
#include <cstdio>
#include <string_view>

namespace dragnet::console {

void Output::write(std::string_view text) {
  progress_.now("", -1);
  if (trouble_ == 0 && std::fwrite(text.data(), 1, text.size(), file_) != text.size())
    trouble_ = errno;
}

int Output::finish() {
  if (std::fflush(file_) != 0 && trouble_ == 0)
    trouble_ = errno;
  // Someone wrote around us and failed; the reason is lost by now.
  if (std::ferror(file_) != 0 && trouble_ == 0)
    trouble_ = EIO;
  return trouble_;
}

} // namespace dragnet::console
