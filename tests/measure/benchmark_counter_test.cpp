#include "tracker/measure/benchmark_counter.hpp"

#include <gtest/gtest.h>

namespace tracker {
namespace {

const std::map<std::string, std::string> kListed{{"sum/8", "sum/8"},
                                                 {"by_hand", "by_hand/iterations:50/manual_time"}};

TEST(BenchmarkCounter, CountsEachOnceHoweverThePiecesFall) {
  BenchmarkCounter counter(kListed, 1);
  EXPECT_EQ(counter.read("Benchmark   Time\n--------\nsum/8   3 ns   3 ns\nsum/"), 1);
  EXPECT_EQ(counter.read("8   4 ns   3 ns\nsum/8_mean   3 ns\n"), 0) << "a repetition and an aggregate";
  EXPECT_EQ(counter.read("by_hand/iterations:50/manual_time   6 ns   6 ns   50\n"), 1);
}

TEST(BenchmarkCounter, CountsAsOftenAsThereAreExecutions) {
  BenchmarkCounter counter(kListed, 2);
  EXPECT_EQ(counter.read("sum/8 3 ns\nsum/8 3 ns\nsum/8 3 ns\n"), 2);
}

}  // namespace
}  // namespace tracker
