// What several profiles of one commit come to.

#include "tracker/history/stored_document.hpp"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/scratch_repository.hpp"
#include "tracker/store/git_store.hpp"

namespace tracker::history {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Profile profile(const std::string& device, const std::string& id, const std::vector<std::string>& names,
                double value) {
  Profile profile;
  profile.id = id;
  profile.device.kind = DeviceKind::kGpu;
  profile.device.model = device;
  for (const auto& name : names) profile.benchmarks.push_back({name, "k", 1, {{"a__b", value}}});
  return profile;
}

std::vector<std::string> contents(const Profile& profile) {
  std::vector<std::string> lines;
  for (const auto& benchmark : profile.benchmarks)
    lines.push_back(benchmark.name + "=" + std::to_string(static_cast<int>(benchmark.counters.at("a__b"))));
  return lines;
}

TEST(MergeProfiles, TheNewestOfEachBenchmarkInTheOrderOfTheOldest) {
  const auto merged = merge_profiles({profile("gpu", "3", {"c", "a"}, 3), profile("gpu", "2", {"d"}, 2),
                                      profile("gpu", "1", {"a", "b"}, 1)});
  ASSERT_EQ(merged.size(), 1u);
  EXPECT_EQ(merged[0].id, "3");
  EXPECT_THAT(contents(merged[0]), ElementsAre("a=3", "b=1", "d=2", "c=3"));
  EXPECT_THAT(merge_profiles({}), IsEmpty());
}

TEST(MergeProfiles, DevicesStayApart) {
  const auto merged = merge_profiles({profile("b", "2", {"x"}, 2), profile("a", "1", {"x"}, 1)});
  ASSERT_EQ(merged.size(), 2u);
  EXPECT_THAT(contents(merged[0]), ElementsAre("x=1"));
  EXPECT_THAT(contents(merged[1]), ElementsAre("x=2"));
}

TEST(MergeProfiles, ADirtyTreeCountsOnlyAlone) {
  auto dirty = profile("gpu", "2", {"x", "y"}, 2);
  dirty.dirty = true;
  const auto merged = merge_profiles({dirty, profile("gpu", "1", {"x"}, 1)});
  EXPECT_THAT(contents(merged.at(0)), ElementsAre("x=1"));
  const auto alone = merge_profiles({dirty});
  EXPECT_TRUE(alone.at(0).dirty);
  EXPECT_THAT(contents(alone.at(0)), ElementsAre("x=2", "y=2"));
}

using namespace testing_support;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kFiledCommit = "aa00000000000000000000000000000000000001";

class HistoryFile : public ::testing::Test {
 protected:
  HistoryFile() {
    std::string every_byte;
    for (int i = 0; i < 256; ++i) every_byte += static_cast<char>(i);
    const auto key = [](const std::string& id, store::DocumentKind kind = store::DocumentKind::kRun) {
      return store::Key{"gpu", kFiledCommit, id, kind};
    };
    from_->add({{key("1"), "{\"name\": \"µ\"}\r\n"},
                {key("2"), every_byte},
                {key("3"), ""},
                {key("3", store::DocumentKind::kProfile), every_byte + "x"},
                {key("4"), every_byte + "xy"}});
    from_->drop(key("1"), "{\"reason\": \"why\"}");
    from_->drop(key("9"), "never here");
  }
  std::string written() const {
    std::ostringstream out;
    write_history(*from_, out);
    return out.str();
  }
  std::string import(const std::string& text, store::CopiedStore* read = nullptr) const {
    std::istringstream in(text);
    return error_of([&] {
      const auto result = read_history(in, "h.ndjson", *to_);
      if (read != nullptr) *read = result;
    });
  }

  ScratchRepository scratch_;
  repo::Repository repository_ = repo::Repository::open(scratch_.root());
  std::unique_ptr<store::Store> from_ = store::open_git(repository_, "refs/tracker/from");
  std::unique_ptr<store::Store> to_ = store::open_git(repository_, "refs/tracker/to");
};

TEST_F(HistoryFile, ComesBackByteForByteWithItsTombstones) {
  store::CopiedStore read;
  EXPECT_EQ(import(written(), &read), "no error");
  EXPECT_EQ(read.copied.runs, 4u);
  EXPECT_EQ(read.copied.profiles, 1u);
  EXPECT_EQ(read.tombstones, 2u);
  EXPECT_EQ(to_->version(), from_->version()) << "the same tree";
  EXPECT_EQ(import(written(), &read), "no error");
  EXPECT_EQ(read.copied.all() + read.tombstones, 0u);
  EXPECT_EQ(read.already_there.all(), 5u);
}

TEST_F(HistoryFile, IsALineOfJsonForEachFile) {
  const std::string text = written();
  EXPECT_THAT(text, StartsWith("{\"schema\":\"tracker.history/1\"}\n"));
  EXPECT_THAT(text, HasSubstr("{\"path\":\"gpu/aa/" + kFiledCommit +
                              "/1.json\",\"text\":\"{\\\"name\\\": \\\"µ\\\"}\\r\\n\"}\n"));
  EXPECT_THAT(text, ::testing::EndsWith("{\"end\":7}\n"));
}

TEST_F(HistoryFile, SaysWhereItIsCutOff) {
  const std::string whole = written();
  for (std::size_t bytes : {std::size_t{0}, std::size_t{5}, whole.size() / 2, whole.size() - 12})
    EXPECT_THAT(import(whole.substr(0, bytes)), StartsWith("2 | 'h.ndjson'")) << bytes;
  EXPECT_THAT(import(whole.substr(0, whole.rfind("{\"end"))),
              AllOf(HasSubstr("ends after line 8, and is cut off"), HasSubstr("import the whole file")));
  EXPECT_EQ(import(whole), "no error") << "and then the rest is added";
  EXPECT_EQ(to_->version(), from_->version());
}

TEST_F(HistoryFile, RefusesWhatIsNoHistory) {
  const std::string head = "{\"schema\":\"tracker.history/1\"}\n";
  EXPECT_THAT(import("hello\n"), StartsWith("2 | 'h.ndjson', line 1: no JSON object"));
  EXPECT_THAT(import("{}\n"), HasSubstr("line 1: no history"));
  EXPECT_THAT(import("{\"schema\":\"tracker.history/2\"}\n"), HasSubstr("schema 'tracker.history/2' is not"));
  EXPECT_THAT(import(head + "[]\n"), HasSubstr("line 2: no JSON object"));
  EXPECT_THAT(import(head + "{\"path\":\"x\"}\n"), HasSubstr("line 2: no path, or no text"));
  EXPECT_THAT(import(head + "{\"path\":\"../../x\",\"text\":\"\"}\n"), HasSubstr("'../../x' is no path"));
  EXPECT_THAT(import(head + "{\"path\":\"x\",\"base64\":\"ab=c\"}\n"), HasSubstr("no text"));
  EXPECT_THAT(import(head + "{\"end\":1}\n"), HasSubstr("the end counts 1 lines, and there are 0"));
  EXPECT_THAT(import(head + "{\"end\":0}\n{}\n"), HasSubstr("a line after the end"));
  EXPECT_EQ(to_->version(), "");
}

}  // namespace

}  // namespace tracker::history
