// What a job records apart, over a store that it only reads: readers see both as one.

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

const std::string kMain = "aa00000000000000000000000000000000000001";
const std::string kHead = "bb00000000000000000000000000000000000002";
constexpr auto kProfile = DocumentKind::kProfile;

class JobStoreTest : public ::testing::Test {
 protected:
  using Documents = std::vector<std::pair<Key, std::string>>;
  ScratchRepository scratch_;
  repo::Repository repository_ = repo::Repository::open(scratch_.root());
  std::unique_ptr<Store> shared_ = open_git(repository_, "refs/tracker/v1");
  std::unique_ptr<Store> job_ = open_job(*shared_, open_git(repository_, "refs/tracker/job"));
};

// The same answers as of one store that holds all of it.
TEST_F(JobStoreTest, ReadsBothAsOne) {
  const Documents of_main = {
      {{"a", kMain, "1"}, "one"}, {{"a-b", kMain, "3"}, "three"}, {{"a", kHead, "5"}, "5"}};
  const Documents of_job = {{{"a", kMain, "2"}, "two"},
                            {{"a", kMain, "2", kProfile}, "profile"},
                            {{"a", kHead, "4"}, "four"},
                            {{"c", kHead, "6"}, "six"}};
  const auto all = open_git(repository_, "refs/tracker/all");
  EXPECT_EQ(job_->version(), "");
  shared_->add(of_main);
  const auto before = job_->version();
  const auto shared = shared_->version();
  job_->add(of_job);
  EXPECT_EQ(shared_->version(), shared) << "it is only read";
  EXPECT_NE(job_->version(), before);
  all->add(of_main);
  all->add(of_job);
  EXPECT_EQ(job_->keys(), all->keys());
  EXPECT_EQ(job_->run_count(), all->run_count());
  EXPECT_EQ(job_->devices(), all->devices());
  for (const char* device : {"a", "a-b", "c", "d"}) {
    EXPECT_EQ(job_->keys_on(device), all->keys_on(device)) << device;
    for (const std::size_t count : {1, 2, 9}) {
      EXPECT_EQ(job_->newest(device, count, ""), all->newest(device, count, "")) << device;
      EXPECT_EQ(job_->newest(device, count, kHead), all->newest(device, count, kHead)) << device;
    }
  }
  for (const auto& commit : {kMain, kHead}) {
    EXPECT_EQ(job_->keys_of(commit), all->keys_of(commit));
    EXPECT_EQ(job_->profile_keys_of(commit), all->profile_keys_of(commit));
  }
  const auto files = job_->files();
  ASSERT_EQ(files.size(), all->files().size());
  for (std::size_t i = 0; i < files.size(); ++i) {
    EXPECT_EQ(files[i].path, all->files()[i].path);
    EXPECT_EQ(job_->read_file(files[i].path), all->read_file(files[i].path));
    EXPECT_EQ(job_->read(files[i].key), all->read(files[i].key));
  }
  EXPECT_EQ(job_->changes_since("")->added, all->changes_since("")->added);
  EXPECT_EQ(job_->changes_since(before)->added.size(), of_job.size());
  EXPECT_EQ(job_->changes_since(before)->version, job_->version());
  EXPECT_FALSE(job_->changes_since("unknown"));
  shared_->drop({"a", kMain, "1"}, "why");
  all->drop({"a", kMain, "1"}, "why");
  EXPECT_EQ(job_->keys(), all->keys());
  EXPECT_EQ(job_->changes_since(before)->dropped.size(), 1u);
}

// What others recorded stands.
TEST_F(JobStoreTest, ChangesNothingOfTheSharedStore) {
  const Key known{"a", kMain, "1"};
  const Key dropped{"a", kMain, "2"};
  shared_->add({{known, "text"}, {dropped, "text"}});
  shared_->drop(dropped, "why");
  job_->add({{known, "text"}, {dropped, "text"}});
  EXPECT_EQ(job_->keys(), std::vector{known});
  EXPECT_EQ(error_of([&] { job_->require_writable(); }), "no error");
  EXPECT_THAT(error_of([&] {
                job_->add({{{"a", kHead, "3"}, "{}"}, {known, "other"}});
              }),
              StartsWith("2 | "));
  EXPECT_EQ(job_->keys(), std::vector{known}) << "all or nothing";
  EXPECT_THAT(error_of([&] { job_->drop(known, "why"); }),
              AllOf(StartsWith("2 | nothing is dropped or replaced in refs/tracker/job over refs/tracker/v1"),
                    HasSubstr("unset TRACKER_RECORD_INTO")));
  EXPECT_THAT(error_of([&] {
                job_->replace({{known, "why", Key{"a", kMain, "1-compact"}, "{}"}});
              }),
              StartsWith("2 | "));
  EXPECT_EQ(shared_->keys(), std::vector{known});
}

}  // namespace
}  // namespace tracker::store
