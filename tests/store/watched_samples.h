// A watched run with all that is hard to keep.
#pragma once

#include "model/stacks.h"

namespace dragnet::store {

inline WatchedRun some_watched_run() {
  WatchedRun watched;
  watched.run.started = 1234567890123;
  watched.run.seconds = 0.25;
  auto& profile = watched.profile;
  profile.frames = {
      {{"bin/tool", "main"}, SourcePlace{"src/main.c", 7}, false},
      {{"bin/tool", "operator new(unsigned long)"}, SourcePlace{"src/new line\n.h", 0}, true},
      {{"/lib/libc.so.6", "write"}, {}, false},
      {{"", ""}, {}, false}};
  profile.stacks = {{0, 1, 2}, {0}, {}, {3, 0, 0}};
  profile.uses = {{0, "written", "/tmp/a file\nwith \\n lines", 3, 12345678901234},
                  {0, "written", "", 1, 0},
                  {3, "a metric\nwith a line", "/tmp/a file\nwith \\n lines", 0, 1}};
  profile.accounted = {{"written", 9}, {"written calls", 4}};
  profile.lost = 2;
  watched.gaps = {"the kernel saw more", "two\nlines"};
  watched.way = "by the kernel (a static program)";
  watched.chosen_way = "kernel";
  return watched;
}

} // namespace dragnet::store
