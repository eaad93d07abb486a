#include "tracker/report/event_words.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include <nlohmann/json.hpp>

#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/model/run.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::report {
namespace {

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

// "transpose f32 family", "all of shape 8192x8192", "all of the device"
std::string pool_in_words(const Together& together) {
  if (together.kind == PoolKind::kDevice) return "all of the device";
  return together.kind == PoolKind::kFamily ? together.name + " family" : "all of shape " + together.name;
}

constexpr const char* kMonths[] = {"January", "February", "March",     "April",   "May",      "June",
                                   "July",    "August",   "September", "October", "November", "December"};
constexpr double kDaysAMonth = 30.44;
constexpr double kDaysForAPace = 45;  // of a shorter drift a pace a month would promise too much

// "March" of a day in the same year as the other one, else "March 2025"; the day itself of what is no date.
std::string month_of(const std::string& date, const std::string& other) {
  const std::string day = date.substr(0, 10);
  if (!is_date(day)) return day;
  const std::string year = day.substr(0, 4);
  const char* const month = kMonths[(day[5] - '0') * 10 + (day[6] - '0') - 1];
  return other.starts_with(year) ? month : std::string(month) + " " + year;
}

double days_between(const EventCommit& from, const EventCommit& to) {
  const auto first = parse_time(from.date);
  const auto last = parse_time(to.date);
  if (!first || !last) return 0;
  return std::chrono::duration<double, std::ratio<86400>>(*last - *first).count();
}

// The interval of main_side().ratio: the mean of its benchmarks'; the ratio itself where none is known.
Interval drift_interval(const ChangeEvent& event) {
  const EventSide& side = main_side(event);
  double low = 0;
  double high = 0;
  std::size_t count = 0;
  for (const auto& change : event.changes) {
    if (change.worse != is_mostly_slower(event) || !change.ratio) continue;
    if (!(change.ratio->low > 0) || !(change.ratio->high > 0)) continue;
    const double middle = std::log(change.after / change.before);
    low += middle - std::log(change.ratio->low);
    high += std::log(change.ratio->high) - middle;
    ++count;
  }
  if (count == 0) return {side.ratio, side.ratio};
  return {side.ratio * std::exp(-low / static_cast<double>(count)),
          side.ratio * std::exp(high / static_cast<double>(count))};
}

// "−1.1 % (−1.3 % to −0.9 %) a month since March", "+2.4 % (+2.0 % to +2.8 %) in 12 days".
std::string drift_pace(const ChangeEvent& event) {
  const double days = days_between(event.last_before, event.last_possible);
  const double months = days >= kDaysForAPace ? days / kDaysAMonth : 1;
  const auto pace = [&](double ratio) { return format_percent(std::pow(ratio, 1 / months) - 1); };
  const Interval ratio = drift_interval(event);
  std::string text = pace(main_side(event).ratio);
  if (ratio.low < ratio.high) text += " (" + pace(ratio.low) + " to " + pace(ratio.high) + ")";
  if (days >= kDaysForAPace)
    return text + " a month since " + month_of(event.last_before.date, event.last_possible.date);
  return text + " in " + count_of(static_cast<std::size_t>(std::max(0.0, std::round(days))), "day");
}

// `is_alone`: nothing else is known.
std::string event_cause_in_words(const EventCause& cause, bool is_alone) {
  switch (cause.kind) {
    case EventCauseKind::kFact:
      if (cause.fact == "board") return "another board of the model";  // by ids that say no more
      return cause.fact + " " + printable(cause.before) + " → " + printable(cause.after);
    case EventCauseKind::kConditions:
      return printable(cause.text);
    case EventCauseKind::kSameCode:
      return is_alone && !cause.text.empty() ? "same machine code: " + printable(cause.text)
                                             : "the machine code is the same";
    case EventCauseKind::kCode:
      break;
  }
  return cause.text.empty() ? "the machine code changed" : printable(cause.text);
}

// Slack's escapes; a word joiner keeps other chats from calling whoever "@all" names.
std::string in_chat(const std::string& text) {
  std::string out = printable(text);
  replace_every(out, "&", "&amp;");
  replace_every(out, "<", "&lt;");
  replace_every(out, ">", "&gt;");
  replace_every(out, "@", "@\u2060");
  replace_every(out, "*", "∗");  // is not bold
  replace_every(out, "`", "'");
  return out;
}

}  // namespace

std::string event_size_in_words(const ChangeEvent& event) {
  const Metric& metric = event.changes[main_side(event).largest_at].metric;
  const bool is_one = std::ranges::all_of(
      event.changes, [&](const EventChange& change) { return change.metric.name == metric.name; });
  if (is_one) return change_in_words(metric, main_side(event).ratio - 1);
  return format_share(std::abs(main_side(event).ratio - 1)) +
         (is_mostly_slower(event) ? " slower" : " faster");
}

std::string event_benchmarks(const ChangeEvent& event) {
  if (event.together)
    return pool_in_words(*event.together) + " (" + std::to_string(event.changes.size()) + ")";
  const std::string& largest = event.changes.front().benchmark;
  if (event.changes.size() == 1) return largest;
  const EventSide& other = is_mostly_slower(event) ? event.faster : event.slower;
  std::string count = std::to_string(main_side(event).changes);
  if (other.changes > 0)
    count += ", and " + std::to_string(other.changes) + (is_mostly_slower(event) ? " faster" : " slower");
  const std::string shared = shared_start(event.changes);
  if (shared.empty()) return largest + " and others (" + count + ")";
  return shared + "* (" + count + ")";
}

std::string event_glob(const ChangeEvent& event) {
  if (event.changes.size() == 1) return event.changes.front().benchmark;
  return shared_start(event.changes) + "*";
}

std::string event_together(const ChangeEvent& event) {
  if (!event.together) return "";
  const auto share = [](double ratio) { return format_share(std::abs(ratio - 1)); };
  auto [low, high] = event.together->ratio;
  if (std::abs(low - 1) > std::abs(high - 1)) std::swap(low, high);
  return count_of(event.changes.size(), "benchmark") + " about " + event_size_in_words(event) +
         " together (" + share(low) + " to " + share(high) + "), too little in any one alone";
}

std::string event_state(const ChangeEvent& event) {
  const std::string undone = is_mostly_slower(event) ? "mended" : "undone";
  if (is_of_machine(event)) return "the machine changed";
  if (event.state == EventState::kUndone) return undone + " by " + short_id(event.undone_by->id);
  if (event.accepted > 0 && event.accepted + event.undone >= event.slower.changes && is_mostly_slower(event))
    return "accepted";
  if (event.state == EventState::kPartlyUndone)
    return std::to_string(event.undone) + " of " + std::to_string(event.changes.size()) + " " + undone;
  return "still there";
}

std::string event_causes(const ChangeEvent& event) {
  std::vector<std::string> parts;
  for (const auto& cause : event.causes)
    parts.push_back(event_cause_in_words(cause, event.causes.size() == 1));
  return join(parts, "; ");
}

std::string event_reason(const ChangeEvent& event) {
  const std::string together = event_together(event);
  const std::string causes = event_causes(event);
  return together + (together.empty() || causes.empty() ? "" : "; ") + causes;
}

std::string event_commit(const ChangeEvent& event) {
  return short_id(event.first_seen.id);
}

std::string event_range(const ChangeEvent& event) {
  if (is_of_machine(event)) return "";
  if (event.shape == EventShape::kDrift)
    return drift_pace(event) + ", no single commit; up to " + short_id(event.last_possible.id);
  const int count = event.last_possible.position - event.last_before.position;
  return count > 1 ? "one of " + std::to_string(count) + " commits since " + short_id(event.last_before.id)
                   : "";
}

std::string event_ends(const ChangeEvent& event) {
  return "from " + short_id(event.last_before.id) + " to " + short_id(event.last_possible.id);
}

std::string event_since(const ChangeEvent& event) {
  if (event.shape == EventShape::kStep) return "since " + short_id(event.first_seen.id);
  if (days_between(event.last_before, event.last_possible) < kDaysForAPace)
    return "since " + short_id(event.last_before.id);
  return "since " + month_of(event.last_before.date, event.last_possible.date);
}

std::string drift_alarm_in_words(const DriftAlarm& alarm) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < alarm.losses.size() && i < kNamed; ++i)
    parts.push_back(alarm.event.changes[alarm.losses[i].change].benchmark + " " +
                    format_share(alarm.losses[i].loss));
  if (alarm.losses.size() > kNamed)
    parts.push_back("and " + std::to_string(alarm.losses.size() - kNamed) + " more");
  return format_share(alarm.losses.front().loss) + " lost since " + alarm.since.name +
         " by a drift, no single commit: " + join(parts, ", ");
}

std::string chat_message(const std::vector<ChangeEvent>& regressions, const std::vector<DriftAlarm>& drifts,
                         const std::string& place, const std::string& page) {
  constexpr std::size_t kLinesMax = 10;
  std::vector<std::string> lines;
  for (const auto& event : regressions)
    lines.push_back(event_size_in_words(event) + " since " + event_commit(event) + " " +
                    event.first_seen.subject + ": " + event_benchmarks(event));
  for (const auto& alarm : drifts) lines.push_back(drift_alarm_in_words(alarm));
  const std::size_t more = lines.size() - std::min(lines.size(), kLinesMax);
  lines.resize(lines.size() - more);
  std::string text = "*" + in_chat(place) + ": ";
  text += regressions.empty() ? "no new regression" : count_of(regressions.size(), "new regression");
  if (!drifts.empty()) text += ", " + count_of(drifts.size(), "drift");
  text += "*";
  for (const auto& line : lines) text += "\n• " + in_chat(line);
  if (more > 0) text += "\nand " + std::to_string(more) + " more";
  if (!page.empty()) text += "\n" + in_chat(page);
  return nlohmann::json{{"text", text}}.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

std::string event_sparkline(const ChangeEvent& event, const std::vector<Series>& all, std::size_t width) {
  const EventChange& largest = event.changes[main_side(event).largest_at];
  const auto found = std::ranges::find_if(all, [&](const Series& series) {
    return series.device == largest.device && series.benchmark == largest.benchmark;
  });
  const bool is_known = event.together || found != all.end();
  if (!is_known || width == 0) return "";
  const auto& points = event.together ? event.together->pooled.points : found->points;
  const auto place_of = [&](int position) {
    const auto at =
        std::lower_bound(points.begin(), points.end(), position,
                         [](const SeriesPoint& point, int wanted) { return point.position < wanted; });
    return static_cast<std::size_t>(at - points.begin());
  };
  // As much before the event as after it, and no less than a character a value.
  const std::size_t at = place_of(event.first_seen.position);
  const std::size_t after = std::max(points.size() - std::min(at, points.size()), width / 2);
  return sparkline(points, at > after ? at - after : 0, points.size(), width);
}

std::string sparkline(const std::vector<SeriesPoint>& points, std::size_t from, std::size_t to,
                      std::size_t width, double span_min) {
  static constexpr std::array kHeights{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::vector<double> medians;
  for (std::size_t i = from; i < to; ++i) medians.push_back(points[i].median);
  const auto values = stats::shortened(medians, width);
  if (values.empty()) return "";
  const auto [least, most] = std::ranges::minmax_element(values);
  const double missing = std::max(0.0, span_min * std::abs(*most) - (*most - *least));
  const double low = *least - missing / 2;
  const double span = *most - *least + missing;
  std::string line;
  for (const double value : values) {
    const double share = span > 0 ? (value - low) / span : 0;
    line += kHeights.at(static_cast<std::size_t>(std::lround(share * (kHeights.size() - 1))));
  }
  return line;
}

}  // namespace tracker::report
