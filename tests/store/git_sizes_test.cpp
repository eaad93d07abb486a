#include "tracker/store/git_sizes.hpp"

#include <cstdint>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/scratch_repository.hpp"
#include "tracker/store/git_store.hpp"

namespace tracker {
namespace {

using namespace testing_support;
using ::testing::ElementsAre;
using ::testing::EndsWith;

const std::string kSizedCommit = "aa00000000000000000000000000000000000001";

class GitSizes : public ::testing::Test {
 protected:
  ScratchRepository scratch_;
  Repository repository_ = Repository::open(scratch_.root());
  std::unique_ptr<Store> store_ = open_git_store(repository_, "refs/tracker/v1");
};

TEST_F(GitSizes, CountsEveryDocumentsText) {
  EXPECT_EQ(git_document_sizes(repository_, "refs/tracker/v1").sizes.runs, 0u) << "there is no ref";
  store_->add({{{"gpu", kSizedCommit, "1"}, std::string(1000, ' ')},
               {{"gpu", kSizedCommit, "2"}, std::string(234, 'x')},
               {{"gpu", kSizedCommit, "1", DocumentKind::kProfile}, "{}"}});
  store_->drop({"gpu", kSizedCommit, "2"}, "a long reason that is no document");
  const auto found = git_document_sizes(repository_, "refs/tracker/v1");
  EXPECT_EQ(found.sizes.runs, 2u) << "dropped, and there";
  EXPECT_EQ(found.sizes.run_bytes, 1234u);
  EXPECT_EQ(found.sizes.others, 1u);
  EXPECT_EQ(found.sizes.other_bytes, 2u);
  EXPECT_EQ(found.sizes.not_here, 0u);
}

// Packed, also as a difference from another document, and with one of them taken away.
TEST_F(GitSizes, ReadsSizesOutOfPacksAndNamesWhatIsAway) {
  std::string text;
  for (int i = 0; i < 2000; ++i) text += std::to_string(i * 7919) + "\n";
  store_->add({{{"gpu", kSizedCommit, "1"}, text}, {{"gpu", kSizedCommit, "2"}, text + "more"}});
  scratch_.git({"repack", "-adfq"});
  const auto packed = git_document_sizes(repository_, "refs/tracker/v1");
  EXPECT_EQ(packed.sizes.run_bytes, 2 * text.size() + 4);
  store_->add({{{"gpu", kSizedCommit, "3"}, "loose"}});
  store_->add({{{"gpu", kSizedCommit, "4"}, "newest"}});
  scratch_.unpack();
  const auto id = scratch_.git({"hash-object", "--stdin"}, {}, "loose");
  fs::remove(scratch_.git_folder() / "objects" / id.substr(0, 2) / id.substr(2));
  const auto without = git_document_sizes(Repository::open(scratch_.root()), "refs/tracker/v1");
  EXPECT_EQ(without.sizes.runs, 3u);
  EXPECT_EQ(without.sizes.not_here, 1u);
  EXPECT_THAT(without.not_here, ElementsAre(EndsWith("/3.json")));
}

TEST_F(GitSizes, SaysWhatGitHasOnDisk) {
  store_->add({{{"gpu", kSizedCommit, "1"}, "{}"}});
  EXPECT_EQ(git_disk(repository_).packs, 1u);
  scratch_.unpack();
  const auto loose = git_disk(repository_);
  EXPECT_EQ(loose.loose_objects, 6u) << "a blob, four folders, a commit";
  EXPECT_GT(loose.loose_bytes, 0u);
  EXPECT_EQ(loose.packs, 0u);
  scratch_.git({"repack", "-adq"});
  const auto packed = git_disk(repository_);
  EXPECT_EQ(packed.packed_objects, loose.loose_objects);
  EXPECT_EQ(packed.packs, 1u);
  EXPECT_GT(packed.packed_bytes, 0u);
}

TEST(CompressedBytes, AreThoseOfZlib) {
  EXPECT_LT(compressed_bytes(std::string(1u << 20, 'x')), 2000u);
  std::string random;  // which nothing makes smaller
  std::uint32_t state = 1;
  for (int i = 0; i < 10000; ++i) random += static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
  EXPECT_NEAR(static_cast<double>(compressed_bytes(random)), 10000, 40);
  EXPECT_LT(compressed_bytes(""), 20u);
}

}  // namespace
}  // namespace tracker
