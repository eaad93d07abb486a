#include "tracker/store/sync.hpp"

#include <iostream>

#include <CLI/CLI.hpp>

#include "tracker/app/remap.hpp"
#include "tracker/app/sides.hpp"
#include "tracker/base/process.hpp"
#include "tracker/base/text.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/history/stored_document.hpp"

namespace tracker::commands {
namespace {

struct SyncOptions {
  std::string remote = "origin";
  bool fetch = false;
  bool from_remote = false;
  bool shallow = false;
  std::vector<std::string> commits;
};

// "12 runs fetched, 3 pushed"; profiles are named where there are some.
std::string counts_in_words(const store::Synced& synced, bool both_ways) {
  const std::string fetched = store::in_words(synced.fetched) + " fetched";
  if (!both_ways) return fetched;
  const bool only_runs = synced.fetched.profiles + synced.pushed.profiles == 0;
  return fetched + ", " + (only_runs ? std::to_string(synced.pushed.runs) : store::in_words(synced.pushed)) +
         " pushed";
}

void print_notes(const store::Synced& synced, const std::string& there) {
  for (const auto& refused : synced.refused)
    print_note("warning: " + store::word_for(refused.key.kind) + " '" + store::path_of(refused.key) +
               "' of " + (refused.is_here ? "this clone is not pushed: " : there + " is not taken: ") +
               refused.why + "; to be rid of it: tracker store drop " + store::path_of(refused.key) +
               " --reason TEXT");
  for (const auto& ignored : synced.ignored)
    print_note("warning: " + in_quotes(ignored.name) + " of " + there + " is ignored: " + ignored.why +
               "; to be rid of it: git push " + there + " :" + ignored.name);
  if (synced.kept_back.all() > 0)
    print_note(store::in_words(synced.kept_back) +
               " of other commits stay here: --commit names those that are pushed");
  if (!synced.aside.empty())
    print_note("what only this clone had (" + store::in_words(synced.set_aside) + ") is kept on " +
               synced.aside);
}

// A repository that had a store and has none must not begin anew without a word. What shows that it had one:
// an earlier fetch, or baselines, which are made from what is recorded.
void require_store(const app::Workspace& workspace, const store::Synced& synced, const std::string& ref,
                   const std::string& there) {
  if (!synced.had.empty() && synced.pushed.all() == 0)
    throw Error(ExitCode::kEnvironment,
                there + " has no " + ref + " any more: it had one when it was fetched",
                "what was fetched then is on " + synced.had + ": git push " + there + " " + synced.had + ":" +
                    ref + "; to begin anew: git update-ref -d " + synced.had);
  const auto devices = app::devices_of(workspace, app::kBaselineWord);
  if (!synced.is_empty || devices.empty()) return;
  const auto baseline = workspace.baseline_path(devices.front()).lexically_relative(workspace.root());
  throw Error(ExitCode::kEnvironment,
              "nothing is recorded in " + ref + ", here or in " + there +
                  ", but this repository had runs: " + in_quotes(baseline.string()) + " was made from them",
              "tracker sync in a clone that has them; to begin anew: remove the baselines");
}

ExitCode sync(const Globals& globals, const SyncOptions& options) {
  const bool both_ways = !options.from_remote && !options.fetch;
  if (options.shallow && both_ways)
    throw Error(ExitCode::kUsage, "--shallow is for fetching only", "add --from-remote, or --fetch");
  catch_interrupts();
  const app::Workspace workspace(globals);
  if (!workspace.store_place().is_git()) {  // so that one workflow serves both kinds of store
    std::cout << "nothing to sync: all share " << workspace.shared_store().describe() << "\n";
    return ExitCode::kOk;
  }
  const repo::GitRemote remote(workspace.repository(), options.remote);
  const std::string& ref = workspace.store_place().where;
  const std::string there = in_quotes(remote.name());
  store::SyncRequest request{.way = both_ways             ? store::SyncWay::kBoth
                                    : options.from_remote ? store::SyncWay::kFromRemote
                                                          : store::SyncWay::kFetchOnly,
                             .is_shallow = options.shallow,
                             .check = [](const store::Key& key, std::string_view text) {
                               const auto unusable = history::why_unusable(key, text);
                               return unusable && !unusable->is_newer ? unusable->why : "";
                             }};
  for (const auto& commit : options.commits)
    request.commits.push_back(workspace.repository().resolve(commit).id);
  const store::Synced synced = store::sync_with(workspace.repository(), ref, remote, request);
  print_notes(synced, there);
  require_store(workspace, synced, ref, there);
  if (synced.is_empty)
    std::cout << "nothing is recorded in " << ref << ", here or in " << there << "\n";
  else
    std::cout << counts_in_words(synced, both_ways)
              << (options.from_remote ? ": " + ref + " is what " + there + " has\n"
                  : options.fetch     ? ": " + ref + " has all that " + there + " has\n"
                  : synced.refused.empty() && synced.kept_back.all() == 0
                      ? ": " + ref + " is the same here and in " + there + "\n"
                      : " between " + ref + " and " + there + "\n");
  return ExitCode::kOk;
}

// A few of those that were found, and all that were not.
void print_commits(const app::RemapOutcome& outcome) {
  constexpr std::size_t kShown = 20;
  std::size_t found = 0;
  for (const auto& one : outcome.commits) {
    if (!one.to.empty() && ++found > kShown) continue;
    print_line("  " + short_id(one.from) + "  " +
               (one.to.empty() ? "not taken: " : "→ " + describe(one.commit) + "  by ") + one.how + "  " +
               count_of(one.runs, "run") +
               (one.same_tree ? "" : "; its files are others, as on another base"));
  }
  if (found > kShown) std::cout << "  and " << count_of(found - kShown, "commit") << " more\n";
}

ExitCode remap(const Globals& globals, const app::RemapRequest& request) {
  const app::Workspace workspace(globals);
  const app::RemapOutcome outcome = app::remap_store(workspace, request);
  if (outcome.lost.runs == 0) {
    std::cout << "every stored run is of a commit of this history\n";
    return ExitCode::kOk;
  }
  std::cout << app::in_words(outcome.lost) << "\n";
  print_commits(outcome);
  const bool is_any = outcome.added + outcome.there > 0;
  if (is_any)
    std::cout << (request.apply ? "" : "would be ") << "recorded for their new commits in "
              << workspace.store().describe() << ": " << count_of(outcome.added, "document")
              << (outcome.there > 0 ? ", " + count_of(outcome.there, "document") + " there already" : "")
              << "; the old ones stay\n";
  if (outcome.unusable > 0)
    std::cout << count_of(outcome.unusable, "document")
              << " cannot be read and stays as it is: tracker store verify --problems\n";
  for (const auto& file : outcome.files)
    print_line(file + (request.apply ? ": commit ids rewritten: review it and commit it"
                                     : ": commit ids would be rewritten"));
  if (!is_any)
    print_note("no commit of this history is surely one of these; name a map of old and new ids: --map FILE");
  else if (request.apply && workspace.store_place().is_git())
    print_note("tracker sync tells the other clones");
  return is_any ? ExitCode::kOk : ExitCode::kCannotJudge;
}

}  // namespace

Action declare_sync(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<SyncOptions>();
  app.add_option("remote", options->remote, "a remote, a URL or a path (default origin)");
  auto* fetch = app.add_flag("--fetch", options->fetch, "only fetch: what is recorded here alone stays here");
  auto* from_remote = app.add_flag(
      "--from-remote", options->from_remote,
      "only fetch, and make the store here the same as the remote's; what this clone alone has is set aside");
  auto* commits = app.add_option("--commit", options->commits,
                                 "push only what is recorded for this commit; may be given again")
                      ->allow_extra_args(false);
  app.add_flag(
      "--shallow", options->shallow,
      "with --fetch or --from-remote: fetch no past versions of the store, and each document only when it is "
      "read; for a CI job that compares");
  fetch->excludes(from_remote)->excludes(commits);
  from_remote->excludes(commits);
  app.footer(
      "Nothing is ever overwritten: afterwards both sides have all that either of them had. Documents that\n"
      "cannot be used are named, and neither taken nor pushed.\n"
      "git's own credentials are used; where git has none for GitHub, GITHUB_TOKEN is used.\n"
      "Exit codes: 0 the same on both sides, 2 no such remote, 4 git or the remote failed.");
  return [options, &globals] { return sync(globals, *options); };
}

Action declare_remap(CLI::App& app, const Globals& globals) {
  auto request = std::make_shared<app::RemapRequest>();
  request->apply = true;
  app.add_option("--map", request->map,
                 "lines of old and new ids (default: .git/filter-repo/commit-map, where it is there)");
  app.add_flag_callback(
      "--dry-run", [request] { request->apply = false; }, "say what would be recorded, and write nothing");
  app.footer(
      "After a rebase, filter-repo or filter-branch: the runs of commits that are gone are recorded again\n"
      "for what became of these, by the map, by author date and subject, or by patch. The old runs stay.\n"
      "What several commits may have become of is not taken, and named.\n"
      "Exit codes: 0 done, or nothing to do; 2 no commit map; 3 none of the commits is found; 4 git or the\n"
      "store failed.");
  return [request, &globals] { return remap(globals, *request); };
}

}  // namespace tracker::commands
