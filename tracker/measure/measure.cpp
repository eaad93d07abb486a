#include "tracker/measure/measure.hpp"

#include <algorithm>
#include <iterator>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/measure/job.hpp"

namespace tracker::measure {

Measured measure(const std::vector<Target>& targets, const Options& options,
                 const LocalEnvironment& environment, Progress& progress) {
  Job job(targets, options, environment, progress);
  if (!job.choose()) return job.finish();
  auto rounds = job.first_rounds();
  progress.begin(job.steps(rounds));
  while (!rounds.empty() && job.take(rounds)) {
    rounds = job.rounds_again();
    progress.extend(job.steps(rounds));
  }
  progress.end();
  return job.finish();
}

void append(Measured more, Measured& measured) {
  const auto move_all = [](auto& from, auto& to) {
    std::move(from.begin(), from.end(), std::back_inserter(to));
  };
  measured.files.resize(more.files.size());
  measured.incomplete.resize(more.files.size());
  more.incomplete.resize(more.files.size());
  for (std::size_t target = 0; target < more.files.size(); ++target) {
    move_all(more.files[target], measured.files[target]);
    measured.incomplete[target] = measured.incomplete[target] || more.incomplete[target];
  }
  move_all(more.failures, measured.failures);
  move_all(more.notes, measured.notes);
  move_all(more.warnings, measured.warnings);
  measured.interrupted = measured.interrupted || more.interrupted;
  measured.next_round = std::max(measured.next_round, more.next_round);
  measured.excluded += more.excluded;
  if (measured.excluded_for.empty()) measured.excluded_for = more.excluded_for;
  measured.retakes += more.retakes;
  if (measured.out_of_time.empty()) measured.out_of_time = more.out_of_time;
}

void require_wanted_here(const std::vector<Binary>& all, const LocalEnvironment& environment) {
  const auto wants = [&](const Binary& binary) { return environment.wants(binary.when); };
  const auto is_asked = [](const Binary& binary) { return binary.when == RunsWhere::kAsked; };
  if (all.empty())
    throw Error(
        ExitCode::kUsage, "no benchmark binary is named",
        "name them in tracker.toml as [[binary]] path = \"…\", or after --: tracker run -- ./my_benchmark");
  if (std::any_of(all.begin(), all.end(), wants)) return;
  if (std::all_of(all.begin(), all.end(), is_asked))
    throw Error(ExitCode::kUsage, "every binary in tracker.toml is measured only where it is asked for",
                "name it: tracker run -- " + all.front().path);
  if (environment.has_gpu())
    throw Error(ExitCode::kUsage, "every binary in tracker.toml is for a machine without a GPU",
                "take when = \"no-gpu\" out of its [[binary]], where it can be measured here");
  throw Error(ExitCode::kUsage,
              "every binary in tracker.toml is for a machine with a GPU (when = \"gpu\"), and there is none "
              "here: " +
                  environment.why_no_gpu(),
              "measure on a machine with an NVIDIA GPU and its driver; take when = \"gpu\" out of the "
              "[[binary]] of one that can do without");
}

std::vector<Binary> binaries_here(const std::vector<Binary>& all, const std::filesystem::path& root,
                                  const LocalEnvironment& environment) {
  require_wanted_here(all, environment);
  std::vector<Binary> here;
  for (const auto& binary : all) {
    if (!environment.wants(binary.when)) continue;
    std::error_code failure;
    if (!std::filesystem::is_regular_file(binary_path(root, binary), failure))
      throw Error(ExitCode::kUsage, "no benchmark binary " + in_quotes(binary.path) + " in " + root.string(),
                  "build it first, or let tracker do it with --build");
    here.push_back(binary);
  }
  return here;
}

}  // namespace tracker::measure
