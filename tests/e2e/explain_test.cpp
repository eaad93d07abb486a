// Why a benchmark changed: the same code or another one, and tracker explain.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/e2e/folder.hpp"
#include "tests/e2e/scratch.hpp"

namespace tracker::e2e {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr char kLabel[] =
    "code=8bd00082a3e11d16 code_bytes=4096 launch=copy_kernel:32x32:32x8 mix=LDG:4,STG:4";

// Four benchmarks, of which copy/b takes so long and is labelled so.
std::string speeds(double time_ns, const std::string& label, int registers = 32) {
  std::string text;
  for (const char* name : {"a", "c", "d"})
    text += std::string("copy/") + name + "/8/manual_time 10000 0.001 1000000\n";
  text += "copy/b/8/manual_time " + std::to_string(time_ns) + " 0.001 1000000\n";
  text += "label copy/b/8/manual_time " + label + "\n";
  return text + "on 0 0 registers " + std::to_string(registers) + "\n";
}

struct Committed {
  explicit Committed(const std::string& base, const std::string& candidate) {
    for (const auto& text : {base, candidate}) {
      scratch.commit_speeds(text);
      EXPECT_EQ(scratch.tracker({"run"}).exit_code, 0);
    }
  }
  nlohmann::json row() const {
    const auto report = report_of(scratch.tracker({"compare", "HEAD~1", "--format", "json"}));
    for (const auto& comparison : report.at("comparisons"))
      if (comparison.at("benchmark") == "copy/b/8") return comparison;
    return {};
  }
  Scratch scratch;
};

std::string with_policy(std::string config, const std::string& same_code) {
  return config + "same_code = \"" + same_code + "\"\n";
}

TEST(SameCode, IsSaidAndDoesNotFail) {
  const Committed both(speeds(20000, kLabel), speeds(28000, kLabel));
  const auto text = both.scratch.tracker({"compare", "HEAD~1"});
  EXPECT_EQ(text.exit_code, 0) << text.output << text.errors;
  EXPECT_THAT(text.output, HasSubstr("! same code"));
  EXPECT_THAT(text.output, HasSubstr("but its machine code is identical, and nothing recorded differs"));
  EXPECT_THAT(text.output, HasSubstr("1 same code, 3 "));
  EXPECT_THAT(text.output, HasSubstr("; 1 benchmark is slower with the same code"));
  EXPECT_EQ(both.scratch.tracker({"compare", "HEAD~1", "--strict"}).exit_code, 3);
  EXPECT_EQ(both.row().at("verdict"), "same_code");
  EXPECT_EQ(both.row().at("same_code"), true);
  EXPECT_EQ(both.row().at("gate_failed"), false);
  for (const auto& [value, exit_code] : {std::pair{"report", 0}, {"fail_in_turn", 0}, {"fail", 1}}) {
    both.scratch.write("tracker.toml", with_policy(plain_config(), value));
    EXPECT_EQ(both.scratch.tracker({"compare", "HEAD~1"}).exit_code, exit_code) << value;
  }
}

TEST(SameCode, InTurnThePolicyMayMakeItFail) {
  const Scratch scratch;
  scratch.write("tracker.toml", building_config());
  scratch.commit_speeds(speeds(20000, kLabel));
  scratch.commit_speeds(speeds(28000, kLabel));
  const auto measured = scratch.tracker({"compare", "HEAD~1", "--measure"});
  EXPECT_EQ(measured.exit_code, 0) << measured.output << measured.errors;
  EXPECT_THAT(measured.output, HasSubstr("! same code"));
  EXPECT_THAT(measured.output, HasSubstr("what the host does around them"));
  scratch.write("tracker.toml", with_policy(building_config(), "fail_in_turn"));
  const auto stored = scratch.tracker({"compare", "HEAD~1"});
  EXPECT_EQ(stored.exit_code, 1);
  EXPECT_THAT(stored.output, HasSubstr("✗ same code"));
  EXPECT_THAT(stored.output, HasSubstr("FAILED: 1 benchmark is slower with the same code"));
}

struct Other {
  const char* base;
  const char* candidate;
  const char* cause;
};

TEST(SameCode, WhateverElseIsARegression) {
  for (const auto& [base, candidate, cause] :
       {Other{kLabel, "code=77ab01c92e4d6f8a launch=copy_kernel:32x32:32x8 mix=LDG:5,STG:4",
              "machine code changed: LDG 4 → 5"},
        Other{kLabel, "code=8bd00082a3e11d16 launch=copy_kernel:32x32:16x16", "block 32x8 → 16x16"},
        Other{"", kLabel, ""}, Other{kLabel, "", ""}, Other{kLabel, "no_code=made_at_run_time", ""}}) {
    const Committed both(speeds(20000, base), speeds(28000, candidate));
    EXPECT_EQ(both.scratch.tracker({"compare", "HEAD~1"}).exit_code, 1) << candidate;
    const auto row = both.row();
    EXPECT_EQ(row.at("verdict"), "regressed");
    EXPECT_EQ(row.at("cause").is_null() ? "" : row.at("cause").get<std::string>(), cause);
  }
}

// Files of one H200 job in turn, as a stranger's binary would label them.
TEST(SameCode, IsReadFromFiles) {
  const auto labelled = [](const std::string& label) -> Edit {
    return [=](nlohmann::json& document) {
      for (auto& row : document.at("benchmarks")) row["label"] = label;
    };
  };
  const std::string name = "transpose_smem_pad/8192";
  const Edit slow = slower(name, 1.3);
  for (const bool same : {true, false}) {
    const Folder folder;
    const Edit edit = labelled(same ? kLabel : "code=77ab01c92e4d6f8a launch=copy_kernel:32x32:32x8");
    folder.put_sides(
        [&](nlohmann::json& document) {
          edit(document);
          slow(document);
        },
        labelled(kLabel));
    const auto result =
        folder.tracker({"compare", "base", "candidate", "--gpu", "NVIDIA H200", "--format", "json"});
    EXPECT_EQ(result.exit_code, same ? 0 : 1) << result.errors;
    EXPECT_THAT(benchmarks_with(report_of(result), same ? "same_code" : "regressed"), ElementsAre(name));
    EXPECT_THAT(benchmarks_with(report_of(result), same ? "regressed" : "same_code"), IsEmpty());
  }
}

const char kOtherLabel[] =
    "code=77ab01c92e4d6f8a code_bytes=5120 launch=copy_kernel:32x64:32x4 mix=LDG:5,STG:4";

TEST(ExplainCommand, PutsBothCommitsSideBySide) {
  const Committed both(speeds(20000, kLabel), speeds(28000, kOtherLabel, 64));
  const auto text = both.scratch.tracker({"explain", "copy/b/8", "HEAD~1"});
  EXPECT_EQ(text.exit_code, 0) << text.errors;
  for (const char* words :
       {"✗ regressed: ", "  likely cause  block 32x8 → 32x4\n", "                registers 32 → 64\n",
        "                machine code changed: LDG 4 → 5\n", "≠ registers a thread", "≠ bytes per second",
        "  the same: kernel copy_kernel\n", "tracker profile 'copy/b/8'"})
    EXPECT_THAT(text.output, HasSubstr(words));
  EXPECT_THAT(text.output, Not(HasSubstr("copy/a/8")));
  const auto document = nlohmann::json::parse(
      both.scratch.tracker({"explain", "copy/b/8", "HEAD~1", "--format", "json"}).output);
  EXPECT_EQ(document.at("schema"), "tracker.explanation/1");
  EXPECT_EQ(document.at("reports").at(0).at("explanations").at(0).at("comparison").at("verdict"),
            "regressed");
  const auto markdown = both.scratch.tracker({"explain", "copy/b/8", "HEAD~1", "--format", "markdown"});
  EXPECT_THAT(markdown.output, HasSubstr("| **registers a thread** | 32 | **64** | +100 % |"));
  EXPECT_EQ(both.scratch.tracker({"explain", "copy/b/8", "HEAD~1", "--out", "why.txt"}).exit_code, 0);
  EXPECT_EQ(read_file(both.scratch.root() / "why.txt", 1 << 20), text.output);
}

TEST(ExplainCommand, TakesPatternsAndSaysWhatIsNear) {
  const Committed both(speeds(20000, kLabel), speeds(20000, kLabel));
  const auto all = both.scratch.tracker({"explain", "copy/*", "HEAD~1", "HEAD"});
  EXPECT_EQ(all.exit_code, 0);
  for (const char* name : {"copy/a/8", "copy/b/8", "copy/c/8", "copy/d/8"})
    EXPECT_THAT(all.output, HasSubstr(std::string("\n") + name + "\n"));
  const auto near = both.scratch.tracker({"explain", "copy/b/9", "HEAD~1"});
  EXPECT_EQ(near.exit_code, 2);
  EXPECT_THAT(near.errors, HasSubstr("no benchmark of these commits matches 'copy/b/9'"));
  EXPECT_THAT(near.errors, HasSubstr("did you mean 'copy/"));
  const auto far = both.scratch.tracker({"explain", "nothing/like/it", "HEAD~1"});
  EXPECT_EQ(far.exit_code, 2);
  EXPECT_THAT(far.errors, HasSubstr("tracker explain '*nothing/like/it*'"));
  EXPECT_EQ(both.scratch.tracker({"explain", "copy/b/8"}).exit_code, 2) << "against what?";
}

TEST(ExplainCommand, ExplainsTenAtMost) {
  std::string many;
  for (int i = 0; i < 12; ++i) many += "k/" + std::to_string(i) + " 10000 0.001\n";
  const Committed both(many, many);
  const auto result = both.scratch.tracker({"explain", "k/*", "HEAD~1", "--format", "json"});
  EXPECT_THAT(result.errors, HasSubstr("12 benchmarks match 'k/*': these are the 10 that matter most"));
  const auto document = nlohmann::json::parse(result.output);
  EXPECT_EQ(document.at("reports").at(0).at("explanations").size(), 10u);
}

TEST(ExplainCommand, WithoutARunItSaysHowToMeasure) {
  const Scratch scratch;
  scratch.commit_speeds(speeds(20000, kLabel));
  scratch.commit_speeds(speeds(20000, kLabel));
  EXPECT_EQ(scratch.tracker({"explain", "copy/b/8", "HEAD~1"}).exit_code, 3);
  ASSERT_EQ(scratch.tracker({"run"}).exit_code, 0);
  const auto result = scratch.tracker({"explain", "copy/b/8", "HEAD~1"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.errors, HasSubstr("no run is stored for the base HEAD~1"));
  EXPECT_THAT(result.errors, HasSubstr("tracker compare HEAD~1 --measure"));
}

TEST(ExplainCommand, TakesFolders) {
  const Folder folder;
  folder.put_sides(slower("transpose_smem_pad/8192", 1.3));
  const auto result = folder.tracker({"explain", "transpose_smem_pad/8192", "base", "candidate"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("✗ regressed"));
  EXPECT_EQ(folder.tracker({"explain", "x", "base", "nowhere"}).exit_code, 2);
}

}  // namespace
}  // namespace tracker::e2e
