// Several users at once who send the same requests to a server, each after the other.
#pragma once

#include "base/units.h"
#include "load/request.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace dragnet::load {

struct Visit {
  std::uint16_t port = 0;
  std::size_t users = 1;
  std::vector<Request> login; ///< that each user sends first
  std::vector<Request> requests;
  Seconds think{0};     ///< between two requests of a user
  Seconds patience{10}; ///< for an answer
};

struct Visited {
  std::size_t answered = 0;
  std::size_t refused = 0; ///< of them: with a status of 500 or more
  bool in_vain = false;    ///< somebody waited too long for an answer
  std::string problem;     ///< why a user could not go on; empty where all was answered
  double seconds = 0;      ///< from the first request behind the login to the last answer
};

/// Carries the visit out to its end.
Visited carry_out(const Visit& visit);

} // namespace dragnet::load
