// Building what is measured: a commit in a worktree, or the working tree where it stands.
#pragma once

#include <map>
#include <utility>

#include "tracker/app/recording.hpp"
#include "tracker/repo/worktree.hpp"

namespace tracker::app {

// How a commit is built: by the commands that tracker.toml names at that commit. Where the commit names none,
// and where --config names another file, by those of the configuration in use.
struct SideRecipe {
  std::string commit;  // empty: of a working tree
  MeasureSettings measure;
  std::vector<Binary> binaries;  // of the configuration in use, each where this commit's build makes it
  BuildCommands own;             // what the commit's own tracker.toml names; empty: nothing
};
// Notes a tracker.toml of the commit that cannot be read. `build_seed`: what TRACKER_BUILD_SEED is for the
// build commands; 0: it is not set.
SideRecipe recipe_at(const Workspace& workspace, const std::string& commit, int build_seed = 0);

// What of the recipes differs that two commits name, where both were built by one all the same: then they are
// not what their commits say.
std::string hidden_difference(const SideRecipe& base, const SideRecipe& candidate);

// Builds the worktree's commit. What a build of another commit left there
// is removed before, as measure.clean says (docs/measuring.md), and in each case the binaries. Notes
// which of the binaries for this machine the build did not make. kEnvironment where it fails or makes none.
void build_in(const Workspace& workspace, repo::Worktree& worktree, const SideRecipe& recipe,
              const std::string& label);

// Builds the working tree; nothing is removed there. kUsage where tracker.toml names no build commands, with
// `option` as what needs them; kEnvironment where the build fails.
void build_in_place(const Workspace& workspace, const std::string& option);

// The places whose files no side may load, of builds that begin now.
measure::SharedPlaces shared_places(const Workspace& workspace);

// kEnvironment where a binary is, loads or names a file outside of its side's worktree that lies in a
// checkout or that a build made: both sides would measure that one file.
void require_own_files(const std::vector<measure::Target>& targets);

// Builds of commits, each in a worktree of its own, a few of them kept ready to be measured.

// What to measure below `root`: of its binaries those that the build made.
measure::Target target_at(const Workspace& workspace, const SideRecipe& recipe, const std::string& label,
                          const std::filesystem::path& root, const measure::SharedPlaces& shared);

struct BuiltCommit {
  std::string commit;  // its id
  std::unique_ptr<repo::Worktree> tree;
  measure::Target target;
  SideRecipe recipe;
};

// What is known of a build that is no longer there.
struct DroppedBuild {
  std::string commit;
  SideRecipe recipe;
  std::vector<std::pair<Binary, std::string>> programs;  // with their hashes: hash_of_program()
};

class BuildPool {
 public:
  // Keeps the builds of `count` commits, or of as many as measure.worktrees says if those are more. kUsage
  // where tracker.toml names no build commands, with `option` as what needs them.
  BuildPool(const Workspace& workspace, int count, const std::string& option);

  // The build of this commit, made now where it is not kept. Null where it cannot be built or started;
  // why_not() then says why. The next build may take the place of any but those that are pinned. kInterrupted
  // after Ctrl-C.
  const BuiltCommit* get(const Commit& commit);
  const std::string& why_not() const { return why_not_; }
  void pin(const std::string& commit) { pinned_.push_back(commit); }
  void unpin() { pinned_.clear(); }
  bool is_kept(const std::string& commit) const;
  int builds() const { return builds_; }
  double mean_build_s() const { return builds_ > 0 ? seconds_ / builds_ : 0; }

  // The commit, among those that were built and that `counts` takes, which runs the same programs, and where
  // these may read nothing that differs between the two; empty without one. Builds that had to make room are
  // known by the hashes of their programs.
  std::string same_program_as(const BuiltCommit& built,
                              const std::function<bool(const std::string& commit)>& counts) const;

 private:
  void make_room();
  void tell_other_commands(const SideRecipe& recipe);
  DroppedBuild hashes_of(const BuiltCommit& built) const;
  bool is_same(const BuiltCommit& a, const BuiltCommit& b) const;
  bool is_same(const DroppedBuild& a, const DroppedBuild& b) const;
  bool reads_what_changed(const std::string& a, const std::string& b, const Binary& binary) const;

  const Workspace& workspace_;
  std::size_t count_;
  std::vector<std::unique_ptr<BuiltCommit>> kept_;  // the newest last
  std::vector<DroppedBuild> dropped_;
  std::vector<std::string> pinned_;
  std::string why_not_;
  bool told_ = false;  // tell_other_commands()
  int builds_ = 0;
  double seconds_ = 0;
};

// From what was measured to runs.

// Makes the runs of one target at a commit out of what a job measured, and notes in them how it was built and
// which programs it has. What is found out of a binary is kept: an analysed job makes its runs several times.
class RunMaker {
 public:
  // `dirty`: with changes that no commit has; then its programs are not noted.
  RunMaker(const Workspace& workspace, measure::Target target, std::string commit, bool dirty = false);

  const measure::Target& target() const { return target_; }
  // Of the job's n-th target. kEnvironment where not one binary delivered.
  std::vector<Run> runs_of(const measure::Measured& measured, std::size_t n, const std::string& job,
                           const MeasureRequest& measuring) const;

 private:
  RunSelection selection_of(const measure::Measured& measured, std::size_t n,
                            const MeasureRequest& measuring) const;
  void add_build(std::vector<Run>& runs) const;
  void add_programs(std::vector<Run>& runs) const;
  const std::string& hash_of(const Binary& binary) const;
  std::optional<std::string> inputs_of(const Binary& binary) const;

  const Workspace& workspace_;
  measure::Target target_;
  std::string commit_;
  bool dirty_;
  std::optional<int> architecture_;
  mutable std::map<std::string, std::string> known_;  // hashes by the binary's label; empty: cannot be told
};

}  // namespace tracker::app
