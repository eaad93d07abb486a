#include "tracker/site/site.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "tracker/base/parallel.hpp"
#include "tracker/base/text.hpp"
#include "tracker/events/events.hpp"
#include "tracker/judge/evidence.hpp"
#include "tracker/model/benchmark_name.hpp"
#include "tracker/report/escape.hpp"
#include "tracker/site/data_files.hpp"
#include "tracker/site/plain_pages.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::site {
namespace {

constexpr char kPage[] = "page.html";

// Of the device with the most to say against it: one picture tells of all of them.
File badge_of(const std::vector<DeviceTables>& tables) {
  struct Row {
    SeriesState state;
    BadgeColour colour;
  };
  static constexpr Row kRows[] = {{SeriesState::kSlower, BadgeColour::kBad},
                                  {SeriesState::kNewlySlower, BadgeColour::kBad},
                                  {SeriesState::kFaster, BadgeColour::kGood}};
  const std::string when = " in " + std::to_string(site_ranges()[kMainRange].days) + " d";
  std::vector<StateCounts> counts;
  for (const auto& device : tables) counts.push_back(count_states(device.series, kMainRange));
  for (const auto& row : kRows) {
    int most = 0;
    for (auto& of_device : counts) most = std::max(most, of_device[row.state]);
    if (most > 0)
      return {"badge.svg",
              make_badge("perf", std::to_string(most) + " " + state_in_words(row.state) + when, row.colour)};
  }
  const bool can_tell = tables.empty() || std::any_of(tables.begin(), tables.end(), [](const auto& device) {
                          return can_tell_change(device.series, kMainRange);
                        });
  if (!can_tell) return {"badge.svg", make_badge("perf", "too few commits", BadgeColour::kNeutral)};
  return {"badge.svg", make_badge("perf", "no lasting change" + when, BadgeColour::kNeutral)};
}

}  // namespace

std::vector<File> make(const History& history) {
  const auto tables = tables_of(history);
  std::vector<File> files = data_files(history, tables);
  const auto pages = plain_page_names(history);
  for (std::size_t i = 0; i < history.devices.size(); ++i)
    files.push_back({pages[i], plain_page(history, history.devices[i], tables[i])});
  files.push_back(badge_of(tables));
  for (const auto& asset : embedded_assets())
    if (asset.name != std::string_view(kPage))
      files.push_back({"assets/" + std::string(asset.name), std::string(asset.text)});
  // Last: whoever looks while the site is being written finds an old page with old data, or a new one.
  files.push_back(
      {"index.html", fill_page(asset_text(kPage), {{"policy", content_policy()},
                                                   {"title", report::xml_text(history.title)},
                                                   {"tables", plain_overview(history, tables, pages)}})});
  return files;
}

namespace {

std::string environment_of(const Run& run) {
  std::vector<std::string> words;
  for (const char* name : {"driver", "CUDA runtime", "compiler", "host"})
    if (const auto value = judge::run_fact(name).value(run))
      words.push_back(std::string(name) + " " + *value);
  return join(words, ", ");
}

constexpr const char* kRegisters = "registers";
constexpr const char* kSpillBytes = "local_bytes";

std::optional<std::int64_t> whole_number(double value) {
  if (!std::isfinite(value)) return {};
  return static_cast<std::int64_t>(std::llround(value));
}

}  // namespace

history::LineQuestion site_question(const std::vector<std::string>& globs) {
  return {.globs = globs, .base = "", .describe = environment_of, .counters = {kRegisters, kSpillBytes}};
}

namespace {

// Neighbours are mostly alike: those are not looked up.
std::vector<Shared<PointFacts>> facts_of(const history::SeriesOrigins& origins,
                                         const std::vector<std::string>& environments) {
  std::vector<Shared<PointFacts>> facts;
  facts.reserve(origins.points.size());
  history::PointOrigin last;
  for (std::size_t i = 0; i < origins.points.size(); ++i) {
    const history::PointOrigin& origin = origins.points[i];
    const auto registers = whole_number(origins.counters[2 * i]);
    const auto spill_bytes = whole_number(origins.counters[2 * i + 1]);
    const bool is_alike = i > 0 && origin.repetitions == last.repetitions &&
                          origin.description == last.description && registers == facts.back()->registers &&
                          spill_bytes == facts.back()->spill_bytes;
    if (is_alike)
      facts.push_back(facts.back());
    else
      facts.emplace_back(
          PointFacts{origin.repetitions, registers, spill_bytes, environments[origin.description]});
    last = origin;
  }
  return facts;
}

}  // namespace

namespace {

std::vector<SentinelStretch> stretches_of(const history::Sentinel& sentinel) {
  constexpr std::size_t kDayLength = 10;
  std::vector<SentinelStretch> stretches;
  std::uint16_t era = kNoEra;
  std::vector<double> moves;
  for (const auto& night : sentinel.drift()) {
    if (stretches.empty() || night.era != era) {
      stretches.push_back({night.started_at.substr(0, kDayLength), "", 0, 0,
                           stretches.empty() ? "" : sentinel.in_words(era, night.era, "")});
      moves.clear();
      era = night.era;
    }
    SentinelStretch& stretch = stretches.back();
    stretch.last = night.started_at.substr(0, kDayLength);
    ++stretch.nights;
    moves.push_back(night.moved);
    stretch.moved = stats::median(moves);
  }
  return stretches;
}

}  // namespace

void add_device(History& site, const std::string& device, history::LineSeries line, const AddCauses& causes) {
  if (line.series.empty()) return;
  SiteDevice gathered{
      device, line.newest_device.model, {}, events::all_events(line.series), stretches_of(line.sentinel)};
  causes(line.series, gathered.events);
  std::vector<bool> is_known;  // of a commit, by its position: most points are of the same ones
  for (const auto& series : line.series)
    for (const auto& point : series.points) {
      const auto position = static_cast<std::size_t>(point.position);
      if (position >= is_known.size()) is_known.resize(position + 1);
      if (is_known[position]) continue;
      is_known[position] = true;
      site.commits[point.position] = line.commits.at(point.position);
    }
  gathered.series.resize(line.series.size());
  for_each_in_parallel(line.series.size(), [&](std::size_t i) {
    gathered.series[i] = {std::move(line.series[i]), facts_of(line.origins[i], line.descriptions)};
    line.origins[i] = {};
  });
  site.devices.push_back(std::move(gathered));
}

namespace {

constexpr std::size_t kMonthLength = 7;  // of "2026-11"

std::string_view month_of(const SeriesPoint& point) {
  return std::string_view(point.date).substr(0, kMonthLength);
}

struct Sum {
  double logs = 0;
  int changed = 0;
  int benchmarks = 0;
};

// From the first to the last point of a month. Neighbours are mostly of one.
struct PointsOfMonth {
  std::size_t first = 0;
  std::size_t last = 0;
};
using SeriesMonths = std::map<std::string_view, PointsOfMonth>;

SeriesMonths months_of(const Series& series) {
  SeriesMonths months;
  PointsOfMonth* newest = nullptr;
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    const std::string_view month = month_of(series.points[i]);
    if (newest == nullptr || month != month_of(series.points[i - 1]))
      newest = &months.try_emplace(month, PointsOfMonth{i, i}).first->second;
    newest->last = i;
  }
  return months;
}

// Adds what the series did in a month.
void add_month(const Series& series, const PointsOfMonth& points, Sum& sum) {
  const double change = log_change(series, points.first, points.last + 1, CountedSteps::kAll);
  sum.logs += change;
  sum.changed += change != 0 ? 1 : 0;
  ++sum.benchmarks;
}

}  // namespace

FamilyMonths family_months(const std::vector<SiteSeries>& all, std::size_t months_max) {
  std::vector<SeriesMonths> of_series(all.size());
  for_each_in_parallel(all.size(), [&](std::size_t i) { of_series[i] = months_of(all[i].series); });
  std::set<std::string> months;
  for (const auto& own : of_series)
    for (const auto& [month, points] : own) months.emplace(month);
  while (months.size() > months_max) months.erase(months.begin());

  FamilyMonths table;
  table.months.assign(months.begin(), months.end());
  std::vector<std::vector<Sum>> sums;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& one = all[i];
    const std::string family = family_of(one.series.benchmark);
    auto row = std::find_if(table.rows.begin(), table.rows.end(), [&](const FamilyRow& known) {
      return known.family == family && known.metric.name == one.series.metric.name;
    });
    if (row == table.rows.end()) {
      table.rows.push_back({family, one.series.metric, {}});
      sums.emplace_back(table.months.size());
      row = table.rows.end() - 1;
    }
    auto& of_row = sums[static_cast<std::size_t>(row - table.rows.begin())];
    for (std::size_t m = 0; m < table.months.size(); ++m)
      if (const auto found = of_series[i].find(table.months[m]); found != of_series[i].end())
        add_month(one.series, found->second, of_row[m]);
  }
  for (std::size_t r = 0; r < table.rows.size(); ++r)
    for (const Sum& sum : sums[r]) {
      std::optional<MonthCell> cell;
      if (sum.benchmarks > 0)
        cell = MonthCell{std::expm1(sum.logs / sum.benchmarks), sum.changed, sum.benchmarks};
      table.rows[r].cells.push_back(cell);
    }
  return table;
}

std::vector<DeviceTables> tables_of(const History& history) {
  const std::string newest = newest_date(history);
  std::vector<DeviceTables> all;
  for (const auto& device : history.devices) {
    auto& tables = all.emplace_back();
    tables.series.resize(device.series.size());
    for_each_in_parallel(device.series.size(), [&](std::size_t i) {
      tables.series[i] = summarize_ranges(device.series[i].series, newest);
    });
    if (can_tell_change(tables.series, kMainRange)) tables.months = family_months(device.series, kMonthsMax);
  }
  return all;
}

std::string newest_date(const History& history) {
  return history.commits.empty() ? "" : history.commits.rbegin()->second.date;
}

namespace {

// Of Verdana at 11 px, as wide as its wide letters: a word never leaves its box.
constexpr double kLetterWidth = 6.8;
constexpr double kPadding = 6;
constexpr int kHeight = 20;

double width_of(const std::string& words) {
  return static_cast<double>(display_width(words)) * kLetterWidth + 2 * kPadding;
}

// Those of the charts (tests/plot/theme_test.cpp). White on each of them has a contrast of 4.5 at least.
const char* ground(BadgeColour colour) {
  switch (colour) {
    case BadgeColour::kGood:
      return "#287A46";
    case BadgeColour::kBad:
      return "#B84A00";
    case BadgeColour::kNeutral:
      break;
  }
  return "#57606A";
}

}  // namespace

std::string make_badge(const std::string& label, const std::string& words, BadgeColour colour) {
  const double left = width_of(label);
  const double right = width_of(words);
  const std::string all = report::xml_text(label) + ": " + report::xml_text(words);
  std::ostringstream svg;
  svg << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << left + right << "\" height=\"" << kHeight
      << "\" role=\"img\" aria-label=\"" << all << "\">\n<title>" << all << "</title>\n"
      << "<rect width=\"" << left << "\" height=\"" << kHeight << "\" fill=\"#24292F\"/>\n"
      << "<rect x=\"" << left << "\" width=\"" << right << "\" height=\"" << kHeight << "\" fill=\""
      << ground(colour) << "\"/>\n"
      << "<g fill=\"#FFFFFF\" font-family=\"Verdana, DejaVu Sans, sans-serif\" font-size=\"11\" "
         "text-anchor=\"middle\">\n"
      << "<text x=\"" << left / 2 << "\" y=\"14\">" << report::xml_text(label) << "</text>\n"
      << "<text x=\"" << left + right / 2 << "\" y=\"14\">" << report::xml_text(words)
      << "</text>\n</g>\n</svg>\n";
  return svg.str();
}

std::string_view asset_text(std::string_view name) {
  const auto& assets = embedded_assets();
  const auto found =
      std::find_if(assets.begin(), assets.end(), [&](const Asset& asset) { return asset.name == name; });
  if (found == assets.end()) throw std::out_of_range(std::string(name));
  return found->text;
}

}  // namespace tracker::site
