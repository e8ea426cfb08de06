#include "lab/state.h"

#include "base/files.h"
#include "base/result.h"
#include "history/checkout.h"
#include "history/repository.h"

#include <filesystem>
#include <system_error>

namespace dragnet::lab {
namespace fs = std::filesystem;

State state_of(const fs::path& root) {
  return State{root / ".dragnet"};
}

Result<State> prepare_state(const fs::path& root) {
  State state = state_of(root);
  TRY(make_folder(state.folder));
  std::error_code problem;
  const fs::path ignored = state.folder / ".gitignore";
  if (!fs::exists(ignored, problem))
    TRY(write_file(ignored, "*\n"));
  return state;
}

Result<> sweep(const State& state, const history::Repository& repository) {
  TRY(ScratchFolder::sweep(state.scratch()));
  TRY(ScratchFolder::sweep(state.watching()));
  const auto lock = TRY(FileLock::take_if_free(state.build_lock()));
  std::error_code problem;
  if (lock && fs::exists(state.places().checkout, problem))
    TRY(history::Checkout::remove(repository, state.places().checkout));
  return success();
}

} // namespace dragnet::lab
