// What the store knows, for people (`show`) and for other programs (`export`).
#pragma once

#include "model/record.h"

#include <span>
#include <string>
#include <vector>

namespace dragnet::report {

/// What is known about one commit.
struct Knowledge {
  std::string project;
  Commit commit;
  std::vector<Record> records;
  std::string this_machine; ///< its key; results of other machines are marked
};

/// A table of medians per benchmark and metric.
std::string knowledge_text(const Knowledge& knowledge, bool every_metric, bool colours);

/// The document "commit".
std::string knowledge_json(const Knowledge& knowledge, const std::string& version);

/// The commits that have been measured, with how much is known of each.
std::string commits_text(std::span<const Record> records, bool colours);

/// The document "runs": every run with all its samples.
std::string runs_json(std::span<const Record> records, const std::string& project,
                      const std::string& version);

/// One line a sample, with a header line; fields with commas or quotes are quoted.
std::string runs_csv(std::span<const Record> records);

} // namespace dragnet::report
