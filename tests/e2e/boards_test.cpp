// Several GPUs of one machine, by a stand-in for NVIDIA's library: what is spread over them, and who waits.
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/devices/fake_nvml.hpp"
#include "tests/e2e/scratch.hpp"

namespace tracker::e2e {
namespace {

using fake_nvml::kBoardUuid;
using fake_nvml::kSecondUuid;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

class BoardsTest : public testing::Test {
 protected:
  BoardsTest() {
    std::filesystem::create_directory(scratch.folder() / "driver");
    std::filesystem::create_symlink(FAKE_NVML, scratch.folder() / "driver" / "libnvidia-ml.so.1");
    machine = {{"LD_LIBRARY_PATH", (scratch.folder() / "driver").string()}, {"FAKE_NVML_BOARDS", "2"}};
  }
  ProcessResult tracker(const std::vector<std::string>& arguments) const {
    return scratch.tracker_with(machine, arguments);
  }
  // The stored runs, in the order of their paths.
  std::vector<nlohmann::json> runs() const {
    std::vector<nlohmann::json> all;
    std::istringstream files(scratch.git({"ls-tree", "-r", "--name-only", "refs/tracker/v1"}));
    for (std::string path; std::getline(files, path);)
      all.push_back(nlohmann::json::parse(scratch.git({"show", "refs/tracker/v1:" + path})));
    return all;
  }

  Scratch scratch;
  std::map<std::string, std::string> machine;
};

// round → board
std::map<int, std::string> boards_by_round(const nlohmann::json& run) {
  std::map<int, std::string> boards;
  for (const auto& invocation : run.at("invocations"))
    boards[invocation.at("round").get<int>()] = invocation.value("board", "");
  return boards;
}

// The first six invocations of each board wait until the other one has begun as many, so that neither can be
// done with its own rounds, and take the other's, however busy the machine is.
constexpr char kInStep[] = R"sh(#!/bin/sh
case "$*" in *list_tests*|*--help*) ;; *)
  echo start >> "$STARTS/$CUDA_VISIBLE_DEVICES"
  mine=$(wc -l < "$STARTS/$CUDA_VISIBLE_DEVICES")
  while [ "$mine" -le 6 ] && [ "$(cat "$STARTS"/GPU-* | wc -l)" -lt $((2 * mine)) ]; do sleep 0.02; done ;;
esac
exec )sh" FAKE_BENCH " \"$@\"\n";

TEST_F(BoardsTest, RoundsAreSpreadAndAPairStaysOnABoard) {
  std::filesystem::create_directory(scratch.folder() / "starts");
  machine["STARTS"] = (scratch.folder() / "starts").string();
  scratch.write("bench.in", kInStep);
  std::filesystem::permissions(scratch.root() / "bench.in", std::filesystem::perms::owner_all);
  std::string config = building_config();
  config.replace(config.find(FAKE_BENCH), std::string(FAKE_BENCH).size(), "bench.in");
  scratch.write("tracker.toml", config);
  scratch.commit_speeds("x 1000 0.001\ny 2000 0.001\n");
  scratch.commit_speeds("x 1000 0.001\ny 2200 0.001\n");
  const auto result =
      tracker({"compare", "HEAD~1", "--measure", "-n", "8", "--gpus", "all", "--identical-code", "measure"});
  EXPECT_EQ(result.exit_code, 1) << result.output << result.errors;
  EXPECT_THAT(result.output, HasSubstr("measured on 2 boards (GPU-5d7fcfd0, GPU-6d7fcfd0)"));
  EXPECT_THAT(result.output, HasSubstr("apart (median), at most"));
  const auto both = runs();
  ASSERT_THAT(both, SizeIs(2));
  EXPECT_EQ(boards_by_round(both[0]), boards_by_round(both[1]));
  std::map<std::string, int> rounds;
  for (const auto& [round, board] : boards_by_round(both[0])) ++rounds[board];
  EXPECT_THAT(rounds, SizeIs(2));
  EXPECT_GE(rounds[kBoardUuid], 3);
  EXPECT_GE(rounds[kSecondUuid], 3);
  EXPECT_TRUE(both[0].at("device").value("uuid", nlohmann::json()).is_null());
  // Judged from the store, it says the same.
  EXPECT_THAT(tracker({"compare", "HEAD~1"}).output, HasSubstr("measured on 2 boards"));
}

TEST_F(BoardsTest, ANumberOrUuidsChooseAmongThem) {
  scratch.commit_speeds("x 1000 0.001\n");
  const auto named = tracker({"run", "-n", "2", "--gpus", "GPU-6d7f"});
  EXPECT_EQ(named.exit_code, 0) << named.errors;
  ASSERT_THAT(runs(), SizeIs(1));
  EXPECT_EQ(runs()[0].at("device").at("uuid"), kSecondUuid);
  EXPECT_EQ(boards_by_round(runs()[0]), (std::map<int, std::string>{{1, ""}, {2, ""}}));
  const auto many = tracker({"run", "-n", "2", "--gpus", "3"});
  EXPECT_EQ(many.exit_code, 2);
  EXPECT_THAT(many.errors, HasSubstr("--gpus 3: this machine has 2 such GPUs"));
  const auto stranger = tracker({"run", "-n", "2", "--gpus", "GPU-0000"});
  EXPECT_EQ(stranger.exit_code, 2);
  EXPECT_THAT(stranger.errors, AllOf(HasSubstr("no GPU 'GPU-0000' here"), HasSubstr(kSecondUuid)));
  EXPECT_EQ(tracker({"run", "--gpus", "both"}).exit_code, 2);
}

TEST_F(BoardsTest, ConfigurationChoosesLikewise) {
  scratch.write("tracker.toml", "[measure]\ngpus = \"all\"\n" + plain_config().substr(10));
  scratch.commit_speeds("x 1000 0.001\n");
  ASSERT_EQ(tracker({"run", "-n", "4"}).exit_code, 0);
  std::set<std::string> boards;
  for (const auto& [round, board] : boards_by_round(runs()[0])) boards.insert(board);
  EXPECT_THAT(boards, ElementsAre(kBoardUuid, kSecondUuid));
}

TEST_F(BoardsTest, ABudgetHoldsForBothSidesAndBothBoards) {
  scratch.write("tracker.toml", building_config());
  std::string speeds;
  for (int i = 0; i < 12; ++i) speeds += "copy/" + std::to_string(i) + " 1000 0.001\n";
  scratch.commit_speeds(speeds);
  scratch.commit_speeds(speeds);
  const auto result = tracker({"compare", "HEAD~1", "--measure", "--gpus", "all", "--time-budget", "0.001s",
                               "--identical-code", "measure"});
  EXPECT_NE(result.exit_code, 1) << result.output << result.errors;
  EXPECT_THAT(result.errors, HasSubstr("is used: 4 of 12 benchmarks ("));
  EXPECT_THAT(result.output, HasSubstr("note: not looked at, as the time budget of 0.001s is used"))
      << "a report says it";
  EXPECT_THAT(result.output, Not(HasSubstr("missing")));
  ASSERT_THAT(runs(), SizeIs(2));
  for (const auto& run : runs()) EXPECT_THAT(run.at("benchmarks"), SizeIs(8));
}

TEST_F(BoardsTest, DifferentModelsAreDifferentDevices) {
  machine["FAKE_NVML_SECOND_MODEL"] = "NVIDIA L4";
  scratch.write("tracker.toml", building_config());
  scratch.commit_speeds("anonymous\nx 1000 0.001\n");
  scratch.commit_speeds("anonymous\nx 1200 0.001\n");
  const auto result = tracker({"compare", "HEAD~1", "--measure", "-n", "6", "--gpus", "all"});
  EXPECT_EQ(result.exit_code, 1) << result.output << result.errors;
  EXPECT_THAT(result.output, AllOf(HasSubstr("NVIDIA H200 (nvidia-h200"), HasSubstr("NVIDIA L4 (nvidia-l4")));
  EXPECT_THAT(result.output, Not(HasSubstr("measured on 2 boards")));
  ASSERT_THAT(runs(), SizeIs(4)) << "all rounds on each model, a run for each side";
  for (const auto& run : runs()) EXPECT_THAT(run.at("invocations"), SizeIs(6));
}

// Three benchmarks of kernels, of which copy/b is as slow, and has such machine code.
std::string kernels(int time_ns, const std::string& code) {
  std::string text;
  for (const auto& [name, time, hash] :
       {std::tuple("copy/a", 1000, std::string("a1")), {"copy/b", time_ns, code}, {"add/c", 3000, "c1"}})
    text += std::string(name) + "/manual_time " + std::to_string(time) + " 0.001\nlabel " + name +
            "/manual_time code=" + hash + "77ab01c92e4d6f launch=" + "kernel:32x32:32x8\n";
  return text;
}

TEST_F(BoardsTest, OnlyBenchmarksWhoseKernelsDifferAreMeasured) {
  machine["FAKE_NVML_BOARDS"] = "1";
  scratch.write("tracker.toml", building_config());
  scratch.commit_speeds(kernels(2000, "b1"));
  scratch.commit_speeds(kernels(2400, "b2"));
  const auto result = tracker({"compare", "HEAD~1", "--measure"});
  EXPECT_EQ(result.exit_code, 1) << result.output << result.errors;
  EXPECT_THAT(result.errors, AllOf(HasSubstr("looked at the kernels of 'bench' on both sides in "),
                                   HasSubstr(": 2 of 3 benchmarks launch the same code"),
                                   HasSubstr("2 benchmarks are not measured: the same code on both sides")));
  EXPECT_THAT(result.output, AllOf(HasSubstr("1 regressed"), HasSubstr("2 unchanged")));
  ASSERT_THAT(runs(), SizeIs(2));
  for (const auto& run : runs()) EXPECT_THAT(run.at("benchmarks"), SizeIs(1));
  EXPECT_THAT(tracker({"compare", "HEAD~1"}).output, HasSubstr("2 unchanged")) << "from the store";
  const auto all = tracker({"compare", "HEAD~1", "--measure", "--identical-code", "measure"});
  EXPECT_THAT(all.errors, AllOf(Not(HasSubstr("not measured")), Not(HasSubstr("looked at"))));
  ASSERT_THAT(runs(), SizeIs(4));
}

// Who lets slower benchmarks of the same code fail has them measured.
TEST_F(BoardsTest, KernelsThatAreTheSameAreMeasuredWhereThePolicyFailsThem) {
  machine["FAKE_NVML_BOARDS"] = "1";
  scratch.write("tracker.toml", building_config() + "same_code = \"fail\"\n");
  scratch.commit_speeds(kernels(2000, "b1"));
  scratch.commit_speeds(kernels(2400, "b1"));
  const auto result = tracker({"compare", "HEAD~1", "--measure"});
  EXPECT_EQ(result.exit_code, 1) << result.output << result.errors;
  EXPECT_THAT(result.errors, Not(HasSubstr("looked at the kernels")));
  EXPECT_THAT(result.output, HasSubstr("1 same code, 2 unchanged"));
}

TEST_F(BoardsTest, CalibratingSaysWhetherBoardsDisturbOneAnother) {
  scratch.write("tracker.toml", building_config());
  scratch.commit_speeds("x 1000 0.001\ny 1000 0.001\n");
  const auto result = tracker({"calibrate", "--measure", "20", "--gpus", "all"});
  EXPECT_EQ(result.exit_code, 0) << result.output << result.errors;
  EXPECT_THAT(result.output, HasSubstr("2 boards at once: a pair's noise is "));
  EXPECT_THAT(tracker({"calibrate", "--measure", "6", "--gpus", "1"}).output, Not(HasSubstr("at once")));
}

// While the other board works, its times scatter: calibrating sees it, and jobs use one board from then on.
TEST_F(BoardsTest, OfBoardsThatDisturbOneAnotherOneIsUsed) {
  machine["STARTS"] = scratch.folder().string();
  scratch.write(
      "bench.in",
      "#!/bin/sh\ncase \"$*\" in *list_tests*|*--help*) exec " FAKE_BENCH
      " \"$@\" ;; esac\n"
      "touch \"$STARTS/on-$CUDA_VISIBLE_DEVICES\"; sleep 0.05\n"
      "[ \"$(ls \"$STARTS\" | grep -c ^on-)\" = 1 ] && speeds=speeds.txt || speeds=noisy.txt\n" FAKE_BENCH
      " --speeds=$speeds \"$@\"\nrm -f \"$STARTS/on-$CUDA_VISIBLE_DEVICES\"\n");
  std::filesystem::permissions(scratch.root() / "bench.in", std::filesystem::perms::owner_all);
  std::string config = building_config();
  config.replace(config.find(FAKE_BENCH), std::string(FAKE_BENCH).size(), "bench.in");
  scratch.write("tracker.toml", config);
  scratch.write("noisy.txt", "x 1000 0.08\ny 1000 0.08\nz 1000 0.08\n");
  scratch.commit_speeds("x 1000 0.001\ny 1000 0.001\nz 1000 0.001\n");
  const auto calibrated = tracker({"calibrate", "--measure", "20", "--gpus", "all"});
  EXPECT_THAT(calibrated.output, HasSubstr("they disturb one another, so that jobs")) << calibrated.errors;
  const auto run = tracker({"run", "--build", "-n", "4", "--gpus", "all"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_THAT(run.errors, HasSubstr("one GPU is used, as they disturb one another: on 20"));
  EXPECT_FALSE(runs().back().at("device").at("uuid").is_null());
  EXPECT_THAT(tracker({"doctor"}).output, HasSubstr("GPUs disturb one another: on 20"));
  // Both can still be looked at together, and quiet ones are used again.
  scratch.write("noisy.txt", "x 1000 0.001\ny 1000 0.001\nz 1000 0.001\n");
  scratch.commit_speeds("x 1000 0.001\ny 1000 0.001\nz 1000 0.001\n");
  EXPECT_THAT(tracker({"calibrate", "--measure", "20", "--gpus", "all"}).output,
              HasSubstr("they do not disturb one another"));
  EXPECT_THAT(tracker({"run", "--build", "-n", "4", "--gpus", "all"}).errors,
              Not(HasSubstr("one GPU is used")));
}

TEST_F(BoardsTest, AnIllBoardIsLeftOutAndNamed) {
  machine["FAKE_NVML_ILL"] = kBoardUuid;
  scratch.commit_speeds("x 1000 0.001\n");
  const auto run = tracker({"run", "-n", "2", "--gpus", "all"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_THAT(run.errors, AllOf(HasSubstr(kBoardUuid), HasSubstr("hw_thermal"), HasSubstr("left out")));
  EXPECT_EQ(runs()[0].at("device").at("uuid"), kSecondUuid);
  const auto doctor = tracker({"doctor"});
  EXPECT_EQ(doctor.exit_code, 0) << doctor.output;
  EXPECT_THAT(doctor.output, AllOf(HasSubstr(kBoardUuid), HasSubstr("hw_thermal")));

  machine["FAKE_NVML_BOARDS"] = "1";
  EXPECT_EQ(tracker({"doctor"}).exit_code, 4);
  const auto alone = tracker({"run", "-n", "2"});
  EXPECT_EQ(alone.exit_code, 4);
  EXPECT_THAT(alone.errors, AllOf(HasSubstr("no GPU is fit to measure"), HasSubstr(kBoardUuid)));
  EXPECT_THAT(runs(), SizeIs(1));
}

// Heat comes when it works: what the board measured does not count, and the other one does the rest.
TEST_F(BoardsTest, ABoardThatFallsIllIsLeftOutFromThenOn) {
  machine["FAKE_NVML_ILL"] = kSecondUuid;
  machine["FAKE_NVML_ILL_FROM"] = (scratch.folder() / "hot").string();
  scratch.write("bench",
                "#!/bin/sh\ncase \"$*\" in *list_tests*) ;; *)\n"
                "[ \"$CUDA_VISIBLE_DEVICES\" = GPU-5d7fcfd0-1111-2222-3333-444455556666 ] || touch ../hot\n"
                "sleep 0.4 ;; esac\nexec " FAKE_BENCH " \"$@\"\n");
  std::filesystem::permissions(scratch.root() / "bench", std::filesystem::perms::owner_all);
  scratch.commit_speeds("anonymous\nx 1000 0.001\n");
  const auto run = tracker({"run", "-n", "4", "--gpus", "all", "--", "./bench"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_THAT(run.errors, HasSubstr(std::string("the GPU ") + kSecondUuid +
                                    " is left out, as it ran at 480 of 1980 MHz, hw_thermal"));
  int counted = 0;
  const auto measured = runs();
  for (const auto& invocation : measured.at(0).at("invocations"))
    if (invocation.at("left_out").get<std::string>().empty()) {
      ++counted;
      EXPECT_EQ(invocation.at("board"), kBoardUuid);
    }
  EXPECT_EQ(counted, 4);

  std::filesystem::remove(scratch.folder() / "hot");
  const auto alone = tracker({"run", "-n", "4", "--gpus", "GPU-6d7f", "--", "./bench"});
  EXPECT_EQ(alone.exit_code, 4);
  EXPECT_THAT(alone.errors, HasSubstr("is not fit to measure: it ran at 480 of 1980 MHz"));
}

TEST_F(BoardsTest, TwoJobsNeverShareABoard) {
  scratch.write("tracker.toml", "[measure]\nlease_wait_s = 0.5\n" + plain_config().substr(10));
  scratch.commit_speeds("x 1000 0.001\n");
  std::ofstream(scratch.folder() / "go");
  std::thread other([&] {
    const auto result = tracker({"lease", "--gpus", "GPU-5d7f", "--", "sh", "-c",
                                 "touch ../held; while [ -e ../go ]; do sleep 0.05; done; exit 7"});
    EXPECT_EQ(result.exit_code, 7) << "the program's own: " << result.errors;
  });
  while (!std::filesystem::exists(scratch.folder() / "held")) std::this_thread::yield();
  const auto same = tracker({"run", "-n", "2", "--gpus", "GPU-5d7f"});
  EXPECT_EQ(same.exit_code, 4);
  EXPECT_THAT(same.errors, AllOf(HasSubstr("place 1 in the queue"), HasSubstr("held by tracker lease -- sh"),
                                 HasSubstr("lease_wait_s")));
  EXPECT_EQ(tracker({"run", "-n", "2", "--gpus", "all"}).exit_code, 0) << "the other board is free";
  EXPECT_EQ(runs()[0].at("device").at("uuid"), kSecondUuid);
  std::filesystem::remove(scratch.folder() / "go");
  other.join();
  EXPECT_EQ(tracker({"run", "-n", "2", "--gpus", "GPU-5d7f"}).exit_code, 0);
}

TEST_F(BoardsTest, ALeaseIsSharedWithTheProgramItStarts) {
  scratch.write("tracker.toml", "[measure]\nlease_wait_s = 0.5\n" + plain_config().substr(10));
  scratch.commit_speeds("x 1000 0.001\n");
  const auto result = tracker({"lease", "--gpus", "2", "--", "sh", "-c",
                               "echo sees $CUDA_VISIBLE_DEVICES; " TRACKER_BINARY " run -n 2 --gpus all"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr(std::string("sees ") + kBoardUuid + "," + kSecondUuid));
  EXPECT_EQ(tracker({"lease", "--", "no-such-program"}).exit_code, 4);
  EXPECT_EQ(tracker({"lease"}).exit_code, 2);
}

}  // namespace
}  // namespace tracker::e2e
