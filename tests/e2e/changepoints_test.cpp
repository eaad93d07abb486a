// tracker changepoints: plain numbers in, points out, no repository.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/e2e/folder.hpp"

namespace tracker::e2e {
namespace {

using testing::HasSubstr;

// 40 values about 100, the second half 10 % more, with a commit each.
std::string sheet(const std::string& separator = ",") {
  std::string text = "commit" + separator + "time\n";
  for (int i = 0; i < 40; ++i)
    text += "c" + std::to_string(i) + separator + std::to_string((i < 20 ? 100.0 : 110.0) + i * 7 % 5 * 0.2) +
            "\n";
  return text;
}

TEST(Changepoints, OfACsvColumnAreATable) {
  const Folder folder;
  for (const char* separator : {",", ";", "\t"}) {
    folder.write("times.csv", sheet(separator));
    const auto result = folder.tracker({"changepoints", "--input", "times.csv"});
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("time: 40 values, 1 change point\n"));
    EXPECT_THAT(result.output, HasSubstr("20 c20"));
    EXPECT_THAT(result.output, HasSubstr("+9.9"));
  }
}

TEST(Changepoints, OfJsonAreJson) {
  const Folder folder;
  std::string values = "null";
  for (int i = 1; i < 40; ++i) values += "," + std::to_string((i < 20 ? 100.0 : 110.0) + i * 7 % 5 * 0.2);
  for (const std::string& text :
       {"[" + values + "]", "{\"values\": [" + values + "]}",
        "{\"x\": {\"values\": [" + values + "], \"steps_at\": [20]}}", "{\"x\": [" + values + "]}",
        "[{\"values\": [" + values + "]}]", "{\"name\": \"x\", \"series\": [{\"raw\": [" + values + "]}]}"}) {
    folder.write("times.json", text);
    const auto result = folder.tracker({"changepoints", "--input", "times.json", "--format", "json"});
    ASSERT_EQ(result.exit_code, 0) << result.errors << text;
    const auto document = nlohmann::json::parse(result.output);
    ASSERT_EQ(document.at("series").size(), 1u) << text;
    const auto& points = document.at("series")[0].at("change_points");
    ASSERT_EQ(points.size(), 1u);
    EXPECT_EQ(points[0].at("at"), 20);
    EXPECT_LE(points[0].at("first"), 20);
    EXPECT_GE(points[0].at("last"), 20);
    EXPECT_NEAR(points[0].at("ratio").at("value").get<double>(), 1.0995, 0.003);
    EXPECT_GT(points[0].at("sure"), 0.99);
  }
}

TEST(Changepoints, RefuseWhatIsNoSeries) {
  const Folder folder;
  const auto refused = [&](const std::string& name, const std::string& text, const std::string& message,
                           const std::vector<std::string>& more = {}) {
    folder.write(name, text);
    std::vector<std::string> arguments{"changepoints", "--input", name};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto result = folder.tracker(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.output;
    EXPECT_THAT(result.errors, HasSubstr(message));
  };
  refused("a.json", R"(["x"])", "'a.json' has something else than a number as value 1");
  refused("b.json", R"({"a": 1})", "'b.json' has no series of numbers");
  refused("c.csv", "a,b\n1,2\n3\n", "'c.csv' has 1 column in line 3 and 2 before it");
  refused("d.csv", "a,b\nx,y\n", "'d.csv' has no column of numbers");
  refused("e.csv", sheet(), "'e.csv' has no column 'speed'", {"--column", "speed"});
  refused("f.csv", "time\n1\nfast\n", "'f.csv' has 'fast' for a number in line 3", {"--column", "time"});
  refused("g.csv", "1\n", "no detector 'magic'", {"--detector", "magic"});
  EXPECT_EQ(folder.tracker({"changepoints", "--input", "absent.csv"}).exit_code, 2);
}

}  // namespace
}  // namespace tracker::e2e
