// Traces as people write them down, and impact sets from them by the words of the definition.
#pragma once

#include "model/trace.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace dragnet::blame {

struct PlainEvent {
  std::size_t thread = 0;
  EventKind kind = EventKind::Enter;
  std::uint32_t function = 0;
};
using PlainTrace = std::vector<PlainEvent>;

/// The calls of one to three threads: nested, recursive, cut into executions, not always ended.
class RandomCalls {
public:
  RandomCalls(std::uint64_t seed, std::uint32_t functions) : random_(seed), functions_(functions) {}

  PlainTrace make() {
    const std::size_t threads = 1 + below(3);
    const std::size_t length = 10 + below(150);
    PlainTrace trace;
    std::vector<std::vector<std::uint32_t>> stacks(threads);
    for (std::size_t i = 0; i < length; ++i)
      add(trace, stacks, below(threads));
    if (below(2) == 0)
      for (std::size_t thread = 0; thread < threads; ++thread)
        for (; !stacks[thread].empty(); stacks[thread].pop_back())
          trace.push_back({thread, EventKind::Leave, stacks[thread].back()});
    return trace;
  }

  std::size_t below(std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_);
  }

private:
  void add(PlainTrace& trace, std::vector<std::vector<std::uint32_t>>& stacks, std::size_t thread) {
    auto& stack = stacks[thread];
    const std::size_t choice = below(20);
    if (choice == 0) {
      trace.push_back({thread, EventKind::Cut, 0});
    } else if (choice <= 9 && !stack.empty()) {
      trace.push_back({thread, EventKind::Leave, stack.back()});
      stack.pop_back();
    } else if (stack.size() < 12) {
      stack.push_back(static_cast<std::uint32_t>(below(functions_)));
      trace.push_back({thread, EventKind::Enter, stack.back()});
    }
  }

  std::mt19937_64 random_;
  std::uint32_t functions_;
};

/// One execution in full: what is on a stack when it begins is entered, when it ends left.
class PlainExecution {
public:
  void add(const PlainEvent& event) { events_.push_back(event); }
  bool empty() const { return events_.empty(); }

  /// Functions called after the changed one, or on the stack when it returns; of other threads,
  /// those on the stack when it was entered.
  std::set<std::uint32_t> impact_of(std::uint32_t changed) const {
    std::set<std::uint32_t> impact;
    std::map<std::size_t, std::vector<std::uint32_t>> stacks;
    for (std::size_t i = 0; i < events_.size(); ++i) {
      const auto& event = events_[i];
      if (event.kind == EventKind::Enter && event.function == changed) {
        for (const auto& [thread, stack] : stacks)
          if (thread != event.thread)
            impact.insert(stack.begin(), stack.end());
        add_called_after(i, impact);
        add_on_stack_at_return(i, impact);
      }
      step(stacks, event);
    }
    impact.erase(changed);
    return impact;
  }

private:
  static void step(std::map<std::size_t, std::vector<std::uint32_t>>& stacks,
                   const PlainEvent& event) {
    if (event.kind == EventKind::Enter)
      stacks[event.thread].push_back(event.function);
    else
      stacks[event.thread].pop_back();
  }

  void add_called_after(std::size_t entry, std::set<std::uint32_t>& impact) const {
    for (std::size_t i = entry + 1; i < events_.size(); ++i)
      if (events_[i].kind == EventKind::Enter)
        impact.insert(events_[i].function);
  }

  void add_on_stack_at_return(std::size_t entry, std::set<std::uint32_t>& impact) const {
    const std::size_t thread = events_[entry].thread;
    std::vector<std::uint32_t> stack;
    std::size_t depth = 0;
    for (std::size_t i = 0; i < events_.size(); ++i) {
      if (events_[i].thread != thread)
        continue;
      if (i == entry)
        depth = stack.size();
      if (events_[i].kind == EventKind::Enter)
        stack.push_back(events_[i].function);
      else
        stack.pop_back();
      if (i > entry && stack.size() == depth) {
        impact.insert(stack.begin(), stack.end());
        return;
      }
    }
  }

  std::vector<PlainEvent> events_;
};

/// A trace cut into its executions.
class PlainCutter {
public:
  PlainCutter(const PlainTrace& trace, ExecutionScope scope) : scope_(scope) {
    for (const auto& event : trace)
      if (event.kind == EventKind::Cut)
        cut(event.thread);
      else
        step(event);
    for (const auto& [thread, stack] : std::map(stacks_))
      cut(thread);
  }

  std::vector<PlainExecution> executions;

private:
  std::size_t key(std::size_t thread) const {
    return scope_ == ExecutionScope::Process ? 0 : thread;
  }

  void step(const PlainEvent& event) {
    current_[key(event.thread)].add(event);
    if (event.kind == EventKind::Enter)
      stacks_[event.thread].push_back(event.function);
    else
      stacks_[event.thread].pop_back();
  }

  void cut(std::size_t thread) {
    auto& execution = current_[key(thread)];
    for (const auto& [other, stack] : stacks_)
      if (key(other) == key(thread))
        for (std::size_t i = stack.size(); i-- > 0;)
          execution.add({other, EventKind::Leave, stack[i]});
    executions.push_back(execution);
    execution = {};
    for (const auto& [other, stack] : stacks_)
      if (key(other) == key(thread))
        for (const auto function : stack)
          execution.add({other, EventKind::Enter, function});
  }

  ExecutionScope scope_;
  std::map<std::size_t, PlainExecution> current_;
  std::map<std::size_t, std::vector<std::uint32_t>> stacks_;
};

/// The same trace as a tracer keeps it, event after event with its thread.
inline std::vector<std::pair<std::size_t, TraceEvent>> kept(const PlainTrace& trace,
                                                            std::uint64_t start = 1000) {
  std::vector<std::pair<std::size_t, TraceEvent>> events;
  std::map<std::size_t, std::uint64_t> high;
  std::uint64_t time = start;
  for (const auto& event : trace) {
    time += 10;
    if (high[event.thread] != time >> TraceEvent::tick_bits)
      events.emplace_back(event.thread, TraceEvent::make_time(time));
    high[event.thread] = time >> TraceEvent::tick_bits;
    events.emplace_back(event.thread, TraceEvent::make(event.kind, event.function, time));
  }
  return events;
}

} // namespace dragnet::blame
