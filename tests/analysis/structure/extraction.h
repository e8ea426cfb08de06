// A commit that makes a piece of a function into a function of its own.
#pragma once

#include "analysis/structure/written.h"
#include "model/source.h"

namespace dragnet {

inline const Written walk = loop("p != end", {call("visit"), work(5)}, {.walks = {0}});

/// A piece of main becomes a function of its own, beside another that is new.
struct Extraction {
  SourceFunction visit = function("visit", {work(7)});
  SourceFacts base = facts({function("main", {call("visit"), walk, work(100)}), visit}, 1);
  SourceFacts next =
      facts({function("main", {call("visit"), call("walk_all"), work(100), call("other")}),
             function("other", {work(1), branch("y", {call("visit"), work(2)})}), visit,
             function("walk_all", {walk})},
            1);
};

} // namespace dragnet
