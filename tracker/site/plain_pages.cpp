#include "tracker/site/plain_pages.hpp"

#include <algorithm>

#include "tracker/base/text.hpp"
#include "tracker/model/change_event.hpp"
#include "tracker/model/run.hpp"
#include "tracker/report/escape.hpp"
#include "tracker/report/event_words.hpp"
#include "tracker/site/summary.hpp"

namespace tracker::site {
namespace {

constexpr std::size_t kHitsShown = 3;
constexpr std::size_t kEventsMax = 500;         // of a device's page
constexpr std::size_t kOverviewEventsMax = 20;  // of a device in index.html

std::string change_or_none(const Metric& metric, double change) {
  return change == 0 ? "no change" : change_in_words(metric, change);
}

// A table that scrolls where a screen is narrow; the names and cells are HTML.
class Table {
 public:
  Table(const std::string& caption, const std::vector<std::string>& names) {
    html_ = "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" + caption +
            "\"><table><caption>" + caption + "</caption><thead><tr>";
    for (const auto& name : names) html_ += "<th scope=\"col\">" + name + "</th>";
    html_ += "</tr></thead><tbody>\n";
  }
  void add(const std::vector<std::string>& cells) {
    html_ += "<tr>";
    for (std::size_t i = 0; i < cells.size(); ++i)
      html_ += i == 0 ? "<th scope=\"row\">" + cells[i] + "</th>" : "<td>" + cells[i] + "</td>";
    html_ += "</tr>\n";
  }
  std::string html() const { return html_ + "</tbody></table></div>\n"; }

 private:
  std::string html_;
};

std::string commit_link(const History& history, const std::string& id) {
  const std::string words = short_id(id);
  if (history.commit_url.empty()) return "<code>" + report::xml_text(words) + "</code>";
  return "<a href=\"" + report::xml_text(history.commit_url + id) + "\"><code>" + report::xml_text(words) +
         "</code></a>";
}

// "1a2b3c4 Subject", or of a drift and of the machine "1a2b3c4 … 5d6e7f8".
std::string event_commit(const History& history, const ChangeEvent& event) {
  if (event.shape == EventShape::kDrift || is_of_machine(event))
    return commit_link(history, event.last_before.id) + " … " + commit_link(history, event.last_possible.id);
  return commit_link(history, event.first_seen.id) + " " + report::xml_text(event.first_seen.subject);
}

std::string events_table(const History& history, const SiteDevice& device, std::size_t events_max) {
  if (device.events.empty()) return "<p>No commit changed a benchmark's level.</p>\n";
  Table table("What changed something, newest first",
              {"Commit", "Date", "Change", "Benchmarks", "Cause", "State"});
  std::size_t shown = 0;
  for (auto event = device.events.rbegin(); event != device.events.rend() && shown < events_max;
       ++event, ++shown) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(event->changes.size(), kHitsShown); ++i)
      names.push_back(report::xml_text(event->changes[i].benchmark));
    if (event->changes.size() > kHitsShown)
      names.push_back(std::to_string(event->changes.size() - kHitsShown) + " more");
    table.add({event_commit(history, *event), event->first_seen.date.substr(0, 10),
               change_or_none(event->changes.front().metric, largest_change(*event)), join(names, ", "),
               report::xml_text(report::event_reason(*event)),
               state_in_words(*event) + (event->undone_by && !is_of_machine(*event)
                                             ? " " + commit_link(history, event->undone_by->id)
                                             : "")});
  }
  if (device.events.size() <= events_max) return table.html();
  return table.html() + "<p>The newest " + std::to_string(events_max) + " of " +
         std::to_string(device.events.size()) + ".</p>\n";
}

std::string months_table(const FamilyMonths& months) {
  if (months.rows.empty()) return "";
  std::vector<std::string> names{"Family", "Metric"};
  names.insert(names.end(), months.months.begin(), months.months.end());
  Table table("Families by month: geometric mean of the changes", names);
  for (const auto& row : months.rows) {
    std::vector<std::string> cells{report::xml_text(row.family), report::xml_text(row.metric.name)};
    for (const auto& cell : row.cells) cells.push_back(cell ? change_or_none(row.metric, cell->change) : "–");
    table.add(cells);
  }
  return table.html();
}

std::string sentinel_table(const SiteDevice& device) {
  if (device.sentinel.empty()) return "";
  Table table("The sentinel: how fast the machine was",
              {"From", "To", "Nights", "Time, against the newest", "What changed"});
  for (auto stretch = device.sentinel.rbegin(); stretch != device.sentinel.rend(); ++stretch)
    table.add({stretch->first, stretch->last, std::to_string(stretch->nights), format_percent(stretch->moved),
               report::xml_text(stretch->why)});
  return table.html();
}

std::vector<std::string> state_words(const Series& series, const SeriesSummary& summary) {
  std::vector<std::string> words{
      state_in_words(summary.state), wandering_of(series),
      series.ended ? "ended " + series.points.back().date.str().substr(0, 10) : ""};
  std::erase(words, "");
  return words;
}

std::string benchmarks_table(const SiteDevice& device, const DeviceTables& tables) {
  const auto& range = site_ranges()[kMainRange];
  // Where no benchmark has a limit, nothing is said of it.
  const bool has_limits = std::any_of(tables.series.begin(), tables.series.end(),
                                      [](const SeriesSummaries& one) { return one.limit.has_value(); });
  std::vector<std::string> names{"Benchmark", "Metric", "Now", "Before", "Change", "State"};
  if (has_limits) names.push_back("Share of the limit");
  Table table(std::string("Benchmarks, now and before: ") + range.label + " ago, or at their first value",
              names);
  struct Row {
    const Series* series;
    const SeriesSummary* summary;
    const std::optional<LimitShare>* limit;
  };
  std::vector<Row> rows;
  for (std::size_t i = 0; i < device.series.size(); ++i)
    rows.push_back({&device.series[i].series, &tables.series[i].ranges[kMainRange], &tables.series[i].limit});
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    const auto rank = [](const Row& row) {
      return std::find(series_states().begin(), series_states().end(), row.summary->state);
    };
    return rank(a) < rank(b);
  });
  for (const auto& row : rows) {
    const Series& series = *row.series;
    const SeriesSummary& summary = *row.summary;
    const auto& limit = *row.limit;
    std::vector<std::string> cells{
        report::xml_text(series.benchmark),
        report::xml_text(series.metric.name),
        format_quantity(summary.now, series.metric.unit),
        summary.before ? format_quantity(*summary.before, series.metric.unit) : "–",
        summary.before ? change_or_none(series.metric, summary.change) : "–",
        join(state_words(series, summary), "; ")};
    if (has_limits)
      cells.push_back(limit ? format_share(limit->share) + " of " + report::xml_text(limit->label) : "–");
    table.add(cells);
  }
  return table.html();
}

std::string headline(const SiteDevice& device, const DeviceTables& tables, std::size_t place) {
  const Range& range = site_ranges()[place];
  const std::string when = range.days == 0 ? "In all of the history" : std::string("Last ") + range.label;
  return when + " on " + report::xml_text(device.name) + ": " + headline_in_words(tables.series, place);
}

std::string heading(const SiteDevice& device) {
  return "<h2>" + report::xml_text(device.name) + " <small>" + report::xml_text(device.key) +
         "</small></h2>\n";
}

}  // namespace

const std::string& content_policy() {
  // "file:" is for a site opened from a disk, whose files are no origin to every browser.
  static const std::string policy =
      "default-src 'none'; script-src 'self' file:; style-src 'self' file:; img-src 'self' file: data:; "
      "base-uri 'none'; form-action 'none'";
  return policy;
}

std::string fill_page(std::string_view page, const std::map<std::string, std::string>& values) {
  std::string text;
  while (!page.empty()) {
    const std::size_t open = page.find('{');
    const std::size_t close = open == std::string_view::npos ? open : page.find('}', open);
    const auto value = close == std::string_view::npos
                           ? values.end()
                           : values.find(std::string(page.substr(open + 1, close - open - 1)));
    const std::size_t end = value != values.end()            ? open
                            : open == std::string_view::npos ? page.size()
                                                             : open + 1;
    text += page.substr(0, end);
    if (value == values.end()) {
      page.remove_prefix(end);
      continue;
    }
    text += value->second;
    page.remove_prefix(close + 1);
  }
  return text;
}

std::string plain_overview(const History& history, const std::vector<DeviceTables>& tables,
                           const std::vector<std::string>& pages) {
  std::string html = "<p>Without scripts this site is tables.</p>\n";
  for (std::size_t i = 0; i < history.devices.size(); ++i) {
    const auto& device = history.devices[i];
    html += heading(device) + "<p class=\"headline\">" + headline(device, tables[i], kMainRange) + "</p>\n" +
            events_table(history, device, kOverviewEventsMax) + "<p><a href=\"" + report::xml_text(pages[i]) +
            "\">All benchmarks of " + report::xml_text(device.name) + "</a></p>\n";
  }
  return html;
}

std::string plain_page(const History& history, const SiteDevice& device, const DeviceTables& tables) {
  std::string html =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"" +
      content_policy() +
      "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
      report::xml_text(device.name) + " · " + report::xml_text(history.title) +
      "</title>\n<link rel=\"stylesheet\" href=\"assets/site.css\">\n</head>\n<body>\n<main "
      "class=\"plain\">\n<h1>" +
      report::xml_text(history.title) + "</h1>\n<p><a href=\"index.html\">All devices</a></p>\n" +
      heading(device);
  for (std::size_t range = 0; range < site_ranges().size(); ++range)
    html += "<p class=\"headline\">" + headline(device, tables, range) + "</p>\n";
  return html + months_table(tables.months) + events_table(history, device, kEventsMax) +
         benchmarks_table(device, tables) + sentinel_table(device) + "<p><small>Written by " +
         report::xml_text(history.tracker) + "</small></p>\n</main>\n</body>\n</html>\n";
}

}  // namespace tracker::site
