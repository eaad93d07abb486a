#include "tracker/site/gather.hpp"

#include <cmath>

#include "tracker/base/text.hpp"
#include "tracker/events/events.hpp"
#include "tracker/judge/explain/run_facts.hpp"

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

void add_device(SiteHistory& site, const std::string& device, LineSeries line, const AddCauses& causes) {
  if (line.series.empty()) return;
  SiteDevice gathered{device, line.newest_device.model, {}, all_events(line.series)};
  causes(line.series, gathered.events);
  const std::vector<SharedText> environments(line.descriptions.begin(), line.descriptions.end());
  std::vector<bool> is_known;  // of a commit, by its position: most points are of the same ones
  for (std::size_t i = 0; i < line.series.size(); ++i) {
    SiteSeries one;
    for (const auto& point : line.series[i].points) {
      const auto position = static_cast<std::size_t>(point.position);
      if (position >= is_known.size()) is_known.resize(position + 1);
      if (is_known[position]) continue;
      is_known[position] = true;
      site.commits[point.position] = line.commits.at(point.position);
    }
    const auto& origins = line.origins[i];
    one.facts.reserve(origins.points.size());
    for (std::size_t k = 0; k < origins.points.size(); ++k)
      one.facts.push_back({origins.points[k].repetitions, whole_number(origins.counters[2 * k]),
                           whole_number(origins.counters[2 * k + 1]),
                           environments[origins.points[k].description]});
    one.series = std::move(line.series[i]);
    line.origins[i] = {};
    gathered.series.push_back(std::move(one));
  }
  site.devices.push_back(std::move(gathered));
}

}  // namespace tracker
