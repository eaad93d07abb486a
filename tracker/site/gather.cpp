#include "tracker/site/gather.hpp"

#include <cmath>

#include "tracker/base/parallel.hpp"
#include "tracker/base/text.hpp"
#include "tracker/events/events.hpp"
#include "tracker/judge/explain/run_facts.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker {
namespace {

std::string environment_of(const Run& run) {
  std::vector<std::string> words;
  for (const char* name : {"driver", "CUDA runtime", "compiler", "host"})
    if (const auto value = run_fact(name).value(run)) words.push_back(std::string(name) + " " + *value);
  return join(words, ", ");
}

constexpr const char* kRegisters = "registers";
constexpr const char* kSpillBytes = "local_bytes";

std::optional<std::int64_t> whole_number(double value) {
  if (!std::isfinite(value)) return {};
  return static_cast<std::int64_t>(std::llround(value));
}

}  // namespace

LineQuestion site_question(const std::vector<std::string>& globs) {
  return {.globs = globs, .base = "", .describe = environment_of, .counters = {kRegisters, kSpillBytes}};
}

namespace {

// Neighbours are mostly alike: those are not looked up.
std::vector<Shared<PointFacts>> facts_of(const SeriesOrigins& origins,
                                         const std::vector<std::string>& environments) {
  std::vector<Shared<PointFacts>> facts;
  facts.reserve(origins.points.size());
  PointOrigin last;
  for (std::size_t i = 0; i < origins.points.size(); ++i) {
    const PointOrigin& origin = origins.points[i];
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

std::vector<SentinelStretch> stretches_of(const Sentinel& sentinel) {
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

void add_device(SiteHistory& site, const std::string& device, LineSeries line, const AddCauses& causes) {
  if (line.series.empty()) return;
  SiteDevice gathered{
      device, line.newest_device.model, {}, all_events(line.series), stretches_of(line.sentinel)};
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

}  // namespace tracker
