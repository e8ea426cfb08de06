// Folds a full trace, event by event, into what blame needs: the first and the last event of each
// function in each execution, and the tree of calls with their costs. Memory grows with the number
// of functions and call paths, not with the number of events.
#pragma once

#include "analysis/blame/call_tree.h"
#include "model/trace.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace dragnet::blame {

class TraceFolder {
public:
  /// What is done with an execution when it has ended; it holds only during the call.
  using Taker = std::function<void(std::span<const FunctionSpan>)>;

  /// For functions numbered below `functions`.
  TraceFolder(std::size_t functions, ExecutionScope scope, Taker take);

  /// Takes in the next events of a thread, which are numbered from 0. Where threads share
  /// executions, calls for different threads must be in the order of time. What does not fit (an
  /// unknown function, a function left that was not entered) is passed over.
  void add(std::size_t number, std::span<const TraceEvent> events);

  /// Ends the executions that are under way; to be called once, at the end.
  void finish();

  const CallTree& tree() const { return tree_; }
  std::uint64_t passed_over() const { return passed_over_; }

private:
  struct Frame {
    std::uint32_t function = 0;
    std::uint32_t node = 0;  // in the tree
    std::uint32_t outer = 0; // the node that the function had before it was called again
  };
  struct Thread {
    bool begun = false;
    std::uint64_t high = 0; // of the clock
    std::uint64_t time = 0; // of the last event
    std::vector<Frame> stack;
    std::vector<std::uint32_t> open; // by function: its node on this stack; 0: not there
  };
  // The first and last events of an execution that is under way. Moments need to tell only what
  // was before which first entry: the clock goes on there, and is odd for all that comes after it.
  struct Moments {
    std::uint32_t first = 0; // 0: not entered
    std::uint32_t last = 0;
  };
  struct Spans {
    std::vector<Moments> of; // by function
    std::vector<std::uint32_t> entered;
    std::uint32_t now = 1;
  };

  Thread& thread_at(std::size_t number);
  Spans& spans_of(std::size_t thread) {
    return spans_[scope_ == ExecutionScope::Process ? 0 : thread];
  }
  void enter(Thread& thread, Spans& spans, std::uint32_t function);
  void leave(Thread& thread, Spans& spans, std::uint32_t function);
  static void enter_span(Spans& spans, std::uint32_t function);
  void cut(std::size_t thread);
  void close(std::span<const Thread> threads, Spans& spans);

  std::size_t functions_;
  ExecutionScope scope_;
  Taker take_;
  CallTree tree_;
  std::vector<Thread> threads_;
  std::vector<Spans> spans_; // one, or one for each thread
  Execution ended_;
  std::uint64_t passed_over_ = 0;
};

} // namespace dragnet::blame
