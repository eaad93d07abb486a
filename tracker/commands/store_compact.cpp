#include "tracker/commands/store_compact.hpp"

#include <chrono>
#include <cmath>
#include <iostream>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "tracker/app/store_documents.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/commands/terminal.hpp"

namespace tracker {
namespace {

struct CompactOptions {
  std::string older_than;
  std::string device;
  bool apply = false;
};

std::string sizes_in_words(std::uint64_t before, std::uint64_t after) {
  constexpr double kPercent = 100;
  const auto bytes_before = static_cast<double>(before);
  const auto bytes_after = static_cast<double>(after);
  return format_bytes(bytes_before) + " → " + format_bytes(bytes_after) + " (" +
         std::to_string(static_cast<int>(std::lround(kPercent * bytes_after / bytes_before))) + " %)";
}

void print_outcome(const CompactOutcome& outcome, const CompactOptions& options, const Workspace& workspace) {
  const std::string count = count_of(outcome.replaced, "run") + " older than " + options.older_than;
  std::cout << workspace.store().describe() << ": " << count << " of " << outcome.runs
            << (options.apply ? " compacted\n" : " can be compacted\n");
  if (outcome.replaced > 0)
    std::cout << "as text     " << sizes_in_words(outcome.text_before, outcome.text_after) << "\n"
              << "compressed  " << sizes_in_words(outcome.compressed_before, outcome.compressed_after)
              << ", each document by itself\n";
  if (outcome.compacted > 0) std::cout << count_of(outcome.compacted, "run") << " compacted before\n";
  if (outcome.not_worth > 0)
    std::cout << count_of(outcome.not_worth, "old run")
              << " left as they are: with so few repetitions less than a tenth would be saved\n";
  if (outcome.not_exact > 0)
    std::cout
        << count_of(outcome.not_exact, "run")
        << " left as they are: a compact document would not give the same answers, or they cannot be read\n";
  if (outcome.replaced == 0) return;
  if (!options.apply) {
    std::cout << "Nothing was changed: this was a trial. Add --apply to do it.\n";
    return;
  }
  std::cout << "The whole documents are passed over from now on, and stay in the store.\n";
  if (workspace.store_place().is_git())
    std::cout << "tracker sync tells the other clones. To free the space: tracker store copy "
                 "--without-dropped, see docs/store.md\n";
}

ExitCode run_compact(const Globals& globals, const CompactOptions& options) {
  const auto days = parse_days(options.older_than);
  if (!days)
    throw Error(ExitCode::kUsage, "--older-than '" + printable(options.older_than) + "' is no number of days",
                "write it like 2y, 26w or 90d");
  const Workspace workspace(globals);
  const auto now = std::chrono::system_clock::now();
  CompactRequest request;
  request.before = now - std::chrono::hours(24) * *days;
  request.device = options.device;
  request.apply = options.apply;
  request.dropped_at = format_utc(now);
  WaitingLine waiting("reading what is recorded");
  const auto outcome = compact_store(workspace, request, [&](std::size_t done, std::size_t all) {
    waiting.say("read " + std::to_string(done) + " of " + count_of(all, "run"));
  });
  waiting.clear();
  print_outcome(outcome, options, workspace);
  return ExitCode::kOk;
}

}  // namespace

std::function<ExitCode()> declare_store_compact(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<CompactOptions>();
  app.add_option("--older-than", options->older_than, "age of the runs to compact: 2y, 26w, 90d")->required();
  app.add_option("--device", options->device, "only of devices that match");
  app.add_flag("--apply", options->apply, "do it; without it, only say what would be saved");
  app.footer(
      "Of the repetitions of a benchmark in an invocation it keeps the least time and the one or two in\n"
      "the middle. All answers are made from these, except charts of samples. The whole document is\n"
      "dropped, not deleted.\n"
      "Exit codes: 0 done or said, 2 no such age, 4 the store cannot be read or written.");
  return [options, &globals] { return run_compact(globals, *options); };
}

}  // namespace tracker
