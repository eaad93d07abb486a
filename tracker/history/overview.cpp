#include "tracker/history/overview.hpp"

#include <algorithm>

#include "tracker/base/text.hpp"
#include "tracker/history/series.hpp"
#include "tracker/model/benchmark_name.hpp"
#include "tracker/model/rename.hpp"

namespace tracker {
namespace {

FamilyPanel& panel_of(FamilyOverview& overview, const std::string& shape) {
  for (auto& panel : overview.panels)
    if (panel.shape == shape) return panel;
  overview.panels.push_back({shape, {}, {}});
  return overview.panels.back();
}

FamilyOverview& overview_of(std::vector<FamilyOverview>& all, const std::string& family,
                            const Metric& metric) {
  for (auto& overview : all)
    if (overview.family == family && overview.metric.name == metric.name) return overview;
  all.push_back({.family = family, .metric = metric});
  return all.back();
}

// The device's peak, and the benchmark of the same shape that the policy names as bound.
std::vector<ReferenceLine> references_of(const CommitRuns& commit, const Run& run, const Benchmark& benchmark,
                                         const Metric& metric, const Policy& policy) {
  std::vector<ReferenceLine> lines;
  if (const auto peak = metric_peak(metric, run.device, &benchmark))
    lines.push_back({"theoretical peak", *peak});
  const auto bound = gate_for(policy, benchmark).bound;
  const auto place = bound ? place_of(*bound) : std::nullopt;
  if (!place) return lines;
  if (const auto point = make_point(commit, *bound, metric)) lines.push_back({place->variant, point->median});
  return lines;
}

}  // namespace

Metric drawn_metric(const Benchmark& benchmark, const Policy& policy) {
  if (benchmark.flops_per_iteration) return find_metric("flops");
  return gate_for(policy, benchmark).metric;
}

std::vector<FamilyOverview> make_overviews(const CommitRuns& commit, const std::string& device,
                                           const std::vector<std::string>& globs, const Policy& policy) {
  if (!policy.renames.empty()) {
    CommitRuns renamed = commit;
    for (auto& run : renamed.runs) rename_benchmarks(run, policy.renames);
    return make_overviews(renamed, device, globs, without_renames(policy));
  }
  std::vector<FamilyOverview> all;
  for (const auto& run : commit.runs)
    for (const auto& benchmark : run.benchmarks) {
      const auto place = place_of(benchmark.name);
      if (!place || !means_any(globs, benchmark)) continue;
      const Metric metric = drawn_metric(benchmark, policy);
      const auto point = make_point(commit, benchmark.name, metric);
      if (!point) continue;
      FamilyOverview& overview = overview_of(all, place->family, metric);
      overview.device = device;
      overview.commit = commit.commit.id;
      FamilyPanel& panel = panel_of(overview, place->shape);
      const bool known = std::any_of(panel.bars.begin(), panel.bars.end(),
                                     [&](const FamilyBar& bar) { return bar.variant == place->variant; });
      if (known) continue;  // in an earlier run of the same commit already
      panel.bars.push_back({place->variant, point->median, point->spread});
      if (panel.references.empty()) panel.references = references_of(commit, run, benchmark, metric, policy);
    }
  std::erase_if(all, [](const FamilyOverview& overview) {
    return std::all_of(overview.panels.begin(), overview.panels.end(),
                       [](const FamilyPanel& panel) { return panel.bars.size() < 2; });
  });
  return all;
}

}  // namespace tracker
