// tracker compare on files that cannot be compared: one clear message each, the next step, the exit code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/folder.hpp"

namespace tracker::e2e {
namespace {

using nlohmann::json;
using testing::HasSubstr;
namespace fs = std::filesystem;

struct BadSide {
  const char* name;
  std::function<void(const Folder&)> arrange;
  std::vector<std::string> arguments;
  int exit_code;
  std::vector<std::string> says;
};

class BadSideTest : public testing::TestWithParam<BadSide> {};

TEST_P(BadSideTest, IsOneClearMessageAndTheNextStep) {
  const Folder folder;
  folder.put_sides();
  const BadSide& bad = GetParam();
  bad.arrange(folder);
  std::vector<std::string> arguments{"compare"};
  arguments.insert(arguments.end(), bad.arguments.begin(), bad.arguments.end());
  const auto result = folder.tracker(arguments);
  EXPECT_EQ(result.exit_code, bad.exit_code) << result.output << result.errors;
  for (const auto& words : bad.says) EXPECT_THAT(result.errors, HasSubstr(words));
  EXPECT_THAT(result.errors,
              testing::MatchesRegex("(tracker: [^e\n]*\n)*tracker: error: [^\n]*\n  next: [^\n]*\n"));
  EXPECT_EQ(result.output, "");
}

void nothing(const Folder&) {}

INSTANTIATE_TEST_SUITE_P(
    CompareFiles, BadSideTest,
    testing::Values(
        BadSide{"MissingFile", nothing, {"base", "./nope"}, 2, {"no file or folder './nope'"}},
        BadSide{"MissingJson", nothing, {"base", "nope.json"}, 2, {"no file or folder 'nope.json'"}},
        BadSide{"NoRepositoryForARevision",
                nothing,
                {"base"},
                2,
                {"'HEAD' is no file or folder, and no git repository holds"}},
        BadSide{"EmptyFolder",
                [](const Folder& f) { fs::create_directories(f.path() / "empty/inside"); },
                {"base", "empty"},
                2,
                {"the folder 'empty' has no result file", "folders in it are not looked into"}},
        BadSide{"NotJson",
                [](const Folder& f) { f.write("candidate/x.json", "Run on (16 X 2100 MHz CPU s)\n"); },
                {"base", "candidate"},
                2,
                {"'candidate/x.json': not valid JSON"}},
        BadSide{"OtherJson",
                [](const Folder& f) { f.write("candidate/x.json", "{\"a\": 1}"); },
                {"base", "candidate"},
                2,
                {"'candidate/x.json': not Google Benchmark's JSON"}},
        BadSide{"AggregatesAlone",
                [](const Folder& f) {
                  f.write("x.json", R"({"context": {}, "benchmarks": [{"name": "x_mean", "run_name": "x", )"
                                    R"("run_type": "aggregate"}]})");
                },
                {"x.json", "candidate"},
                2,
                {"'x.json': it has aggregates alone"}},
        BadSide{"TwoDevicesOnASide",
                [](const Folder& f) { f.put("base/a.json", 8, measured_on("gpu", "GPU A")); },
                {"base", "candidate"},
                2,
                {"different devices", "'base/1.json' of cpu-unknown-device", "'base/a.json' of gpu-a"}},
        BadSide{"OneDeviceIsNotNamed",
                [](const Folder& f) { f.put_sides(measured_on("gpu", "GPU A")); },
                {"base", "candidate"},
                2,
                {"'base' does not say which device", "'candidate' does", "--gpu gpu-a"}},
        BadSide{
            "TwoDevices",
            [](const Folder& f) { f.put_sides(measured_on("gpu", "GPU A"), measured_on("cpu", "CPU B")); },
            {"base", "candidate"},
            3,
            {"the base 'base' was measured on cpu-b, and the candidate on gpu-a"}},
        BadSide{"ACopyOnOneSide",
                [](const Folder& f) { f.put("base/copy.json", 4); },
                {"base", "candidate"},
                2,
                {"'base/4.json' and 'base/copy.json' hold one and the same invocation"}},
        BadSide{"ACopyWrittenAnew",
                [](const Folder& f) { f.put("base/copy.json", 4, [](json&) {}); },
                {"base", "candidate"},
                2,
                {"'base/4.json' and 'base/copy.json' hold one and the same invocation"}},
        BadSide{"ACopyOnBothSides",
                [](const Folder& f) { f.put("candidate/copy.json", 4); },
                {"base", "candidate"},
                2,
                {"the base's 'base/4.json' and the candidate's 'candidate/copy.json'"}},
        BadSide{"ItselfOnBothSides", nothing, {"base", "base"}, 2, {"'base/1.json' is on both sides"}},
        BadSide{"NoShare",
                nothing,
                {"base", "candidate", "--threshold", "5"},
                2,
                {"--threshold '5'", "--threshold 1%"}},
        BadSide{"UnknownPairing", nothing, {"base", "candidate", "--pairing", "paired"}, 2, {"interleaved"}},
        BadSide{"SeveralBoardsInTurn",
                [](const Folder& f) {
                  const auto on_board = [](const char* uuid) {
                    return [uuid](json& document) {
                      measured_on("gpu", "GPU A")(document);
                      document.at("context")["device.uuid"] = uuid;
                    };
                  };
                  f.put_sides(on_board("GPU-1"), on_board("GPU-1"));
                  f.put("base/1.json", 1, on_board("GPU-2"));
                },
                {"base", "candidate", "--pairing", "interleaved"},
                2,
                {"one job on one board, and 'base' has several"}},
        BadSide{"Measured",
                nothing,
                {"base", "candidate", "--measure"},
                2,
                {"--measure needs a commit", "'base'"}},
        BadSide{"TwoKindsOfDevice", nothing, {"base", "candidate", "--gpu", "A", "--cpu", "B"}, 2, {"--cpu"}},
        BadSide{"AnotherDeviceAskedFor",
                nothing,
                {"base", "candidate", "--device", "gpu-*"},
                3,
                {"cpu-unknown-device", "gpu-*"}}),
    [](const auto& bad) { return bad.param.name; });

}  // namespace
}  // namespace tracker::e2e
