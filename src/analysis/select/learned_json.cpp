#include "analysis/select/learned_json.h"

#include "analysis/select/features.h"
#include "analysis/select/indicators.h"
#include "analysis/select/methods.h"
#include "analysis/select/probability.h"
#include "analysis/select/select.h"
#include "analysis/select/threshold_predictor.h"
#include "base/json.h"
#include "base/result.h"
#include "stats/monotone.h"

#include <cstddef>
#include <fmt/core.h>
#include <string>
#include <string_view>
#include <utility>

namespace dragnet::select {
namespace {

constexpr int version = 1; // to be raised when features or their scale change

Json to_document(const ProbabilityPredictor& predictor) {
  Json weights = Json::object();
  Json largest = Json::object();
  for (std::size_t i = 0; i < feature_count; ++i) {
    const std::string feature(name(static_cast<Feature>(i)));
    weights[feature] = predictor.trained ? predictor.odds.logistic.weights.at(i) : 0.0;
    largest[feature] = predictor.largest.at(i);
  }
  Json stumps = Json::array();
  for (const stats::Stump& stump : predictor.odds.stumps.stumps)
    stumps.push_back({{"feature", name(static_cast<Feature>(stump.feature))},
                      {"above", stump.above},
                      {"step", stump.step}});
  return {{"trained", predictor.trained},
          {"hits", predictor.hits},
          {"dismissed", predictor.dismissed},
          {"hit_rate", predictor.hit_rate},
          {"dismiss_rate", predictor.dismiss_rate},
          {"run_from", predictor.run_from},
          {"unreached", predictor.unreached},
          {"slope", predictor.slope},
          {"offset", predictor.offset},
          {"stumps_weight", predictor.odds.stumps_weight},
          {"weights_intercept", predictor.odds.logistic.intercept},
          {"weights", weights},
          {"stumps_intercept", predictor.odds.stumps.intercept},
          {"stumps", stumps},
          {"largest", largest}};
}

Json to_document(const ThresholdPredictors& predictors) {
  Json by_benchmark = Json::object();
  for (const auto& [benchmark, predictor] : predictors.by_benchmark) {
    Json any = Json::object();
    for (const Threshold& threshold : predictor.any)
      any[std::string(name(threshold.indicator))] = threshold.at_least;
    by_benchmark[benchmark] = {{"hits", predictor.hits},
                               {"dismissed", predictor.dismissed},
                               {"price", predictor.price},
                               {"cheapest_is_known", predictor.cheapest_is_known},
                               {"any", any}};
  }
  return {{"scope", predictors.scope == Scope::Common ? "common" : "per benchmark"},
          {"predictors", by_benchmark}};
}

// Reads members of a document and keeps the first mistake.
class Reader {
public:
  double number(const Json& from, std::string_view member) {
    return read(from, member, &Json::is_number) ? from.at(std::string(member)).get<double>() : 0;
  }

  std::size_t count(const Json& from, std::string_view member) {
    return read(from, member, &Json::is_number_unsigned)
               ? from.at(std::string(member)).get<std::size_t>()
               : 0;
  }

  bool flag(const Json& from, std::string_view member) {
    return read(from, member, &Json::is_boolean) && from.at(std::string(member)).get<bool>();
  }

  Json object(const Json& from, std::string_view member) {
    return read(from, member, &Json::is_object) ? from.at(std::string(member)) : Json::object();
  }

  Json array(const Json& from, std::string_view member) {
    return read(from, member, &Json::is_array) ? from.at(std::string(member)) : Json::array();
  }

  std::string text(const Json& from, std::string_view member) {
    return read(from, member, &Json::is_string) ? from.at(std::string(member)).get<std::string>()
                                                : "";
  }

  void mistake(std::string what) {
    if (mistake_.empty())
      mistake_ = std::move(what);
  }

  const std::string& mistake() const { return mistake_; }

private:
  bool read(const Json& from, std::string_view member, bool (Json::*is)() const noexcept) {
    const auto found = from.is_object() ? from.find(std::string(member)) : from.end();
    if (found != from.end() && ((*found).*is)())
      return true;
    mistake(fmt::format("'{}' is missing or of the wrong kind", member));
    return false;
  }

  std::string mistake_;
};

stats::Stump read_stump(const Json& from, Reader& reader) {
  const std::string feature = reader.text(from, "feature");
  for (std::size_t i = 0; i < feature_count; ++i)
    if (name(static_cast<Feature>(i)) == feature)
      return {
          .feature = i, .above = reader.number(from, "above"), .step = reader.number(from, "step")};
  reader.mistake(fmt::format("'{}' is no feature", feature));
  return {};
}

ProbabilityPredictor read_probability(const Json& from, Reader& reader) {
  ProbabilityPredictor predictor;
  predictor.trained = reader.flag(from, "trained");
  predictor.hits = reader.count(from, "hits");
  predictor.dismissed = reader.count(from, "dismissed");
  predictor.hit_rate = reader.number(from, "hit_rate");
  predictor.dismiss_rate = reader.number(from, "dismiss_rate");
  predictor.run_from = reader.number(from, "run_from");
  predictor.unreached = reader.number(from, "unreached");
  predictor.slope = reader.number(from, "slope");
  predictor.offset = reader.number(from, "offset");
  predictor.odds.stumps_weight = reader.number(from, "stumps_weight");
  predictor.odds.logistic.intercept = reader.number(from, "weights_intercept");
  predictor.odds.stumps.intercept = reader.number(from, "stumps_intercept");
  const Json weights = reader.object(from, "weights");
  const Json largest = reader.object(from, "largest");
  for (std::size_t i = 0; i < feature_count; ++i) {
    const std::string_view feature = name(static_cast<Feature>(i));
    predictor.odds.logistic.weights.push_back(reader.number(weights, feature));
    predictor.largest.at(i) = reader.number(largest, feature);
  }
  for (const Json& stump : reader.array(from, "stumps"))
    predictor.odds.stumps.stumps.push_back(read_stump(stump, reader));
  return predictor;
}

ThresholdPredictor read_thresholds(const Json& from, Reader& reader) {
  ThresholdPredictor predictor;
  predictor.hits = reader.count(from, "hits");
  predictor.dismissed = reader.count(from, "dismissed");
  predictor.price = reader.count(from, "price");
  predictor.cheapest_is_known = reader.flag(from, "cheapest_is_known");
  const Json any = reader.object(from, "any");
  for (std::size_t i = 0; i < indicator_count; ++i) {
    const auto indicator = static_cast<Indicator>(i);
    if (any.contains(name(indicator)))
      predictor.any.push_back(
          {.indicator = indicator, .at_least = reader.number(any, name(indicator))});
  }
  return predictor;
}

} // namespace

std::string to_json(const Learned& learned) {
  return to_text(Json{{"version", version},
                      {"evidence", to_document(learned.probability)},
                      {"perphecy", to_document(learned.thresholds)}});
}

Result<Learned> learned_from_json(std::string_view text) {
  const Json document = TRY(parse_json(text));
  Reader reader;
  const std::size_t written_by = reader.count(document, "version");
  if (reader.mistake().empty() && written_by != version)
    reader.mistake(fmt::format("it is of version {}, not {}", written_by, version));
  Learned learned;
  learned.probability = read_probability(reader.object(document, "evidence"), reader);
  const Json thresholds = reader.object(document, "perphecy");
  learned.thresholds.scope =
      reader.text(thresholds, "scope") == "common" ? Scope::Common : Scope::PerBenchmark;
  const Json predictors = reader.object(thresholds, "predictors");
  for (const auto& [benchmark, predictor] : predictors.items())
    learned.thresholds.by_benchmark[benchmark] = read_thresholds(predictor, reader);
  if (!reader.mistake().empty())
    return Error{.what = "cannot read what was learned: " + reader.mistake(),
                 .hint = "learn again"};
  return learned;
}

} // namespace dragnet::select
