#include "tracker/commands/command.hpp"

namespace tracker {

const std::vector<Command>& commands() {
  static const std::vector<Command> table{
      {"run", "measure the benchmark binaries and record a run for HEAD", declare_run},
      {"record", "record Google Benchmark JSON made elsewhere, for a commit", declare_record},
      {"compare", "judge a commit against another one, or against the baseline", declare_compare},
      {"explain", "what differs in a benchmark between two commits, and what of it is likely why",
       declare_explain},
      {"baseline", "write or print the promoted baselines", declare_baseline},
      {"plot", "draw trends over the commits, and all variants of a family", declare_plot},
      {"log", "list the recorded runs, or the values of benchmarks over the commits", declare_log},
      {"profile", "count what the hardware did in each kernel, with ncu, or show what was counted",
       declare_profile},
      {"sync", "fetch and push the recorded runs", declare_sync},
      {"export", "write the documents recorded for commits as files", declare_export},
      {"import", "take in exported files, with all the care that strangers' data needs", declare_import},
      {"github", "in a workflow: what to compare, the comment, charts on a branch, proposals",
       declare_github},
      {"doctor", "is this machine fit to measure? says what to fix", declare_doctor},
  };
  return table;
}

}  // namespace tracker
