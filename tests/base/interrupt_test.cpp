#include "base/interrupt.h"

#include "base/files.h"
#include "fakes/child_process.h"
#include "fakes/temporary_folder.h"

#include <poll.h>

#include <gtest/gtest.h>

#include <filesystem>

namespace dragnet {
namespace {

bool bell_rings() {
  pollfd watched{interrupt_descriptor(), POLLIN, 0};
  return ::poll(&watched, 1, 0) == 1;
}

// Each case is a process of its own, because an interrupt is never forgotten.
int in_a_process(const std::function<int()>& work) {
  return fakes::ChildProcess(work).wait();
}

TEST(Interrupt, is_not_seen_before_anybody_watches) {
  EXPECT_FALSE(interrupted());
  EXPECT_EQ(interrupt_descriptor(), -1);
}

TEST(Interrupt, is_noted_and_rings_the_bell) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP})
    EXPECT_EQ(in_a_process([number] {
                watch_for_interrupts();
                if (interrupted() || bell_rings())
                  return 1;
                ::raise(number);
                return interrupted() && bell_rings() ? 0 : 2;
              }),
              0)
        << number;
}

TEST(Interrupt, ends_the_program_at_once_the_second_time) {
  EXPECT_EQ(in_a_process([] {
              watch_for_interrupts();
              ::raise(SIGINT);
              ::usleep(400'000);
              ::raise(SIGTERM);
              return 0;
            }),
            128 + SIGTERM);
}

TEST(Interrupt, that_arrives_twice_at_once_is_one_wish) {
  EXPECT_EQ(in_a_process([] {
              watch_for_interrupts();
              ::raise(SIGINT);
              ::raise(SIGTERM);
              return interrupted() ? 0 : 1;
            }),
            0);
}

TEST(Interrupt, may_be_watched_twice) {
  EXPECT_EQ(in_a_process([] {
              watch_for_interrupts();
              const int first = interrupt_descriptor();
              watch_for_interrupts();
              return interrupt_descriptor() == first ? 0 : 1;
            }),
            0);
}

TEST(Interrupt, ends_the_wait_for_a_lock) {
  const fakes::TemporaryFolder folder;
  const auto held = FileLock::wait(folder / "lock");
  ASSERT_TRUE(held);
  fakes::ChildProcess waiting([&] {
    watch_for_interrupts();
    (void)write_file(folder / "ready", "").has_value();
    return FileLock::wait(folder / "lock") ? 1 : 0;
  });
  ASSERT_TRUE(fakes::becomes_true([&] { return std::filesystem::exists(folder / "ready"); }));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  ::kill(waiting.id(), SIGINT);
  EXPECT_EQ(waiting.wait(), 0);
}

} // namespace
} // namespace dragnet
