// Things to keep, with names that a careless store would stumble over.
#pragma once

#include "model/machine.h"
#include "model/record.h"
#include "model/run.h"

#include <string>

namespace dragnet::store {

inline Machine some_machine() {
  return {"m1", "hare", "Model \"X\"", 8, 68'719'476'736U, "6.1"};
}

inline Definition some_definition(const std::string& key = "b1", const std::string& name = "sort") {
  return {key, name, "./sort < input.txt"};
}

inline Build some_build(const std::string& key = "u1", const std::string& commit = "c1",
                        const std::string& tree = "t1") {
  Build build;
  build.key = key;
  build.commit = {CommitId{commit}, tree,  {},
                  1'700'000'000,    "Ädä", "Make it; DROP TABLE runs; -- 'quoted'"};
  build.folder = "/somewhere/with blanks";
  build.seconds = 1.25;
  build.log = "ok\n";
  return build;
}

inline Run some_run(double value = 0.5) {
  Run run;
  run.started = 1'700'000'000'123;
  run.seconds = 0.75;
  run.samples = {{"wall", value}, {"memory", 1e9}, {"odd, \"name\"", 1.0 / 3}};
  return run;
}

} // namespace dragnet::store
