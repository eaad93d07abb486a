// tracker compare --format github: what a pull request sees, and that it is never greener than the exit code.
#include <algorithm>
#include <fstream>
#include <map>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/e2e/folder.hpp"
#include "tests/e2e/scratch.hpp"
#include "tracker/base/text.hpp"

namespace tracker::e2e {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr char kGitHubFast[] = "copy/a/8 10000 0.001 1000000\ncopy/b/8 20000 0.001 1000000\n";
constexpr char kGitHubSlow[] = "copy/a/8 10000 0.001 1000000\ncopy/b/8 28000 0.001 1000000\n";
constexpr std::uintmax_t kBytesMax = 4u << 20;

// A step of a workflow: the files that GitHub gives it.
class Step {
 public:
  Step() {
    scratch_.write(
        "tracker.toml",
        plain_config() + "[[policy]]\nmatch = \"*\"\nthreshold = \"10%\"\nsource = \"kernels/{2}.cu\"\n");
    scratch_.write("kernels/b.cu", "// slow\n");
    write_file(outputs(), "before=1\n");
    write_file(summary(), "what another command said");
  }
  const Scratch& scratch() const { return scratch_; }
  std::filesystem::path outputs() const { return scratch_.folder() / "outputs"; }
  std::filesystem::path summary() const { return scratch_.folder() / "summary"; }
  std::string comment() const { return read_file(scratch_.root() / "out/report/comment.md", kBytesMax); }

  // Commits and measures these speeds.
  void record(const std::string& speeds) const {
    scratch_.commit_speeds(speeds);
    const auto run = scratch_.tracker({"run"});
    EXPECT_EQ(run.exit_code, 0) << run.errors;
  }
  ProcessResult compare(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "compare");
    for (const char* word : {"--format", "github", "--out", "out/report"}) arguments.emplace_back(word);
    return scratch_.tracker_with(
        {{"GITHUB_OUTPUT", outputs().string()}, {"GITHUB_STEP_SUMMARY", summary().string()}}, arguments);
  }
  // As the runner reads them.
  std::map<std::string, std::string> read_outputs() const {
    std::map<std::string, std::string> values;
    std::istringstream lines(read_file(outputs(), kBytesMax));
    for (std::string line; std::getline(lines, line);) {
      const auto mark = line.find("<<");
      if (mark == std::string::npos) continue;
      std::string value;
      for (std::string part; std::getline(lines, part) && part != line.substr(mark + 2);)
        value += (value.empty() ? "" : "\n") + part;
      values[line.substr(0, mark)] = value;
    }
    return values;
  }

 private:
  Scratch scratch_;
};

TEST(GithubFormat, ARegressionIsRedEverywhere) {
  const Step step;
  step.record(kGitHubFast);
  step.record(kGitHubSlow);
  const auto result = step.compare({"HEAD~1"});
  EXPECT_EQ(result.exit_code, 1) << result.errors;
  EXPECT_THAT(result.output, StartsWith("::error file=kernels/b.cu,title=copy/b/8%3A regressed −28"));
  EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1);
  EXPECT_THAT(step.comment(), StartsWith("<!-- tracker-report -->\n<!-- tracker-slower copy%2Fb%2F8 0.28"));
  EXPECT_THAT(step.comment(), HasSubstr(" -->\n### ❌ <code>copy/<wbr>b/<wbr>8</code> has 28"));
  EXPECT_THAT(step.comment(), HasSubstr("\n\n1 regressed · 1 unchanged\n"));
  EXPECT_THAT(step.comment(), HasSubstr("Explain: `tracker explain copy/b/8 "));
  EXPECT_THAT(step.comment(), HasSubstr("| <code>copy/<wbr>b/<wbr>8</code>"));
  const std::string summary = read_file(step.summary(), kBytesMax);
  EXPECT_THAT(summary, StartsWith("what another command said\n### ❌ <code>copy/"));
  EXPECT_EQ(summary.substr(summary.find('\n') + 1),
            read_file(step.scratch().root() / "out/report/summary.md", kBytesMax));
  EXPECT_THAT(read_file(step.outputs(), kBytesMax), StartsWith("before=1\n"));
  auto outputs = step.read_outputs();
  EXPECT_EQ(outputs["verdict"], "failed");
  EXPECT_EQ(outputs["exit-code"], "1");
  EXPECT_EQ(outputs["regressed"], "1");
  EXPECT_EQ(outputs["unchanged"], "1");
  EXPECT_EQ(outputs["failing"], "copy/b/8");
  EXPECT_EQ(outputs["comment"], "out/report/comment.md");
}

TEST(GithubFormat, TheCommandInTheFooterSaysTheSameAgain) {
  const Step step;
  step.record(kGitHubFast);
  step.record(kGitHubSlow);
  ASSERT_EQ(step.compare({"HEAD~1", "--threshold", "50%"}).exit_code, 0);
  const std::string comment = step.comment();
  const std::string mark = "Reproduce: `tracker ";
  const auto from = comment.find(mark);
  ASSERT_NE(from, std::string::npos) << comment;
  const auto at = from + mark.size();
  auto words = split(comment.substr(at, comment.find('`', at) - at), ' ');
  EXPECT_EQ(words.size(), 5u) << comment;
  words.insert(words.end(), {"--format", "markdown"});
  const auto again = step.scratch().tracker(words);
  EXPECT_EQ(again.exit_code, 0) << again.errors;
  EXPECT_THAT(again.output, StartsWith("### ✅ Nothing regressed · 2 unchanged\n"));
}

TEST(GithubFormat, TheCommandInTheFooterNamesFilesAsTheyAre) {
  const Folder folder;
  folder.put_sides();
  const auto result = folder.tracker({"compare", "base", "candidate", "--format", "markdown"});
  EXPECT_THAT(result.output, HasSubstr("Reproduce: `tracker compare base candidate`"));
}

TEST(GithubFormat, NothingThatRegressedIsOneGreenLine) {
  const Step step;
  step.record(kGitHubFast);
  step.record(kGitHubFast);
  const auto result = step.compare({"HEAD~1"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.output, "");
  EXPECT_THAT(step.comment(), HasSubstr("### ✅ Nothing regressed · 2 unchanged\n\n<details>"));
  EXPECT_EQ(step.read_outputs()["verdict"], "passed");
}

TEST(GithubFormat, ASourceThatTheCommitLacksIsNotNamed) {
  const Step step;
  step.record(kGitHubFast);
  step.scratch().git({"rm", "-q", "kernels/b.cu"});
  step.record(kGitHubSlow);
  EXPECT_THAT(step.compare({"HEAD~1"}).output, StartsWith("::error title=copy/b/8%3A regressed"));
}

// What goes wrong before anything can be judged, and what is said of it.
struct Failure {
  const char* name;
  void (*prepare)(const Step& step);
  std::vector<std::string> arguments;
  int exit_code;
  const char* says;
  const char* next_step;
};

class WithoutVerdict : public testing::TestWithParam<Failure> {};

TEST_P(WithoutVerdict, IsNeitherGreenNorRed) {
  const Step step;
  GetParam().prepare(step);
  const auto result = step.compare(GetParam().arguments);
  EXPECT_EQ(result.exit_code, GetParam().exit_code) << result.errors;
  EXPECT_THAT(result.errors, HasSubstr(GetParam().next_step));
  EXPECT_THAT(result.output, StartsWith("::notice title=tracker could not judge::"));
  EXPECT_THAT(result.output, HasSubstr(GetParam().says));
  for (const auto& text : {step.comment(), read_file(step.summary(), kBytesMax)}) {
    EXPECT_THAT(text, HasSubstr(std::string("### ❓ Could not judge: ") + GetParam().says));
    EXPECT_THAT(text, HasSubstr("Next step: "));
    EXPECT_THAT(text, Not(HasSubstr("✅")));
    EXPECT_THAT(text, Not(HasSubstr("unchanged")));
  }
  auto outputs = step.read_outputs();
  EXPECT_EQ(outputs["verdict"], "cannot-judge");
  EXPECT_EQ(outputs["exit-code"], std::to_string(GetParam().exit_code));
  EXPECT_EQ(outputs["regressed"], "0");
}

void record_candidate_alone(const Step& step) {
  step.scratch().commit_speeds(kGitHubFast);
  step.record(kGitHubFast);
}

void record_nothing(const Step& step) {
  step.scratch().commit_speeds(kGitHubFast);
  step.scratch().commit_speeds(kGitHubFast);
}

void break_build(const Step& step) {
  step.scratch().write("tracker.toml",
                       "[measure]\nbuild = [[\"false\"]]\n[[binary]]\npath = \"out/bench\"\n");
  record_nothing(step);
}

INSTANTIATE_TEST_SUITE_P(
    Failures, WithoutVerdict,
    testing::Values(
        Failure{"BaseMissing",
                record_candidate_alone,
                {"HEAD~1"},
                3,
                "no run is stored for the base HEAD",
                "--measure"},
        Failure{"BothMissing",
                record_nothing,
                {"HEAD~1"},
                3,
                "no run is stored for the candidate HEAD",
                "tracker run"},
        Failure{"NoBaseline", record_candidate_alone, {"baseline"}, 3, "no baseline for test-gpu", "promote"},
        Failure{"BuildFailed", break_build, {"HEAD~1", "--measure"}, 4, "building HEAD", "tracker.toml"},
        Failure{"NoSuchRevision", record_candidate_alone, {"nowhere"}, 2, "", ""}),
    [](const auto& one) { return one.param.name; });

TEST(GithubFormat, OtherFormatsAreWrittenWithoutVerdictToo) {
  const Step step;
  record_candidate_alone(step);
  const auto written = [&](const std::string& format) {
    const auto result = step.scratch().tracker({"compare", "HEAD~1", "--format", format});
    EXPECT_EQ(result.exit_code, 3) << format;
    return result.output;
  };
  EXPECT_EQ(written("text"), "");
  EXPECT_THAT(written("markdown"), StartsWith("### ❓ Could not judge: no run is stored for the base"));
  EXPECT_THAT(written("junit"), HasSubstr("skipped=\"1\""));
  EXPECT_EQ(nlohmann::json::parse(written("json")).at("answer"), "cannot_judge");
}

TEST(GithubFormat, NeedsAFolder) {
  const Step step;
  record_candidate_alone(step);
  const auto none = step.scratch().tracker({"compare", "HEAD", "--format", "github"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.errors, HasSubstr("--out tracker-report"));
  const auto file = step.scratch().tracker({"compare", "HEAD", "--format", "github", "--out", "speeds.txt"});
  EXPECT_EQ(file.exit_code, 2);
  EXPECT_THAT(file.errors, HasSubstr("'speeds.txt' is no folder"));
}

TEST(GithubFormat, AFullSummaryIsLeftAsItIs) {
  const Step step;
  step.record(kGitHubFast);
  const std::string full(1024 * 1024 - 100, 'x');
  write_file(step.summary(), full);
  const auto result = step.compare({"HEAD"});
  EXPECT_THAT(result.errors, HasSubstr("the step's summary is full"));
  EXPECT_EQ(read_file(step.summary(), kBytesMax), full);
}

TEST(GithubFormat, AnOutputFileThatCannotBeWrittenIsSaid) {
  const Step step;
  step.record(kGitHubFast);
  std::filesystem::remove(step.outputs());
  std::filesystem::create_directory(step.outputs());
  const auto result = step.compare({"HEAD"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.errors, HasSubstr("cannot append to '" + step.outputs().string()));
  EXPECT_THAT(step.comment(), HasSubstr("<!-- tracker-report -->"));
}

}  // namespace
}  // namespace tracker::e2e
