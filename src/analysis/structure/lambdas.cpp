#include "analysis/structure/lambdas.h"

#include "base/text.h"
#include "model/source.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::structure {
namespace {

constexpr std::string_view begin_of_name = "lambda ";
constexpr std::string_view before_owner = " in ";

struct Lambda {
  std::size_t number = 0;
  std::string owner;
  const SourceFunction* function = nullptr;
};
using Lambdas = std::vector<Lambda>;

Lambda parsed(const SourceFunction& function) {
  const std::string_view name = function.name;
  const std::size_t end = name.find(before_owner);
  Lambda lambda{.number = 0, .owner = {}, .function = &function};
  if (end == std::string_view::npos)
    return lambda;
  std::from_chars(name.data() + begin_of_name.size(), name.data() + end, lambda.number);
  lambda.owner = name.substr(end + before_owner.size());
  return lambda;
}

// Those of outer functions come first: what they are called decides the owners of inner ones.
std::map<std::pair<std::size_t, std::string>, Lambdas> by_owner(const SourceFacts& facts) {
  std::map<std::pair<std::size_t, std::string>, Lambdas> all;
  for (const SourceFunction& function : facts.functions)
    if (is_lambda(function.name)) {
      Lambda lambda = parsed(function);
      const std::size_t depth = split(lambda.owner, ' ').size();
      all[{depth, lambda.owner}].push_back(std::move(lambda));
    }
  for (auto& [owner, lambdas] : all)
    std::ranges::sort(lambdas, {}, &Lambda::number);
  return all;
}

std::string name_of(std::size_t number, const std::string& owner) {
  return std::string(begin_of_name) + std::to_string(number) + std::string(before_owner) + owner;
}

class Pairing {
public:
  Pairing(const Lambdas& old_ones, const Lambdas& new_ones, const std::string& owner, Names& names)
      : old_(old_ones), new_(new_ones), owner_(owner), names_(names),
        next_number_(old_ones.empty() ? 1 : old_ones.back().number + 1) {}

  void run() {
    for (std::size_t i = 0; i < new_.size(); ++i) {
      const auto same =
          std::find_if(old_.begin() + static_cast<std::ptrdiff_t>(old_begin_), old_.end(),
                       [&](const Lambda& one) {
                         return one.function->body_hash == new_[i].function->body_hash;
                       });
      if (same != old_.end())
        end_gap(static_cast<std::size_t>(same - old_.begin()), i);
    }
    end_gap(old_.size(), new_.size());
  }

private:
  // What stands between the last two that are the same, in order.
  void end_gap(std::size_t old_end, std::size_t new_end) {
    for (; new_begin_ < new_end; ++new_begin_)
      give(new_begin_, old_begin_ < old_end ? old_[old_begin_++].number : next_number_++);
    if (new_end == new_.size())
      return;
    give(new_end, old_[old_end].number);
    old_begin_ = old_end + 1;
    new_begin_ = new_end + 1;
  }

  void give(std::size_t lambda, std::size_t number) {
    const std::string& name = new_[lambda].function->name;
    if (std::string old = name_of(number, owner_); old != name)
      names_[name] = std::move(old);
  }

  const Lambdas& old_;
  const Lambdas& new_;
  const std::string& owner_;
  Names& names_;
  std::size_t next_number_;
  std::size_t old_begin_ = 0;
  std::size_t new_begin_ = 0;
};

} // namespace

bool is_lambda(std::string_view function) {
  return function.starts_with(begin_of_name);
}

void rename_lambdas(const SourceFacts& base, const SourceFacts& next, Names& names) {
  auto old_ones = by_owner(base);
  for (const auto& [place, lambdas] : by_owner(next)) {
    const auto& [depth, owner] = place;
    const auto renamed = names.find(owner);
    const std::string old_owner = renamed == names.end() ? owner : renamed->second;
    Pairing(old_ones[{split(old_owner, ' ').size(), old_owner}], lambdas, old_owner, names).run();
  }
}

} // namespace dragnet::structure
