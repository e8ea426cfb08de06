#include "profile/trace_files.h"

#include "base/files.h"
#include "base/result.h"
#include "model/trace.h"
#include "profile/mapped_file.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace dragnet::profile {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

// Where the reading of a thread has come to.
class Cursor {
public:
  explicit Cursor(std::span<const TraceEvent> events) : events_(events) { look(); }

  /// When its next event was.
  std::uint64_t time() const { return time_; }

  /// Its events up to a moment.
  std::span<const TraceEvent> take_until(std::uint64_t moment) {
    const std::size_t begin = at_;
    while (time_ <= moment && time_ != never) {
      at_ = next_ + 1;
      look();
    }
    return events_.subspan(begin, at_ - begin);
  }

private:
  void look() {
    next_ = at_;
    while (next_ < events_.size() && events_[next_].kind() == EventKind::Time)
      high_ = events_[next_++].high_ticks();
    time_ = next_ < events_.size() ? high_ | events_[next_].ticks() : never;
  }

  std::span<const TraceEvent> events_;
  std::size_t at_ = 0;
  std::size_t next_ = 0; // the next that is not about time
  std::uint64_t high_ = 0;
  std::uint64_t time_ = never;
};

} // namespace

std::span<const TraceEvent> events_in(std::span<const std::byte> content) {
  // A mapping begins at a page, and an event is a word without a constructor.
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): as the file has them
  const auto* begin = reinterpret_cast<const TraceEvent*>(content.data());
  const std::span all(begin, content.size() / sizeof(TraceEvent));
  const auto end =
      std::ranges::find_if(all, [](const TraceEvent& event) { return event.word == 0; });
  return all.first(static_cast<std::size_t>(end - all.begin()));
}

void each_by_time(std::span<const std::span<const TraceEvent>> threads, const TakeEvents& take) {
  if (threads.size() == 1) {
    take(0, threads.front());
    return;
  }
  std::vector<Cursor> cursors(threads.begin(), threads.end());
  for (;;) {
    std::size_t first = 0;
    std::uint64_t second = never;
    for (std::size_t i = 1; i < cursors.size(); ++i) {
      const bool earlier = cursors[i].time() < cursors[first].time();
      second = std::min(second, cursors[earlier ? first : i].time());
      first = earlier ? i : first;
    }
    if (cursors.empty() || cursors[first].time() == never)
      return;
    take(first, cursors[first].take_until(second));
  }
}

Result<ProcessTrace> ProcessTrace::open(const fs::path& folder, const std::string& name) {
  std::vector<std::pair<std::size_t, fs::path>> paths; // shorter numbers are lower
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(folder, problem))
    if (entry.path().extension() == ".trace" &&
        entry.path().stem().string().starts_with(name + "-"))
      paths.emplace_back(entry.path().string().size(), entry.path());
  if (problem)
    return file_error("read", folder, problem.value());
  std::ranges::sort(paths);
  ProcessTrace trace;
  for (const auto& [size, path] : paths) {
    trace.files_.push_back(TRY(MappedFile::open(path)));
    trace.threads_.push_back(events_in(trace.files_.back().bytes()));
  }
  return trace;
}

} // namespace dragnet::profile
