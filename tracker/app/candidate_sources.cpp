#include "tracker/app/candidate_sources.hpp"

#include <map>

namespace tracker {

void keep_sources_of_candidate(const Workspace& workspace, std::vector<ComparisonReport>& reports) {
  for (auto& report : reports) {
    std::map<std::string, bool> known;
    for (auto& comparison : report.comparisons) {
      if (comparison.source.empty()) continue;
      const auto [found, is_new] = known.try_emplace(comparison.source, false);
      if (is_new && workspace.has_repository())
        found->second = workspace.repository().has_file(report.candidate.commit, comparison.source);
      if (!found->second) comparison.source.clear();
    }
  }
}

}  // namespace tracker
