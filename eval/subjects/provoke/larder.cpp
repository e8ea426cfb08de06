// Inputs are commands of the example's scripts.
#include "served.h"

#include "failure.h"
#include "script.h"
#include "store.h"

#include <memory>
#include <sstream>

namespace {

std::unique_ptr<larder::Store> store;
std::ostringstream answers;

} // namespace

void prepare(void) {
  larder::StoreOptions options;
  options.index = larder::IndexKind::Sorted;
  store = std::make_unique<larder::Store>(options);
}

int take(const char* input) {
  std::istringstream line(input);
  try {
    larder::run_script(*store, line, "input", answers);
  } catch (const larder::Failure&) {
    return 0;
  }
  return 1;
}

int conclude(void) {
  store->close();
  return 1;
}
