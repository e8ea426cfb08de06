#include "tracer/stack_walk.h"

#include "runtime/frame_rules.h"
#include "tracer/code_space.h"

#include <sys/types.h>
#include <sys/uio.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

namespace dragnet::tracer {
namespace {

constexpr std::size_t deepest_stack = 1024;
constexpr std::size_t largest_copy = std::size_t{1} << 23;
constexpr std::size_t most_at_once = std::size_t{1} << 14;
constexpr std::uint64_t page = 4096;

class Walker {
public:
  Walker(Walk& walk, Registers from, StackCopy& stack) : walk_(walk), now_(from), stack_(stack) {}

  const Registers& now() const { return now_; }

  bool to_caller(const frame_rule& rule) {
    const auto frame = frame_of(rule);
    if (!frame || *frame <= now_.rsp || !read_rbp(rule, *frame))
      return false;
    const std::uint64_t at = moved(*frame, rule.return_offset);
    std::uint64_t caller = 0;
    if (!stack_.word(at, caller))
      return false;
    walk_.decided_by.push_back(at);
    now_.pc = caller;
    now_.rsp = *frame;
    return true;
  }

  // What the kernel saved when it called a handler of a signal: a ucontext_t at rsp.
  bool to_interrupted() {
    constexpr std::uint64_t rbp_place = 15 * sizeof(std::uint64_t);
    constexpr std::uint64_t rsp_place = 20 * sizeof(std::uint64_t);
    constexpr std::uint64_t pc_place = 21 * sizeof(std::uint64_t);
    Registers saved;
    const std::uint64_t at = now_.rsp;
    if (!stack_.word(at + rbp_place, saved.rbp) || !stack_.word(at + rsp_place, saved.rsp) ||
        !stack_.word(at + pc_place, saved.pc))
      return false;
    walk_.decided_by.insert(walk_.decided_by.end(),
                            {at + rbp_place, at + rsp_place, at + pc_place});
    ++saved.pc;
    now_ = saved;
    rbp_ = Rbp::Decided;
    return true;
  }

  // Code without tables: what was compiled with frame pointers can still be followed.
  bool by_frame_pointer() {
    const frame_rule usual{.base_offset = 16,
                           .rbp_offset = -16,
                           .return_offset = -8,
                           .base = FRAME_FROM_RBP,
                           .rbp = RBP_IN_FRAME,
                           .zero = 0};
    return to_caller(usual);
  }

  // The first code of a program has no frame that called it, and the kernel sets rbp to 0.
  bool is_without_frame() const { return rbp_ != Rbp::Unknown && now_.rbp == 0; }

private:
  // What is known of rbp, and whether anything has depended on it yet.
  enum class Rbp : std::uint8_t { First, Read, Decided, Unknown };

  static std::uint64_t moved(std::uint64_t address, std::int32_t by) {
    return address + static_cast<std::uint64_t>(static_cast<std::int64_t>(by));
  }

  void need_rbp() {
    if (rbp_ == Rbp::First)
      walk_.needs_rbp = true;
    else if (rbp_ == Rbp::Read)
      walk_.decided_by.push_back(rbp_at_);
    rbp_ = Rbp::Decided;
  }

  std::optional<std::uint64_t> frame_of(const frame_rule& rule) {
    if (rule.base == FRAME_FROM_RSP)
      return moved(now_.rsp, rule.base_offset);
    if (rbp_ == Rbp::Unknown)
      return std::nullopt;
    need_rbp();
    const std::uint64_t frame = moved(now_.rbp, rule.base_offset);
    if (rule.base == FRAME_FROM_RBP)
      return frame;
    std::uint64_t behind = 0;
    if (!stack_.word(frame, behind))
      return std::nullopt;
    walk_.decided_by.push_back(frame);
    return behind;
  }

  bool read_rbp(const frame_rule& rule, std::uint64_t frame) {
    if (rule.rbp == RBP_KEPT)
      return true;
    if (rule.rbp == RBP_UNKNOWN || (rule.rbp == RBP_AT_RBP && rbp_ == Rbp::Unknown)) {
      rbp_ = Rbp::Unknown;
      return true;
    }
    if (rule.rbp == RBP_AT_RBP)
      need_rbp();
    rbp_at_ = moved(rule.rbp == RBP_AT_RBP ? now_.rbp : frame, rule.rbp_offset);
    rbp_ = Rbp::Read;
    return stack_.word(rbp_at_, now_.rbp);
  }

  Walk& walk_;
  Registers now_;
  StackCopy& stack_;
  Rbp rbp_ = Rbp::First;
  std::uint64_t rbp_at_ = 0;
};

bool step(Walker& walker, const frame_rule& rule) {
  if (rule.base == FRAME_OF_SIGNAL)
    return walker.to_interrupted();
  return rule.base == FRAME_UNKNOWN ? walker.by_frame_pointer() : walker.to_caller(rule);
}

} // namespace

void StackCopy::begin(pid_t process, std::uint64_t address) {
  process_ = process;
  read(address & ~std::uint64_t{7}, usual_);
}

void StackCopy::begin(std::uint64_t address, const std::byte* bytes, std::size_t size) {
  process_ = 0;
  start_ = address;
  words_.resize(size / 8);
  if (!words_.empty())
    std::memcpy(words_.data(), bytes, words_.size() * 8);
}

bool StackCopy::read(std::uint64_t from, std::size_t size) {
  words_.resize(size / 8);
  const iovec here{words_.data(), words_.size() * 8};
  // NOLINTNEXTLINE(performance-no-int-to-ptr): it lies in another process
  const iovec there{reinterpret_cast<void*>(from), here.iov_len};
  const ssize_t got = ::process_vm_readv(process_, &here, 1, &there, 1, 0);
  start_ = from;
  words_.resize(got > 0 ? static_cast<std::size_t>(got) / 8 : 0);
  return !words_.empty();
}

bool StackCopy::fetch(std::uint64_t at, std::uint64_t& value) {
  if (process_ == 0 || at % 8 != 0)
    return false;
  const std::uint64_t reach = at - start_ + 8;
  if (at < start_ || reach > largest_copy) {
    // Another stack: that of a handler of signals, or that which it interrupted.
    if (!read(at, page))
      return false;
  } else {
    const std::size_t needed = ((reach + page - 1) / page) * page;
    usual_ = std::clamp(needed, usual_, std::max(usual_, most_at_once));
    if (!read(start_, std::max(needed, 2 * words_.size() * 8)))
      return false;
  }
  const std::uint64_t index = (at - start_) / 8;
  if (index >= words_.size())
    return false;
  value = words_[index];
  return true;
}

void walk_stack(Walk& walk, Registers from, StackCopy& stack, CodeSpace& code, pid_t process) {
  walk.addresses.clear();
  walk.decided_by.clear();
  walk.whole = walk.needs_rbp = false;
  Walker walker(walk, from, stack);
  while (walk.addresses.size() < deepest_stack) {
    const std::uint64_t pc = walker.now().pc;
    frame_rule rule{};
    if (pc == 0 || code.rule_at(process, pc - 1, rule) == CodeSpace::Found::NoCode) {
      walk.whole = pc == 0;
      return;
    }
    walk.addresses.push_back(pc);
    if (rule.base == FRAME_OF_FIRST_CODE) {
      walk.whole = true;
      return;
    }
    if (!step(walker, rule)) {
      walk.whole = rule.base == FRAME_UNKNOWN && walker.is_without_frame();
      return;
    }
  }
}

} // namespace dragnet::tracer
