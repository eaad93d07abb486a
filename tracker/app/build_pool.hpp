// Builds of commits, each in a worktree of its own, a few of them kept ready to be measured.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tracker/app/side_build.hpp"
#include "tracker/app/workspace.hpp"
#include "tracker/measure/measure.hpp"
#include "tracker/repo/worktree.hpp"

namespace tracker {

// What to measure below `root`: of its binaries those that the build made.
Target target_at(const Workspace& workspace, const SideRecipe& recipe, const std::string& label,
                 const std::filesystem::path& root, const SharedPlaces& shared,
                 const LocalEnvironment& environment);

struct BuiltCommit {
  std::string commit;  // its id
  std::unique_ptr<Worktree> tree;
  Target target;
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
  BuildPool(const Workspace& workspace, const LocalEnvironment& environment, int count,
            const std::string& option);

  // The build of this commit, made now where it is not kept. Null where it cannot be built or started;
  // why_not() then says why. The next build may take the place of any but those that are pinned.
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
  const LocalEnvironment& environment_;
  std::size_t count_;
  std::vector<std::unique_ptr<BuiltCommit>> kept_;  // the newest last
  std::vector<DroppedBuild> dropped_;
  std::vector<std::string> pinned_;
  std::string why_not_;
  bool told_ = false;  // tell_other_commands()
  int builds_ = 0;
  double seconds_ = 0;
};

}  // namespace tracker
