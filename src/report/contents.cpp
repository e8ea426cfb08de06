#include "report/contents.h"

#include "analysis/change_points/timeline.h"
#include "base/json.h"
#include "model/commit.h"
#include "report/documents.h"
#include "report/timeline_series.h"

#include <string>
#include <utility>

namespace dragnet::report {
namespace {

// A document that another version wrote may be unreadable: then the report goes without.
Json document_in(const std::string& text) {
  auto document = parse_json(text);
  return document ? std::move(*document) : Json();
}

} // namespace

std::string contents_json(const Contents& contents, const std::string& version) {
  Json document = new_document("report", version);
  document["project"] = contents.project;
  // What was read from a table was measured nobody knows where.
  if (!contents.machine.key.empty())
    document["machine"] = machine_json(contents.machine);
  document["made_ms"] = contents.made;
  document["check"] = document_in(contents.check);
  if (!contents.explanation.empty())
    document["explanation"] = document_in(contents.explanation);
  if (!contents.variants.empty())
    document["variants"] = document_in(contents.variants);
  document["commits"] = Json::array();
  for (const Commit& commit : contents.timeline.commits)
    document["commits"].push_back({{"commit", commit.id.text},
                                   {"subject", commit.subject},
                                   {"author", commit.author},
                                   {"time", commit.time}});
  document["series"] = Json::array();
  for (const change_points::Series& series : contents.timeline.series)
    document["series"].push_back(series_json(contents.timeline, series));
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace dragnet::report
