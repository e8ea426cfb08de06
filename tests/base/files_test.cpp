#include "base/files.h"

#include "fakes/child_process.h"
#include "fakes/temporary_folder.h"

#include <fcntl.h>
#include <sys/resource.h>

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <string>
#include <thread>

namespace dragnet {
namespace fs = std::filesystem;
namespace {

using fakes::becomes_true;
using fakes::ChildProcess;
using fakes::entry_count;

class Files : public testing::Test {
protected:
  fakes::TemporaryFolder folder;
};

using FileLocks = Files;
using ScratchFolders = Files;

TEST_F(Files, read_back_as_they_were_written) {
  const std::string content = std::string("a\0b\n", 4) + std::string(300'000, 'x');
  ASSERT_TRUE(write_file(folder / "file", content));
  EXPECT_EQ(*read_file(folder / "file"), content);
  ASSERT_TRUE(write_file(folder / "file", ""));
  EXPECT_EQ(*read_file(folder / "file"), "");
}

TEST_F(Files, of_the_kernel_without_a_size_can_be_read) {
  EXPECT_FALSE(read_file("/proc/self/status")->empty());
}

TEST_F(Files, that_cannot_be_read_are_errors_that_name_them) {
  EXPECT_TRUE(read_file(folder / "missing").error().what.contains((folder / "missing").string()));
  EXPECT_FALSE(read_file(folder.path())) << "a folder is not a file";
}

TEST_F(Files, are_never_seen_half_written) {
  ASSERT_TRUE(write_file(folder / "file", std::string(200'000, 'a')));
  std::atomic<bool> done = false;
  std::jthread writer([&] {
    for (int i = 0; i < 60; ++i)
      EXPECT_TRUE(write_file(folder / "file", std::string(200'000, i % 2 == 0 ? 'b' : 'a')));
    done = true;
  });
  while (!done) {
    const auto seen = read_file(folder / "file");
    ASSERT_TRUE(seen);
    ASSERT_EQ(seen->size(), 200'000U);
    ASSERT_EQ(seen->find_first_not_of((*seen)[0]), std::string::npos);
  }
}

TEST_F(Files, keep_their_old_content_when_writing_fails) {
  ASSERT_TRUE(write_file(folder / "file", "old"));
  const int status = ChildProcess([&] {
                       ::signal(SIGXFSZ, SIG_IGN);
                       const rlimit small{1000, 1000};
                       ::setrlimit(RLIMIT_FSIZE, &small);
                       return write_file(folder / "file", std::string(5000, 'x')) ? 1 : 0;
                     }).wait();
  EXPECT_EQ(status, 0) << "writing must fail beyond the limit";
  EXPECT_EQ(*read_file(folder / "file"), "old");
  EXPECT_EQ(entry_count(folder.path()), 1U) << "a part was left behind";
}

TEST_F(Files, cannot_be_written_over_a_folder) {
  ASSERT_TRUE(make_folder(folder / "taken"));
  EXPECT_FALSE(write_file(folder / "taken", "x"));
  EXPECT_EQ(entry_count(folder.path()), 1U);
}

TEST(FileError, has_a_hint_for_a_full_and_for_a_forbidden_disk) {
  EXPECT_TRUE(file_error("write", "/a/b", ENOSPC).hint.contains("space"));
  EXPECT_TRUE(file_error("write", "/a/b", EDQUOT).hint.contains("space"));
  EXPECT_TRUE(file_error("write", "/a/b", EROFS).hint.contains("/a"));
  EXPECT_EQ(file_error("write", "/a/b", ENOSPC).what, "cannot write /a/b: No space left on device");
  EXPECT_EQ(file_error("read", "/a/b", ENOENT).hint, "");
}

TEST_F(Files, in_folders_that_are_made_with_their_parents) {
  EXPECT_TRUE(make_folder(folder / "a/b/c"));
  EXPECT_TRUE(make_folder(folder / "a/b/c")) << "existing is fine";
  ASSERT_TRUE(write_file(folder / "file", ""));
  EXPECT_FALSE(make_folder(folder / "file/below"));
}

TEST_F(Files, are_removed_with_their_folder_but_not_through_links) {
  ASSERT_TRUE(make_folder(folder / "tree/deep"));
  ASSERT_TRUE(make_folder(folder / "other"));
  ASSERT_TRUE(write_file(folder / "other/precious", "x"));
  fs::create_symlink(folder / "other", folder / "tree/deep/link");
  EXPECT_TRUE(remove_tree(folder / "tree"));
  EXPECT_FALSE(fs::exists(folder / "tree"));
  EXPECT_TRUE(fs::exists(folder / "other/precious"));
  EXPECT_TRUE(remove_tree(folder / "tree")) << "absent is fine";
}

// Root may write everywhere: the case runs as another user.
int remove_as_ordinary_user(const fs::path& tree, const fs::path& locked) {
  return ChildProcess([&] {
           if (!fakes::become_ordinary_user())
             return 9;
           fs::create_directories(tree / "inner/deep");
           (void)write_file(tree / "inner/deep/file", "x").has_value();
           fs::permissions(locked, fs::perms::owner_read | fs::perms::owner_exec);
           return remove_tree(tree) ? 0 : 1;
         })
      .wait();
}

TEST_F(Files, are_removed_from_folders_that_are_not_writable) {
  fs::permissions(folder.path(), fs::perms::all);
  const int status = remove_as_ordinary_user(folder / "tree", folder / "tree/inner/deep");
  if (status == 9)
    GTEST_SKIP() << "cannot become another user here";
  EXPECT_EQ(status, 0);
  EXPECT_FALSE(fs::exists(folder / "tree"));
}

TEST_F(Files, are_removed_when_the_top_folder_is_not_writable) {
  fs::permissions(folder.path(), fs::perms::all);
  const int status = remove_as_ordinary_user(folder / "tree", folder / "tree");
  if (status == 9)
    GTEST_SKIP() << "cannot become another user here";
  EXPECT_EQ(status, 0);
  EXPECT_FALSE(fs::exists(folder / "tree"));
}

TEST_F(Files, close_with_their_descriptor) {
  const auto before = entry_count("/proc/self/fd");
  {
    FileDescriptor first(::open("/dev/null", O_RDONLY));
    FileDescriptor second(std::move(first));
    FileDescriptor third;
    third = std::move(second);
    EXPECT_FALSE(second.is_open()); // NOLINT(bugprone-use-after-move): what is left is the question
    EXPECT_TRUE(third.is_open());
    EXPECT_EQ(entry_count("/proc/self/fd"), before + 1);
  }
  EXPECT_EQ(entry_count("/proc/self/fd"), before);
}

TEST_F(FileLocks, have_one_owner_at_a_time) {
  {
    const auto held = FileLock::wait(folder / "lock");
    ASSERT_TRUE(held);
    EXPECT_FALSE(FileLock::take_if_free(folder / "lock")->has_value());
  }
  EXPECT_TRUE(FileLock::take_if_free(folder / "lock")->has_value());
}

TEST_F(FileLocks, are_given_back_when_their_owner_is_killed) {
  ChildProcess owner([&] {
    const auto held = FileLock::wait(folder / "lock");
    (void)write_file(folder / "ready", "").has_value();
    ::pause();
    return 0;
  });
  ASSERT_TRUE(becomes_true([&] { return fs::exists(folder / "ready"); }));
  EXPECT_FALSE(FileLock::take_if_free(folder / "lock")->has_value());
  owner.kill();
  EXPECT_TRUE(FileLock::take_if_free(folder / "lock")->has_value());
}

TEST_F(FileLocks, are_waited_for) {
  auto held = std::optional(FileLock::wait(folder / "lock"));
  ChildProcess waiting([&] {
    held.reset(); // the child's copy of the descriptor would keep the lock
    return FileLock::wait(folder / "lock") ? 0 : 1;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  held.reset();
  EXPECT_EQ(waiting.wait(), 0);
}

TEST_F(FileLocks, in_a_missing_folder_are_errors) {
  EXPECT_FALSE(FileLock::wait(folder / "missing/lock"));
  EXPECT_FALSE(FileLock::take_if_free(folder / "missing/lock"));
}

TEST_F(ScratchFolders, are_empty_and_go_with_their_owner) {
  fs::path path;
  {
    const auto scratch = ScratchFolder::make(folder / "scratch");
    ASSERT_TRUE(scratch);
    path = scratch->path();
    EXPECT_TRUE(fs::is_directory(path));
    EXPECT_EQ(entry_count(path), 0U);
    ASSERT_TRUE(write_file(path / "file", "x"));
  }
  EXPECT_FALSE(fs::exists(path));
  EXPECT_EQ(entry_count(folder / "scratch"), 0U) << "its lock was left behind";
}

TEST_F(ScratchFolders, are_different_with_names_of_the_same_length) {
  const auto first = ScratchFolder::make(folder.path());
  const auto second = ScratchFolder::make(folder.path());
  EXPECT_NE(first->path(), second->path());
  EXPECT_EQ(first->path().string().size(), second->path().string().size());
}

TEST_F(ScratchFolders, move_to_a_new_owner) {
  auto first = std::optional(std::move(*ScratchFolder::make(folder.path())));
  const ScratchFolder second(std::move(*first));
  first.reset();
  EXPECT_TRUE(fs::exists(second.path()));
  ASSERT_TRUE(ScratchFolder::sweep(folder.path()));
  EXPECT_TRUE(fs::exists(second.path()));
}

TEST_F(ScratchFolders, of_the_living_survive_a_sweep_and_those_of_the_dead_do_not) {
  const auto ours = ScratchFolder::make(folder / "scratch");
  ChildProcess owner([&] {
    const auto scratch = ScratchFolder::make(folder / "scratch");
    (void)write_file(scratch->path() / "file", "x").has_value();
    (void)write_file(folder / "ready", scratch->path().string()).has_value();
    ::pause();
    return 0;
  });
  ASSERT_TRUE(becomes_true([&] { return fs::exists(folder / "ready"); }));
  const fs::path theirs = *read_file(folder / "ready");
  ASSERT_TRUE(ScratchFolder::sweep(folder / "scratch"));
  EXPECT_TRUE(fs::exists(theirs / "file")) << "its owner lives";
  owner.kill();
  ASSERT_TRUE(ScratchFolder::sweep(folder / "scratch"));
  EXPECT_FALSE(fs::exists(theirs)) << "its owner is dead";
  EXPECT_TRUE(fs::exists(ours->path()));
  EXPECT_EQ(entry_count(folder / "scratch"), 2U) << "ours and its lock";
}

TEST_F(ScratchFolders, need_not_exist_for_a_sweep) {
  EXPECT_TRUE(ScratchFolder::sweep(folder / "missing"));
}

} // namespace
} // namespace dragnet
