// docs/outputs.md says what the keys of the JSON mean.

#include "tracker/report/event_report.hpp"

#include <algorithm>

#include "tracker/base/terminal.hpp"
#include "tracker/base/text.hpp"
#include "tracker/report/escape.hpp"
#include "tracker/report/event_words.hpp"
#include "tracker/report/json_report.hpp"

namespace tracker::report {
namespace {

constexpr const char* kEventsSchema = "tracker.events/1";
constexpr std::string_view kCommitPlace = "{commit}";  // in an address
constexpr std::size_t kSparkline = 12;
constexpr std::size_t kEventGap = 2;
constexpr std::size_t kNarrowest = 60;
constexpr std::size_t kNarrow = 100;  // columns: below, the benchmarks have a line of their own
constexpr std::size_t kNarrowSparkline = 8;
constexpr std::size_t kNarrowSubject = 12;
constexpr std::size_t kShortest = 3;     // of what is shortened
constexpr std::size_t kSubjectMax = 80;  // some say all in their first line

using Events = std::vector<ChangeEvent>;

std::size_t shown_of(const Events& events, const EventOptions& options) {
  return options.rows_max == 0 ? events.size() : std::min(options.rows_max, events.size());
}

bool has_enough_points(const std::vector<Series>& all) {
  return all.empty() || std::ranges::any_of(all, [](const Series& series) {
           return series.points.size() >= kPointsToTellChange;
         });
}

// "5 lasting changes since 2026-08-24: 3 slower, 1 faster, 1 of the machine".
std::string events_in_words(const EventReport& report) {
  if (!report.heading.empty()) return report.heading;
  if (!has_enough_points(report.series)) return "too few commits to tell a lasting change";
  const auto count_if = [&](const auto& is_it) { return std::ranges::count_if(report.events, is_it); };
  const auto machine = count_if([](const ChangeEvent& event) { return is_of_machine(event); });
  const auto slower =
      count_if([](const ChangeEvent& event) { return !is_of_machine(event) && is_mostly_slower(event); });
  const auto faster = std::ssize(report.events) - machine - slower;
  std::string text =
      report.events.empty() ? "no lasting change" : count_of(report.events.size(), "lasting change");
  if (!report.since.empty()) text += " since " + report.since;
  std::vector<std::string> kinds;
  if (slower > 0) kinds.push_back(std::to_string(slower) + " slower");
  if (faster > 0) kinds.push_back(std::to_string(faster) + " faster");
  if (machine > 0) kinds.push_back(std::to_string(machine) + " of the machine");
  return kinds.empty() ? text : text + ": " + join(kinds, ", ");
}

std::string hidden_of(const Events& events, const EventOptions& options) {
  const std::size_t hidden = events.size() - shown_of(events, options);
  return hidden == 0 ? "" : "… and " + std::to_string(hidden) + " smaller: --count 0 lists all";
}

std::string wandering_in(const EventReport& report) {
  constexpr std::size_t kNamed = 5;
  return report.names_wandering ? wandering_among(report.series, kNamed) : "";
}

std::string below_threshold_in(const EventReport& report) {
  return report.names_wandering ? below_threshold_among(report.series, report.since) : "";
}

// What stands below an event's line: which commits, where not all devices share it, and why.
std::string below_event(const ChangeEvent& event, const EventReport& report, bool narrow) {
  std::vector<std::string> parts;
  if (narrow) parts.push_back(event_benchmarks(event));
  if (event.together) parts.push_back(event_together(event));
  if (!is_of_machine(event) && std::ranges::none_of(event.changes, [](const EventChange& change) {
        return change.other_conditions.empty();
      }))
    parts.push_back("measured under other conditions");
  if (const std::string range = event_range(event); !range.empty()) parts.push_back(range);
  std::vector<std::string> on;
  for (const auto& device : report.devices)
    if (std::ranges::any_of(event.changes,
                            [&](const EventChange& change) { return change.device == device; }))
      on.push_back(device);
  if (on.size() < report.devices.size()) parts.push_back("on " + join(on, ", "));
  const std::string causes = event_causes(event);
  if (!causes.empty()) parts.push_back(is_of_machine(event) ? causes : "likely cause: " + causes);
  return join(parts, "; ");
}

// A terminal's link (OSC 8).
TextCell linked_commit(const std::string& text, const ChangeEvent& event, const EventOptions& options) {
  std::string url = options.commit_url;
  const bool has_link = options.color && event.shape != EventShape::kDrift;
  if (!has_link || url.find(kCommitPlace) == std::string::npos) return {text};
  replace_every(url, kCommitPlace, printable(event.first_seen.id));
  return {text, "\x1b]8;;" + url + "\x1b\\", "\x1b]8;;\x1b\\"};
}

// What stands in a commit's place where none is to blame; empty else.
std::string not_of_commit(const ChangeEvent& event) {
  if (is_of_machine(event)) return "machine";
  return event.shape == EventShape::kDrift ? "drift" : "";
}

// The cells of a line.
enum EventColumn : std::size_t { kSize, kCommit, kSubject, kBenchmarks, kLevels, kState };

// Subjects and benchmarks share what the others leave of so many columns (0: as wide as they get).
std::vector<TextColumn> event_columns(const TextRows& rows, std::size_t columns) {
  std::vector<TextColumn> shown(kState + 1);
  shown[kSubject] = {.width_max = kSubjectMax, .cuts_end = true};
  if (columns == 0) return shown;
  const auto widths = table_widths(shown, rows);
  const std::size_t gaps = (widths[kBenchmarks] == 0 ? 4 : 5) * kEventGap;
  const std::size_t fixed = widths[kSize] + widths[kCommit] + widths[kLevels] + widths[kState] + gaps;
  const std::size_t room = std::max(columns, fixed + kNarrowSubject) - fixed;
  // What the benchmarks do not need of their half, the subject has, and the other way round.
  const std::size_t benchmarks =
      std::min(widths[kBenchmarks], std::max(room / 2, room - std::min(room, widths[kSubject])));
  shown[kSubject].width_max = std::max(std::min(widths[kSubject], room - benchmarks), kShortest);
  shown[kBenchmarks].width_max = std::max(benchmarks, kShortest);
  return shown;
}

std::string event_color(const ChangeEvent& event) {
  if (event.state == EventState::kUndone || event_state(event) == "accepted") return kDim;
  return is_mostly_slower(event) ? "\x1b[31m" : "\x1b[32m";
}

std::vector<TextCell> event_cells(const ChangeEvent& event, const EventReport& report, std::size_t sparkline,
                                  const EventOptions& options) {
  const std::string instead = not_of_commit(event);
  return {styled_cell(event_size_in_words(event), options.color ? event_color(event) : ""),
          linked_commit(instead.empty() ? event_commit(event) : instead, event, options),
          {instead.empty() ? event.first_seen.subject : event_ends(event)},
          {event_benchmarks(event)},
          {event_sparkline(event, report.series, sparkline)},
          {event_state(event)}};
}

std::size_t columns_of(const EventOptions& options) {
  return options.columns <= 0 ? 0 : std::max(static_cast<std::size_t>(options.columns), kNarrowest);
}

std::string text_of(const Events& events, const EventReport& report, const EventOptions& options) {
  const std::size_t columns = columns_of(options);
  const bool narrow = columns > 0 && columns < kNarrow;
  TextRows rows;
  for (std::size_t i = 0; i < shown_of(events, options); ++i) {
    rows.push_back(event_cells(events[i], report, narrow ? kNarrowSparkline : kSparkline, options));
    if (narrow) rows.back()[kBenchmarks] = {};
  }
  const auto lines = table_lines(event_columns(rows, columns), rows);
  const std::string indent(table_widths({{}}, rows).front() + kEventGap, ' ');
  std::string out = lines.empty() ? "" : "\n";
  for (std::size_t i = 0; i < lines.size(); ++i)
    out += lines[i] + "\n" + wrapped(below_event(events[i], report, narrow), columns, indent);
  if (const std::string rest = hidden_of(events, options); !rest.empty()) out += rest + "\n";
  return out;
}

std::string write_event_text(const EventReport& report, const EventOptions& options) {
  std::string out;
  for (const auto& gap : report.gaps) out += "incomplete: " + gap + "\n";
  out += join(report.devices, ", ") + "\n" + events_in_words(report) + "\n";
  out += text_of(report.events, report, options);
  const std::string wandering = wandering_in(report);
  for (const auto& words : {wandering.empty() ? "" : "~ " + wandering, below_threshold_in(report)})
    if (!words.empty()) out += "\n" + wrapped(words, columns_of(options));
  for (const auto& [key, heading, events] : report.sections)
    if (!events.empty()) out += "\n" + heading + "\n" + text_of(events, report, options);
  return out;
}

std::string markdown_commit(const ChangeEvent& event, const EventOptions& options) {
  if (const std::string instead = not_of_commit(event); !instead.empty()) return instead;
  const std::string text = markdown_text(event_commit(event));
  std::string url = options.commit_url;
  if (url.find(kCommitPlace) == std::string::npos) return text;
  replace_every(url, kCommitPlace, event.first_seen.id);
  return "[" + text + "](" + markdown_link(url) + ")";
}

std::string markdown_of(const Events& events, const EventReport& report, const EventOptions& options) {
  std::string out;
  if (!events.empty())
    out +=
        "\n| change | commit | subject | benchmarks | | state | likely cause "
        "|\n|---|---|---|---|---|---|---|\n";
  for (std::size_t i = 0; i < shown_of(events, options); ++i) {
    const ChangeEvent& event = events[i];
    const auto cells = event_cells(event, report, kSparkline, {});
    out +=
        markdown_row({cells[kSize].text, markdown_commit(event, options), markdown_text(cells[kSubject].text),
                      markdown_text(cells[kBenchmarks].text), cells[kLevels].text,
                      markdown_text(cells[kState].text), markdown_text(event_reason(event))});
  }
  if (const std::string rest = hidden_of(events, options); !rest.empty()) out += "\n" + rest + "\n";
  return out;
}

std::string write_event_markdown(const EventReport& report, const EventOptions& options) {
  std::string out;
  for (const auto& gap : report.gaps) out += "**Incomplete**: " + markdown_text(gap) + "\n\n";
  out += "**" + markdown_text(join(report.devices, ", ")) + "**: " + events_in_words(report) + "\n" +
         markdown_of(report.events, report, options);
  for (const auto& words : {wandering_in(report), below_threshold_in(report)})
    if (!words.empty()) out += "\n" + markdown_text(words) + "\n";
  for (const auto& [key, heading, events] : report.sections)
    if (!events.empty()) out += "\n" + heading + "\n" + markdown_of(events, report, options);
  return out;
}

Json commit_json(const EventCommit& commit) {
  return {{"id", commit.id}, {"subject", commit.subject}, {"date", commit.date}};
}

Json event_side_json(const EventSide& side, const ChangeEvent& event) {
  if (side.changes == 0) return nullptr;
  return {{"benchmarks", side.changes},
          {"change", number_json(side.ratio - 1)},
          {"largest", number_json(side.largest - 1)},
          {"largest_benchmark", event.changes[side.largest_at].benchmark}};
}

Json change_json(const EventChange& change) {
  return {{"device", change.device},
          {"benchmark", change.benchmark},
          {"metric", change.metric.name},
          {"unit", change.metric.unit},
          {"before", number_json(change.before)},
          {"after", number_json(change.after)},
          {"change", number_json(change.after / change.before - 1)},
          {"worse", change.worse},
          {"settled", change.settled},
          {"undone_by", change.undone_by ? Json(change.undone_by->id) : Json(nullptr)},
          {"accepted", text_or_null(change.accepted)},
          {"same_code", change.same_code}};
}

// By EventCauseKind, PoolKind and EventState.
constexpr const char* kCauseKinds[] = {"fact", "conditions", "code", "same_code"};
constexpr const char* kPoolKinds[] = {"family", "shape", "device"};
constexpr const char* kStates[] = {"still_there", "partly_undone", "undone"};

Json together_json(const ChangeEvent& event) {
  if (!event.together) return nullptr;
  const Together& together = *event.together;
  return {{"of", kPoolKinds[static_cast<std::size_t>(together.kind)]},
          {"name", text_or_null(together.name)},
          {"low", number_json(together.ratio.low - 1)},
          {"high", number_json(together.ratio.high - 1)},
          {"independent", number_json(together.independent)}};
}

Json cause_json(const EventCause& cause) {
  return {{"kind", kCauseKinds[static_cast<std::size_t>(cause.kind)]},
          {"fact", text_or_null(cause.fact)},
          {"before", text_or_null(cause.before)},
          {"after", text_or_null(cause.after)},
          {"text", text_or_null(cause.text)},
          {"benchmarks", cause.changes}};
}

Json event_json(const ChangeEvent& event) {
  return {{"shape", event.shape == EventShape::kStep ? "step" : "drift"},
          {"machine", is_of_machine(event)},
          {"last_before", commit_json(event.last_before)},
          {"first_seen", commit_json(event.first_seen)},
          {"last_possible", commit_json(event.last_possible)},
          {"higher_is_better", event.higher_is_better},
          {"together", together_json(event)},
          {"slower", event_side_json(event.slower, event)},
          {"faster", event_side_json(event.faster, event)},
          {"state", kStates[static_cast<std::size_t>(event.state)]},
          {"undone_by", event.undone_by ? commit_json(*event.undone_by) : Json(nullptr)},
          {"undone", event.undone},
          {"accepted", event.accepted},
          {"causes", list_json(event.causes, cause_json)},
          {"changes", list_json(event.changes, change_json)}};
}

std::string write_event_json(const EventReport& report, const EventOptions&) {
  Json wandering = Json::array();
  for (const auto& series : report.series)
    if (report.names_wandering && series.wanders > 0)
      wandering.push_back({{"device", series.device},
                           {"benchmark", series.benchmark},
                           {"metric", series.metric.name},
                           {"by_up_to", number_json(series.wanders)}});
  Json document{{"schema", kEventsSchema},
                {"since", text_or_null(report.since)},
                {"devices", report.devices},
                {"incomplete", report.gaps},
                {"events", list_json(report.events, event_json)},
                {"wandering", wandering}};
  for (const auto& section : report.sections) document[section.key] = list_json(section.events, event_json);
  return json_text(document);
}

}  // namespace

const std::vector<EventFormat>& event_formats() {
  static const std::vector<EventFormat> formats{
      {"text", "a line an event, for a terminal", write_event_text},
      {"markdown", "a table, for a comment or a summary", write_event_markdown},
      {"json", "all of it, for programs", write_event_json},
  };
  return formats;
}

std::string write_events(const std::string& format, const EventReport& report, const EventOptions& options) {
  for (const auto& row : event_formats())
    if (row.name == format) return row.write(report, options);
  return "";
}

std::string commit_url_of(const std::string& remote_address) {
  std::string rest = remote_address;
  const auto scheme = rest.find("://");
  const bool is_url = scheme != std::string::npos;
  if (is_url) {
    const std::string name = rest.substr(0, scheme);
    if (name != "https" && name != "http" && name != "ssh" && name != "git") return "";
    rest.erase(0, scheme + 3);
  }
  const auto path = rest.find(is_url ? '/' : ':');
  if (path == std::string::npos || rest.substr(0, path).find('/') != std::string::npos) return "";
  std::string host = rest.substr(0, path);
  if (!is_url && host.find('@') == std::string::npos) return "";  // a path on this machine
  host.erase(0, host.rfind('@') + 1);
  host = host.substr(0, host.find(':'));
  std::string name = rest.substr(path + 1);
  while (name.starts_with('/')) name.erase(0, 1);
  while (name.ends_with('/')) name.pop_back();
  if (name.ends_with(".git")) name.resize(name.size() - 4);
  const bool is_plain =
      !host.empty() && !name.empty() &&
      (host + name)
              .find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._/~") ==
          std::string::npos;
  return is_plain ? "https://" + host + "/" + name + "/commit/{commit}" : "";
}

namespace {

constexpr std::size_t kIssueTitleMax = 200;
constexpr std::size_t kIssueRowsMax = 30;

std::string issue_rows(const ChangeEvent& event) {
  std::string out = "| benchmark | device | before | after | change |\n|---|---|--:|--:|--:|\n";
  for (std::size_t i = 0; i < event.changes.size() && i < kIssueRowsMax; ++i) {
    const EventChange& change = event.changes[i];
    out += markdown_row({markdown_text(change.benchmark), markdown_text(change.device),
                         format_quantity(change.before, change.metric.unit),
                         format_quantity(change.after, change.metric.unit),
                         format_percent(change.after / change.before - 1)});
  }
  if (event.changes.size() > kIssueRowsMax)
    out += "\n… and " + std::to_string(event.changes.size() - kIssueRowsMax) + " smaller ones\n";
  return out;
}

}  // namespace

std::string event_issue_title(const ChangeEvent& event) {
  return shorten_end(event_size_in_words(event) + (event.shape == EventShape::kDrift ? " by a drift " : " ") +
                         event_since(event) + ": " + event_benchmarks(event),
                     kIssueTitleMax);
}

std::string event_issue_body(const ChangeEvent& event, const std::string& commit_url) {
  const std::string id = printable(event_commit(event));
  std::string out = write_events("markdown", {"", {event.changes.front().device}, {event}, {}, "one change"},
                                 {.commit_url = commit_url});
  if (const std::string range = event_range(event); !range.empty()) out += "\n" + markdown_text(range) + "\n";
  out += "\n" + issue_rows(event) + "\nState: " + markdown_text(event_state(event)) + ".\n";
  if (event.state == EventState::kUndone) return out;
  const bool drifts = event.shape == EventShape::kDrift;
  const std::string before = drifts ? printable(event.last_before.id.substr(0, id.size())) : id + "~1";
  const std::string after = drifts ? printable(event.last_possible.id.substr(0, id.size())) : id;
  return out + "\nTo measure both commits again, or to accept the new level:\n```\ntracker compare " +
         before + " " + after + " --confirm\ntracker accept GLOB " + after + " --reason TEXT\n```\n" +
         "This issue is kept up to date, and closed when the change is mended or accepted.\n";
}

}  // namespace tracker::report
