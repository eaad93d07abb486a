#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <stdexcept>
#include <unordered_map>

#include <nlohmann/json.hpp>

#include "tracker/base/parallel.hpp"
#include "tracker/base/text.hpp"
#include "tracker/model/benchmark_name.hpp"
#include "tracker/model/change_event.hpp"
#include "tracker/report/event_words.hpp"
#include "tracker/site/pages.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::site {
namespace {

using Json = nlohmann::ordered_json;

// Values are kept to 0.005 %, or to a twentieth of what their interval reaches to either side; but never
// worse than to 0.025 %.
constexpr double kLogUnitMin = 1e-4;
constexpr double kLogUnitMax = 5e-4;
constexpr double kLogUnitOfSpread = 0.1;
constexpr std::size_t kSeriesPerFile = 16;
constexpr std::size_t kSparkPoints = 40;
constexpr int kSparkLevels = 80;
// Distances from the median to the ends of an interval, in steps of 30 % around the series' usual one,
// rounded up: 0 is none, 4 is the usual one.
constexpr double kSpreadStep = 1.3;
constexpr int kUsualSpread = 4;
constexpr std::array<std::uint64_t, 3> kSpreadLevels{9, 28, 200};  // of short, longer and long codes

// Seven digits are more than any reader sees.
Json rounded(double value) {
  if (!std::isfinite(value)) return nullptr;
  char text[32];
  std::snprintf(text, sizeof text, "%.7g", value);
  return std::strtod(text, nullptr);
}

File script(const std::string& name, const Json& value) {
  // ASCII alone: no encoding and no end of line that a script could take for its own.
  return {"data/" + name + ".js", "trackerData[\"" + name + "\"] = " + value.dump(-1, ' ', true) + ";\n"};
}

// In the list of commits.
class CommitPlaces {
 public:
  explicit CommitPlaces(const History& history) {
    for (const auto& [position, commit] : history.commits) {
      const int place = static_cast<int>(by_id_.size());
      by_id_.emplace(commit.id, place);
      by_position_.resize(static_cast<std::size_t>(position) + 1);
      by_position_.back() = place;
    }
  }
  int at(const std::string& id) const { return by_id_.at(id); }
  int at_position(int position) const { return by_position_.at(static_cast<std::size_t>(position)); }

 private:
  std::unordered_map<std::string, int> by_id_;
  std::vector<int> by_position_;  // on the first-parent line
};

Json commits_json(const History& history) {
  std::string ids;
  std::string dates;
  Json subjects = Json::array();
  std::vector<std::string> authors;
  std::vector<std::int64_t> author;
  std::vector<std::int64_t> positions;
  for (const auto& [position, commit] : history.commits) {
    ids += commit.id;
    dates += (dates.empty() ? "" : " ") + commit.date;
    subjects.push_back(printable(commit.subject));
    const std::string name = printable(commit.author);
    const auto known = std::ranges::find(authors, name);
    author.push_back(known - authors.begin());
    if (known == authors.end()) authors.push_back(name);
    positions.push_back(position);
  }
  return {{"ids", ids},
          {"dates", dates},
          {"subjects", subjects},
          {"authors", authors},
          {"author", write_differences(author)},
          {"positions", write_differences(positions)}};
}

// A line of the values of the range, from 0 to kSparkLevels.
std::string spark_of(const Series& series, const SeriesSummary& range, const std::string& first_day) {
  std::vector<double> values;
  for (std::size_t i = range.first; i < series.points.size(); ++i)
    if (series.points[i].date.str() >= first_day) values.push_back(std::log(series.points[i].median));
  if (values.size() < 2) return "";
  const auto shown = stats::shortened(values, kSparkPoints);
  const auto [low, high] = std::ranges::minmax_element(shown);
  // What is less than the threshold shall not look like a mountain.
  const double span = std::max(*high - *low, 4 * std::log1p(series.threshold));
  const double bottom = (*low + *high - span) / 2;
  std::vector<std::uint64_t> levels;
  for (const double value : shown)
    levels.push_back(static_cast<std::uint64_t>(std::lround((value - bottom) / span * kSparkLevels)));
  return write_column(levels);
}

Json range_json(const Series& series, const SeriesSummary& summary, const std::string& first_day) {
  return {summary.state, rounded(summary.change), summary.before ? rounded(*summary.before) : Json(nullptr),
          spark_of(series, summary, first_day)};
}

Json series_json(const SiteSeries& one, const SeriesSummaries& summaries, const std::string& newest) {
  const Series& series = one.series;
  Json json{{"name", printable(series.benchmark)},
            {"metric", printable(series.metric.name)},
            {"unit", series.metric.unit},
            {"better", series.metric.better == Better::kHigher ? "higher" : "lower"},
            {"family", printable(family_of(series.benchmark))},
            {"threshold", series.threshold},
            {"now", rounded(summaries.ranges.front().now)}};
  if (series.ended) json["ended"] = series.points.back().date.str().substr(0, 10);
  if (const auto& limit = summaries.limit) json["limit"] = {printable(limit->label), rounded(limit->share)};
  for (std::size_t i = 0; i < site_ranges().size(); ++i)
    json["ranges"].push_back(range_json(series, summaries.ranges[i], first_day(site_ranges()[i], newest)));
  for (const auto& line : series.references)
    json["references"].push_back({printable(line.label), rounded(line.value)});
  for (const auto& step : series.steps) {
    json["steps"].push_back({{"point", step.point},
                             {"before", rounded(step.before)},
                             {"after", rounded(step.after)},
                             {"worse", step.worse},
                             {"settled", step.settled},
                             {"other", printable(step.other_conditions)}});
  }
  for (const auto& drift : series.drifts)
    json["drifts"].push_back({{"from", drift.from},
                              {"to", drift.to},
                              {"before", rounded(drift.before)},
                              {"after", rounded(drift.after)},
                              {"worse", drift.worse},
                              {"other", printable(drift.other_conditions)}});
  if (const std::string words = wandering_of(series); !words.empty()) json["wanders"] = words;
  return json;
}

// Of both ends at once: most are usual, and so one character.
std::uint64_t spread_code(double low, double high, double usual) {
  const auto level = [&](double distance) -> std::uint64_t {
    if (!(distance > 0) || !(usual > 0)) return 0;
    const double steps = std::ceil(std::log(distance / usual) / std::log(kSpreadStep) - 1e-9);
    return static_cast<std::uint64_t>(
        std::clamp(steps + kUsualSpread, 1.0, static_cast<double>(kSpreadLevels.back()) - 1));
  };
  const std::uint64_t a = level(low);
  const std::uint64_t b = level(high);
  std::uint64_t code = 0;
  for (const std::uint64_t levels : kSpreadLevels) {
    if (std::max(a, b) < levels) return code + a * levels + b;
    code += levels * levels;
  }
  return code;  // not reached: both are below the last
}

// How far the interval of a point reaches below and above its median, as logarithms.
std::pair<double, double> distances_of(const SeriesPoint& point) {
  return {std::log(point.median / point.spread.low), std::log(point.spread.high / point.median)};
}

double usual_spread(const Series& series) {
  std::vector<double> known;
  for (const auto& point : series.points) {
    const auto [low, high] = distances_of(point);
    for (const double distance : {low, high})
      if (distance > 0 && std::isfinite(distance)) known.push_back(distance);
  }
  return known.empty() ? 0 : stats::median(known);
}

std::int64_t whole(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? std::llround(*value) : -1;
}

// Columns of a file, each once: the benchmarks of a run share most of what is not their value.
class SharedColumns {
 public:
  std::size_t add(const std::vector<std::int64_t>& numbers) {
    const auto [place, is_new] = places_.emplace(write_differences(numbers), texts_.size());
    if (is_new) texts_.push_back(place->first);
    return place->second;
  }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::unordered_map<std::string, std::size_t> places_;
  std::vector<std::string> texts_;
};

// −1 is "not known".
Json points_json(const SiteSeries& one, const CommitPlaces& places, SharedColumns& shared) {
  const Series& series = one.series;
  std::vector<std::string> environments;
  std::int64_t environment = 0;
  static constexpr std::array<const char*, 9> kColumns{"commits",   "invocations", "samples",
                                                       "marks",     "core_clock",  "memory_clock",
                                                       "registers", "spills",      "environment"};
  std::array<std::vector<std::int64_t>, kColumns.size()> columns;
  const double first = series.points.front().median;
  const double usual = usual_spread(series);
  const double unit = std::clamp(usual * kLogUnitOfSpread, kLogUnitMin, kLogUnitMax);
  std::vector<std::int64_t> values;
  std::vector<std::uint64_t> spreads;
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    const auto& point = series.points[i];
    const PointFacts& facts = one.facts[i];
    if (i == 0 || !(one.facts[i] == one.facts[i - 1])) {
      const auto known = std::ranges::find(environments, facts.environment);
      environment = known - environments.begin();
      if (known == environments.end()) environments.push_back(facts.environment);
    }
    // Without the step of one from commit to commit, all of it is zeros.
    const std::int64_t row[] = {places.at_position(point.position) - static_cast<std::int64_t>(i),
                                point.invocations,
                                facts.samples,
                                (point.disturbed ? 1 : 0) + (point.conditions->at_power_cap ? 2 : 0),
                                whole(point.conditions->core_clock_mhz),
                                whole(point.conditions->memory_clock_mhz),
                                facts.registers.value_or(-1),
                                facts.spill_bytes.value_or(-1),
                                environment};
    for (std::size_t c = 0; c < columns.size(); ++c) columns[c].push_back(row[c]);
    values.push_back(std::llround(std::log(point.median / first) / unit));
    const auto [low, high] = distances_of(point);
    spreads.push_back(spread_code(low, high, usual));
  }
  for (auto& text : environments) text = printable(text);
  Json json{{"first", rounded(first)},
            {"unit", unit},
            {"values", write_differences(values)},
            {"usual_spread", rounded(usual)},
            {"spreads", write_column(spreads)},
            {"environments", environments}};
  for (std::size_t c = 0; c < columns.size(); ++c) json[kColumns[c]] = shared.add(columns[c]);
  return json;
}

// Newest first.
Json events_json(const SiteDevice& device, const CommitPlaces& places) {
  std::unordered_map<std::string, std::size_t> series;
  for (std::size_t i = 0; i < device.series.size(); ++i) series.emplace(device.series[i].series.benchmark, i);
  Json events = Json::array();
  for (auto event = device.events.rbegin(); event != device.events.rend(); ++event) {
    Json hits = Json::array();
    for (const auto& change : event->changes)
      hits.push_back({series.at(change.benchmark), rounded(change.after / change.before - 1)});
    events.push_back(
        {{"drift", event->shape == EventShape::kDrift},
         {"machine", is_of_machine(*event)},
         {"base", places.at(event->last_before.id)},
         {"commit", places.at(event->first_seen.id)},
         {"last", places.at(event->last_possible.id)},
         {"possible", event->last_possible.position - event->last_before.position},
         {"state", state_in_words(*event)},
         {"undone", event->undone_by && !is_of_machine(*event) ? places.at(event->undone_by->id) : -1},
         {"cause", report::event_reason(*event)},
         {"hits", hits}});
  }
  return events;
}

Json months_json(const FamilyMonths& table) {
  Json rows = Json::array();
  for (const auto& row : table.rows) {
    Json cells = Json::array();
    for (const auto& cell : row.cells)
      cells.push_back(cell ? Json{rounded(cell->change), cell->changed, cell->benchmarks} : Json(nullptr));
    rows.push_back({{"family", printable(row.family)},
                    {"metric", printable(row.metric.name)},
                    {"unit", row.metric.unit},
                    {"better", row.metric.better == Better::kHigher ? "higher" : "lower"},
                    {"cells", cells}});
  }
  return {{"months", table.months}, {"rows", rows}};
}

void add_device_files(const History& history, std::size_t place, const DeviceTables& tables,
                      const CommitPlaces& commits, std::vector<File>& files) {
  const SiteDevice& device = history.devices[place];
  const std::string name = std::to_string(place);
  const std::string newest = newest_date(history);
  Json json{{"months", months_json(tables.months)},
            {"events", events_json(device, commits)},
            {"series", Json::array()}};
  for (const auto& stretch : device.sentinel)
    json["sentinel"].push_back(
        {stretch.first, stretch.last, stretch.nights, rounded(stretch.moved), printable(stretch.why)});
  for (std::size_t range = 0; range < site_ranges().size(); ++range)
    json["headlines"].push_back(headline_in_words(tables.series, range));
  std::vector<Json> series(device.series.size());
  for_each_in_parallel(series.size(), [&](std::size_t i) {
    series[i] = series_json(device.series[i], tables.series[i], newest);
  });
  for (auto& one : series) json["series"].push_back(std::move(one));
  files.push_back(script(name, json));
  const std::size_t before = files.size();
  files.resize(before + (device.series.size() + kSeriesPerFile - 1) / kSeriesPerFile);
  for_each_in_parallel(files.size() - before, [&](std::size_t part) {
    SharedColumns shared;
    Json points = Json::array();
    const std::size_t from = part * kSeriesPerFile;
    for (std::size_t i = from; i < std::min(from + kSeriesPerFile, device.series.size()); ++i)
      points.push_back(points_json(device.series[i], commits, shared));
    files[before + part] =
        script(name + "-" + std::to_string(part), {{"columns", shared.texts()}, {"series", points}});
  });
}

constexpr std::uint64_t kDigits = 92;
constexpr std::uint64_t kOneDigitMax = 81;   // numbers below it are one character
constexpr std::uint64_t kTwoDigitLeads = 9;  // then these many begin a number of two
constexpr std::uint64_t kLong = 90;          // begins a number of seven: this one and six digits
constexpr std::uint64_t kZeros = 91;  // begins a run of zeros: what follows says how many more than three
constexpr int kLongDigits = 6;
constexpr std::size_t kZerosMin = 3;

char digit(std::uint64_t value) {
  char c = static_cast<char>(' ' + value);
  for (const char left_out : {'"', '<', '\\'})
    if (c >= left_out) ++c;
  return c;
}

void write_number(std::uint64_t number, std::string& text) {
  constexpr std::uint64_t kTwoDigitMax = kOneDigitMax + kTwoDigitLeads * kDigits;
  if (number < kOneDigitMax) {
    text += digit(number);
  } else if (number < kTwoDigitMax) {
    const std::uint64_t rest = number - kOneDigitMax;
    text += digit(kOneDigitMax + rest / kDigits);
    text += digit(rest % kDigits);
  } else {
    std::string digits;
    for (int i = 0; i < kLongDigits; ++i, number /= kDigits) digits.insert(0, 1, digit(number % kDigits));
    if (number > 0) throw std::out_of_range("a number too large for a column");
    text += digit(kLong) + digits;
  }
}

}  // namespace

std::vector<std::string> plain_page_names(const History& history) {
  std::vector<std::string> names;
  std::set<std::string> taken{"index"};
  for (const auto& device : history.devices) {
    std::string name = slug(device.key);
    while (!taken.insert(name).second) name += "-2";
    names.push_back(name + ".html");
  }
  return names;
}

std::vector<File> data_files(const History& history, const std::vector<DeviceTables>& tables) {
  const CommitPlaces places(history);
  const auto pages = plain_page_names(history);
  Json index{{"title", printable(history.title)}, {"tracker", history.tracker},
             {"commitUrl", history.commit_url},   {"newest", newest_date(history)},
             {"mainRange", kMainRange},           {"seriesPerFile", kSeriesPerFile},
             {"commits", commits_json(history)}};
  index["states"] = kStateWords;
  for (const auto& range : site_ranges())
    index["ranges"].push_back(
        {{"key", range.key}, {"label", range.label}, {"from", first_day(range, newest_date(history))}});
  std::vector<SeriesSummaries> summaries;
  std::vector<const Series*> all;
  for (std::size_t i = 0; i < history.devices.size(); ++i) {
    summaries.insert(summaries.end(), tables[i].series.begin(), tables[i].series.end());
    for (const auto& one : history.devices[i].series) all.push_back(&one.series);
  }
  index["below"] = below_threshold_among(all, "");
  for (std::size_t range = 0; range < site_ranges().size(); ++range)
    index["headlines"].push_back(headline_in_words(summaries, range));
  for (std::size_t i = 0; i < history.devices.size(); ++i)
    index["devices"].push_back({{"key", printable(history.devices[i].key)},
                                {"name", printable(history.devices[i].name)},
                                {"page", pages[i]}});
  std::vector<File> files{script("index", index)};
  for (std::size_t i = 0; i < history.devices.size(); ++i)
    add_device_files(history, i, tables[i], places, files);
  return files;
}

std::string write_column(const std::vector<std::uint64_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i;
    while (end < numbers.size() && numbers[end] == 0) ++end;
    if (end - i >= kZerosMin) {
      text += digit(kZeros);
      write_number(end - i - kZerosMin, text);
      i = end;
    } else {
      write_number(numbers[i++], text);
    }
  }
  return text;
}

std::string write_differences(const std::vector<std::int64_t>& numbers) {
  std::vector<std::uint64_t> differences;
  std::int64_t before = 0;
  for (const std::int64_t number : numbers) {
    const std::int64_t difference = number - before;
    // 0, −1, 1, −2, 2, …
    differences.push_back(difference >= 0 ? 2 * static_cast<std::uint64_t>(difference)
                                          : 2 * static_cast<std::uint64_t>(-difference) - 1);
    before = number;
  }
  return write_column(differences);
}

}  // namespace tracker::site
