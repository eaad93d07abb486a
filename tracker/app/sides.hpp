// The two sides of a comparison, as a user names them: a revision, or the word "baseline".
#pragma once

#include <map>

#include "tracker/app/workspace.hpp"
#include "tracker/history/stored_document.hpp"
#include "tracker/judge/confirm.hpp"
#include "tracker/judge/judge.hpp"

namespace tracker::app {

// The word for the promoted baseline, in the place of a revision.
inline constexpr char kBaselineWord[] = "baseline";

// What was counted of the commit on each device that has a profile of it, under the names that benchmarks
// have now. Empty without a repository, or where it is no commit.
std::vector<Profile> profiles_at(const Workspace& workspace, const std::string& commit);

// The one of the device of this key; null where there is none.
const Profile* find_profile(const std::vector<Profile>& profiles, const std::string& device);

// The runs of one side on one device; empty where it has none there.
std::optional<judge::SideRuns> load_side(const Workspace& workspace, const std::string& what,
                                         const std::string& device);

// What jobs noted of a commit on one device instead of measuring it.
struct NotedSide {
  Device device;
  std::vector<judge::NotedSameProgram> same_programs;  // in the order of time
};

// What is stored of one commit on some devices, each document read once.
class StoredSide {
 public:
  // Without documents yet. kUsage for what is no commit.
  StoredSide(const Workspace& workspace, const std::string& revision);

  const Commit& commit() const { return commit_; }
  // In the order of time, those of a device together.
  void add(history::ReadRun document) { documents_.push_back(std::move(document)); }
  // As load_side() has it. What was taken is gone.
  std::optional<judge::SideRuns> take(const std::string& device);
  // Empty where no job noted anything. To be asked before the device is taken.
  std::optional<NotedSide> notes(const std::string& device) const;

 private:
  std::vector<Run> take_documents(const std::string& device);

  const store::Store& store_;
  std::string label_;
  Commit commit_;
  std::vector<history::ReadRun> documents_;
};

// Two revisions on these devices, and what the history of each device tells: the newest runs of any commit
// but the last of the revisions, as recent_runs() has them for this policy. Out of summaries where these
// answer it, else out of the documents. Of summaries samples are those that are kept there, which no verdict
// depends on. kUsage for what is no commit.
struct ComparedSides {
  std::vector<StoredSide> sides;
  std::map<std::string, NoiseHistory> history;  // by device
};
ComparedSides read_compared_sides(const Workspace& workspace, const std::vector<std::string>& revisions,
                                  const std::vector<std::string>& devices, const Policy& policy);

// Why a commit that has documents on the device has no runs there: jobs noted that its programs are those of
// another commit, or none of the documents can be used. With the next step, which is `measure` for the
// former.
Error no_runs_of(const Workspace& workspace, const std::string& what, const std::string& device,
                 const std::string& words, const std::string& measure);

// The runs as a side of this name, which must be of one device.
judge::SideRuns make_side(const std::string& label, const Commit& commit, std::vector<Run> runs);

// The stored runs of a commit on one device, or on all, as history::read_runs() has them.
std::vector<Run> runs_at(const Workspace& workspace, const std::string& commit,
                         const std::string& device = {});

// Makes one pair of runs of all jobs that measured everything of both sides side by side, as the attempts of
// one workflow run do: within 30 days, with the same software. Their rounds go on over the jobs. So do runs
// that were recorded apart and whose dates alternate. Leaves the sides alone where there are fewer than two
// such jobs and none was recorded apart. The history loses these jobs. Returns how many jobs it joined; 1:
// there is but one.
int join_attempts(judge::SideRuns& base, judge::SideRuns& candidate, NoiseHistory& history);

// The devices that a side has runs on, in order.
std::vector<std::string> devices_of(const Workspace& workspace, const std::string& what);

}  // namespace tracker::app
