#include "tracker/site/gather.hpp"

#include <algorithm>
#include <cmath>

#include "tracker/base/text.hpp"
#include "tracker/events/events.hpp"
#include "tracker/history/point_conditions.hpp"
#include "tracker/history/series.hpp"
#include "tracker/judge/run_facts.hpp"
#include "tracker/model/rename.hpp"

namespace tracker {
namespace {

std::string environment_of(const Run& run) {
  std::vector<std::string> words;
  for (const char* name : {"driver", "CUDA runtime", "compiler", "host"})
    if (const auto value = run_fact(name).value(run)) words.push_back(std::string(name) + " " + *value);
  return join(words, ", ");
}

std::optional<std::int64_t> counter(const Benchmark& benchmark, const char* name) {
  const auto found = benchmark.counters.find(name);
  if (found == benchmark.counters.end() || !std::isfinite(found->second)) return {};
  return static_cast<std::int64_t>(std::llround(found->second));
}

PointFacts facts_of(const CommitRuns& commit, const std::string& name) {
  PointFacts facts;
  for (const Run* run : calmest_runs(commit.runs, name)) {
    for (const auto& invocation : run->invocations) {
      const auto samples = invocation.samples.find(name);
      if (invocation.left_out.empty() && samples != invocation.samples.end())
        facts.samples += static_cast<int>(repetition_count(samples->second));
    }
    const Benchmark& benchmark = *find_benchmark(*run, name);
    facts.registers = counter(benchmark, "registers");
    facts.spill_bytes = counter(benchmark, "local_bytes");
    facts.environment = environment_of(*run);
  }
  return facts;
}

}  // namespace

void add_device(SiteHistory& site, const std::string& device, std::vector<CommitRuns> runs,
                const std::vector<std::string>& globs, const Policy& policy) {
  if (runs.empty()) return;
  for (auto& commit : runs)
    for (auto& run : commit.runs) rename_benchmarks(run, policy.renames);
  std::map<std::string, const CommitRuns*> by_commit;
  for (const auto& commit : runs) by_commit[commit.commit.id] = &commit;
  SiteDevice gathered{device, runs.back().runs.back().device.model, {}, {}};
  auto all = make_series(runs, device, globs, without_renames(policy), "");
  if (all.empty()) return;
  gathered.events = all_events(all);
  for (auto& series : all) {
    SiteSeries one;
    for (const auto& point : series.points) {
      const CommitRuns& commit = *by_commit.at(point.commit);
      site.commits[point.position] = commit.commit;
      one.facts.push_back(facts_of(commit, series.benchmark));
    }
    one.series = std::move(series);
    gathered.series.push_back(std::move(one));
  }
  add_event_causes(gathered.events, runs);
  site.devices.push_back(std::move(gathered));
}

}  // namespace tracker
