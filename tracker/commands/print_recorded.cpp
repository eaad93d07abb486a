#include "tracker/commands/print_recorded.hpp"

#include <algorithm>
#include <iostream>
#include <iterator>

#include "tracker/app/store_documents.hpp"
#include "tracker/base/text.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/report/data_table.hpp"

namespace tracker {

void print_recorded(const Workspace& workspace, const std::vector<Run>& runs, const std::string& format) {
  constexpr std::size_t kRowsMax = 40;  // more scroll away what was said before
  const Policy& policy = workspace.config().policy;
  DataTable all{"benchmarks", {}, {}};
  for (const auto& run : runs) {
    for (const auto& benchmark : run.benchmarks)
      if (benchmark.error)
        print_note("benchmark '" + printable(benchmark.name) +
                   (benchmark.skipped ? "' was skipped: " : "' reported: ") + printable(*benchmark.error));
    if (is_dropped_run(workspace.store(), {device_key(run.device), run.commit, run.id}))
      print_note("warning: run '" + run.id +
                 "' was dropped (tracker store drop) and stays left out of all answers; measure again: a new "
                 "run has another id");
    if (format != "text") {
      DataTable table = measured_table(run, policy);
      all.columns = std::move(table.columns);
      std::move(table.rows.begin(), table.rows.end(), std::back_inserter(all.rows));
      continue;
    }
    std::cout << write_measured(run, policy, terminal_columns() > 0 ? kRowsMax : 0);
    const auto measured = std::count_if(run.benchmarks.begin(), run.benchmarks.end(),
                                        [](const Benchmark& benchmark) { return !benchmark.skipped; });
    std::cout << fit_row("recorded " + count_of(static_cast<std::size_t>(measured), "benchmark") + " × " +
                         count_of(static_cast<std::size_t>(invocation_count(run)), "invocation") + " for " +
                         describe(workspace.repository().resolve(run.commit)))
              << "\n"
              << "  device  " << device_key(run.device) << " (" << printable(run.device.model) << ")\n"
              << "  run     " << run.id << " in " << workspace.store().describe() << "\n";
    if (run.dirty)
      std::cout << "  note    the working tree has uncommitted changes: this run is marked dirty, and a "
                   "clean one is "
                   "preferred to it\n";
  }
  if (format == "json") std::cout << write_json("tracker.run-summary/1", {all});
  if (format == "csv") std::cout << write_csv(all);
}

}  // namespace tracker
