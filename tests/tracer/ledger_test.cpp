// What is kept of processes that are watched from outside can be read back, and what finds no room
// is counted.
#include "tracer/ledger.h"

#include "fakes/temporary_folder.h"
#include "profile/stack_file.h"
#include "tracer/code_space.h"
#include "tracer/stack_walk.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdint>
#include <string>
#include <vector>

namespace dragnet::tracer {
namespace {

Walk stack_of(std::vector<std::uint64_t> addresses) {
  Walk walk;
  walk.addresses = std::move(addresses);
  walk.whole = true;
  return walk;
}

TEST(TracerLedger, reads_back_what_was_added) {
  const fakes::TemporaryFolder folder;
  auto ledger = Ledger::make(folder.path(), 77);
  ASSERT_TRUE(ledger) << ledger.error().what;
  LoadedFiles files;
  CodeSpace code(files);
  code.refresh(::getpid());
  const auto first = ledger->stack(stack_of({1, 2, 3}), code);
  const auto second = ledger->stack(stack_of({1, 2}), code);
  EXPECT_EQ(ledger->stack(stack_of({1, 2, 3}), code), first);
  ledger->add(first, ledger->file("/a"), DRAGNET_WRITTEN, 1, 10);
  ledger->add(first, ledger->file("/a"), DRAGNET_WRITTEN, 2, 20);
  ledger->add(second, ledger->file("/b"), DRAGNET_READ, 1, 5);
  const auto read = profile::read_stacks(folder.path());
  ASSERT_TRUE(read) << read.error().what;
  ASSERT_EQ(read->size(), 1);
  const auto& process = read->front();
  EXPECT_EQ(process.header.process, 77);
  EXPECT_EQ(process.files, (std::vector<std::string>{"/a", "/b"}));
  EXPECT_EQ(process.words, (std::vector<std::uint64_t>{1, 2, 3, 1, 2}));
  EXPECT_FALSE(process.modules.empty());
  ASSERT_EQ(process.uses.size(), 2);
  EXPECT_EQ(process.uses[0].calls, 3);
  EXPECT_EQ(process.uses[0].amount, 30);
  EXPECT_EQ(process.uses[1].file, 1);
}

TEST(TracerLedger, counts_what_finds_no_room) {
  const fakes::TemporaryFolder folder;
  auto ledger = Ledger::make(folder.path(), 1);
  ASSERT_TRUE(ledger) << ledger.error().what;
  LoadedFiles files;
  const CodeSpace code(files);
  const std::uint64_t room = ledger->header().stack_capacity;
  for (std::uint64_t number = 0; number < room + 100; ++number)
    ledger->add(ledger->stack(stack_of({number}), code), 0, DRAGNET_WRITTEN, 1, 1);
  EXPECT_EQ(ledger->header().stack_count, room);
  EXPECT_EQ(ledger->header().lost, 100);
}

} // namespace
} // namespace dragnet::tracer
