#include "profile/hidden_frames.h"

#include "binary/code_places.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::profile {
namespace {

// Longer ways than this are not looked for.
constexpr std::size_t longest = 8;

using Way = std::vector<binary::CodePlace>;

class Search {
public:
  Search(CodeByte call, CodeByte callee) : call_(call), callee_(callee) {}

  Way only_way() {
    const std::string called = call_.binary.called_at(call_.file_offset);
    if (called.empty() || callee_.binary.is_named(callee_.file_offset, called))
      return {};
    follow(called);
    return found_.size() == 1 ? std::move(found_.front()) : Way{};
  }

private:
  // NOLINTNEXTLINE(misc-no-recursion): at most so many steps
  void follow(const std::string& function) {
    if (way_.size() >= longest || found_.size() > 1 || is_on_the_way(function))
      return;
    for (const auto& next : tail_calls_of(function)) {
      way_.push_back({.function = function, .place = next.place, .inlined = false});
      if (callee_.binary.is_named(callee_.file_offset, next.callee))
        found_.push_back(way_);
      else
        follow(next.callee);
      way_.pop_back();
    }
  }

  bool is_on_the_way(const std::string& function) const {
    return std::ranges::find(way_, function, &binary::CodePlace::function) != way_.end();
  }

  const std::vector<binary::TailCall>& tail_calls_of(const std::string& function) {
    const auto& here = call_.binary.tail_calls_of(function);
    return here.empty() ? callee_.binary.tail_calls_of(function) : here;
  }

  CodeByte call_;
  CodeByte callee_;
  Way way_;
  std::vector<Way> found_;
};

} // namespace

std::vector<binary::CodePlace> hidden_between(CodeByte call, CodeByte callee) {
  return Search(call, callee).only_way();
}

} // namespace dragnet::profile
