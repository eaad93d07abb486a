#include "tracker/plot/plot.hpp"

#include <array>
#include <cstdint>
#include <map>

#include "tracker/base/text.hpp"
#include "tracker/plot/chart_words.hpp"
#include "tracker/plot/charts.hpp"
#include "tracker/plot/gnuplot.hpp"

namespace tracker {
namespace {

constexpr std::size_t kSlugMax = 140;

struct Named {
  std::string device;
  std::string name;
};

// FNV-1a: the same on every machine, unlike std::hash.
std::string short_hash(const Named& named) {
  std::string text = named.device;
  text.append("\n").append(named.name);
  std::uint32_t hash = 2166136261u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  std::string digits;
  for (int shift = 28; shift >= 0; shift -= 4) digits += "0123456789abcdef"[(hash >> shift) & 15u];
  return digits;
}

// `kind` ends the names of charts that share a folder with others of the same benchmarks: no slug has two
// hyphens in a row, so that none of these is the name of another chart.
std::vector<ChartFiles> draw(const std::vector<std::optional<Chart>>& charts, const std::vector<Named>& names,
                             const std::filesystem::path& directory, const Drawing& drawing,
                             const std::string& kind = "") {
  std::map<std::string, int> uses;
  for (const auto& [device, name] : names) ++uses[chart_slug(device, name)];
  std::vector<Chart> drawn;
  for (std::size_t i = 0; i < charts.size(); ++i) {
    if (!charts[i]) continue;
    const auto& [device, name] = names[i];
    drawn.push_back(*charts[i]);
    drawn.back().slug = chart_slug(device, name);
    // "a" beside "a-dark" would give two files one name: the dark picture of the one, the light of the other.
    const bool taken = uses[drawn.back().slug] > 1 || uses.count(drawn.back().slug + "-dark") > 0;
    if (taken) drawn.back().slug.append("-").append(short_hash({device, name}));
    drawn.back().slug += kind;
  }
  const auto files = write_charts(drawn, directory, drawing);
  std::vector<ChartFiles> result(charts.size());
  auto next = files.begin();
  for (std::size_t i = 0; i < charts.size(); ++i)
    if (charts[i]) result[i] = *next++;
  return result;
}

// With its words, where there is a chart.
std::optional<Chart> described(std::optional<Chart> chart, ChartWords words) {
  if (!chart) return chart;
  chart->title = std::move(words.title);
  chart->description = std::move(words.description);
  return chart;
}

std::string name_of(const Series& series) {
  return series.benchmark + " " + series.metric.name;
}

// What one picture shows: a benchmark's series on each device, in the order in which they come.
std::vector<std::vector<Series>> by_benchmark(const std::vector<Series>& series) {
  std::vector<std::vector<Series>> groups;
  std::map<std::string, std::size_t> group_of;
  for (const auto& one : series) {
    const auto [at, is_new] = group_of.emplace(name_of(one), groups.size());
    if (is_new) groups.emplace_back();
    groups[at->second].push_back(one);
  }
  return groups;
}

}  // namespace

std::string chart_slug(const std::string& device, const std::string& name) {
  std::string text = slug(device) + "-" + slug(name);
  if (text.size() <= kSlugMax) return text;
  return text.substr(0, kSlugMax - 9) + "-" + short_hash({device, name});
}

std::vector<ChartFiles> draw_trends(const std::vector<Series>& series, const std::filesystem::path& directory,
                                    const Drawing& drawing) {
  const std::vector<std::vector<Series>> groups = by_benchmark(series);
  std::vector<std::optional<Chart>> charts;
  std::vector<Named> names;
  std::map<std::pair<std::string, std::string>, std::size_t> group_of;
  for (const auto& group : groups) {
    for (const auto& one : group) group_of[{one.device, name_of(one)}] = charts.size();
    charts.push_back(described(trend_chart(group), words_of(group)));
    names.push_back({group.size() > 1 ? "all-devices" : group[0].device, name_of(group[0])});
  }
  const std::vector<ChartFiles> drawn = draw(charts, names, directory, drawing);
  std::vector<ChartFiles> files;
  for (const auto& one : series) files.push_back(drawn[group_of[{one.device, name_of(one)}]]);
  return files;
}

std::vector<ChartFiles> draw_overviews(const std::vector<FamilyOverview>& overviews,
                                       const std::filesystem::path& directory, const Drawing& drawing) {
  std::vector<std::optional<Chart>> charts;
  std::vector<Named> names;
  for (const auto& one : overviews) {
    charts.push_back(described(overview_chart(one), words_of(one)));
    names.push_back({one.device, one.family + " overview " + one.metric.name});
  }
  return draw(charts, names, directory, drawing);
}

std::vector<ChartFiles> draw_sweeps(const std::vector<SweepGrid>& grids,
                                    const std::filesystem::path& directory, const Drawing& drawing) {
  std::vector<std::optional<Chart>> charts;
  std::vector<Named> names;
  for (const auto& one : grids) {
    charts.push_back(described(sweep_chart(one), words_of(one)));
    names.push_back({one.device, one.title + " sweep " + one.metric.name});
  }
  return draw(charts, names, directory, drawing);
}

std::vector<ChartFiles> draw_rooflines(const std::vector<Roofline>& rooflines,
                                       const std::filesystem::path& directory, const Drawing& drawing) {
  std::vector<std::optional<Chart>> charts;
  std::vector<Named> names;
  for (const auto& one : rooflines) {
    charts.push_back(described(roofline_chart(one), words_of(one)));
    names.push_back({one.device, "roofline"});
  }
  return draw(charts, names, directory, drawing);
}

std::vector<ChartFiles> draw_comparisons(const std::vector<ComparisonReport>& reports,
                                         const std::filesystem::path& directory, const Drawing& drawing) {
  std::vector<std::optional<Chart>> charts;
  std::vector<Named> names;
  for (const auto& one : reports) {
    charts.push_back(described(comparison_chart(one), words_of(one)));
    names.push_back({one.device, "all"});
  }
  return draw(charts, names, directory, drawing, "--comparison");
}

std::vector<ChartFiles> draw_samples(const std::vector<BenchmarkSamples>& samples,
                                     const std::filesystem::path& directory, const Drawing& drawing) {
  std::vector<std::optional<Chart>> charts;
  std::vector<Named> names;
  for (const auto& one : samples) {
    charts.push_back(described(samples_chart(one), words_of(one)));
    names.push_back({one.device, one.comparison.benchmark + " " + one.comparison.metric.name});
  }
  return draw(charts, names, directory, drawing, "--samples");
}

}  // namespace tracker
