#include "tracker/store/copy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/store/key_printer.hpp"
#include "tests/support/scratch_repository.hpp"
#include "tracker/store/git_store.hpp"

namespace tracker::store {
namespace {

using namespace testing_support;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kCopiedCommit = "aa00000000000000000000000000000000000001";

Key copied_key(const std::string& id, DocumentKind kind = DocumentKind::kRun) {
  return {"gpu", kCopiedCommit, id, kind};
}

// Two refs of one repository.
class CopyStore : public ::testing::Test {
 protected:
  CopiedStore copy() {
    return copy_store(*from_, *to_, CopiedPart::kAll, [](std::size_t, std::size_t) {});
  }
  ScratchRepository scratch_;
  repo::Repository repository_ = repo::Repository::open(scratch_.root());
  std::unique_ptr<Store> from_ = open_git(repository_, "refs/tracker/from");
  std::unique_ptr<Store> to_ = open_git(repository_, "refs/tracker/to");
};

TEST_F(CopyStore, TakesEveryByteAndTombstonesAlong) {
  from_->add({{copied_key("1"), "{}"},
              {copied_key("1", DocumentKind::kProfile), ""},
              {copied_key("2"), std::string("\0\xff", 2)}});
  from_->drop(copied_key("1"), "why");
  from_->drop(copied_key("9"), "never here");
  std::size_t last = 0;
  const auto copied = copy_store(*from_, *to_, CopiedPart::kAll, [&](std::size_t done, std::size_t all) {
    EXPECT_EQ(done, ++last);
    EXPECT_EQ(all, 10u);
  });
  EXPECT_EQ(last, 10u);
  EXPECT_EQ(copied.copied.runs, 2u);
  EXPECT_EQ(copied.copied.profiles, 1u);
  EXPECT_EQ(copied.tombstones, 2u);
  EXPECT_EQ(to_->version(), from_->version()) << "the same tree";
  const auto again = copy();
  EXPECT_EQ(again.copied.all() + again.tombstones, 0u);
  EXPECT_EQ(again.already_there.all(), 3u);
}

TEST_F(CopyStore, LeavesWhatWasDroppedBehind) {
  from_->add({{copied_key("1"), "whole"}, {copied_key("2"), "{}"}, {copied_key("3"), "{}"}});
  from_->drop(copied_key("2"), "why");
  from_->replace({{copied_key("1"), "compacted", copied_key("1-compact"), "less"}});
  const auto copied = copy_store(*from_, *to_, CopiedPart::kNotDropped, [](std::size_t, std::size_t) {});
  EXPECT_EQ(copied.copied.runs, 2u);
  EXPECT_EQ(to_->keys(), from_->keys());
  EXPECT_EQ(to_->files().size(), 2u);
}

TEST_F(CopyStore, GoesOnAfterAnInterruption) {
  std::vector<std::pair<Key, std::string>> documents;
  for (int i = 0; i < 600; ++i) documents.emplace_back(copied_key(std::to_string(i)), std::to_string(i));
  from_->add(documents);
  EXPECT_THROW(copy_store(*from_, *to_, CopiedPart::kAll,
                          [](std::size_t done, std::size_t) {
                            if (done == 550) throw std::runtime_error("interrupted");
                          }),
               std::runtime_error);
  EXPECT_EQ(to_->run_count(), 500u) << "the step that was done";
  EXPECT_EQ(copy().copied.runs, 100u);
  EXPECT_EQ(to_->version(), from_->version());
}

TEST_F(CopyStore, NamesWhatIsAnotherDocumentThere) {
  from_->add({{copied_key("1"), "{}"}, {copied_key("2"), "{}"}});
  to_->add({{copied_key("2"), "[]"}});
  EXPECT_THAT(error_of([&] { copy(); }), AllOf(StartsWith("4 | 'gpu/aa/" + kCopiedCommit +
                                                          "/2.json' is another document in refs/tracker/to"),
                                               HasSubstr("than in refs/tracker/from")));
}

TEST_F(CopyStore, LeavesBehindWhatIsNotOurs) {
  const auto blob = scratch_.git({"hash-object", "-w", "--stdin"}, {}, "hello");
  const auto tree = scratch_.git({"mktree"}, {}, "100644 blob " + blob + "\tREADME\n");
  scratch_.git({"update-ref", "refs/tracker/from", scratch_.git({"commit-tree", "-m", "by hand", tree})});
  EXPECT_EQ(copy().not_ours, 1u);
  EXPECT_EQ(to_->version(), "");
}

}  // namespace
}  // namespace tracker::store
