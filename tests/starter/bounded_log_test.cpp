#include "starter/bounded_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace dragnet::starter {
namespace {

// The same promise, kept by remembering everything.
std::string plain(const std::string& all, std::size_t size) {
  const std::size_t head = size / 4;
  const std::size_t tail = size - head;
  if (all.size() <= size)
    return all;
  return all.substr(0, head) + "\n[... " + std::to_string(all.size() - size) +
         " bytes left out ...]\n" + all.substr(all.size() - tail);
}

// A log whose memory is exactly as large as it may use, so that a tool for memory errors sees a
// step beyond.
class Log {
public:
  explicit Log(std::size_t size) : memory_(size), log_(memory_.data(), size) {}
  void add(const std::string& text) { log_.add(text.data(), text.size()); }
  std::uint64_t total() const { return log_.total(); }
  std::string text() const {
    std::string copy(log_.kept(), '?');
    log_.copy(copy.data());
    return copy;
  }

private:
  std::vector<char> memory_;
  BoundedLog log_;
};

std::string letters(std::mt19937& random, std::size_t count) {
  std::string made(count, 'a');
  for (char& letter : made)
    letter = static_cast<char>('a' + random() % 26);
  return made;
}

TEST(BoundedLog, agrees_with_a_plain_one_for_chunks_of_any_size) {
  std::mt19937 random(1);
  for (int round = 0; round < 400; ++round) {
    const std::size_t size = 1 + random() % 100;
    const std::size_t largest_chunk = 1 + random() % 150;
    Log log(size);
    std::string all;
    for (std::size_t i = random() % 30; i > 0; --i) {
      const std::string chunk = letters(random, random() % largest_chunk);
      log.add(chunk);
      all += chunk;
      ASSERT_EQ(log.text(), plain(all, size)) << "size " << size << " after " << all.size();
      ASSERT_EQ(log.total(), all.size());
    }
  }
}

TEST(BoundedLog, keeps_all_up_to_its_size) {
  Log log(8);
  log.add("12345678");
  EXPECT_EQ(log.text(), "12345678");
  log.add("9");
  EXPECT_EQ(log.text(), "12\n[... 1 bytes left out ...]\n456789");
}

TEST(BoundedLog, of_nothing_is_empty) {
  const Log log(8);
  EXPECT_EQ(log.text(), "");
  EXPECT_EQ(log.total(), 0U);
}

TEST(BoundedLog, without_memory_still_counts) {
  Log log(0);
  log.add("abc");
  EXPECT_EQ(log.total(), 3U);
  EXPECT_EQ(log.text(), "\n[... 3 bytes left out ...]\n");
}

} // namespace
} // namespace dragnet::starter
