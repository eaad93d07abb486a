#include <iostream>

#include <CLI/CLI.hpp>

#include "tracker/app/profiling.hpp"
#include "tracker/app/workspace.hpp"
#include "tracker/base/process.hpp"
#include "tracker/base/text.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/options.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/formats/strict_document.hpp"
#include "tracker/history/stored_document.hpp"
#include "tracker/model/benchmark_name.hpp"
#include "tracker/report/counter_report.hpp"

namespace tracker::commands {
namespace {

struct ProfileOptions {
  app::ProfilingRequest request;
  bool show = false;
  std::string commit = "HEAD";
  std::string device;
  std::string format = "text";
  bool all = false;
};

void print(const std::vector<Profile>& profiles, const ProfileOptions& options,
           const profile::TimesS& times_s = {}) {
  for (const auto& format : report::counter_formats())
    if (format.name == options.format)
      std::cout << format.write(profiles,
                                {.columns = terminal_columns(), .all = options.all, .times_s = times_s});
}

void store_profiles(const app::Workspace& workspace, const std::vector<Profile>& profiles) {
  std::vector<std::pair<store::Key, std::string>> documents;
  for (const auto& profile : profiles)
    documents.emplace_back(
        store::Key{device_key(profile.device), profile.commit, profile.id, store::DocumentKind::kProfile},
        formats::write_profile_strictly(profile));
  workspace.store().add(documents);
  for (const auto& profile : profiles)
    print_note("recorded the counters of " + count_of(profile.benchmarks.size(), "benchmark") + " for " +
               describe(workspace.repository().resolve(profile.commit)) + " on " +
               device_key(profile.device) +
               (profile.dirty ? "; the working tree has uncommitted changes: they are marked dirty" : ""));
}

// What was counted of the commit, as far as it is asked for.
std::vector<Profile> stored_profiles(const app::Workspace& workspace, const ProfileOptions& options) {
  const Commit commit = workspace.repository().resolve(options.commit);
  auto profiles = history::merge_profiles(history::profiles_of(workspace.store(), commit.id));
  if (profiles.empty())
    throw Error(ExitCode::kCannotJudge, "nothing was profiled at " + describe(commit),
                "count it there: tracker profile");
  for (auto& profile : profiles)
    std::erase_if(profile.benchmarks, [&](const ProfiledBenchmark& benchmark) {
      return !means_any(options.request.globs, benchmark.name);
    });
  std::erase_if(profiles, [&](const Profile& profile) {
    return profile.benchmarks.empty() ||
           (!options.device.empty() && !glob_match(options.device, device_key(profile.device)));
  });
  if (profiles.empty())
    throw Error(ExitCode::kUsage,
                "of what was profiled at " + describe(commit) + ", nothing matches " +
                    in_quotes(join(options.request.globs, "' or '")) +
                    (options.device.empty() ? "" : " on " + in_quotes(options.device)),
                "tracker profile --show prints all of it");
  return profiles;
}

ExitCode profile(const Globals& globals, const ProfileOptions& options) {
  const app::Workspace workspace(globals);
  if (options.show) {
    print(stored_profiles(workspace, options), options);
    return ExitCode::kOk;
  }
  catch_interrupts();
  const app::Profiled profiled = app::profile_benchmarks(workspace, options.request);
  store_profiles(workspace, profiled.profiles);
  print(profiled.profiles, options, profiled.times_s);
  if (profiled.interrupted) return ExitCode::kInterrupted;
  return profiled.failed ? ExitCode::kEnvironment : ExitCode::kOk;
}

}  // namespace

std::function<ExitCode()> declare_profile(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<ProfileOptions>();
  auto& ncu = options->request.ncu;
  app.add_option("globs", options->request.globs,
                 "benchmarks to profile, such as 'transpose/*' (default: all)");
  auto* binary = app.add_option("--binary", options->request.binaries,
                                "a benchmark binary instead of those in tracker.toml; may be given again");
  binary->allow_extra_args(false);
  auto* kernel = app.add_option("--kernel", ncu.kernel,
                                "the kernel to count: its function's name, or regex:EXPRESSION (default: the "
                                "one that takes the most time)");
  auto* launches = app.add_option("--launches", ncu.launches, "launches to count of each kernel (default 3)")
                       ->check(CLI::Range(1, 100));
  auto* skip = app.add_option("--skip-launches", ncu.skip_launches, "launches to pass over first (default 0)")
                   ->check(CLI::Range(0, 1000000));
  auto* path = app.add_option("--ncu", ncu.path, "the profiler's program (default: ncu on PATH)");
  auto* search = app.add_flag("--search", options->request.search,
                              "they are one kernel with other blocks: time each as well, say which is the "
                              "fastest, and which counters go with the time");
  auto* show = app.add_flag("--show", options->show, "print what was counted before, and count nothing");
  app.add_option("--commit", options->commit, "with --show: of this commit (default HEAD)")->needs(show);
  app.add_option("--device", options->device, "with --show: only devices that match this pattern")
      ->needs(show);
  for (auto* measuring : {binary, kernel, launches, skip, path, search}) measuring->excludes(show);
  add_named_format(app, options->format, names_of(report::counter_formats()));
  app.add_flag("--all", options->all, "every counter, not only those of the usual table");
  app.footer(
      "Counters are of cold caches: ncu flushes them before each pass. Times under ncu are no samples.\n"
      "docs/profiling.md says what each counter means, and how to get the permission to read them.\n"
      "Exit codes: 0 recorded or shown; 2 usage; 3 nothing was profiled at that commit; 4 ncu is missing\n"
      "or has no permission to count, or a binary or the store failed.");
  return [options, &globals] { return profile(globals, *options); };
}

}  // namespace tracker::commands
