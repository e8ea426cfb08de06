// Facts as a file, between dragnet-source and dragnet, and in the cache. Text, a fact a line,
// fields separated by tabs; names have neither tabs nor newlines. The first line is "dragnet facts
// 3".
//
//   C name                           a collection; they are numbered from 0 in this order
//   A collection source              an alias
//   O method overridden              of a unit: an override
//   T type function                  of a unit: a function whose address is taken
//   W text                           a warning
//   U file                           a file that could not be read, or not as a whole
//   F name file line hash            a function; the lines below it, up to the next F, are its own
//   K d|i arguments target...        a call, direct or indirect; numbered in this order
//   D parameter comparison number    a decision: "D 1 == 2"; comparisons as in C
//   L times walks fills empties rate partial
//                                    a loop; each list is numbers separated by commas, or empty;
//                                    partial: p or empty
//   G fills empties                  what the function changes outside loops
//   B block                          its body
//
// Arguments are separated by commas: - where nothing is known, FACTOR*COLLECTION*MORE, or =NUMBER.
//
// A block is a letter (s sequence, b branch, l loop, c call, x exit), its subject, weight,
// identity, line and column, each a hexadecimal number followed by a comma, and its parts between
// parentheses: "s0,3,0,c,5,(c0,1,9f,d,3,())".
#pragma once

#include "base/result.h"
#include "facts/unit_facts.h"

#include <string>
#include <string_view>

namespace dragnet::facts {

/// Goes up whenever source is read otherwise: facts that were read before are read again then.
inline constexpr const char* reader_version = "23";

/// The file's content; the same facts give the same bytes.
std::string to_text(const UnitFacts& unit);

/// The facts in a file's content; an Error names the line that is wrong. Every number that is read
/// is one that exists.
Result<UnitFacts> parse(std::string_view text);

} // namespace dragnet::facts
