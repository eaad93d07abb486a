#include "tracker/formats/profile_document.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/formats/whole_run.hpp"
#include "tracker/base/error.hpp"

namespace tracker {
namespace {

using testing::HasSubstr;

Profile whole_profile() {
  Profile profile;
  profile.id = "20261120T200431Z-7df43846";
  profile.commit = "0123456789abcdef0123456789abcdef01234567";
  profile.dirty = true;
  profile.started_at = "2026-11-20T20:04:32Z";
  profile.profiler = "ncu 2025.3.1";
  profile.device = whole_run().device;
  profile.software = whole_run().software;
  profile.benchmarks = {{"transpose/smem", "smem_kernel", 3, {{"dram__bytes.sum", 1.0 / 3}, {"a__b.pct", 0}}},
                        {"other \"name\"\n", "k<int>", 1, {}}};
  return profile;
}

// The error of the document after this change.
template <typename Change>
std::string error_after(Change change) {
  auto document = nlohmann::json::parse(write_profile(whole_profile()));
  change(document);
  try {
    read_profile(document.dump(), "p.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kUsage);
    return error.what();
  }
  return "no error";
}

TEST(ProfileDocument, ComesBackExactly) {
  const auto profile = whole_profile();
  const std::string text = write_profile(profile);
  const auto again = read_profile(text, "p.json");
  EXPECT_EQ(write_profile(again), text);
  EXPECT_EQ(again.id, profile.id);
  EXPECT_EQ(again.commit, profile.commit);
  EXPECT_TRUE(again.dirty);
  EXPECT_EQ(again.started_at, profile.started_at);
  EXPECT_EQ(again.profiler, profile.profiler);
  EXPECT_EQ(device_key(again.device), device_key(profile.device));
  EXPECT_EQ(again.software.flags, profile.software.flags);
  ASSERT_EQ(again.benchmarks.size(), 2u);
  EXPECT_EQ(again.benchmarks[0].kernel, "smem_kernel");
  EXPECT_EQ(again.benchmarks[0].launches, 3);
  EXPECT_EQ(again.benchmarks[0].counters, profile.benchmarks[0].counters);
  EXPECT_EQ(again.benchmarks[1].name, "other \"name\"\n");
}

TEST(ProfileDocument, RefusesWhatItIsNot) {
  using Json = nlohmann::json;
  EXPECT_EQ(error_after([](Json&) {}), "no error");
  EXPECT_EQ(error_after([](Json& d) { d["newer"] = 1; }), "no error");
  EXPECT_THAT(error_after([](Json& d) { d["schema"] = "tracker.run/1"; }),
              HasSubstr("'p.json': schema 'tracker.run/1' is not"));
  EXPECT_THAT(error_after([](Json& d) { d.erase("schema"); }), HasSubstr("schema"));
  EXPECT_THAT(error_after([](Json& d) { d["commit"] = "../../x"; }),
              HasSubstr("commit: expected 40 hexadecimal digits"));
  EXPECT_THAT(error_after([](Json& d) { d["device"]["kind"] = "tpu"; }), HasSubstr("device.kind"));
  EXPECT_THAT(error_after([](Json& d) { d["benchmarks"][0]["launches"] = 0; }),
              HasSubstr("benchmarks[0].launches"));
  EXPECT_THAT(error_after([](Json& d) { d["benchmarks"][0]["kernel"] = ""; }),
              HasSubstr("benchmarks[0].kernel"));
  EXPECT_THAT(error_after([](Json& d) { d["benchmarks"][0]["counters"]["x"] = "1"; }),
              HasSubstr("benchmarks[0].counters"));
  EXPECT_THAT(error_after([](Json& d) { d["benchmarks"][1]["name"] = "transpose/smem"; }),
              HasSubstr("'transpose/smem' stands twice"));
  EXPECT_THROW(read_profile("{", "p.json"), Error);
  EXPECT_THROW(read_profile("[]", "p.json"), Error);
}

}  // namespace
}  // namespace tracker
