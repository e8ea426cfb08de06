// One search of eval/provoke: a strategy, a seed, and two versions that evaluate sequences of
// inputs for as long as they are asked (eval/subjects/provoke/served.h).
//
//   provoke STRATEGY SEED BUDGET LENGTH INPUTS OLD NEW
//
// Prints one line: the difference of the best sequence, what it costs the old version, how many
// evaluations were made and how many could not be compared, and the numbers of its inputs.

#include "analysis/provoke/chromosome.h"
#include "analysis/provoke/search.h"
#include "analysis/provoke/strategy.h"
#include "base/files.h"
#include "base/result.h"
#include "base/text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/core.h>
#include <memory>
#include <optional>
#include <span>
#include <spawn.h>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

using namespace dragnet;
using provoke::Chromosome;
using provoke::Ending;
using provoke::Evaluation;

struct Closes {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Closes>;

// A version that is asked over pipes.
class Served {
public:
  Served(const std::string& program, const std::string& inputs) {
    std::array<int, 2> to{};
    std::array<int, 2> from{};
    if (::pipe2(to.data(), O_CLOEXEC) != 0 || ::pipe2(from.data(), O_CLOEXEC) != 0)
      std::exit(2);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, to[0], 0);
    ::posix_spawn_file_actions_adddup2(&actions, from[1], 1);
    std::array<std::string, 2> words{program, inputs};
    std::array<char*, 3> pointers{words[0].data(), words[1].data(), nullptr};
    pid_t child = -1;
    if (::posix_spawn(&child, program.c_str(), &actions, nullptr, pointers.data(), ::environ) != 0)
      std::exit(2);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(to[0]);
    ::close(from[1]);
    asks_.reset(::fdopen(to[1], "w"));
    answers_.reset(::fdopen(from[0], "r"));
  }

  void ask(const std::string& line) {
    std::fputs(line.c_str(), asks_.get());
    std::fflush(asks_.get());
  }

  // The cost, or how it ended.
  std::pair<Ending, double> answer() {
    std::array<char, 64> line{};
    if (std::fgets(line.data(), line.size(), answers_.get()) == nullptr)
      std::exit(2);
    const std::string_view text = trim(line.data());
    if (text == "rejected")
      return {Ending::Rejected, 0};
    if (text == "crashed")
      return {Ending::Crashed, 0};
    if (text == "hung")
      return {Ending::Hung, 0};
    return {Ending::Compared, std::strtod(line.data(), nullptr)};
  }

private:
  File asks_;
  File answers_;
};

std::string line_of(const Chromosome& chromosome) {
  std::string line;
  for (const auto gene : chromosome)
    line += fmt::format("{} ", gene);
  return line + "\n";
}

// Both versions run at the same time.
Evaluation evaluation(const Chromosome& chromosome, Served& before, Served& now) {
  const std::string line = line_of(chromosome);
  before.ask(line);
  now.ask(line);
  const auto [old_ending, old_cost] = before.answer();
  const auto [new_ending, new_cost] = now.answer();
  Evaluation made;
  made.ending = std::max(old_ending, new_ending);
  made.version = old_ending == new_ending  ? provoke::Version::Both
                 : old_ending > new_ending ? provoke::Version::Old
                                           : provoke::Version::New;
  made.base = old_cost;
  made.fitness = new_cost - old_cost;
  return made;
}

} // namespace

int main(int count, char** arguments) {
  const std::vector<std::string> words(arguments, arguments + count);
  if (words.size() != 8)
    return 2;
  const auto text = read_file(words[5]);
  if (!text)
    return 2;
  provoke::Pool pool;
  pool.genes = lines(*text).size();
  pool.length = std::strtoul(words[4].c_str(), nullptr, 10);
  const auto strategy = provoke::make_strategy(words[1], pool, provoke::Noise::Exact,
                                               std::strtoull(words[2].c_str(), nullptr, 10));
  Served before(words[6], words[5]);
  Served now(words[7], words[5]);
  const provoke::Evaluate evaluate =
      [&](std::span<const Chromosome> asked) -> Result<std::vector<Evaluation>> {
    std::vector<Evaluation> made;
    for (const auto& chromosome : asked)
      made.push_back(evaluation(chromosome, before, now));
    return made;
  };
  const auto outcome =
      provoke::search(*strategy, evaluate, std::strtoul(words[3].c_str(), nullptr, 10));
  if (!outcome || outcome->best.empty())
    return 1;
  const auto& best = outcome->best.front();
  fmt::print("{} {} {} {} {}", best.score.mean, evaluation(best.chromosome, before, now).base,
             outcome->evaluations, outcome->not_compared, line_of(best.chromosome));
  return 0;
}
