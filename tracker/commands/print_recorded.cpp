#include "tracker/commands/print_recorded.hpp"

#include <algorithm>
#include <iostream>

#include "tracker/base/text.hpp"
#include "tracker/commands/terminal.hpp"

namespace tracker {

void print_recorded(const Workspace& workspace, const std::vector<Run>& runs) {
  for (const auto& run : runs) {
    for (const auto& benchmark : run.benchmarks)
      if (benchmark.error)
        print_note("benchmark '" + printable(benchmark.name) +
                   (benchmark.skipped ? "' was skipped: " : "' reported: ") + printable(*benchmark.error));
    const auto measured = std::count_if(run.benchmarks.begin(), run.benchmarks.end(),
                                        [](const Benchmark& benchmark) { return !benchmark.skipped; });
    std::cout << "recorded " << count_of(static_cast<std::size_t>(measured), "benchmark") << " × "
              << count_of(static_cast<std::size_t>(invocation_count(run)), "invocation") << " for "
              << describe(workspace.repository().resolve(run.commit)) << "\n"
              << "  device  " << device_key(run.device) << " (" << printable(run.device.model) << ")\n"
              << "  run     " << run.id << " in " << workspace.store().describe() << "\n";
    if (run.dirty)
      std::cout << "  note    the working tree has uncommitted changes: this run is marked dirty, and a "
                   "clean one is "
                   "preferred to it\n";
  }
}

}  // namespace tracker
