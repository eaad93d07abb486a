// What an answer about a line of commits cannot rest on, because this clone or its store does not have it:
// "nothing changed" is then not known.
#pragma once

#include <string>
#include <vector>

#include "tracker/app/workspace.hpp"
#include "tracker/base/error.hpp"

namespace tracker {

struct LineGap {
  std::string what;    // "this clone is shallow: it has only the newest 12 commits of HEAD"
  std::string remedy;  // "git fetch --unshallow"
  // What a command answers that would else say that nothing changed.
  ExitCode code = ExitCode::kEnvironment;
};

// Whether the clone ends before the line that ends at `from` does, and whether a remote had runs of it, when
// it was fetched from last, that the store does not have. Nothing of a line that is whole.
std::vector<LineGap> line_gaps(const Workspace& workspace, const std::string& from);
// Of what was read by now of that line on these devices: the runs that were left out, because they are broken
// or of a newer tracker.
std::vector<LineGap> unread_runs(const Workspace& workspace, const std::string& from,
                                 const std::vector<std::string>& devices);
// Whether the line has older commits than the newest `commits_max`, that a list of so many leaves out.
std::vector<LineGap> older_commits(const Workspace& workspace, const std::string& from, int commits_max);

// "what; next: remedy", printable.
std::string in_words(const LineGap& gap);
// Whether the clone does not have the whole line: then a failure may be wrong as well.
bool is_cut_off(const std::vector<LineGap>& gaps);
// Where there is a gap: an Error of the first of them.
void require_whole(const std::vector<LineGap>& gaps);

// Whether the clone came from somewhere, where runs may be recorded that it did not bring along.
bool has_origin(const Workspace& workspace);

// Why no run was found for the newest `commits_max` commits, and what to do: the clone ends too early, the
// runs that are stored are of other commits, or there are none.
Error no_run_on_line(const Workspace& workspace, const std::string& from, int commits_max);

}  // namespace tracker
