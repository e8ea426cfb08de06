#include "profile/profiler.h"

#include "base/files.h"
#include "base/process.h"
#include "base/result.h"
#include "base/text.h"
#include "base/units.h"
#include "model/profile.h"
#include "profile/attribution.h"
#include "profile/callgrind.h"
#include "profile/counts_file.h"
#include "profile/emulator.h"
#include "profile/sampler.h"
#include "profile/tally.h"
#include "run/executor.h"
#include "run/job.h"

#include <fmt/core.h>

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace dragnet::profile {
namespace {

namespace fs = std::filesystem;

// What came of one way to count.
enum class Answer { Counted, NothingOfTheBuild, TooLong, EndedOtherwise, NotHere };
struct Attempt {
  Answer answer = Answer::NotHere;
  Profile profile;

  bool is_answered() const {
    return answer == Answer::Counted || answer == Answer::NothingOfTheBuild;
  }
};

// Everything that the ways to count have in common.
struct Setting {
  run::Executor& executor;
  const Question& question;
  const Tables& tables;
  const Identify& identify;
  run::Finished plain; ///< how the benchmark ends by itself
};

std::string end_of(const run::Finished& finished) {
  switch (finished.ending) {
  case run::Ending::Exited:
    return fmt::format("exited with {}", finished.status);
  case run::Ending::Signalled:
    return fmt::format("was ended by signal {}", finished.status);
  case run::Ending::TimedOut:
    return "took longer than its limit";
  case run::Ending::NotStarted:
    break;
  }
  return fmt::format("could not be started: {}", std::generic_category().message(finished.status));
}

Result<> check_plain_run(const run::Finished& finished) {
  if (finished.ending == run::Ending::Exited && finished.status == 0)
    return success();
  return Error{fmt::format("the benchmark {}:\n{}", end_of(finished), trim(finished.log)),
               "a benchmark must work by itself before it can be profiled"};
}

bool same_end(const run::Finished& a, const run::Finished& b) {
  return a.ending == b.ending && a.status == b.status;
}

Result<> prepare(const Question& question) {
  return question.prepare ? question.prepare() : success();
}

Result<run::Finished> carried_out(const Setting& setting, const run::Job& job) {
  TRY(prepare(setting.question));
  return setting.executor.carry_out(job);
}

Result<Attempt> count_below(const Setting& setting, const std::string& below) {
  const auto folder = TRY(ScratchFolder::make(setting.question.scratch));
  run::Job job = setting.question.job;
  job.limit = setting.question.limit;
  job = TRY(inside_emulator(std::move(job), below, folder.path(), setting.tables));
  const auto finished = TRY(carried_out(setting, job));
  if (finished.ending == run::Ending::TimedOut)
    return Attempt{Answer::TooLong, {}};
  if (!same_end(finished, setting.plain))
    return Attempt{Answer::EndedOtherwise, {}};
  const auto counts = TRY(read_counts(folder.path()));
  Attempt attempt{Answer::Counted, attribute(counts, setting.tables, setting.identify)};
  if (attempt.profile.functions.empty())
    attempt.answer = Answer::NothingOfTheBuild;
  return attempt;
}

// Programs of the build first; if none ran, all programs: one of them may load the build's library.
Result<Attempt> by_emulator(const Setting& setting) {
  if (!has_emulator())
    return Attempt{Answer::NotHere, {}};
  std::error_code problem;
  const auto build = fs::canonical(setting.question.build, problem);
  if (problem)
    return file_error("find", setting.question.build, problem.value());
  auto attempt = TRY(count_below(setting, build.string()));
  if (attempt.answer != Answer::NothingOfTheBuild)
    return attempt;
  return count_below(setting, "/");
}

run::Job inside_valgrind(const Question& question, const fs::path& results) {
  // In these names % stands for something else.
  const std::string folder = replace_all(results.string(), "%", "%%");
  const std::vector<std::string> valgrind{
      "valgrind",
      "--tool=callgrind",
      "--trace-children=yes",
      "--dump-instr=yes",
      "--quiet",
      fmt::format("--log-file={}/%p.log", folder),
      fmt::format("--callgrind-out-file={}/%p.callgrind", folder)};
  run::Job job = question.job;
  job.limit = question.limit;
  job.words.insert(job.words.begin(), valgrind.begin(), valgrind.end());
  return job;
}

Result<std::vector<CallgrindOutput>> read_outputs(const fs::path& folder) {
  std::vector<CallgrindOutput> outputs;
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(folder, problem)) {
    if (entry.path().extension() != ".callgrind")
      continue;
    const auto text = TRY(read_file(entry.path()));
    outputs.push_back(TRY_WHILE("callgrind's output", parse_callgrind(text)));
  }
  if (problem)
    return file_error("read", folder, problem.value());
  return outputs;
}

Result<Attempt> by_callgrind(const Setting& setting) {
  if (find_program("valgrind").empty())
    return Attempt{Answer::NotHere, {}};
  const auto folder = TRY(ScratchFolder::make(setting.question.scratch));
  const auto finished = TRY(carried_out(setting, inside_valgrind(setting.question, folder.path())));
  if (finished.ending == run::Ending::TimedOut)
    return Attempt{Answer::TooLong, {}};
  if (!same_end(finished, setting.plain))
    return Attempt{Answer::EndedOtherwise, {}};
  const auto outputs = TRY(read_outputs(folder.path()));
  Attempt attempt{Answer::Counted, attribute(outputs, setting.tables, setting.identify)};
  if (attempt.profile.functions.empty())
    attempt.answer = Answer::NothingOfTheBuild;
  return attempt;
}

Result<Attempt> by_samples(const Setting& setting) {
  TRY(prepare(setting.question));
  Attempt attempt{Answer::Counted, {}};
  attempt.profile = TRY(sample(setting.question.job, setting.tables, setting.identify));
  if (attempt.profile.functions.empty())
    attempt.answer = Answer::NothingOfTheBuild;
  return attempt;
}

Error nothing_of_the_build(const Question& question) {
  return Error{fmt::format("the benchmark ran no program of the build (none below {})",
                           question.build.string()),
               "let its command start a program below $DRAGNET_BUILD, and name that program in "
               "'binaries' of [build] in dragnet.toml"};
}

} // namespace

Result<Profile> profile(run::Executor& executor, const Question& question, const Tables& tables,
                        const Identify& identify) {
  if (tables.empty())
    return Error{"the build has no binaries to profile",
                 "name them in 'binaries' of [build] in dragnet.toml"};
  Setting setting{executor, question, tables, identify, {}};
  setting.plain = TRY(carried_out(setting, question.job));
  TRY(check_plain_run(setting.plain));
  auto attempt = TRY(by_emulator(setting));
  if (attempt.answer == Answer::NotHere || attempt.answer == Answer::EndedOtherwise)
    attempt = TRY(by_callgrind(setting));
  if (!attempt.is_answered())
    attempt = TRY(by_samples(setting));
  if (attempt.answer == Answer::NothingOfTheBuild)
    return nothing_of_the_build(question);
  return std::move(attempt.profile);
}

} // namespace dragnet::profile
