// Histories that nobody measured, for tests in a browser: write_made_up_site DIR small|large|numbers.
//   small  two devices, a name of each kind of attack, steps, a drift, what was mended, what is not settled
//   large  3 devices, 500 benchmarks, 2,000 commits: every benchmark has a value at every commit
//   numbers  prints numbers, and columns of them, as the library writes them: JSON
#include <cmath>
#include <filesystem>
#include <iostream>
#include <random>

#include <nlohmann/json.hpp>

#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/events/events.hpp"
#include "tracker/history/series.hpp"
#include "tracker/model/change_event.hpp"
#include "tracker/site/pages.hpp"
#include "tracker/site/site.hpp"

namespace tracker::site {
namespace {

struct Jump {
  int commit = 0;
  double factor = 1;  // of the value from there on
};

struct MadeUp {
  std::string name;
  Metric metric;
  double value = 0;  // at first
  std::vector<Jump> jumps;
  double drift = 0;  // of the logarithm, a commit
  int from = 0;      // the first commit that has it
  double noise_factor = 1;
  int until = 100000;            // the commit from which nothing has it
  int gap_from = 0, gap_to = 0;  // commits without a value
  int spike = -1;                // a commit whose value stands alone
};

struct Numbers {
  int commits = 0;
  double noise = 0.003;
  int hours_apart = 12;
};

std::string made_up_id(int position) {
  std::string id(40, '0');
  std::uint64_t state = 0x9E3779B97F4A7C15ULL * static_cast<std::uint64_t>(position + 1);
  for (char& c : id) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    c = "0123456789abcdef"[state >> 60U];
  }
  return id;
}

const std::vector<std::string>& hostile_texts() {
  static const std::vector<std::string> texts{"<img src=x onerror=\"document.title='hit'\">/a/8",
                                              "</script><script>document.title='hit'</script>/a/8",
                                              "\"><svg onload=document.title='hit'>/a/8",
                                              "javascript:document.title='hit'/a/8",
                                              "{tables}{title}$(touch hit)`touch hit`'; touch hit; '/a/8",
                                              "\xE2\x80\xAEgnihton\xE2\x80\xA8/a/8",
                                              "__proto__/constructor/8"};
  return texts;
}

std::map<int, Commit> made_up_commits(const Numbers& numbers) {
  std::map<int, Commit> commits;
  const auto start = *parse_time("2026-01-01T08:00:00Z");
  const char* const subjects[] = {"Unroll the inner loop", "Pad the tile", "Tidy the tests",
                                  "Take the newest compiler", "Read two elements at a time"};
  for (int i = 0; i < numbers.commits; ++i)
    commits[i] = {made_up_id(i), std::string(subjects[i % 5]) + " (#" + std::to_string(100 + i) + ")",
                  i % 3 == 0 ? "Ada" : "Grace",
                  format_utc(start + std::chrono::hours(numbers.hours_apart * i))};
  return commits;
}

void mark_jumps(const MadeUp& made, Series& series) {
  double level = made.value;
  for (const auto& jump : made.jumps) {
    const auto point = static_cast<std::size_t>(jump.commit);
    const double after = level * jump.factor;
    const bool worse = (jump.factor > 1) == (made.metric.better == Better::kLower);
    series.steps.push_back({point, level, after, worse, true, {}, point, point, 1});
    level = after;
  }
}

SiteSeries made_up_series(const MadeUp& made, const std::string& device, const std::map<int, Commit>& commits,
                          double usual_noise, std::mt19937& random) {
  const double noise = usual_noise * made.noise_factor;
  std::normal_distribution<double> normal(0, 1);
  SiteSeries one;
  Series& series = one.series;
  series.device = device;
  series.benchmark = made.name;
  series.metric = made.metric;
  series.threshold = 0.02;
  series.references = {
      {"theoretical peak", made.metric.better == Better::kHigher ? made.value * 1.3 : made.value / 1.3}};
  for (const auto& [position, commit] : commits) {
    if (position < made.from || position >= made.until) continue;
    if (position >= made.gap_from && position < made.gap_to) continue;
    double logs = std::log(made.value) + made.drift * position;
    for (const auto& jump : made.jumps)
      if (position >= jump.commit) logs += std::log(jump.factor);
    if (position == made.spike) logs += 0.15;
    SeriesPoint point;
    point.commit = commit.id;
    point.subject = commit.subject;
    point.date = commit.date;
    point.position = position;
    point.median = std::exp(logs + noise * normal(random));
    point.spread = {point.median * (1 - noise * std::abs(normal(random))),
                    point.median * (1 + noise * std::abs(normal(random)))};
    point.invocations = 5;
    PointConditions conditions;
    conditions.core_clock_mhz = 1980 - 15 * (position % 7 == 0 ? 1 : 0);
    conditions.memory_clock_mhz = 3201;
    point.conditions = conditions;
    series.points.push_back(point);
    one.facts.emplace_back(PointFacts{
        25, 32, 0,
        position < static_cast<int>(commits.size()) / 2 ? "driver 580.159.04" : "driver 590.44.01"});
  }
  if (commits.size() < 1000)
    history::find_changes(series, DeviceKind::kGpu);
  else
    mark_jumps(made, series);  // the same, in less time
  return one;
}

std::vector<MadeUp> small_benchmarks() {
  const Metric time = find_metric("real_time");
  const Metric bandwidth = find_metric("bytes_per_second");
  std::vector<MadeUp> all{
      {"transpose/naive/f32/4096x4096", bandwidth, 2.1e12, {}, 0, 0, 6, 100000, 0, 0, 215},
      {"transpose/padded/f32/4096x4096", bandwidth, 3.2e12, {{200, 0.8}}, 0, 0},
      {"transpose/padded/f32/8192x8192", bandwidth, 3.4e12, {{200, 0.7}}, 0, 0},
      {"transpose/vector/f32/8192x8192", bandwidth, 3.0e12, {{180, 1.15}}, 0, 0, 1, 100000, 190, 215},
      {"gemm/tile/f32/2048x2048x2048", time, 520e-6, {{120, 1.3}, {150, 1 / 1.3}}, 0, 0},
      {"gemm/tile/f32/4096x4096x4096", time, 3.9e-3, {}, 0.0008, 0},
      {"gemm/new/f32/4096x4096x4096", time, 3.5e-3, {}, 0, 238},
      {"sort", time, 12e-6, {{239, 1.5}}, 0, 0},
      {"reduce/old/f32/1024", time, 20e-6, {}, 0, 0, 1, 170}};
  for (const auto& text : hostile_texts()) all.push_back({text, time, 1e-5, {{200, 1.2}}, 0, 0});
  return all;
}

std::vector<MadeUp> large_benchmarks() {
  std::vector<MadeUp> all;
  const Metric metrics[] = {find_metric("real_time"), find_metric("bytes_per_second")};
  for (int i = 0; i < 500; ++i) {
    MadeUp made{"family" + std::to_string(i / 50) + "/variant" + std::to_string(i % 10) + "/f32/" +
                    std::to_string(256 << (i / 10 % 5)) + "x" + std::to_string(i),
                metrics[i / 50 % 2],
                i / 50 % 2 == 0 ? 1e-5 * (i + 1) : 1e10 * (i + 1),
                {},
                0,
                0};
    if (i % 10 == 0) made.jumps = {{300 + i, 1.1}, {1200 + i, 1 / 1.1}, {1700 + i / 2, 0.9}};
    all.push_back(made);
  }
  return all;
}

History made_up_history(bool large) {
  const Numbers numbers = large ? Numbers{2000, 0.004, 6} : Numbers{240, 0.003, 24};
  History history;
  history.title = large ? "made-up" : "made-up <b>&amp;</b>";
  history.commit_url = "https://example.org/o/r/commit/";
  history.tracker = "tracker 0.1.0";
  history.commits = made_up_commits(numbers);
  if (!large) history.commits[200].subject = hostile_texts()[0];
  std::mt19937 random(1);
  const auto benchmarks = large ? large_benchmarks() : small_benchmarks();
  const char* const devices[] = {"nvidia-h200-140gib-700w", "nvidia-l4-22gib-72w", "cpu-some-16t"};
  const char* const names[] = {"NVIDIA H200", "NVIDIA L4", "Some CPU"};
  for (int d = 0; d < (large ? 3 : 2); ++d) {
    SiteDevice device{devices[d], names[d], {}, {}};
    for (const auto& made : benchmarks)
      device.series.push_back(made_up_series(made, device.key, history.commits, numbers.noise, random));
    if (d == 1) device.series.resize(large ? device.series.size() : 3);
    std::vector<Series> all;
    for (const auto& one : device.series) all.push_back(one.series);
    device.events = events::find(all);
    for (auto& event : device.events)
      event.causes = {{EventCauseKind::kCode, "", "", "", "registers 32 → 64", event.changes.size()}};
    history::mark_ended(all);
    for (std::size_t i = 0; i < all.size(); ++i) device.series[i].series.ended = all[i].ended;
    history.devices.push_back(std::move(device));
  }
  return history;
}

// What the page's scripts must read and print alike.
std::string numbers_in_json() {
  nlohmann::json json;
  for (const double value :
       {0.0, 1e-12, 1.5e-9, 999.94e-9, 999.96e-9, 12.3456e-6, 520.6e-6, 0.0399, 1.0, 59.999, 1234.4})
    json["quantities"].push_back({value, "s", format_quantity(value, "s")});
  for (const double value : {1.0, 999.9, 999.96, 1e3, 123456.0, 3.3499e9, 2.10049e12, 7.7e15})
    json["quantities"].push_back({value, "B/s", format_quantity(value, "B/s")});
  for (const double value : {2.0, 0.125, 2304.0, 123.456})
    json["quantities"].push_back({value, "", format_quantity(value, "")});
  for (const double share : {0.0, 0.00001, -0.0014, 0.0249, -0.09994, 0.09996, -0.5342, 0.9994, 0.9996, 8.17})
    json["percents"].push_back({share, format_percent(share)});
  for (const double share : {0.02, 0.005, 0.931, 1.0, 1.204})
    json["shares"].push_back({share, format_share(share)});
  for (const char* name : {"real_time", "bytes_per_second", "flops", "passes"})
    for (const double change : {0.0042, -0.0042, 0.53, -0.53, 1.1, 8.2, 20.4, -0.95, 2e6})
      json["changes"].push_back({{"metric", name},
                                 {"unit", find_metric(name).unit},
                                 {"change", change},
                                 {"words", change_in_words(find_metric(name), change)}});
  const std::vector<std::vector<std::uint64_t>> columns{{},
                                                        {0},
                                                        {0, 0},
                                                        {0, 0, 0},
                                                        {80, 81, 82, 908, 909, 910},
                                                        {5, 0, 0, 0, 0, 7, 0},
                                                        std::vector<std::uint64_t>(5000, 0),
                                                        {606355001343, 0, 1}};
  for (const auto& numbers : columns)
    json["columns"].push_back({{"numbers", numbers}, {"text", write_column(numbers)}});
  const std::vector<std::vector<std::int64_t>> lists{
      {-1, -1, -1, -1}, {0, 5, 5, -40, 1980, 1965}, {1000000000, -1000000000}};
  for (const auto& numbers : lists)
    json["differences"].push_back({{"numbers", numbers}, {"text", write_differences(numbers)}});
  const auto history = made_up_history(false);
  for (const auto& point : history.devices[0].series[1].series.points)
    json["points"].push_back({point.median, point.spread.low, point.spread.high});
  return json.dump();
}

}  // namespace
}  // namespace tracker::site

int main(int argc, char** argv) try {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const std::string kind = arguments.size() == 2 ? arguments[1] : "";
  if (kind == "numbers") {
    std::cout << tracker::site::numbers_in_json() << "\n";
    return 0;
  }
  if (kind != "small" && kind != "large") {
    std::cerr << "usage: write_made_up_site DIR small|large|numbers\n";
    return 2;
  }
  for (const auto& file : tracker::site::make(tracker::site::made_up_history(kind == "large")))
    tracker::write_file(std::filesystem::path(arguments[0]) / file.path, file.text);
  return 0;
} catch (const tracker::Error& error) {
  std::cerr << error.what() << "\n";
  return 4;
}
