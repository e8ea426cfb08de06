// An executor that starts nothing: it remembers the jobs it was given and answers as it was told.
#pragma once

#include "run/executor.h"

#include <functional>
#include <vector>

namespace dragnet::fakes {

class FakeExecutor final : public run::Executor {
public:
  std::function<Result<run::Finished>(const run::Job&)> answer = [](const run::Job&) {
    return run::Finished{};
  };
  std::vector<run::Job> jobs;

  Result<run::Finished> carry_out(const run::Job& job) override {
    jobs.push_back(job);
    return answer(job);
  }
};

} // namespace dragnet::fakes
