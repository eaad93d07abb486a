#include "tracker/repo/commit_range.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/scratch_repository.hpp"

namespace tracker {
namespace {

using testing::ElementsAre;
using testing_support::ScratchRepository;

std::vector<std::string> subjects(const std::vector<RangeCommit>& range) {
  std::vector<std::string> all;
  for (const auto& one : range) all.push_back(one.commit.subject);
  return all;
}

TEST(CommitRange, AMergeIsOneCommitOfTheLineWithBothParents) {
  ScratchRepository repository;
  const auto first = repository.commit("a", "1", "first");
  repository.git({"checkout", "-q", "-b", "side"});
  const auto side = repository.commit("b", "1", "side");
  repository.git({"checkout", "-q", "main"});
  const auto second = repository.commit("a", "2", "second");
  repository.git({"merge", "-q", "--no-ff", "-m", "merge", "side"});
  repository.commit("a", "3", "last");
  const auto opened = Repository::open(repository.root());
  const auto range = commit_range(opened, first, "HEAD");
  EXPECT_THAT(subjects(range), ElementsAre("second", "merge", "last"));
  EXPECT_THAT(range[1].parents, ElementsAre(second, side));
  EXPECT_THAT(subjects(commit_range(opened, second, "HEAD~1^2")), ElementsAre("side"));
  EXPECT_EQ(common_ancestor(opened, "side", second), first);
}

TEST(CommitRange, NothingLiesBetweenACommitAndItself) {
  ScratchRepository repository;
  repository.commit("a", "1", "first");
  const auto opened = Repository::open(repository.root());
  EXPECT_TRUE(commit_range(opened, "HEAD", "HEAD").empty());
}

TEST(CommitRange, UnrelatedCommitsHaveNoBase) {
  ScratchRepository repository;
  repository.commit("a", "1", "first");
  repository.git({"checkout", "-q", "--orphan", "other"});
  repository.commit("b", "1", "other");
  const auto opened = Repository::open(repository.root());
  EXPECT_FALSE(common_ancestor(opened, "main", "other"));
}

}  // namespace
}  // namespace tracker
