#include "tracker/report/event_issue.hpp"

#include "tracker/base/text.hpp"
#include "tracker/report/event_report.hpp"
#include "tracker/report/event_words.hpp"
#include "tracker/report/layout.hpp"
#include "tracker/report/markdown_text.hpp"

namespace tracker {
namespace {

constexpr std::size_t kIssueTitleMax = 200;
constexpr std::size_t kIssueRowsMax = 30;

std::string issue_rows(const ChangeEvent& event) {
  std::string out = "| benchmark | device | before | after | change |\n|---|---|--:|--:|--:|\n";
  for (std::size_t i = 0; i < event.changes.size() && i < kIssueRowsMax; ++i) {
    const EventChange& change = event.changes[i];
    out += "| " + markdown_text(change.benchmark) + " | " + markdown_text(change.device) + " | " +
           format_quantity(change.before, change.metric.unit) + " | " +
           format_quantity(change.after, change.metric.unit) + " | " +
           format_percent(change.after / change.before - 1) + " |\n";
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
  const std::string id = event_commit(event);
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

}  // namespace tracker
