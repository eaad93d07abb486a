#include "tests/report/sample_explanations.hpp"

#include "tests/support/make_run.hpp"
#include "tests/support/policy.hpp"
#include "tracker/judge/cause.hpp"

namespace tracker::test {
namespace {

constexpr double kBytes = 2.0 * 8192 * 8192 * 4;

Timed tile(const std::string& name, const std::vector<double>& times_ns) {
  Timed timed{name, times_ns, kBytes};
  timed.counters = {{"registers", 64},          {"shared_static_bytes", 4224}, {"shared_dynamic_bytes", 0},
                    {"local_bytes", 0},         {"threads_per_block", 256},    {"blocks_per_sm", 4},
                    {"launch_overhead_us", 2.9}};
  timed.code = Code{"3f9a0c1e5b7d2f4a6c8e0b1d3f5a7c9e",
                    2304,
                    {{"smem_unroll_padded_kernel", "128x256", "32x8", "", 0}},
                    {{"LDG", 8},
                     {"STG", 8},
                     {"LDS", 8},
                     {"STS", 8},
                     {"BAR", 1},
                     {"IMAD", 46},
                     {"IADD3", 22},
                     {"ISETP", 17},
                     {"LOP3", 6},
                     {"S2R", 5},
                     {"EXIT", 3},
                     {"BRA", 9},
                     {"MOV", 4},
                     {"NOP", 11}}};
  return timed;
}

Run h200_run(const RunNumbers& numbers, const std::vector<Timed>& benchmarks) {
  Run run = make_run(numbers, benchmarks);
  run.device.memory_bytes = 150754820096;
  run.device.power_limit_w = 700;
  run.device.ecc = true;
  run.device.peak_bytes_per_second = 4.9167e12;
  run.software = {"580.159.04",    "13.0",   "13.0", "13.1.0", "GNU 12.2.0; nvcc 13.0.88",
                  "-O3 -lineinfo", "Release"};
  run.host = {"node-1", "Intel(R) Xeon(R) 6960P", 16, "Debian GNU/Linux 12"};
  for (auto& invocation : run.invocations) invocation.conditions = {1980, 1980, 3201, 45, 0, {}, 0, 0.4};
  return run;
}

judge::SideRuns side_of(const std::string& label, const std::string& subject, const Run& run) {
  judge::SideRuns side;
  side.side.label = label;
  side.side.subject = subject;
  side.side.commit = run.commit;
  side.runs = {run};
  return side;
}

struct Profiles {
  const Profile* base = nullptr;
  const Profile* candidate = nullptr;
};

// All that both sides have.
ExplanationReport explained(const judge::SideRuns& base, const judge::SideRuns& candidate,
                            const Profiles& profiles = {}) {
  const Policy policy = policy_at(0.01);
  const ComparisonReport judged = judge::judge(base, candidate, {}, policy);
  std::vector<std::string> names;
  for (const auto& row : judged.comparisons) names.push_back(row.benchmark);
  return judge::explain(judged, {base, profiles.base}, {candidate, profiles.candidate}, policy, names);
}

Profile profile_of(const std::string& benchmark, double dram, double local_loads) {
  Profile profile;
  profile.benchmarks = {{benchmark,
                         "smem_unroll_padded_kernel",
                         3,
                         {{"dram__throughput.avg.pct_of_peak_sustained_elapsed", dram},
                          {"sm__warps_active.avg.pct_of_peak_sustained_active", 49.8},
                          {"smsp__inst_executed_op_local_ld.sum", local_loads}}}};
  return profile;
}

}  // namespace

ExplanationReport code_explanation() {
  const std::string spilled = "transpose/smem_unroll_padded/f32/8192x8192";
  const std::string reshaped = "transpose/smem/f32/8192x8192";
  const std::string kept = "transpose/copy_row/f32/8192x8192";
  const Run base = h200_run(
      kBase, {tile(spilled, around(154.2e3)), tile(reshaped, around(160e3)), tile(kept, around(137e3))});
  Run candidate =
      h200_run(kCandidate, {tile(spilled, around_again(218.3e3)), tile(reshaped, around_again(166e3)),
                            tile(kept, around_again(137e3))});
  auto& spills = candidate.benchmarks[0];
  spills.counters["registers"] = 32;
  spills.counters["local_bytes"] = 96;
  spills.counters["blocks_per_sm"] = 8;
  spills.code->hash = "77ab01c92e4d6f8a0c1b3d5f7a9c1e3b";
  spills.code->bytes = 2816;
  for (const auto& [name, count] : {std::pair{"LDL", 24}, {"STL", 24}, {"IMAD", 52}, {"MOV", 9}})
    spills.code->instructions[name] = count;
  auto& shape = candidate.benchmarks[1];
  shape.code->launches[0].block = "16x16";
  shape.code->launches[0].grid = "256x128";
  shape.code->hash = "aa11bb22cc33dd44ee55ff6600112233";
  shape.code->instructions["IMAD"] = 44;
  const Profile was = profile_of(spilled, 71.2, 0);
  const Profile is = profile_of(spilled, 88.4, 25165824);
  return explained(side_of("HEAD~1", "Unroll the tile by four", base),
                   side_of("HEAD", "Hold the kernel to 32 registers", candidate), {&was, &is});
}

ExplanationReport same_code_explanation() {
  const std::string name = "transpose/smem_unroll_padded/f32/8192x8192";
  const Run base = h200_run(kBase, {tile(name, around(154.2e3))});
  RunNumbers later = kCandidate;
  later.job = "job-2";
  later.board = "GPU-b";
  Run candidate = h200_run(later, {tile(name, around_again(186e3))});
  candidate.software.driver = "590.12.01";
  candidate.host.name = "node-2";
  for (auto& invocation : candidate.invocations)
    invocation.conditions = {1755, 1980, 3201, 79, 4.5, {"power_cap"}, 0, 0.6};
  return explained(side_of("v1.2", "Release 1.2", base), side_of("HEAD", "Mend a comment", candidate));
}

ExplanationReport bare_explanation() {
  Run base = make_run(kBase, {{"saxpy", around(100e3), 1.2e9}, {"gone", around(10e3)}});
  Run candidate = make_run(kCandidate, {{"saxpy", around_again(120e3), 1.2e9}});
  return explained(side_of("HEAD~1", "", base), side_of("HEAD", "", candidate));
}

ExplanationReport hostile_explanation() {
  const std::string name = "a|b`c` <b>@team</b> **x** \x1b[2J\xff";
  Run base = h200_run(kBase, {tile(name, around(154.2e3))});
  Run candidate = h200_run(kCandidate, {tile(name, around_again(218.3e3))});
  candidate.software.flags =
      "-O3 | <script>alert(1)</script>\n# no heading \x1b]0;title\x07" + std::string(200, 'x');
  auto& code = *candidate.benchmarks[0].code;
  code.hash = "<img src=x>";
  code.launches[0].kernel = "k|**e**\x1b[31m<b>" + std::string(150, 'k');
  code.instructions["[L](http://evil.example)"] = 4;
  candidate.benchmarks[0].counters["registers"] = 1e300;
  return explained(side_of("- *x*", "Fix #1 @everyone\x1b[2J", base), side_of("HEAD", "|", candidate));
}

}  // namespace tracker::test
