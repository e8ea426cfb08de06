#include "tracer/watched_process.h"

#include "base/files.h"
#include "runtime/call_meanings.h"
#include "runtime/stacks_format.h"
#include "tracer/code_space.h"
#include "tracer/ledger.h"
#include "tracer/stack_walk.h"

#include <fmt/core.h>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::tracer {
namespace {

std::uint64_t amount_of(long result) {
  return result > 0 ? static_cast<std::uint64_t>(result) : 0;
}

// The bytes of the messages that a call with several of them has handled.
std::uint64_t message_bytes(const Call& call) {
  std::vector<mmsghdr> messages(amount_of(call.result));
  const iovec here{messages.data(), messages.size() * sizeof(mmsghdr)};
  // NOLINTNEXTLINE(performance-no-int-to-ptr): it lies in another process
  const iovec there{reinterpret_cast<void*>(call.arguments[1]), here.iov_len};
  std::uint64_t sum = 0;
  if (::process_vm_readv(call.thread, &here, 1, &there, 1, 0) == static_cast<ssize_t>(here.iov_len))
    for (const auto& message : messages)
      sum += message.msg_len;
  return sum;
}

} // namespace

void WatchedProcess::begin_image(CodeSpace code) {
  code_ = std::move(code);
  ledger_.reset();
  ledger_failed_ = false;
}

bool WatchedProcess::has_ledger() {
  if (ledger_ != nullptr || ledger_failed_)
    return ledger_ != nullptr;
  auto made = Ledger::make(folder_, id_);
  if (made)
    ledger_ = std::make_unique<Ledger>(std::move(*made));
  ledger_failed_ = !made;
  return ledger_ != nullptr;
}

std::uint32_t WatchedProcess::file_behind(pid_t thread, std::uint64_t descriptor) {
  const auto number = static_cast<int>(descriptor);
  if (number < 0)
    return DRAGNET_NO_FILE;
  if (!descriptors_.is_open())
    descriptors_ = FileDescriptor(
        ::open(fmt::format("/proc/{}/fd", id_).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  std::array<char, PATH_MAX> path; // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
  const auto name = fmt::format("{}", number);
  ssize_t size = ::readlinkat(descriptors_.number(), name.c_str(), path.data(), path.size());
  if (size <= 0) // the first thread has ended before the others
    size =
        ::readlink(fmt::format("/proc/{}/fd/{}", thread, number).c_str(), path.data(), path.size());
  if (size <= 0)
    return DRAGNET_NO_FILE;
  return ledger_->file(std::string_view(path.data(), static_cast<std::size_t>(size)));
}

void WatchedProcess::add(const Call& call, const Use& use) {
  const std::uint32_t file =
      use.descriptor ? file_behind(call.thread, *use.descriptor) : DRAGNET_NO_FILE;
  ledger_->add(stack_number_, file, use.kind, 1, use.amount);
}

void WatchedProcess::count_special(const Call& call) {
  const auto& arguments = call.arguments;
  const std::uint64_t amount = amount_of(call.result);
  const std::uint64_t succeeded = call.result == 0 ? 1 : 0;
  switch (meaning_of(call.number)) {
  case CALL_TRANSFERS_MESSAGES:
    add(call, {kind_of(call.number), message_bytes(call), arguments[0]});
    return;
  case CALL_SENDS_FILE:
    add(call, {DRAGNET_WRITTEN, amount, arguments[0]});
    add(call, {DRAGNET_READ, amount, arguments[1]});
    return;
  case CALL_COPIES:
    add(call, {DRAGNET_READ, amount, arguments[0]});
    add(call, {DRAGNET_WRITTEN, amount, arguments[2]});
    return;
  case CALL_SPLICES:
    add(call, {DRAGNET_SPLICED, amount, arguments[2]});
    return;
  case CALL_TEES:
    add(call, {DRAGNET_SPLICED, amount, arguments[1]});
    return;
  case CALL_SYNCS:
    add(call, {DRAGNET_SYNCED, succeeded, arguments[0]});
    return;
  case CALL_SYNCS_ALL:
    add(call, {DRAGNET_SYNCED, succeeded, {}});
    return;
  case CALL_OPENS:
    if (call.result >= 0)
      add(call, {DRAGNET_OPENED, 1, amount});
    return;
  default:
    return;
  }
}

std::optional<WatchedProcess::Place> WatchedProcess::place(const Walk& walk, std::string_view path,
                                                           std::uint32_t kind) {
  if (!has_ledger())
    return std::nullopt;
  return Place{.stack = ledger_->stack(walk, code_),
               .file = path.empty() ? DRAGNET_NO_FILE : ledger_->file(path),
               .kind = kind};
}

void WatchedProcess::add(const Place& place, std::uint64_t calls, std::uint64_t amount) {
  if (ledger_ != nullptr)
    ledger_->add(place.stack, place.file, place.kind, calls, amount);
}

void WatchedProcess::count(const Call& call, StackCopy& stack) {
  if (call.result == -EBADF)
    return;
  if (!has_ledger()) {
    ++lost_;
    return;
  }
  code_.refresh(call.thread);
  stack.begin(call.thread, call.from.rsp);
  walk_stack(walk_, call.from, stack, code_, call.thread);
  stack_number_ = ledger_->stack(walk_, code_);
  if (meaning_of(call.number) == CALL_TRANSFERS)
    add(call, {kind_of(call.number), amount_of(call.result), call.arguments[0]});
  else
    count_special(call);
}

} // namespace dragnet::tracer
