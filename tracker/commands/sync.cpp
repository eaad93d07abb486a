#include "tracker/store/sync.hpp"

#include <iostream>

#include <CLI/CLI.hpp>

#include "tracker/base/interrupt.hpp"
#include "tracker/base/text.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/workspace.hpp"

namespace tracker {
namespace {

struct Options {
  std::string remote = "origin";
  bool fetch = false;
};

// "12 runs fetched, 3 pushed"; profiles are named where there are some.
std::string counts_in_words(const Synced& synced, bool both_ways) {
  const bool only_runs = synced.fetched.profiles + synced.pushed.profiles == 0;
  std::string words = in_words(synced.fetched) + " fetched";
  if (both_ways)
    words += ", " + (only_runs ? std::to_string(synced.pushed.runs) : in_words(synced.pushed)) + " pushed";
  return words;
}

ExitCode sync(const Globals& globals, const Options& options) {
  catch_interrupts();
  const Workspace workspace(globals);
  const GitRemote remote(workspace.repository(), options.remote);
  const std::string ref = workspace.store().describe();
  const std::string there = "'" + printable(remote.name()) + "'";
  const Synced synced =
      sync_store(workspace.repository(), ref, remote, options.fetch ? SyncWay::kFetchOnly : SyncWay::kBoth);
  if (synced.is_empty)
    std::cout << "nothing is recorded in " << ref << ", here or in " << there << "\n";
  else if (options.fetch)
    std::cout << counts_in_words(synced, false) << ": " << ref << " has all that " << there << " has\n";
  else
    std::cout << counts_in_words(synced, true) << ": " << ref << " is the same here and in " << there << "\n";
  return ExitCode::kOk;
}

}  // namespace

std::function<ExitCode()> declare_sync(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<Options>();
  app.add_option("remote", options->remote, "a remote, a URL or a path (default origin)");
  app.add_flag("--fetch", options->fetch, "only fetch: what is recorded here alone stays here");
  app.footer(
      "Nothing is ever overwritten: the result is all that either side has.\n"
      "git's own credentials are used; where it has none for GitHub, GITHUB_TOKEN is.\n"
      "Exit codes: 0 the same on both sides, 2 no such remote, 4 git or the remote failed.");
  return [options, &globals] { return sync(globals, *options); };
}

}  // namespace tracker
