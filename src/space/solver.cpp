#include "space/solver.h"

#include "base/ensure.h"
#include "base/result.h"
#include "model/configuration.h"

#include <algorithm>
#include <cstddef>
#include <fmt/core.h>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>
#include <z3++.h>

namespace dragnet::space {
namespace {

z3::expr disjunction(z3::context& context, const z3::expr_vector& variables, const Clause& clause) {
  z3::expr_vector literals(context);
  for (const Literal& literal : clause.literals) {
    const z3::expr variable = variables[static_cast<int>(literal.option)];
    literals.push_back(literal.on ? variable : !variable);
  }
  return z3::mk_or(literals);
}

z3::expr_vector make_variables(z3::context& context, std::size_t count) {
  z3::expr_vector variables(context);
  for (std::size_t i = 0; i < count; ++i)
    variables.push_back(context.bool_const(fmt::format("option{}", i).c_str()));
  return variables;
}

// The numbers that follow a word in the names of expressions.
std::vector<std::size_t> numbers_of(const z3::expr_vector& named, std::size_t word) {
  std::vector<std::size_t> numbers;
  for (const z3::expr& each : named)
    numbers.push_back(std::stoul(each.decl().name().str().substr(word)));
  return numbers;
}

// Constraints that can be switched on one by one, to find out which of them clash.
class Clash {
public:
  explicit Clash(const ConfigurationSpace& space)
      : solver_(context_), variables_(make_variables(context_, space.options.size())),
        switches_(context_) {
    std::map<std::string, std::size_t> known;
    for (const Clause& clause : all_clauses(space)) {
      const auto [entry, is_new] = known.try_emplace(clause.text, texts_.size());
      if (is_new) {
        switches_.push_back(context_.bool_const(fmt::format("s{}", texts_.size()).c_str()));
        texts_.push_back(clause.text);
      }
      solver_.add(z3::implies(switches_[static_cast<int>(entry->second)],
                              disjunction(context_, variables_, clause)));
    }
  }

  // The texts of a smallest set of constraints that clash; empty where none do.
  std::vector<std::string> find() {
    std::vector<std::size_t> core(texts_.size());
    for (std::size_t i = 0; i < core.size(); ++i)
      core[i] = i;
    if (!clashes(core))
      return {};
    core = numbers_of(solver_.unsat_core(), 1);
    for (std::size_t i = 0; i < core.size();) {
      std::vector<std::size_t> fewer = core;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      if (clashes(fewer))
        core = std::move(fewer);
      else
        ++i;
    }
    std::ranges::sort(core);
    std::vector<std::string> texts;
    texts.reserve(core.size());
    for (const std::size_t number : core)
      texts.push_back(texts_[number]);
    return texts;
  }

private:
  bool clashes(const std::vector<std::size_t>& numbers) {
    z3::expr_vector on(context_);
    for (const std::size_t number : numbers)
      on.push_back(switches_[static_cast<int>(number)]);
    return solver_.check(on) == z3::unsat;
  }

  z3::context context_;
  z3::solver solver_;
  z3::expr_vector variables_;
  z3::expr_vector switches_;
  std::vector<std::string> texts_;
};

Error clash_error(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts)
    list += fmt::format("{}'{}'", list.empty() ? "" : ", ", text);
  return {
      fmt::format("no configuration is valid: these constraints contradict each other: {}", list),
      "change or remove one of them"};
}

} // namespace

struct Solver::Parts {
  explicit Parts(const ConfigurationSpace& space)
      : options(space.options.size()), clauses(all_clauses(space)), solver(context),
        variables(make_variables(context, options)) {
    for (const Clause& clause : clauses)
      solver.add(disjunction(context, variables, clause));
  }

  z3::expr expression(const Literal& literal) const {
    const z3::expr variable = variables[static_cast<int>(literal.option)];
    return literal.on ? variable : !variable;
  }
  z3::check_result check(const std::vector<Literal>& literals) {
    z3::expr_vector assumed(context);
    for (const Literal& literal : literals)
      assumed.push_back(expression(literal));
    return solver.check(assumed);
  }
  // The options of which the last contradiction consists.
  std::vector<std::size_t> contradicting() const {
    std::vector<std::size_t> found;
    for (const z3::expr& each : solver.unsat_core()) {
      const z3::expr variable = each.is_not() ? each.arg(0) : each;
      found.push_back(std::stoul(variable.decl().name().str().substr(6)));
    }
    return found;
  }
  Configuration model() const {
    const z3::model found = solver.get_model();
    Configuration configuration(options);
    for (std::size_t option = 0; option < options; ++option)
      configuration.set(option, found.eval(variables[static_cast<int>(option)], true).is_true());
    return configuration;
  }
  std::optional<Configuration> near(const Configuration& wanted, std::span<const Literal> fixed);

  std::size_t options;
  std::vector<Clause> clauses;
  z3::context context;
  z3::solver solver;
  z3::expr_vector variables;
};

// Gives up one contradicting wish after the other, then asks for each given up once more.
std::optional<Configuration> Solver::Parts::near(const Configuration& wanted,
                                                 std::span<const Literal> fixed) {
  std::vector<Literal> held(fixed.begin(), fixed.end());
  const std::size_t must = held.size();
  for (std::size_t option = 0; option < options; ++option)
    if (std::ranges::none_of(fixed, [&](const Literal& l) { return l.option == option; }))
      held.push_back({option, wanted.on(option)});
  std::vector<Literal> given_up;
  while (check(held) != z3::sat) {
    const std::vector<std::size_t> core = contradicting();
    const auto wish = std::find_if(held.begin() + static_cast<std::ptrdiff_t>(must), held.end(),
                                   [&](const Literal& literal) {
                                     return std::ranges::find(core, literal.option) != core.end();
                                   });
    if (wish == held.end())
      return std::nullopt;
    given_up.push_back(*wish);
    held.erase(wish);
  }
  for (const Literal& literal : given_up) {
    held.push_back(literal);
    if (check(held) != z3::sat)
      held.pop_back();
  }
  ensure(check(held) == z3::sat, "what could be satisfied before still can");
  return model();
}

Solver::Solver(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Solver::~Solver() = default;

Result<std::unique_ptr<Solver>> Solver::make(const ConfigurationSpace& space) {
  if (space.options.empty())
    return Error{"there are no options", "declare at least one [[option]]"};
  try {
    const std::vector<std::string> clash = Clash(space).find();
    if (!clash.empty())
      return clash_error(clash);
    return std::unique_ptr<Solver>(new Solver(std::make_unique<Parts>(space)));
  } catch (const z3::exception& failure) {
    return Error{fmt::format("cannot solve the constraints: {}", failure.msg()), ""};
  }
}

std::size_t Solver::options() const {
  return parts_->options;
}

std::optional<Configuration> Solver::near(const Configuration& wanted,
                                          std::span<const Literal> fixed) {
  return parts_->near(wanted, fixed);
}

bool Solver::valid(const Configuration& configuration) {
  return configuration.size() == parts_->options &&
         std::ranges::all_of(parts_->clauses,
                             [&](const Clause& clause) { return holds(clause, configuration); });
}

} // namespace dragnet::space
