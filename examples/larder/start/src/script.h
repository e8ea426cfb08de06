// Workload scripts: one command per line, for benchmarks and for experiments.
//
//   put KEY VALUE             store a value
//   get KEY                   print a value, or "KEY: not found"
//   erase KEY                 erase a key
//   scan [PREFIX]             count the keys with this prefix and the bytes of their values
//   compact                   drop what is erased and overwritten
//   fill COUNT KEYS VALUES    put COUNT made-up records; KEYS and VALUES are sizes in bytes
//   lookup COUNT KEYS RANGE   get COUNT of the first RANGE records that fill made
//
// Empty lines and lines that begin with # are left out.
#pragma once

#include "store.h"

#include <istream>
#include <ostream>

namespace larder {

/// Runs the script; `name` stands for it in messages. Throws Failure at the first wrong line.
void run_script(Store& store, std::istream& script, const std::string& name, std::ostream& out);

} // namespace larder
