#include "lab/feeding.h"

#include "base/clock.h"
#include "base/files.h"
#include "base/result.h"
#include "base/text.h"
#include "base/units.h"
#include "lab/counting.h"
#include "lab/definition.h"
#include "lab/laboratory.h"
#include "lab/outcome.h"
#include "lab/serving.h"
#include "lab/state.h"
#include "load/request.h"
#include "load/user.h"
#include "load/visit.h"
#include "model/benchmark.h"
#include "model/run.h"
#include "project/project.h"
#include "run/executor.h"
#include "run/job.h"
#include "run/machine.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fmt/core.h>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace dragnet::lab {
namespace {

// How much more time programs get where they are counted.
constexpr double counting_patience = 10;

// How all feedings of a search are run.
struct FeedingWay {
  const project::Project& project;
  const project::Provoke& provoke;
  Method method = Method::Timed;
  std::optional<run::Counter> counter;
  std::vector<int> cores;
};

run::Job job_of(const FeedingWay& way, const Feeding& feeding, const ScratchFolder& scratch) {
  const project::Provoke& provoke = way.provoke;
  const std::filesystem::path file = scratch.path() / "dragnet-input";
  run::Job job;
  job.words = {"/bin/sh", "-c", fed_command(provoke, feeding.inputs)};
  job.variables = run_environment(way.project, Benchmark{});
  job.variables.push_back("DRAGNET_BUILD=" + feeding.build_folder);
  job.variables.push_back("DRAGNET_TMP=" + scratch.path().string());
  job.variables.push_back("DRAGNET_INPUT=" + file.string());
  job.folder = way.project.root;
  if (provoke.feed == project::Feed::Input)
    job.input = file;
  job.limit = provoke.limit;
  job.cores = way.cores;
  job.fixed_addresses = true;
  if (way.method == Method::Timed)
    job.counter = way.counter;
  return job;
}

Result<Run> carried_out(run::Executor& executor, const State& state, Method method, run::Job job) {
  Run run;
  run.started = milliseconds_since_1970();
  if (method == Method::Counted)
    return count_instructions(executor, state, std::move(job), std::move(run));
  const auto finished = TRY(executor.carry_out(job));
  note_ending(finished, run);
  if (run.finished())
    run.samples = accounted(finished);
  return run;
}

Result<std::vector<load::Request>> requests_of(const std::vector<std::string>& inputs) {
  std::vector<load::Request> requests;
  requests.reserve(inputs.size());
  for (const auto& input : inputs)
    requests.push_back(TRY(load::parse_request(input)));
  return requests;
}

Result<Service> service_of(const FeedingWay& way, const Feeding& feeding,
                           const ScratchFolder& scratch) {
  const project::Provoke& provoke = way.provoke;
  Service service;
  service.visit.port = provoke.serving.port > 0 ? static_cast<std::uint16_t>(provoke.serving.port)
                                                : TRY(load::free_port());
  service.visit.users = feeding.users;
  service.visit.login = TRY(requests_of(provoke.serving.login));
  service.visit.requests = TRY(requests_of(feeding.inputs));
  service.visit.think = provoke.serving.think;
  service.ready = provoke.serving.ready;
  service.patience = provoke.limit * (way.method == Method::Counted ? counting_patience : 1.0);
  service.visit.patience = service.patience;
  service.identity = scratch.path() / "dragnet-server";
  return service;
}

void note_visit(const load::Visited& visited, Run& run) {
  if (visited.in_vain)
    run.outcome = RunOutcome::TimedOut;
  else if (run.finished() && (visited.refused > 0 || !visited.problem.empty()))
    run.outcome = RunOutcome::Failed;
  if (!run.finished())
    run.log = visited.problem.empty()
                  ? fmt::format("{} requests were answered with 500 or more\n{}", visited.refused,
                                run.log)
                  : visited.problem + "\n" + run.log;
  else if (run.samples.contains("wall"))
    // Starting and stopping the server is no part of what its users wait for.
    run.samples["wall"] = visited.seconds;
}

Result<Run> serve_once(run::Executor& executor, const State& state, const FeedingWay& way,
                       const Feeding& feeding) {
  const auto scratch = TRY(ScratchFolder::make(state.scratch()));
  const auto service = TRY(service_of(way, feeding, scratch));
  auto job = job_of(way, feeding, scratch);
  job.words = serving_words(way.provoke.command, service.identity);
  job.variables.push_back(fmt::format("DRAGNET_PORT={}", service.visit.port));
  // Being ready, answering and stopping have their own limits.
  job.limit = Seconds(0);
  ServingExecutor serving(executor, service);
  auto run = TRY(carried_out(serving, state, way.method, std::move(job)));
  note_visit(serving.visited(), run);
  return run;
}

Result<Run> feed_once(run::Executor& executor, const State& state, const FeedingWay& way,
                      const Feeding& feeding) {
  if (way.provoke.feed == project::Feed::Http)
    return serve_once(executor, state, way, feeding);
  const auto scratch = TRY(ScratchFolder::make(state.scratch()));
  TRY(write_file(scratch.path() / "dragnet-input", input_text(feeding.inputs)));
  auto job = job_of(way, feeding, scratch);
  // Counting allows for much: a program that hangs is to be given up sooner.
  if (way.method == Method::Counted)
    job.limit /= 50 / counting_patience;
  return carried_out(executor, state, way.method, std::move(job));
}

// All feedings of a call, divided among threads: each takes the next whenever it has ended one.
class Feedings {
public:
  explicit Feedings(std::span<const Feeding> feedings)
      : feedings_(feedings), runs_(feedings.size()) {}

  void work(const State& state, const FeedingWay& way) {
    run::PatientExecutor executor;
    for (std::size_t i = next_++; i < feedings_.size(); i = next_++) {
      auto run = feed_once(executor, state, way, feedings_[i]);
      if (run)
        runs_[i] = std::move(*run);
      else
        give_up(std::move(run).error());
    }
  }

  Result<std::vector<Run>> result() {
    if (!failures_.empty())
      return std::move(failures_.front());
    return std::move(runs_);
  }

private:
  // Where nothing can be started or the user interrupted, the rest is not tried.
  void give_up(Error why) {
    next_ = feedings_.size();
    const std::scoped_lock lock(guard_);
    failures_.push_back(std::move(why));
  }

  std::span<const Feeding> feedings_;
  std::vector<Run> runs_; // each written by one thread
  std::atomic<std::size_t> next_{0};
  std::mutex guard_;
  std::vector<Error> failures_;
};

} // namespace

std::string input_text(const std::vector<std::string>& inputs) {
  std::string text;
  for (const auto& input : inputs)
    text += input + "\n";
  return text;
}

std::string fed_command(const project::Provoke& provoke, const std::vector<std::string>& inputs) {
  std::string command = provoke.command;
  if (provoke.feed == project::Feed::Arguments)
    for (const auto& input : inputs)
      command += " " + shell_quoted(input);
  return command;
}

std::string command_on(const project::Provoke& provoke, const std::string& file,
                       const std::vector<std::string>& inputs) {
  switch (provoke.feed) {
  case project::Feed::Input:
    return fmt::format("{} < {}", provoke.command, shell_quoted(file));
  case project::Feed::File:
    return fmt::format("export DRAGNET_INPUT={}; {}", shell_quoted(file), provoke.command);
  case project::Feed::Arguments:
  case project::Feed::Http:
    break;
  }
  return fed_command(provoke, inputs);
}

Result<std::vector<Run>> feed(Laboratory& laboratory, std::span<const Feeding> feedings,
                              Method method, std::size_t at_once) {
  const State& state = laboratory.state();
  const auto lock = TRY(FileLock::wait(state.measure_lock()));
  const auto& provoke = laboratory.project().provoke;
  if (!provoke)
    return Error{"dragnet.toml does not say which command takes the inputs",
                 "write [provoke] with genes and command"};
  FeedingWay way{laboratory.project(), *provoke, method, run::instruction_counter(),
                 run::measuring_cores(1)};
  if (at_once > 1)
    way.cores.clear();
  Feedings all(feedings);
  {
    std::vector<std::jthread> workers;
    for (std::size_t i = 0; i < std::min(at_once, feedings.size()); ++i)
      workers.emplace_back([&] { all.work(state, way); });
  }
  return all.result();
}

} // namespace dragnet::lab
