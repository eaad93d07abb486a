#include <algorithm>

#include "tracker/base/text.hpp"
#include "tracker/model/change_event.hpp"
#include "tracker/model/run.hpp"
#include "tracker/report/escape.hpp"
#include "tracker/report/event_words.hpp"
#include "tracker/site/pages.hpp"

namespace tracker::site {
namespace {

using report::xml_text;

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
  if (history.commit_url.empty()) return "<code>" + xml_text(words) + "</code>";
  return "<a href=\"" + xml_text(history.commit_url + id) + "\"><code>" + xml_text(words) + "</code></a>";
}

// "1a2b3c4 Subject", or of a drift and of the machine "1a2b3c4 … 5d6e7f8".
std::string event_commit(const History& history, const ChangeEvent& event) {
  if (event.shape == EventShape::kDrift || is_of_machine(event))
    return commit_link(history, event.last_before.id) + " … " + commit_link(history, event.last_possible.id);
  return commit_link(history, event.first_seen.id) + " " + xml_text(event.first_seen.subject);
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
      names.push_back(xml_text(event->changes[i].benchmark));
    if (event->changes.size() > kHitsShown)
      names.push_back(std::to_string(event->changes.size() - kHitsShown) + " more");
    table.add({event_commit(history, *event), event->first_seen.date.substr(0, 10),
               change_or_none(event->changes.front().metric, largest_change(*event)), join(names, ", "),
               xml_text(report::event_reason(*event)),
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
    std::vector<std::string> cells{xml_text(row.family), xml_text(row.metric.name)};
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
               xml_text(stretch->why)});
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
  const bool has_limits =
      std::ranges::any_of(tables.series, [](const SeriesSummaries& one) { return one.limit.has_value(); });
  std::vector<std::string> names{"Benchmark", "Metric", "Now", "Before", "Change", "State"};
  if (has_limits) names.push_back("Share of the limit");
  Table table(std::string("Benchmarks, now and before: ") + range.label + " ago, or at their first value",
              names);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < device.series.size(); ++i) order.push_back(i);
  std::ranges::stable_sort(order, {},
                           [&](std::size_t i) { return tables.series[i].ranges[kMainRange].state; });
  for (const std::size_t i : order) {
    const Series& series = device.series[i].series;
    const SeriesSummary& summary = tables.series[i].ranges[kMainRange];
    const auto& limit = tables.series[i].limit;
    std::vector<std::string> cells{
        xml_text(series.benchmark),
        xml_text(series.metric.name),
        format_quantity(summary.now, series.metric.unit),
        summary.before ? format_quantity(*summary.before, series.metric.unit) : "–",
        summary.before ? change_or_none(series.metric, summary.change) : "–",
        join(state_words(series, summary), "; ")};
    if (has_limits)
      cells.push_back(limit ? format_share(limit->share) + " of " + xml_text(limit->label) : "–");
    table.add(cells);
  }
  return table.html();
}

std::string headline(const SiteDevice& device, const DeviceTables& tables, std::size_t place) {
  const Range& range = site_ranges()[place];
  const std::string when = range.days == 0 ? "In all of the history" : std::string("Last ") + range.label;
  return when + " on " + xml_text(device.name) + ": " + headline_in_words(tables.series, place);
}

std::string heading(const SiteDevice& device) {
  return "<h2>" + xml_text(device.name) + " <small>" + xml_text(device.key) + "</small></h2>\n";
}

}  // namespace

std::string fill_page(std::string_view page, const std::map<std::string, std::string>& values) {
  std::string text;
  for (std::size_t at = 0; at < page.size();) {
    const auto value = std::ranges::find_if(
        values, [&](const auto& one) { return page.substr(at).starts_with("{" + one.first + "}"); });
    if (value == values.end()) {
      text += page[at++];
      continue;
    }
    text += value->second;
    at += value->first.size() + 2;
  }
  return text;
}

std::string plain_overview(const History& history, const std::vector<DeviceTables>& tables,
                           const std::vector<std::string>& pages) {
  std::string html = "<p>Without scripts this site is tables.</p>\n";
  for (std::size_t i = 0; i < history.devices.size(); ++i) {
    const auto& device = history.devices[i];
    html += heading(device) + "<p class=\"headline\">" + headline(device, tables[i], kMainRange) + "</p>\n" +
            events_table(history, device, kOverviewEventsMax) + "<p><a href=\"" + xml_text(pages[i]) +
            "\">All benchmarks of " + xml_text(device.name) + "</a></p>\n";
  }
  return html;
}

std::string plain_page(const History& history, const SiteDevice& device, const DeviceTables& tables) {
  std::string html =
      std::string(
          "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"") +
      kContentPolicy +
      "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
      xml_text(device.name) + " · " + xml_text(history.title) +
      "</title>\n<link rel=\"stylesheet\" href=\"assets/site.css\">\n</head>\n<body>\n<main "
      "class=\"plain\">\n<h1>" +
      xml_text(history.title) + "</h1>\n<p><a href=\"index.html\">All devices</a></p>\n" + heading(device);
  for (std::size_t range = 0; range < site_ranges().size(); ++range)
    html += "<p class=\"headline\">" + headline(device, tables, range) + "</p>\n";
  return html + months_table(tables.months) + events_table(history, device, kEventsMax) +
         benchmarks_table(device, tables) + sentinel_table(device) + "<p><small>Written by " +
         xml_text(history.tracker) + "</small></p>\n</main>\n</body>\n</html>\n";
}

}  // namespace tracker::site
