// The words of the model, read back from a row.
#pragma once

#include "model/run.h"

#include <array>
#include <cstddef>
#include <string_view>

namespace dragnet::store {

/// The word of a name; the first where there is none of it.
template <class Word, std::size_t N>
Word word_of(std::string_view text, const std::array<Word, N>& all) {
  for (const Word word : all)
    if (name(word) == text)
      return word;
  return all.front();
}

inline constexpr std::array run_outcomes{RunOutcome::Failed, RunOutcome::Finished,
                                         RunOutcome::Crashed, RunOutcome::TimedOut,
                                         RunOutcome::NotStarted};

} // namespace dragnet::store
