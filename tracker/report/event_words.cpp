#include "tracker/report/event_words.hpp"

#include <algorithm>
#include <cmath>

#include "tracker/base/text.hpp"
#include "tracker/report/sparkline.hpp"

namespace tracker {
namespace {

constexpr std::size_t kShortCommit = 7;

std::string short_id_of(const EventCommit& commit) {
  return printable(commit.id.substr(0, kShortCommit));
}

// What all names share, up to a '/'.
std::string shared_start(const std::vector<EventChange>& changes) {
  std::string shared = changes.front().benchmark;
  for (const auto& change : changes) {
    const auto ends =
        std::mismatch(shared.begin(), shared.end(), change.benchmark.begin(), change.benchmark.end());
    shared.erase(ends.first, shared.end());
  }
  return shared.substr(0, shared.rfind('/') + 1);
}

std::string event_cause_in_words(const EventCause& cause) {
  switch (cause.kind) {
    case EventCauseKind::kFact:
      if (cause.fact == "board") return "another board of the model";  // by ids that say no more
      return cause.fact + " " + printable(cause.before) + " → " + printable(cause.after);
    case EventCauseKind::kConditions:
      return printable(cause.text);
    case EventCauseKind::kSameCode:
      return "the machine code is the same";
    case EventCauseKind::kCode:
      break;
  }
  return cause.text.empty() ? "the machine code changed" : printable(cause.text);
}

}  // namespace

std::string event_mark(const ChangeEvent& event) {
  const bool is_of_code =
      std::any_of(event.changes.begin(), event.changes.end(),
                  [](const EventChange& change) { return change.other_conditions.empty(); });
  if (is_mostly_slower(event)) return is_of_code ? "▼" : "▽";
  return is_of_code ? "▲" : "△";
}

std::string event_size(const ChangeEvent& event) {
  return format_percent(main_side(event).ratio - 1);
}

std::string event_size_in_words(const ChangeEvent& event) {
  return format_share(std::abs(main_side(event).ratio - 1)) +
         (is_mostly_slower(event) ? " slower" : " faster");
}

std::string event_benchmarks(const ChangeEvent& event) {
  const std::string& largest = event.changes.front().benchmark;
  if (event.changes.size() == 1) return printable(largest);
  const EventSide& other = is_mostly_slower(event) ? event.faster : event.slower;
  std::string count = std::to_string(main_side(event).changes);
  if (other.changes > 0)
    count += ", and " + std::to_string(other.changes) + (is_mostly_slower(event) ? " faster" : " slower");
  const std::string shared = shared_start(event.changes);
  if (shared.empty()) return printable(largest) + " and others (" + count + ")";
  return printable(shared) + "* (" + count + ")";
}

std::string event_state(const ChangeEvent& event) {
  const std::string undone = is_mostly_slower(event) ? "mended" : "undone";
  if (event.state == EventState::kUndone) return undone + " by " + short_id_of(*event.undone_by);
  if (event.accepted > 0 && event.accepted + event.undone >= event.slower.changes && is_mostly_slower(event))
    return "accepted";
  if (event.state == EventState::kPartlyUndone)
    return std::to_string(event.undone) + " of " + std::to_string(event.changes.size()) + " " + undone;
  return "still there";
}

std::string event_causes(const ChangeEvent& event) {
  std::vector<std::string> parts;
  for (const auto& cause : event.causes) parts.push_back(event_cause_in_words(cause));
  return join(parts, "; ");
}

std::string event_commit(const ChangeEvent& event) {
  return short_id_of(event.first_seen);
}

std::string event_range(const ChangeEvent& event) {
  if (event.shape == EventShape::kDrift)
    return "drifts until " + short_id_of(event.last_possible) + ", and no single commit made it";
  const int count = event.last_possible.position - event.last_before.position;
  return count > 1 ? "one of " + std::to_string(count) + " commits since " + short_id_of(event.last_before)
                   : "";
}

std::string event_sparkline(const ChangeEvent& event, const std::vector<Series>& all, std::size_t width) {
  const EventChange& largest = event.changes[main_side(event).largest_at];
  const auto found = std::find_if(all.begin(), all.end(), [&](const Series& series) {
    return series.device == largest.device && series.benchmark == largest.benchmark;
  });
  if (found == all.end() || width == 0) return "";
  const auto place_of = [&](int position) {
    const auto at =
        std::lower_bound(found->points.begin(), found->points.end(), position,
                         [](const SeriesPoint& point, int wanted) { return point.position < wanted; });
    return static_cast<std::size_t>(at - found->points.begin());
  };
  // As much before the event as after it, and no less than a character a value.
  const std::size_t at = place_of(event.first_seen.position);
  const std::size_t after = std::max(found->points.size() - std::min(at, found->points.size()), width / 2);
  return sparkline(found->points, at > after ? at - after : 0, found->points.size(), width);
}

}  // namespace tracker
