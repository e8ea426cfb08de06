#include "analysis/blame/trace_folder.h"

#include "analysis/blame/call_tree.h"
#include "model/trace.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace dragnet::blame {

TraceFolder::TraceFolder(std::size_t functions, ExecutionScope scope, Taker take)
    : functions_(functions), scope_(scope), take_(std::move(take)) {}

TraceFolder::Thread& TraceFolder::thread_at(std::size_t number) {
  while (threads_.size() <= number) {
    threads_.emplace_back().open.resize(functions_);
    if (scope_ == ExecutionScope::Thread || spans_.empty())
      spans_.emplace_back().of.resize(functions_);
  }
  return threads_[number];
}

void TraceFolder::enter_span(Spans& spans, std::uint32_t function) {
  if (spans.of[function].first != 0)
    return;
  spans.of[function].first = spans.now + 1;
  spans.now += 2;
  spans.entered.push_back(function);
}

void TraceFolder::enter(Thread& thread, Spans& spans, std::uint32_t function) {
  enter_span(spans, function);
  const std::uint32_t caller = thread.stack.empty() ? CallTree::root : thread.stack.back().node;
  const std::uint32_t outer = thread.open[function];
  const std::uint32_t node = outer != CallTree::root ? outer : tree_.callee(caller, function);
  ++tree_.at(node).calls;
  thread.open[function] = node;
  thread.stack.push_back({function, node, outer});
}

// Functions above the one that is left have ended too, without saying so.
void TraceFolder::leave(Thread& thread, Spans& spans, std::uint32_t function) {
  if (thread.open[function] == CallTree::root) {
    ++passed_over_;
    return;
  }
  for (bool found = false; !found;) {
    const Frame frame = thread.stack.back();
    thread.stack.pop_back();
    thread.open[frame.function] = frame.outer;
    spans.of[frame.function].last = spans.now;
    found = frame.function == function;
  }
}

void TraceFolder::add(std::size_t number, std::span<const TraceEvent> events) {
  Thread& thread = thread_at(number);
  Spans& spans = spans_of(number);
  for (const TraceEvent event : events) {
    if (event.kind() == EventKind::Time) {
      thread.high = event.high_ticks();
      continue;
    }
    const std::uint64_t time = thread.high | event.ticks();
    if (thread.begun && time > thread.time)
      tree_.at(thread.stack.empty() ? CallTree::root : thread.stack.back().node).cost +=
          time - thread.time;
    thread.begun = true;
    thread.time = time;
    if (event.kind() == EventKind::Cut)
      cut(number);
    else if (event.function() >= functions_)
      ++passed_over_;
    else if (event.kind() == EventKind::Enter)
      enter(thread, spans, event.function());
    else
      leave(thread, spans, event.function());
  }
}

// What is on a stack when an execution ends is left there, and entered when the next one begins.
void TraceFolder::close(std::span<const Thread> threads, Spans& spans) {
  for (const auto& thread : threads)
    for (const auto& frame : thread.stack)
      spans.of[frame.function].last = spans.now;
  ended_.clear();
  for (const std::uint32_t function : spans.entered) {
    ended_.push_back({function, spans.of[function].first, spans.of[function].last});
    spans.of[function] = {};
  }
  spans.entered.clear();
  spans.now = 1;
  if (!ended_.empty())
    take_(ended_);
  for (const auto& thread : threads)
    for (const auto& frame : thread.stack)
      enter_span(spans, frame.function);
}

void TraceFolder::cut(std::size_t thread) {
  if (scope_ == ExecutionScope::Process)
    close(threads_, spans_.front());
  else
    close(std::span(threads_).subspan(thread, 1), spans_[thread]);
}

void TraceFolder::finish() {
  if (scope_ == ExecutionScope::Process && !threads_.empty())
    cut(0);
  for (std::size_t thread = 0; scope_ == ExecutionScope::Thread && thread < threads_.size();
       ++thread)
    cut(thread);
}

} // namespace dragnet::blame
