// What one translation unit says about a program, and the program that its units make.
#pragma once

#include "model/source.h"

#include <compare>
#include <string>
#include <vector>

namespace dragnet::facts {

/// A method and one that it overrides.
struct Override {
  std::string method;
  std::string overridden;

  auto operator<=>(const Override&) const = default;
};

/// A function whose address is taken, and its type.
struct Taken {
  std::string type;
  std::string function;

  auto operator<=>(const Taken&) const = default;
};

/// Targets of calls may be open: "virtual NAME" means the method or one that overrides it, "pointer
/// TYPE" any function of this type whose address is taken.
struct UnitFacts {
  SourceFacts facts;
  std::vector<Override> overrides;
  std::vector<Taken> taken;
};

inline constexpr char virtual_prefix[] = "virtual ";
inline constexpr char pointer_prefix[] = "pointer ";

/// All units together: each function once, by name; calls resolved; collections that no loop can
/// have to do with left out.
SourceFacts linked(const std::vector<UnitFacts>& units);

} // namespace dragnet::facts
