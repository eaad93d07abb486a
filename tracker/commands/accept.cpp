#include <iostream>

#include <CLI/CLI.hpp>

#include "tracker/app/line_events.hpp"
#include "tracker/app/promote.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/formats/config_file.hpp"
#include "tracker/formats/first_config.hpp"
#include "tracker/history/history.hpp"

namespace tracker {
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
double ceiling_of(const Workspace& workspace, const AcceptOptions& options, const Commit& commit) {
  if (!options.ceiling.empty()) {
    const auto share = parse_share(options.ceiling);
    if (!share)
      throw Error(ExitCode::kUsage, "--ceiling '" + printable(options.ceiling) + "' must be above 0 %",
                  "write it in per cent: --ceiling 5%");
    return *share;
  }
  const LineEvents line = load_line_events(workspace, {{options.glob}, "", "HEAD"});
  const auto walk = workspace.repository().first_parents("HEAD", kWholeLine);
  const auto position = position_on_line(workspace.repository(), walk, commit.id);
  const double largest = position ? largest_loss(line.events, options.glob, *position) : 0;
  if (largest > 0) return largest * kCeilingRoom;
  throw Error(ExitCode::kUsage,
              "nothing that matches '" + printable(options.glob) + "' is known to have got slower at " +
                  describe(commit),
              "tracker top lists the changes; --ceiling 5% accepts up to that size all the same");
}

ExitCode accept(const Globals& globals, const AcceptOptions& options) {
  const Workspace workspace(globals);
  const Commit commit = workspace.repository().resolve(options.commit);
  for (const auto& known : workspace.config().policy.accepted)
    if (known.match == options.glob && commit.id.starts_with(known.granted))
      throw Error(
          ExitCode::kUsage,
          "tracker.toml accepts '" + printable(options.glob) + "' at " + short_id(commit.id) + " already",
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
  const std::string after = with_accepted_table(before, accepted, path.filename().string());
  std::cout << after.substr(before.size()).substr(after.substr(before.size()).find('['));
  if (options.dry_run) return ExitCode::kOk;
  write_file(path, after);
  std::cout << "\nwritten to " << printable(path.filename().string())
            << ": review it and commit it; compare, check and top know it from now on\n";
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
      "(docs/formats.md#accepted-changes). With --machine no commit is to blame for it, whatever its size.\n"
      "Exit codes: 0 written, 2 usage, or no such change is known, 3 nothing is recorded, 4 git failed.");
  return [options, &globals] { return accept(globals, *options); };
}

}  // namespace tracker
