#include <cmath>
#include <iostream>

#include <CLI/CLI.hpp>

#include "tracker/app/line_events.hpp"
#include "tracker/app/promote.hpp"
#include "tracker/app/sides.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/terminal.hpp"
#include "tracker/base/text.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/formats/config_file.hpp"
#include "tracker/history/history.hpp"
#include "tracker/history/series.hpp"
#include "tracker/judge/evidence.hpp"
#include "tracker/judge/noise_model.hpp"
#include "tracker/model/policy.hpp"

namespace tracker::commands {
namespace {

constexpr std::uintmax_t kConfigFileBytesMax = 1 << 20;

struct AcceptOptions {
  std::string glob;
  std::string commit;
  std::string reason;
  std::string ceiling;
  bool machine = false;
  bool dry_run = false;
};

// What was measured of the change, or what was asked for.
double ceiling_of(const app::Workspace& workspace, const AcceptOptions& options, const Commit& commit) {
  if (!options.ceiling.empty()) {
    const auto share = formats::parse_share(options.ceiling);
    if (!share)
      throw Error(ExitCode::kUsage, "--ceiling " + in_quotes(options.ceiling) + " must be above 0 %",
                  "write it in per cent: --ceiling 5%");
    return *share;
  }
  const app::LineEvents line = app::load_line_events(workspace, {{options.glob}, "", "HEAD"});
  const auto walk = workspace.repository().first_parents("HEAD", history::kWholeLine);
  const auto position = app::position_on_line(workspace.repository(), walk, commit.id);
  const double largest = position ? events::largest_loss(line.events, options.glob, *position) : 0;
  if (largest > 0) return largest * events::kCeilingRoom;
  throw Error(ExitCode::kUsage,
              "nothing that matches " + in_quotes(options.glob) + " is known to have got slower at " +
                  describe(commit),
              "tracker top lists the changes; --ceiling 5% accepts up to that size all the same");
}

ExitCode accept(const Globals& globals, const AcceptOptions& options) {
  const app::Workspace workspace(globals);
  const Commit commit = workspace.repository().resolve(options.commit);
  for (const auto& known : workspace.config().policy.accepted)
    if (known.match == options.glob && commit.id.starts_with(known.granted))
      throw Error(
          ExitCode::kUsage,
          "tracker.toml accepts " + in_quotes(options.glob) + " at " + short_id(commit.id) + " already",
          "edit its [[accepted]] table to change the reason or the ceiling");
  if (options.machine && !options.ceiling.empty())
    throw Error(ExitCode::kUsage, "a change of the machine has no ceiling",
                "leave out --ceiling or --machine");
  Waiver accepted{options.glob, options.reason, commit.id,
                  options.machine ? 0 : ceiling_of(workspace, options, commit), ""};
  accepted.machine = options.machine;
  const auto path = globals.config.empty() ? workspace.root() / "tracker.toml" : globals.config;
  const std::string before =
      std::filesystem::exists(path) ? read_file(path, kConfigFileBytesMax) : std::string();
  const std::string after = formats::with_accepted_table(before, accepted, path.filename().string());
  std::cout << after.substr(before.size()).substr(after.substr(before.size()).find('['));
  if (options.dry_run) return ExitCode::kOk;
  write_file(path, after);
  std::cout << "\n";
  print_line("written to " + path.filename().string() +
             ": review it and commit it; compare, check and top know it from now on");
  return ExitCode::kOk;
}

}  // namespace

std::function<ExitCode()> declare_accept(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<AcceptOptions>();
  app.add_option("glob", options->glob, "the benchmarks: a name or a pattern")->required();
  app.add_option("commit", options->commit, "the commit that made the change")->required();
  app.add_option("--reason", options->reason, "why it is accepted, for whoever reads tracker.toml")
      ->required();
  app.add_option("--ceiling", options->ceiling,
                 "how much slower is accepted (default: what was measured, plus a tenth of it)");
  app.add_flag("--machine", options->machine,
               "the machine changed there, and no code: whatever changed is nobody's, of any size");
  app.add_flag("--dry-run", options->dry_run, "print what would be written, and write nothing");
  app.footer(
      "Adds an [[accepted]] table at the end of tracker.toml; all else in the file stays as it is. The "
      "change\n"
      "counts as accepted wherever its commit lies between the two sides of a comparison, up to the ceiling\n"
      "(docs/tracker-toml.md#accepted-changes). With --machine no commit is to blame for it, whatever its "
      "size.\n"
      "Exit codes: 0 written, 2 usage, or no such change is known, 3 nothing is recorded, 4 git failed.");
  return [options, &globals] { return accept(globals, *options); };
}

namespace {

std::string deviation(const NoiseVariance& variance) {
  return "±" + format_share(std::sqrt(variance.value));
}

// "±0.12 % in a job, ±0.9 % between jobs": as far as it is known.
std::string spread_in_words(const BenchmarkNoise& own, const BenchmarkNoise& learned) {
  std::vector<std::string> parts;
  if (own.invocation.degrees > 0) parts.push_back(deviation(own.invocation) + " in a job");
  if (learned.same_board.degrees > 0) parts.push_back(deviation(learned.same_board) + " between jobs");
  if (learned.other_board.degrees > 0) parts.push_back(deviation(learned.other_board) + " between boards");
  return parts.empty() ? "spread not known" : join(parts, ", ");
}

// On one line where the terminal is as wide as that, else below the name.
void print_values(const std::string& benchmark, const std::string& values) {
  constexpr std::size_t kNameColumns = 44;
  constexpr std::size_t kIndent = 4;
  const auto columns = static_cast<std::size_t>(terminal_columns());
  const std::string line = "  " + left_aligned(benchmark, kNameColumns) + "  " + values;
  if (columns == 0 || display_width(line) <= columns) {
    print_line(line);
    return;
  }
  print_line("  " + benchmark);
  const std::string words = values.substr(values.find_first_not_of(' '));
  std::cout << wrapped(words, std::max<std::size_t>(columns, 2 * kIndent), std::string(kIndent, ' '));
}

void show_device(const app::Workspace& workspace, const std::string& device) {
  const Policy& policy = workspace.config().policy;
  auto side = app::load_side(workspace, app::kBaselineWord, device);
  for (auto& run : side->runs) rename_benchmarks(run, policy.renames);
  NoiseModel learned = side->noise.value_or(NoiseModel{});
  rename_benchmarks(learned, policy.renames);
  std::string head = device + ": " + short_id(side->side.commit) + ", " + side->side.subject + ", " +
                     count_of(side->runs.size(), "run") + " of " + count_of(side->side.jobs, "job");
  if (side->noise) head += ", noise learned from " + count_of(learned.jobs, "job");
  std::cout << wrapped(head, static_cast<std::size_t>(terminal_columns()));
  history::CommitRuns commit;
  commit.runs = side->runs;
  const auto all = history::make_series({commit}, device, {}, policy, "");
  std::map<std::string, Metric> metrics;
  for (const auto& series : all) metrics[series.benchmark] = series.metric;
  const NoiseModel own = judge::learn_noise(metrics, side->runs);
  for (const auto& series : all) {
    const auto& point = series.points.front();
    const auto jobs = judge::side_values(side->runs, series.benchmark, series.metric).logs_by_job.size();
    const auto kept = learned.benchmarks.find(series.benchmark);
    const bool is_known = kept != learned.benchmarks.end() && kept->second.metric == series.metric.name;
    const std::string values =
        right_aligned(format_quantity(point.median, series.metric.unit), 14) + ", median of " +
        std::to_string(point.invocations) + " in " + count_of(jobs, "job") + ", " +
        spread_in_words(own.benchmarks.at(series.benchmark), is_known ? kept->second : BenchmarkNoise{});
    print_values(series.benchmark, values);
  }
}

ExitCode show(const app::Workspace& workspace, const std::string& pattern) {
  const auto devices = app::matching_devices(app::devices_of(workspace, app::kBaselineWord), pattern);
  if (devices.empty())
    throw Error(ExitCode::kCannotJudge, "no baseline in '" + workspace.config().baselines_directory + "'",
                "promote one from a commit that is measured: tracker baseline promote");
  for (const auto& device : devices) show_device(workspace, device);
  return ExitCode::kOk;
}

void print_promoted(const app::Workspace& workspace, const std::vector<app::Promoted>& all) {
  for (const auto& promoted : all) {
    for (const auto& doubt : promoted.accepted)
      print_line(std::string("accepted ") + (doubt.worse ? "a regression" : "a change") + ": " +
                 doubt.benchmark + ": " + app::doubt_in_words(doubt));
    print_line("promoted " + count_of(promoted.runs, "run") + " of " + count_of(promoted.jobs, "job") +
               " of " + short_id(promoted.commit) + " to " +
               std::filesystem::relative(promoted.path, workspace.root()).string());
    if (promoted.jobs == 1)
      workspace.note(
          "this is one job; a second one of the same commit on another day (tracker run) tells how far jobs "
          "lie apart on this device");
  }
  std::cout << "commit it, so that the change of what is expected is reviewed\n";
}

}  // namespace

std::function<ExitCode()> declare_baseline(CLI::App& app, const Globals& globals) {
  auto request = std::make_shared<app::PromoteRequest>();
  auto* promoting = app.add_subcommand("promote", "make a commit's clean runs the baseline of their device");
  promoting->add_option("revision", request->revision, "the commit (default HEAD)");
  promoting
      ->add_option("--accept", request->accept,
                   "benchmarks that match this pattern changed on purpose (repeatable)")
      ->allow_extra_args(false);
  promoting->footer(
      "Takes the commit's runs that are clean, complete and undisturbed, of as many jobs as there are; each\n"
      "benchmark needs at least 3 invocations that count. Nothing is written where a value is more than the\n"
      "device can do. Nor where a benchmark got slower or faster, or is gone, against the commits before or\n"
      "against the baseline until now, by more than its threshold and more than noise explains: --accept\n"
      "allows such a change, and what is printed says how large it is.\n"
      "Exit codes: 0 promoted; 2 usage; 3 refused, or nothing to promote; 4 git or the store failed.");
  auto* showing = app.add_subcommand("show", "print the promoted baselines: values, spread and jobs");
  for (auto* sub : {promoting, showing})
    sub->add_option("--device", request->device, "only devices that match this pattern");
  app.require_subcommand(1);
  return [request, promoting, &globals] {
    const app::Workspace workspace(globals);
    if (!promoting->parsed()) return show(workspace, request->device);
    print_promoted(workspace, app::promote(workspace, *request));
    return ExitCode::kOk;
  };
}

}  // namespace tracker::commands
