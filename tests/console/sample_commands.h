// Commands of a small program that the tests of the frame describe, parse, explain and complete.
#pragma once

#include "base/interrupt.h"
#include "console/command.h"
#include "console/frame_commands.h"

#include <csignal>
#include <string>
#include <vector>

namespace dragnet::console {

inline Result<int> sample_compare(const Words& words, Surroundings& around) {
  around.output.write("compared with " + words.argument("BASE") + " in " +
                      around.folder.filename().string() + "\n");
  return words.has("dry-run") ? 0 : 1;
}

inline Result<int> sample_fail(const Words& /*words*/, Surroundings& around) {
  around.progress.warn("the machine is busy");
  return Error{.what = "cannot build 3f2a1c: make exited with 1", .hint = "see: build.log"};
}

inline Result<int> sample_stop(const Words& /*words*/, Surroundings& /*around*/) {
  watch_for_interrupts();
  (void)std::raise(SIGINT);
  return 0;
}

inline Command sample_compare_command() {
  return {
      .name = "compare",
      .group = "Judge",
      .summary = "tell whether a commit got slower",
      .description = "Measures both commits in pairs, interleaved, and decides as soon as the "
                     "numbers allow it. Mühlbauer wrote C:\\temp, too.\n\n.dots may begin a line.\n"
                     "\n    dragnet compare literal\n      --deeper\n\nThe end.",
      .arguments = {{.name = "BASE",
                     .meaning = "the commit to compare with",
                     .completes = Completes::Commit},
                    {.name = "NEW",
                     .meaning = "the commit in question",
                     .least = 0,
                     .completes = Completes::Commit}},
      .options = {{.letter = "b",
                   .name = "benchmark",
                   .value = "NAME",
                   .meaning = "measure only this benchmark",
                   .repeated = true,
                   .completes = Completes::Benchmark},
                  {.name = "budget",
                   .value = "DURATION",
                   .meaning = "how long it may take",
                   .standard = "10m"},
                  {.letter = "n",
                   .name = "runs",
                   .value = "COUNT",
                   .meaning = "how many runs",
                   .standard = "30"},
                  {.name = "threshold", .value = "SHARE", .meaning = "what is too small to tell"},
                  {.letter = "f",
                   .name = "format",
                   .value = "FORMAT",
                   .meaning = "how to answer",
                   .standard = "text",
                   .choices = {"text", "json", "csv"}},
                  {.name = "metric",
                   .value = "METRIC",
                   .meaning = "what to compare [some]: it's one",
                   .completes = Completes::Metric},
                  {.letter = "d", .name = "dry-run", .meaning = "tell only what it would cost"}},
      .examples = {{.command = "dragnet compare main", .meaning = "is HEAD slower than main?"}},
      .exits = {{.status = 0, .meaning = "nothing regressed"},
                {.status = 1, .meaning = "something regressed"}},
      .act = sample_compare};
}

inline std::vector<Command> sample_commands() {
  return {
      {.name = "run",
       .group = "Measure",
       .summary = "measure benchmarks",
       .arguments = {{.name = "FILE", .least = 1, .most = any_number, .completes = Completes::File},
                     {.name = "COMMIT", .completes = Completes::Commit}},
       .act = sample_fail},
      sample_compare_command(),
      {.name = "fail", .group = "Measure", .summary = "fail", .act = sample_fail},
      {.name = "stop", .summary = "be interrupted", .hidden = true, .act = sample_stop},
      help_command(),
      completion_command(),
      manual_command(),
  };
}

} // namespace dragnet::console
