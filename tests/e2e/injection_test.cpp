// Programs that state nothing of what they launch: a pass of its own with the injected library.
#include <algorithm>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/scratch.hpp"
#include "tests/source_tree.hpp"

namespace tracker::e2e {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

// One kernel with this shape between two events, 100 times, and a copy where there is one.
std::string calls(const std::string& grid, const std::string& block, bool copies) {
  std::string text =
      R"({"schema": "tracker.injection/1", "cupti": 130000, "driver": 13000, "is_whole": true})"
      "\n"
      R"({"kernel": 0, "name": "_Z5saxpyfPKfPfi", "architecture": 90, "registers": 16, "local_bytes": 0})"
      "\n";
  text += R"({"op": 0, "launch": 0, "grid": ")" + grid + R"(", "block": ")" + block +
          R"(", "shared_bytes": 0, "blocks_per_sm": 8, "count": 100})" + "\n";
  text += R"({"op": 1, "what": "copy to the host", "bytes": 4, "count": 100})"
          "\n";
  return text + R"({"range": "", "windows": [{"ops": [[)" + (copies ? "[0,1]" : "[0]") +
         R"(,1]], "count": 100}], "ops": [[[0],100]]})" + "\n";
}

std::string speeds(double time_ns) {
  return "saxpy/manual_time " + std::to_string(time_ns) +
         " 0.001 1000000\nother 10000 0.001\ncalls saxpy/manual_time saxpy.ndjson\n";
}

TEST(Injection, NamesTheCauseOfAStrangersRegression) {
  const Scratch scratch;
  scratch.write("saxpy.ndjson", calls("1056", "256", false));
  scratch.commit_speeds(speeds(10000));
  const auto first = scratch.tracker({"run"});
  EXPECT_EQ(first.exit_code, 0) << first.errors;
  EXPECT_THAT(first.errors,
              HasSubstr("looked at what 2 benchmarks of 'fake_bench' launch, once for this build"));
  EXPECT_THAT(first.errors, HasSubstr("of 1 it is not known: it does not use CUDA"));
  scratch.write("saxpy.ndjson", calls("264", "64", true));
  scratch.commit_speeds(speeds(20000));
  const auto second = scratch.tracker({"run"});
  EXPECT_THAT(second.errors, HasSubstr("saxpy: 1 launch and 1 copy of 4 bytes to the host"));
  const auto compared = scratch.tracker({"compare", "HEAD~1"});
  EXPECT_EQ(compared.exit_code, 1) << compared.output << compared.errors;
  EXPECT_THAT(compared.output, HasSubstr("launches 1 → 2: copy of 4 bytes to the host more"));
  const auto explained = scratch.tracker({"explain", "saxpy", "HEAD~1"});
  EXPECT_THAT(explained.output, HasSubstr("1 launch and 1 copy of 4 bytes to the host"));
  EXPECT_THAT(explained.output, HasSubstr("1056"));
}

TEST(Injection, NamesAPlantedShape) {
  const Scratch scratch;
  scratch.write("saxpy.ndjson", calls("1056", "256", false));
  scratch.commit_speeds(speeds(10000));
  EXPECT_EQ(scratch.tracker({"run"}).exit_code, 0);
  scratch.write("saxpy.ndjson", calls("264", "64", false));
  scratch.commit_speeds(speeds(20000));
  EXPECT_EQ(scratch.tracker({"run"}).exit_code, 0);
  const auto compared = scratch.tracker({"compare", "HEAD~1"});
  EXPECT_THAT(compared.output, HasSubstr("block 256 → 64, grid 1056 → 264"));
}

TEST(Injection, SoonLeavesAProgramOfTheCpuAlone) {
  const Scratch scratch;
  std::string text = "calls elsewhere elsewhere.ndjson\n";
  for (const char* name : {"a", "b", "c", "d", "e"}) text += std::string(name) + " 10000 0.001\n";
  scratch.commit_speeds(text);
  const auto log = scratch.folder() / "log";
  const auto run = scratch.tracker_with({{"FAKE_BENCH_LOG", log.string()}}, {"run"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_THAT(run.errors, Not(HasSubstr("looked at what")));
  const std::string starts = read_file(log, 1 << 20);
  EXPECT_EQ(std::count(starts.begin(), starts.end(), '\n'), 5 + 3) << starts;
}

TEST(Injection, LooksOnceAtABuildAndNotWhereItIsNotWanted) {
  const Scratch scratch;
  scratch.write("tracker.toml", building_config());
  scratch.write("saxpy.ndjson", calls("1056", "256", false));
  scratch.commit_speeds(speeds(10000));
  const auto looked = scratch.tracker({"run", "--build"});
  EXPECT_THAT(looked.errors, HasSubstr("looked at what"));
  const auto again = scratch.tracker({"run"});
  EXPECT_EQ(again.exit_code, 0) << again.errors;
  EXPECT_THAT(again.errors, Not(HasSubstr("looked at what")));
  std::filesystem::remove_all(scratch.root() / ".git/tracker/injection");
  scratch.write("tracker.toml", "[measure]\ninjection = false\n" +
                                    building_config().substr(building_config().find('\n') + 1));
  EXPECT_THAT(scratch.tracker({"run"}).errors, Not(HasSubstr("looked at what")));
}

// What finds causes in programs of strangers is part of the toolkit, and a runner may lack it.
TEST(Injection, DoctorLooksForCupti) {
  const Scratch scratch;
  scratch.commit_speeds("x 100 0.01\n");
  std::filesystem::create_directory(scratch.folder() / "driver");
  std::filesystem::create_symlink(FAKE_NVML, scratch.folder() / "driver" / "libnvidia-ml.so.1");
  const std::map<std::string, std::string> gpu{{"LD_LIBRARY_PATH", (scratch.folder() / "driver").string()},
                                               {"FAKE_NVML_BOARDS", "1"}};
  const auto doctor = [&](const std::string& cupti, const std::map<std::string, std::string>& machine) {
    auto environment = machine;
    environment["TRACKER_CUPTI"] = cupti;
    const auto result = scratch.tracker_with(environment, {"doctor"});
    EXPECT_EQ(result.exit_code, 0) << result.output;
    return result.output;
  };
  EXPECT_THAT(doctor(FAKE_NVML, gpu),
              ContainsRegex("ok +causes +.*CUPTI is '/.*\\.so.*': .* a second a benchmark, once a build"));
  EXPECT_THAT(doctor("/missing/libcupti.so.13", gpu),
              ContainsRegex("warn +causes +CUPTI was not found: .*no causes\n +fix: .*TRACKER_CUPTI"));
  EXPECT_THAT(doctor("/missing/libcupti.so.13", {}), ContainsRegex("ok +causes +.*no GPU"));
  scratch.write("tracker.toml", "[measure]\ninjection = false\n[[binary]]\npath = \"" FAKE_BENCH "\"\n");
  scratch.commit_speeds("x 100 0.01\n");
  EXPECT_THAT(doctor("/missing/libcupti.so.13", gpu), ContainsRegex("ok +causes +.*turned off"));
}

// A stranger's binary on a GPU: two benchmarks, each of one kernel between two events. The program itself
// differs from commit to commit, as its build writes a word into it.
class InjectedReach : public testing::Test {
 protected:
  InjectedReach() {
    std::filesystem::create_directory(scratch.folder() / "driver");
    std::filesystem::create_symlink(FAKE_NVML, scratch.folder() / "driver" / "libnvidia-ml.so.1");
    machine = {{"LD_LIBRARY_PATH", (scratch.folder() / "driver").string()}, {"FAKE_NVML_BOARDS", "1"}};
    scratch.write("tracker.toml", config);
    scratch.write(kModule, module());
    commit("driver", 2000, calls("_Z9block_sumPKfPfi", kModule, "256"));
  }

  static std::string module() {
    return read_file(TRACKER_TEST_DATA "/injection/2b75c48e6702490a.cubin", 1 << 20);
  }

  // `at`: how the op that sets up is written, and what else is in its process.
  static std::string calls(const std::string& kernel, const std::string& cubin, const std::string& block,
                           const std::string& setup = R"("what": "allocation", "bytes": 4096)") {
    const std::string of_module = cubin.empty() ? "" : R"("cubin": ")" + cubin.substr(0, 16) + "\", ";
    return R"({"schema": "tracker.injection/1", "driver": 13000, "is_whole": true})"
           "\n"
           R"({"kernel": 0, "name": ")" +
           kernel + "\", " + of_module +
           R"("architecture": 90, "registers": 12})"
           "\n"
           R"({"op": 0, "launch": 0, "grid": "1056", "block": ")" +
           block +
           R"(", "count": 100})"
           "\n"
           R"({"op": 1, )" +
           setup +
           R"(, "count": 1})"
           "\n"
           R"({"range": "", "windows": [{"ops": [[[0],1]], "count": 100}], "ops": [[[1],1],[[0],100]]})"
           "\n";
  }

  // `word` is as long as "driver".
  void commit(const std::string& word, int time_ns, const std::string& changed,
              const std::string& cublas = "13.0") const {
    scratch.write("make.sh", "mkdir -p out && sed 's/the driver is/the " + word +
                                 " is/' " FAKE_BENCH " > out/bench && chmod +x out/bench\n");
    scratch.write("sum.ndjson", changed);
    scratch.write("axpy.ndjson", calls("_Z5saxpyfPKfPfi", kModule, "256"));
    scratch.commit_speeds("anonymous\nsum/manual_time " + std::to_string(time_ns) +
                          " 0.001\naxpy/manual_time 1000 0.001\ncalls sum/manual_time sum.ndjson\n"
                          "calls axpy/manual_time axpy.ndjson\ncontext software.cublas " +
                          cublas + "\n");
  }

  // Of a commit after the first one, measured against it.
  ProcessResult compare(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{"compare", "HEAD~1", "--measure", "-n", "5"};
    words.insert(words.end(), more.begin(), more.end());
    return scratch.tracker_with(machine, words);
  }

  static constexpr const char* kModule = "2b75c48e6702490a.cubin";
  const std::string config =
      "[measure]\nrepetitions = 3\nbuild = [[\"sh\", \"make.sh\"]]\n\n[[binary]]\npath = \"out/bench\"\n"
      "reads = [\"data/*\"]\n\n[[policy]]\nmatch = \"*\"\nthreshold = \"3%\"\n";
  Scratch scratch;
  std::map<std::string, std::string> machine;
};

TEST_F(InjectedReach, WhatLaunchesTheSameIsNotMeasured) {
  commit("kernel", 2400, calls("_Z9block_sumPKfPfi", kModule, "256"));
  const auto result = compare();
  EXPECT_EQ(result.exit_code, 0) << result.output << result.errors;
  EXPECT_THAT(result.errors,
              AllOf(HasSubstr("looked at what 2 benchmarks of 'bench' launch, once for this build"),
                    HasSubstr(": 2 of 2 benchmarks launch the same code"),
                    HasSubstr("2 benchmarks are not measured: the same code on both sides")));
  EXPECT_THAT(result.output, HasSubstr("2 unchanged"));
  EXPECT_THAT(compare().errors, Not(HasSubstr("looked at what"))) << "once for each build";
  EXPECT_THAT(scratch.tracker_with(machine, {"compare", "HEAD~1"}).output, HasSubstr("2 unchanged"))
      << "from the store";
}

// What the rule missed: the nightly run measures all.
TEST_F(InjectedReach, ARunOfAllSaysWhatItMissed) {
  const auto runs = [&] { return scratch.tracker_with(machine, {"run", "--build", "-n", "3"}); };
  for (const char* word : {"drivel", "drives", "driven", "drifts", "drills"}) {
    EXPECT_EQ(runs().exit_code, 0);
    commit(word, 2000, calls("_Z9block_sumPKfPfi", kModule, "256"));
  }
  for (const char* word : {"kernel", "kerned", "kerbed", "keeled", "keened"}) {
    commit(word, 2400, calls("_Z9block_sumPKfPfi", kModule, "256"));
    EXPECT_EQ(runs().exit_code, 0);
  }
  const auto night = scratch.tracker_with(machine, {"nightly"});
  EXPECT_THAT(night.output, HasSubstr("pull requests leave these out as the same code, and they got slower"));
}

// One thing differs, or is not known, and only `sum` is measured.
TEST_F(InjectedReach, WhatDiffersIsMeasured) {
  std::string changed = module();
  changed.at(4352 + 0x100) = static_cast<char>(changed.at(4352 + 0x100) ^ 1);  // an instruction of block_sum
  scratch.write("abcdef0123456789.cubin", changed);
  const struct {
    const char* what;
    std::string calls;
    bool same_iteration = false;  // then what is measured says *same code*
  } rows[] = {
      {"the code of its kernel", calls("_Z9block_sumPKfPfi", "abcdef0123456789.cubin", "256")},
      {"the shape of its launch", calls("_Z9block_sumPKfPfi", kModule, "128")},
      {"another kernel", calls("_Z9histogramPKfPji", kModule, "256")},
      {"what it sets up",
       calls("_Z9block_sumPKfPfi", kModule, "256", R"("what": "allocation", "bytes": 8192)"), true},
      {"the facts are missing", ""},
      {"a module was seen and not kept", calls("_Z9block_sumPKfPfi", "00000000000000aa.cubin", "256")},
      {"a module was not seen", calls("_Z9block_sumPKfPfi", "", "256")},
  };
  const std::string first = scratch.git({"rev-parse", "HEAD"});
  for (const auto& row : rows) {
    scratch.git({"reset", "-q", "--hard", first});
    scratch.write("abcdef0123456789.cubin", changed);
    commit("kernel", 2400, row.calls.empty() ? "no JSON" : row.calls);
    std::filesystem::remove_all(scratch.root() / ".git/tracker/injection");
    const auto result = compare();
    EXPECT_EQ(result.exit_code, row.same_iteration ? 0 : 1) << row.what << result.output << result.errors;
    EXPECT_THAT(result.errors, HasSubstr(": 1 of 2 benchmarks launch the same code")) << row.what;
    EXPECT_THAT(result.output,
                HasSubstr(row.same_iteration ? "1 same code, 1 unchanged" : "1 regressed, 1 unchanged"))
        << row.what;
  }
}

// What the facts do not cover: then both are measured.
TEST_F(InjectedReach, AllIsMeasuredWhereTheFactsDoNotDecide) {
  const auto same = calls("_Z9block_sumPKfPfi", kModule, "256");
  commit("kernel", 2400, same);
  EXPECT_THAT(compare({"--identical-code", "measure"}).errors, Not(HasSubstr("not measured")));
  scratch.write("tracker.toml", "[measure]\ninjection = false\n" + config.substr(config.find('\n') + 1));
  scratch.git({"commit", "-qam", "No injection"});
  commit("driven", 2400, same);
  EXPECT_THAT(compare().errors, Not(HasSubstr("not measured")));
  scratch.write("tracker.toml", config);
  scratch.write("data/input.txt", "other");
  commit("driver", 2400, same);
  EXPECT_THAT(compare().errors, Not(HasSubstr("not measured"))) << "a file that it may read has changed";
  commit("kernel", 2400, same, "13.1");
  EXPECT_THAT(compare().errors, Not(HasSubstr("not measured"))) << "another version of a library";
  commit("driven", 2400, same, "13.1");
  EXPECT_THAT(compare().errors, HasSubstr("2 benchmarks are not measured"));
}

}  // namespace
}  // namespace tracker::e2e
