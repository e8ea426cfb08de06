#include "store/store.h"

#include "base/hash.h"
#include "model/run.h"
#include <string>

namespace dragnet::store {

std::string DuelKey::text() const {
  return KeyMaker()
      .add("base", base.build)
      .add("candidate", candidate_build)
      .add("benchmark", base.benchmark)
      .add("machine", base.machine)
      .add("method", name(base.method))
      .key();
}

std::string TrioKey::text() const {
  return KeyMaker()
      .add("good", good.build)
      .add("bad", bad_build)
      .add("between", between_build)
      .add("benchmark", good.benchmark)
      .add("machine", good.machine)
      .add("method", name(good.method))
      .key();
}

} // namespace dragnet::store
