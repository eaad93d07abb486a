#include "tracker/site/site.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include "tracker/base/parallel.hpp"
#include "tracker/base/text.hpp"
#include "tracker/events/events.hpp"
#include "tracker/judge/evidence.hpp"
#include "tracker/report/escape.hpp"
#include "tracker/site/pages.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::site {
namespace {

constexpr std::string_view kPage = "page.html";

// Those of the charts (tests/plot/canvas_test.cpp). White on each of them has a contrast of 4.5 at least.
constexpr const char* kGood = "#287A46";
constexpr const char* kBad = "#B84A00";
constexpr const char* kNeutral = "#57606A";  // nothing is worse, nothing is better, or nothing can be told

// Of the device with the most to say against it: one picture tells of all of them.
File badge_of(const std::vector<DeviceTables>& tables) {
  static constexpr std::pair<SeriesState, const char*> kRows[] = {
      {SeriesState::kSlower, kBad}, {SeriesState::kNewlySlower, kBad}, {SeriesState::kFaster, kGood}};
  const std::string when = " in " + std::to_string(site_ranges()[kMainRange].days) + " d";
  std::vector<StateCounts> counts;
  for (const auto& device : tables) counts.push_back(count_states(device.series, kMainRange));
  for (const auto& [state, ground] : kRows) {
    int most = 0;
    for (auto& of_device : counts) most = std::max(most, of_device[state]);
    if (most > 0)
      return {"badge.svg",
              make_badge("perf", std::to_string(most) + " " + state_in_words(state) + when, ground)};
  }
  const bool can_tell = tables.empty() || std::ranges::any_of(tables, [](const auto& device) {
                          return can_tell_change(device.series, kMainRange);
                        });
  if (!can_tell) return {"badge.svg", make_badge("perf", "too few commits", kNeutral)};
  return {"badge.svg", make_badge("perf", "no lasting change" + when, kNeutral)};
}

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

// Of Verdana at 11 px, as wide as its wide letters: a word never leaves its box.
constexpr double kLetterWidth = 6.8;
constexpr double kPadding = 6;
constexpr int kHeight = 20;

double width_of(const std::string& words) {
  return static_cast<double>(display_width(words)) * kLetterWidth + 2 * kPadding;
}

}  // namespace

std::vector<File> make(const History& history) {
  const auto tables = tables_of(history);
  std::vector<File> files = data_files(history, tables);
  const auto pages = plain_page_names(history);
  for (std::size_t i = 0; i < history.devices.size(); ++i)
    files.push_back({pages[i], plain_page(history, history.devices[i], tables[i])});
  files.push_back(badge_of(tables));
  std::string_view page;
  for (const auto& [name, text] : embedded_assets())
    if (name == kPage)
      page = text;
    else
      files.push_back({"assets/" + std::string(name), std::string(text)});
  // Last: whoever looks while the site is being written finds an old page with old data, or a new one.
  files.push_back({"index.html", fill_page(page, {{"policy", kContentPolicy},
                                                  {"title", report::xml_text(history.title)},
                                                  {"tables", plain_overview(history, tables, pages)}})});
  return files;
}

history::LineQuestion site_question(const std::vector<std::string>& globs) {
  return {.globs = globs, .base = "", .describe = environment_of, .counters = {kRegisters, kSpillBytes}};
}

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

std::string make_badge(const std::string& label, const std::string& words, const char* ground) {
  const double left = width_of(label);
  const double right = width_of(words);
  const std::string all = report::xml_text(label) + ": " + report::xml_text(words);
  std::ostringstream svg;
  svg << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << left + right << "\" height=\"" << kHeight
      << "\" role=\"img\" aria-label=\"" << all << "\">\n<title>" << all << "</title>\n"
      << "<rect width=\"" << left << "\" height=\"" << kHeight << "\" fill=\"#24292F\"/>\n"
      << "<rect x=\"" << left << "\" width=\"" << right << "\" height=\"" << kHeight << "\" fill=\"" << ground
      << "\"/>\n"
      << "<g fill=\"#FFFFFF\" font-family=\"Verdana, DejaVu Sans, sans-serif\" font-size=\"11\" "
         "text-anchor=\"middle\">\n"
      << "<text x=\"" << left / 2 << "\" y=\"14\">" << report::xml_text(label) << "</text>\n"
      << "<text x=\"" << left + right / 2 << "\" y=\"14\">" << report::xml_text(words)
      << "</text>\n</g>\n</svg>\n";
  return svg.str();
}

}  // namespace tracker::site
