#include "load/visit.h"

#include "base/units.h"
#include "load/request.h"
#include "load/user.h"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstddef>
#include <thread>
#include <vector>

namespace dragnet::load {
namespace {

using Clock = std::chrono::steady_clock;

// What one user did.
struct Part {
  Visited visited;
  Clock::time_point begin;
  Clock::time_point end;
};

class Guest {
public:
  Guest(const Visit& visit, std::atomic<bool>& is_over)
      : visit_(visit), user_(visit.port, visit.patience), is_over_(is_over) {}

  Part spend(std::barrier<>& all_are_in) {
    for (const Request& request : visit_.login)
      ask(request);
    // Everybody begins together.
    all_are_in.arrive_and_wait();
    part_.begin = Clock::now();
    for (std::size_t i = 0; i < visit_.requests.size(); ++i) {
      if (i > 0 && visit_.think > Seconds(0) && !is_over_)
        std::this_thread::sleep_for(visit_.think);
      ask(visit_.requests[i]);
    }
    part_.end = Clock::now();
    return part_;
  }

private:
  void ask(const Request& request) {
    if (is_over_)
      return;
    const auto response = user_.ask(request);
    if (response) {
      ++part_.visited.answered;
      part_.visited.refused += response->status >= 500 ? 1 : 0;
      return;
    }
    part_.visited.problem = response.error().what;
    part_.visited.in_vain = user_.waited_in_vain();
    // The others would only wait as well.
    is_over_ = true;
  }

  const Visit& visit_;
  User user_;
  std::atomic<bool>& is_over_;
  Part part_;
};

Visited sum_of(const std::vector<Part>& parts) {
  Visited all;
  auto begin = parts.front().begin;
  auto end = parts.front().end;
  for (const Part& part : parts) {
    all.answered += part.visited.answered;
    all.refused += part.visited.refused;
    all.in_vain = all.in_vain || part.visited.in_vain;
    if (all.problem.empty())
      all.problem = part.visited.problem;
    begin = std::min(begin, part.begin);
    end = std::max(end, part.end);
  }
  all.seconds = Seconds(end - begin).count();
  return all;
}

} // namespace

Visited carry_out(const Visit& visit) {
  const std::size_t users = std::max<std::size_t>(visit.users, 1);
  std::vector<Part> parts(users);
  std::atomic<bool> is_over{false};
  std::barrier all_are_in(static_cast<std::ptrdiff_t>(users));
  {
    std::vector<std::jthread> threads;
    threads.reserve(users);
    for (Part& part : parts)
      threads.emplace_back([&] { part = Guest(visit, is_over).spend(all_are_in); });
  }
  return sum_of(parts);
}

} // namespace dragnet::load
