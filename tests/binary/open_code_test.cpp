// A file is read once, and again when it has changed.
#include "binary/open_code.h"

#include "binary/code_places.h"
#include "fakes/temporary_folder.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

namespace dragnet::binary {
namespace {

namespace fs = std::filesystem;

// The first byte of a page that stands in a function.
std::uint64_t some_code(CodePlaces& places, std::uint64_t size) {
  constexpr std::uint64_t page = 4096;
  for (std::uint64_t at = 0; at < size; at += page)
    if (!places.at(at).empty())
      return at;
  ADD_FAILURE() << "no code was found";
  return 0;
}

TEST(OpenCode, reads_a_file_once_and_again_when_it_has_changed) {
  const fakes::TemporaryFolder folder;
  const std::string file = folder / "program";
  fs::copy_file("/proc/self/exe", file);
  OpenCode code;
  CodePlaces& first = code.in(file);
  const std::uint64_t at = some_code(first, fs::file_size(file));
  code.renew();
  EXPECT_EQ(&code.in(file), &first);
  fs::remove(file);
  std::ofstream(file) << "no program any more";
  EXPECT_FALSE(code.in(file).at(at).empty()) << "what is in use must stay";
  code.renew();
  EXPECT_TRUE(code.in(file).at(at).empty());
}

TEST(OpenCode, has_no_places_in_what_cannot_be_read) {
  OpenCode code;
  EXPECT_TRUE(code.in("/nowhere").at(0).empty());
  code.renew();
  EXPECT_TRUE(code.in("/nowhere").at(0).empty());
}

} // namespace
} // namespace dragnet::binary
