#include "tracker/app/compare_request.hpp"

#include <filesystem>

#include "tracker/base/text.hpp"
#include "tracker/formats/policy_tables.hpp"
#include "tracker/measure/selection.hpp"

namespace tracker {

std::optional<Device> CompareRequest::stated_device() const {
  if (gpu.empty() && cpu.empty()) return {};
  Device stated;
  stated.kind = gpu.empty() ? DeviceKind::kCpu : DeviceKind::kGpu;
  stated.model = gpu.empty() ? cpu : gpu;
  return stated;
}

Policy CompareRequest::policy_over(Policy policy) const {
  if (!identical_code.empty()) {
    PolicyRule rule;
    rule.match = "*";
    rule.identical_code = identical_code == "skip" ? IdenticalCode::kSkip : IdenticalCode::kMeasure;
    policy.rules.push_back(rule);
  }
  return policy_at_threshold(std::move(policy), threshold);
}

Policy policy_at_threshold(Policy policy, const std::string& threshold) {
  if (threshold.empty()) return policy;
  PolicyRule rule;
  rule.match = "*";
  if (!parse_threshold(threshold, rule))
    throw Error(ExitCode::kUsage,
                "--threshold '" + printable(threshold) + "' must be above 0 %, or an amount above 0",
                "write it in per cent, or in the metric's unit: --threshold 1%, --threshold 5ns");
  policy.rules.push_back(rule);  // of all that match, the last one counts
  return policy;
}

std::string measure_hint(const CompareRequest& request) {
  return "measure both side by side: tracker compare " + request.base +
         (request.candidate == "HEAD" ? "" : " " + request.candidate) + " --measure";
}

CompareRequest with_patterns(CompareRequest request) {
  std::error_code ignored;
  const bool is_pattern = request.candidate.find_first_of("*?") != std::string::npos &&
                          !std::filesystem::exists(request.candidate, ignored);
  if (request.candidate_named && is_pattern) {
    request.globs.insert(request.globs.begin(), request.candidate);
    request.candidate = "HEAD";
    request.candidate_named = false;
  }
  if (request.globs.empty()) return request;
  if (!request.measuring.filter.empty())
    throw Error(ExitCode::kUsage,
                "--filter and the pattern '" + printable(request.globs.front()) +
                    "' both say which benchmarks are meant",
                "leave one of them out");
  if (request.measure || request.worktree) request.measuring.filter = filter_for_globs(request.globs);
  return request;
}

}  // namespace tracker
