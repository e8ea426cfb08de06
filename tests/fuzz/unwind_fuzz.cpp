// Any bytes as a program that is watched from outside: there is a rule for every place in it, or it
// is no program.
#include "fuzz/on_disk.h"
#include "runtime/frame_rules.h"
#include "tracer/loaded_file.h"

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer asks for this name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const dragnet::fuzz::OnDisk file(bytes, size);
  struct stat status{};
  if (::stat(file.path().c_str(), &status) != 0)
    std::abort();
  const auto loaded = dragnet::tracer::LoadedFile::load(file.path(), status.st_ino);
  if (loaded == nullptr)
    return 0;
  for (std::size_t place = 0; place < size; place += 7)
    if (loaded->rule_at(place).base > FRAME_OF_FIRST_CODE)
      std::abort();
  return 0;
}
