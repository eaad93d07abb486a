#include "tracker/app/remap.hpp"

#include <iostream>

#include <CLI/CLI.hpp>

#include "tracker/base/text.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/terminal.hpp"

namespace tracker {
namespace {

// A few of those that were found, and all that were not.
void print_commits(const RemapOutcome& outcome) {
  constexpr std::size_t kShown = 20;
  std::size_t found = 0;
  for (const auto& one : outcome.commits) {
    if (!one.to.empty() && ++found > kShown) continue;
    std::cout << "  " << short_id(one.from) << "  "
              << (one.to.empty() ? "not taken: " : "→ " + printable(describe(one.commit)) + "  by ")
              << one.how << "  " << count_of(one.runs, "run")
              << (one.same_tree ? "" : "; its files are others, as on another base") << "\n";
  }
  if (found > kShown) std::cout << "  and " << count_of(found - kShown, "commit") << " more\n";
}

ExitCode remap(const Globals& globals, const RemapRequest& request) {
  const Workspace workspace(globals);
  const RemapOutcome outcome = remap_store(workspace, request);
  if (outcome.lost.runs == 0) {
    std::cout << "every stored run is of a commit of this history\n";
    return ExitCode::kOk;
  }
  std::cout << in_words(outcome.lost) << "\n";
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
    std::cout << printable(file)
              << (request.apply ? ": commit ids rewritten: review it and commit it\n"
                                : ": commit ids would be rewritten\n");
  if (!is_any)
    print_note("no commit of this history is surely one of these; name a map of old and new ids: --map FILE");
  else if (request.apply && workspace.store_place().is_git())
    print_note("tracker sync tells the other clones");
  return is_any ? ExitCode::kOk : ExitCode::kCannotJudge;
}

}  // namespace

std::function<ExitCode()> declare_remap(CLI::App& app, const Globals& globals) {
  auto request = std::make_shared<RemapRequest>();
  auto dry_run = std::make_shared<bool>(false);
  app.add_option("--map", request->map,
                 "lines of old and new ids (default: .git/filter-repo/commit-map, where it is there)");
  app.add_flag("--dry-run", *dry_run, "say what would be recorded, and write nothing");
  app.footer(
      "After a rebase, filter-repo or filter-branch: the runs of commits that are gone are recorded again\n"
      "for what became of these, by the map, by author date and subject, or by patch. The old runs stay.\n"
      "What several commits may have become of is not taken, and named.\n"
      "Exit codes: 0 done, or nothing to do; 2 no commit map; 3 none of the commits is found; 4 git or the\n"
      "store failed.");
  return [request, dry_run, &globals] {
    request->apply = !*dry_run;
    return remap(globals, *request);
  };
}

}  // namespace tracker
