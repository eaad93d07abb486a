#include "bench/kit/command_line.hpp"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tracker/base/error.hpp"

namespace tracker::kit {
namespace {

using ::testing::ElementsAre;

struct Taken {
  std::vector<Timing> timings;
  std::optional<int> contexts;
  std::vector<std::string> rest;
};

Taken take(std::vector<std::string> arguments) {
  std::vector<char*> argv{const_cast<char*>("program")};
  for (std::string& argument : arguments) argv.push_back(argument.data());
  int argc = static_cast<int>(argv.size());
  Taken taken;
  taken.timings = take_timing(argc, argv.data());
  taken.contexts = take_contexts(argc, argv.data());
  for (int i = 1; i < argc; ++i) taken.rest.emplace_back(argv[static_cast<std::size_t>(i)]);
  return taken;
}

TEST(TakeTiming, IsColdUnlessToldOtherwise) {
  EXPECT_THAT(take({}).timings, ElementsAre(Timing::kCold));
  EXPECT_THAT(take({"--timing=cold"}).timings, ElementsAre(Timing::kCold));
  EXPECT_THAT(take({"--timing=hot"}).timings, ElementsAre(Timing::kHot));
  EXPECT_THAT(take({"--timing=both"}).timings, ElementsAre(Timing::kCold, Timing::kHot));
  EXPECT_THAT(take({"--timing=sustained"}).timings, ElementsAre(Timing::kSustained));
}

TEST(TakeTiming, LeavesTheOtherOptionsInOrder) {
  const Taken taken = take({"--benchmark_filter=a", "--timing=hot", "--timings=hot", "--help"});
  EXPECT_THAT(taken.rest, ElementsAre("--benchmark_filter=a", "--timings=hot", "--help"));
  EXPECT_THAT(taken.timings, ElementsAre(Timing::kHot));
}

TEST(TakeTiming, RefusesOtherValues) {
  for (const char* wrong : {"--timing=warm", "--timing=", "--timing"}) {
    try {
      take({wrong});
      ADD_FAILURE() << wrong;
    } catch (const tracker::Error& error) {
      EXPECT_EQ(error.code(), tracker::ExitCode::kUsage);
      EXPECT_THAT(error.hint(), ::testing::HasSubstr("--timing=cold"));
    }
  }
}

TEST(TakeContexts, IsEmptyUnlessGiven) {
  const Taken none = take({"--benchmark_filter=a"});
  EXPECT_EQ(none.contexts, std::nullopt);
  EXPECT_THAT(none.rest, ElementsAre("--benchmark_filter=a"));
  EXPECT_EQ(take({"--contexts=1"}).contexts, 1);
  EXPECT_EQ(take({"--contexts=100"}).contexts, 100);
  EXPECT_THAT(take({"--contexts=100"}).rest, ::testing::IsEmpty());
}

TEST(TakeContexts, RefusesWhatIsNoNumberOfContexts) {
  for (const char* wrong : {"--contexts=0", "--contexts=101", "--contexts=", "--contexts", "--contexts=3x"}) {
    try {
      take({wrong});
      ADD_FAILURE() << wrong;
    } catch (const tracker::Error& error) {
      EXPECT_EQ(error.code(), tracker::ExitCode::kUsage);
      EXPECT_THAT(error.hint(), ::testing::HasSubstr("--contexts=N"));
    }
  }
}

TEST(NameSuffix, TheDefaultHasNone) {
  EXPECT_EQ(name_suffix(Timing::kCold), "");
  EXPECT_EQ(name_suffix(Timing::kHot), "/hot");
  EXPECT_EQ(name_suffix(Timing::kSustained), "/sustained");
}

// TRACKER_BENCH_WITHOUT as it was before, when it is over.
class WithoutTricks {
 public:
  explicit WithoutTricks(const char* names) { setenv("TRACKER_BENCH_WITHOUT", names, 1); }
  ~WithoutTricks() { unsetenv("TRACKER_BENCH_WITHOUT"); }
};

TEST(TricksLeftOut, AreThoseOfTheEnvironment) {
  EXPECT_THAT(tricks_left_out(), ::testing::IsEmpty());
  const WithoutTricks without("gate,,pacing");
  EXPECT_THAT(tricks_left_out(), ElementsAre("gate", "pacing"));
}

TEST(TricksLeftOut, CanBeEachOfTheTableAndNothingElse) {
  for (const TrickRow& row : tricks()) {
    const WithoutTricks without(row.name.data());
    EXPECT_THAT(tricks_left_out(), ElementsAre(row.name));
  }
  const WithoutTricks without("gates");
  try {
    tricks_left_out();
    ADD_FAILURE();
  } catch (const tracker::Error& error) {
    EXPECT_EQ(error.code(), tracker::ExitCode::kUsage);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("'gates'"));
    EXPECT_THAT(error.hint(), ::testing::HasSubstr("gate, overhead, turns"));
  }
}

}  // namespace
}  // namespace tracker::kit
