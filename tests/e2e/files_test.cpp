// tracker compare on files: no commit, no store, and no repository needed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/e2e/folder.hpp"

namespace tracker::e2e {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
namespace fs = std::filesystem;

std::vector<std::string> notes_of(const json& report) {
  return report.at("notes").get<std::vector<std::string>>();
}

// The base's files, as a run of a commit in the repository beside the folder.
void record_base(const Folder& folder) {
  folder.repository().commit_speeds("x 100 0.01\n");
  std::vector<std::string> record{"record", "--gpu", "NVIDIA H200"};
  for (int round = 1; round <= 10; ++round)
    if (side_of(round) == "base")
      record.push_back((folder.path() / "base" / (std::to_string(round) + ".json")).string());
  ASSERT_EQ(folder.repository().tracker(record).exit_code, 0);
}

TEST(CompareFiles, IdenticalCodeMeasuredInTurnPasses) {
  const Folder folder;
  folder.put_sides();
  const auto result = folder.tracker({"compare", "base", "candidate", "--format", "json"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  const json report = report_of(result);
  EXPECT_TRUE(report.at("interleaved"));
  EXPECT_THAT(notes_of(report), Contains(HasSubstr("the files' dates alternate")));
  EXPECT_THAT(notes_of(report), Contains(HasSubstr("do not say which device")));
  EXPECT_EQ(report.at("base").at("label"), "base");
  EXPECT_EQ(report.at("base").at("commit"), nullptr);
  EXPECT_EQ(report.at("base").at("subject"), "5 files from 2026-11-20");
  EXPECT_THAT(benchmarks_with(report, "regressed"), IsEmpty());
  EXPECT_THAT(benchmarks_with(report, "unchanged"), Contains("copy_row/8192"));
}

// As large suites write them; short rows are the most for their bytes.
TEST(CompareFiles, ThousandsOfInterleavedRowsAreRead) {
  const Folder folder;
  for (const std::string side : {"base", "candidate"}) {
    std::string rows;
    for (int repetition = 0; repetition < 3; ++repetition)
      for (int family = 999; family >= 0; --family) {
        const std::string number = std::to_string(family);
        rows += std::string(rows.empty() ? "" : ",\n") + "{\"name\":\"b" + number +
                "\",\"family_index\":" + number + ",\"real_time\":" + std::to_string(1000 + repetition) +
                ",\"cpu_time\":1000,\"time_unit\":\"ns\"}";
      }
    folder.write(side + "/1.json",
                 "{\"context\":{\"date\":\"2026-11-20T12:00:00+00:00\"},\"benchmarks\":[" + rows + "]}");
  }
  const auto result = folder.tracker({"compare", "base", "candidate", "--format", "json"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(report_of(result).at("comparisons").size(), 1000U);
}

TEST(CompareFiles, NamesExactlyWhatRegressed) {
  const Folder folder;
  folder.put_sides(slower("gemm_cublas/4096", 1.02));
  const auto result =
      folder.tracker({"compare", "base", "candidate", "--threshold", "1%", "--format", "json"});
  EXPECT_EQ(result.exit_code, 1) << result.errors;
  EXPECT_THAT(benchmarks_with(report_of(result), "regressed"), ElementsAre("gemm_cublas/4096"));
  EXPECT_EQ(folder.tracker({"compare", "base", "candidate"}).exit_code, 0)
      << "2 % is within the default of 5 %";
}

TEST(CompareFiles, ThePolicyOfTheFolderHoldsAndTheThresholdOverridesIt) {
  const Folder folder;
  folder.put_sides(slower("gemm_cublas/4096", 1.02));
  folder.write("tracker.toml", "[[policy]]\nmatch = \"gemm_*\"\nthreshold = \"1%\"\n");
  EXPECT_EQ(folder.tracker({"compare", "base", "candidate"}).exit_code, 1);
  EXPECT_EQ(folder.tracker({"compare", "base", "candidate", "--threshold", "3%"}).exit_code, 0);
  folder.write("other.toml", "[[policy]]\nmatch = \"*\"\nreport_only = true\nthreshold = \"1%\"\n");
  const std::string other = (folder.path() / "other.toml").string();
  EXPECT_EQ(folder.tracker({"--config", other, "compare", "base", "candidate"}).exit_code, 0);
}

TEST(CompareFiles, PairingCanBeSaid) {
  const Folder folder;
  folder.put_sides(slower("gemm_cublas/4096", 1.1));
  const auto apart = report_of(folder.tracker(
      {"compare", "base", "candidate", "--pairing", "none", "--threshold", "1%", "--format", "json"}));
  EXPECT_FALSE(apart.at("interleaved"));
  EXPECT_THAT(benchmarks_with(apart, "regressed"), IsEmpty()) << "jobs may differ by more than that";
  fs::remove(folder.path() / "candidate/10.json");
  const auto unequal = report_of(folder.tracker({"compare", "base", "candidate", "--format", "json"}));
  EXPECT_FALSE(unequal.at("interleaved")) << "five and four do not alternate";
  EXPECT_THAT(notes_of(unequal), Contains(HasSubstr("--pairing interleaved")));
  const auto said = report_of(folder.tracker(
      {"compare", "base", "candidate", "--pairing", "interleaved", "--threshold", "1%", "--format", "json"}));
  EXPECT_TRUE(said.at("interleaved"));
  EXPECT_THAT(notes_of(said), Contains(HasSubstr("5 invocations and the candidate 4")));
  EXPECT_THAT(benchmarks_with(said, "regressed"), ElementsAre("gemm_cublas/4096"));
}

TEST(CompareFiles, OneInvocationASideIsNeverEnough) {
  const Folder folder;
  folder.put("a.json", 1);
  folder.put("b.json", 2, slower("gemm_cublas/4096", 3));
  const auto result = folder.tracker({"compare", "a.json", "b.json", "--strict", "--format", "json"});
  EXPECT_EQ(result.exit_code, 3) << result.errors;
  const json report = report_of(result);
  EXPECT_EQ(benchmarks_with(report, "inconclusive").size(), 14u);
  EXPECT_THAT(report.at("comparisons").at(0).at("reason").get<std::string>(),
              HasSubstr("one invocation a side shows no noise of its own"));
}

TEST(CompareFiles, ARunDocumentIsASide) {
  const Folder folder;
  folder.put_sides();
  const Scratch& repository = folder.repository();
  record_base(folder);
  const std::string stored = repository.git({"ls-tree", "-r", "--name-only", "refs/tracker/v1"});
  folder.write("base.run.json", repository.git({"show", "refs/tracker/v1:" + stored}) + "\n");
  const auto result =
      folder.tracker({"compare", "base.run.json", "candidate", "--gpu", "NVIDIA H200", "--format", "json"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  const json report = report_of(result);
  EXPECT_EQ(report.at("device"), "nvidia-h200");
  EXPECT_EQ(report.at("comparisons").at(0).at("invocations"), json::array({5, 5}));
  EXPECT_EQ(report.at("base").at("commit"), repository.git({"rev-parse", "HEAD"}));
}

TEST(CompareFiles, AgainstACommitTheDeviceMustBeKnown) {
  const Folder folder;
  folder.put_sides();
  const Scratch& repository = folder.repository();
  record_base(folder);
  const std::string candidate = (folder.path() / "candidate").string();
  const auto unknown = repository.tracker({"compare", "HEAD", candidate});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.errors, AllOf(HasSubstr("does not say which device"), HasSubstr("--gpu nvidia-h200")));
  EXPECT_EQ(repository.tracker({"compare", "HEAD", candidate, "--gpu", "nvidia-h200"}).exit_code, 0);
  EXPECT_EQ(repository.tracker({"compare", candidate, "HEAD", "--gpu", "nvidia-h200"}).exit_code, 0);
  const auto other = repository.tracker({"compare", "HEAD", candidate, "--gpu", "NVIDIA B200"});
  EXPECT_EQ(other.exit_code, 3);
  EXPECT_THAT(other.errors, HasSubstr("no run is stored for the base HEAD"));
  EXPECT_THAT(other.errors, HasSubstr("it has runs on nvidia-h200"));
}

TEST(CompareFiles, ANameIsARevisionUnlessItIsWrittenAsAPath) {
  const Folder folder;
  const Scratch& repository = folder.repository();
  repository.commit_speeds("x 100 0.01\n");
  ASSERT_EQ(repository.tracker({"run", "-n", "2"}).exit_code, 0);
  for (int round = 1; round <= 4; ++round)
    write_file(repository.root() / (round % 2 == 1 ? "main" : "next") / (std::to_string(round) + ".json"),
               read_file(recorded(round), 1 << 20));
  const auto revision = repository.tracker({"compare", "main", "HEAD"});
  EXPECT_EQ(revision.exit_code, 0) << revision.errors;
  EXPECT_THAT(revision.errors,
              HasSubstr("'main' is taken as the revision; the file or folder of that name is './main'"));
  const auto path = repository.tracker({"compare", "./main", "next", "--format", "json"});
  EXPECT_EQ(path.exit_code, 0) << path.errors;
  EXPECT_EQ(report_of(path).at("comparisons").size(), 14u);
  repository.git({"tag", "main/2.json"});
  const auto written = repository.tracker({"compare", "main/1.json", "next"});
  EXPECT_EQ(written.exit_code, 0) << written.errors;
}

TEST(CompareFiles, OrdersByDate) {
  const Folder folder;
  folder.put_sides();
  for (int round = 1; round <= 10; ++round)  // names in the opposite order of the dates
    fs::rename(folder.path() / side_of(round) / (std::to_string(round) + ".json"),
               folder.path() / side_of(round) / ("x" + std::to_string(20 - round) + ".json"));
  EXPECT_TRUE(
      report_of(folder.tracker({"compare", "base", "candidate", "--format", "json"})).at("interleaved"));
}

TEST(CompareFiles, SidesOneAfterTheOtherAreNoPairs) {
  const Folder folder;
  for (int round = 1; round <= 10; ++round)
    folder.put((round <= 5 ? "base/" : "candidate/") + std::to_string(round) + ".json", round);
  EXPECT_FALSE(
      report_of(folder.tracker({"compare", "base", "candidate", "--format", "json"})).at("interleaved"));
}

}  // namespace
}  // namespace tracker::e2e
