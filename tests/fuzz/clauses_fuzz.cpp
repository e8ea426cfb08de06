// Any text as a clause, and as a file of DIMACS: it is read or gives an Error with a message, and
// literals are of known options.
#include "base/ensure.h"
#include "base/result.h"
#include "model/configuration.h"
#include "project/clauses.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using dragnet::ensure;

namespace {

void check(const dragnet::Result<std::vector<dragnet::Clause>>& clauses) {
  if (!clauses) {
    ensure(!clauses.error().what.empty(), "an Error has a message");
    return;
  }
  for (const dragnet::Clause& clause : *clauses)
    for (const dragnet::Literal& literal : clause.literals)
      ensure(literal.option < 5, "a literal is of a known option");
}

} // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer asks for this name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text(bytes, bytes + size);
  dragnet::project::Vocabulary vocabulary;
  vocabulary.bits = {{"a", 0}, {"b", 1}, {"c", 2}, {"n=1", 3}, {"n=8", 4}};
  vocabulary.values["n"] = {{"1", 1.0, 3}, {"8", 8.0, 4}};
  check(dragnet::project::parse_clause(text, vocabulary));
  check(dragnet::project::parse_dimacs(text, vocabulary));
  return 0;
}
