#include "lab/together.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "lab/profiling.h"
#include "lab/state.h"
#include "lab/trial.h"
#include "model/benchmark.h"
#include "model/profile.h"
#include "run/executor.h"
#include "run/machine.h"

#include <algorithm>
#include <cctype>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace dragnet::lab {
namespace {

constexpr std::string_view separators = " \t\n=<>|&;,()";
constexpr std::size_t digits_of_a_port = 4;

bool is_number(std::string_view word) {
  return std::ranges::all_of(word, [](unsigned char letter) { return std::isdigit(letter) != 0; });
}

// A file has a folder or an ending; a port is a number of some digits, alone or after a colon.
bool names_a_thing(std::string_view word) {
  if (word.starts_with("$DRAGNET_") || word.starts_with("${DRAGNET_") || word.starts_with("/dev/"))
    return false;
  return word.find_first_of("/.:") != std::string_view::npos ||
         (word.size() >= digits_of_a_port && is_number(word));
}

void add_things(std::string command, std::set<std::string>& things) {
  std::erase_if(command, [](char letter) { return letter == '"' || letter == '\''; });
  std::string_view text = command;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    if (const auto word = text.substr(0, end); names_a_thing(word))
      things.emplace(word);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// Hands out trials to workers so that no two that may disturb each other run at once.
class Queue {
public:
  Queue(std::span<const ProfiledTrial> trials, double until) : until_(until) {
    for (std::size_t i = 0; i < trials.size(); ++i)
      if (trials[i].trial.benchmark.cores == 1)
        waiting_.emplace_back(i, named_things(trials[i].trial.benchmark));
  }

  // The next trial that may begin; waits while others stand in the way of all.
  std::optional<std::size_t> take() {
    std::unique_lock lock(mutex_);
    while (!waiting_.empty() && steady_seconds() < until_ && !interrupted()) {
      const auto next =
          std::ranges::find_if(waiting_, [&](const Waiting& one) { return is_free(one.second); });
      if (next == waiting_.end()) {
        ended_.wait(lock);
        continue;
      }
      const std::size_t taken = next->first;
      in_use_.insert(next->second.begin(), next->second.end());
      waiting_.erase(next);
      return taken;
    }
    return std::nullopt;
  }
  void end(const Benchmark& benchmark) {
    const std::scoped_lock lock(mutex_);
    for (const std::string& thing : named_things(benchmark))
      in_use_.erase(thing);
    ended_.notify_all();
  }

private:
  using Waiting = std::pair<std::size_t, std::vector<std::string>>;

  bool is_free(const std::vector<std::string>& things) const {
    return std::ranges::none_of(things,
                                [&](const std::string& thing) { return in_use_.contains(thing); });
  }

  double until_;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::vector<Waiting> waiting_;
  std::set<std::string> in_use_;
};

} // namespace

std::vector<std::string> named_things(const Benchmark& benchmark) {
  std::set<std::string> things;
  add_things(benchmark.command, things);
  add_things(benchmark.prepare, things);
  for (const auto& [variable, value] : benchmark.environment)
    add_things(value, things);
  return {things.begin(), things.end()};
}

std::vector<std::optional<Profile>>
take_profiles(const State& state, std::span<const ProfiledTrial> trials, double until) {
  std::vector<std::optional<Profile>> profiles(trials.size());
  Queue queue(trials, until);
  const auto work = [&](int core) {
    run::PatientExecutor executor;
    while (const auto number = queue.take()) {
      Trial trial = trials[*number].trial;
      trial.core = core;
      if (auto profile = take_profile(executor, state, trial, trials[*number].tables))
        profiles[*number] = std::move(*profile);
      queue.end(trial.benchmark);
    }
  };
  std::vector<std::jthread> workers;
  for (const int core : run::allowed_cores())
    if (workers.size() < trials.size())
      workers.emplace_back(work, core);
  workers.clear();
  return profiles;
}

} // namespace dragnet::lab
