#include "tracker/formats/method_suffix.hpp"

#include <gtest/gtest.h>

namespace tracker {
namespace {

using Attributes = std::map<std::string, std::string>;

TEST(MethodSuffix, EveryKindIsSplitOff) {
  struct Row {
    std::string run_name;
    std::string name;
    Attributes attributes;
  };
  const Row rows[] = {
      {"x", "x", {}},
      {"x/8192", "x/8192", {}},
      {"x/8192/manual_time", "x/8192", {{"manual_time", ""}}},
      {"x/real_time", "x", {{"real_time", ""}}},
      {"x/process_time/real_time", "x", {{"process_time", ""}, {"real_time", ""}}},
      {"x/iterations:10/repeats:3/manual_time",
       "x",
       {{"iterations", "10"}, {"repeats", "3"}, {"manual_time", ""}}},
      {"x/min_time:0.5/min_warmup_time:0.1", "x", {{"min_time", "0.5"}, {"min_warmup_time", "0.1"}}},
      {"x/min_time:0.500", "x", {{"min_time", "0.500"}}},
      {"x/threads:8", "x/threads:8", {}},
      {"x/64/iterations:5/real_time/threads:8", "x/64/threads:8", {{"iterations", "5"}, {"real_time", ""}}},
      {"x/manual_time/8192", "x/manual_time/8192", {}},  // not at the end: an argument
      {"x/iterations", "x/iterations", {}},              // no value: an argument
      {"x/manual_time:1", "x/manual_time:1", {}},
      {"manual_time", "manual_time", {}},
      {"/manual_time", "/manual_time", {}},
      {"", "", {}},
      {"/", "/", {}},
      {"x/threads:2/threads:4", "x/threads:2/threads:4", {}},
  };
  for (const auto& row : rows) {
    const SplitName split = split_method_suffixes(row.run_name);
    EXPECT_EQ(split.name, row.name);
    EXPECT_EQ(split.attributes, row.attributes) << row.run_name;
    std::string joined;
    EXPECT_EQ(without_method_suffixes(row.run_name, joined), row.name);
  }
}

}  // namespace
}  // namespace tracker
