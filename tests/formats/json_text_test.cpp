#include "tracker/formats/json_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/formats/support.hpp"

namespace tracker::formats {
namespace {

using nlohmann::ordered_json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string parse_error(const std::string& text) {
  return error_of([&] { parse_json(text, "out.json"); });
}

TEST(PrintJson, ObjectsOverLinesNumbersOnOne) {
  const ordered_json value{{"schema", "x/1"},
                           {"none", nullptr},
                           {"empty", ordered_json::object()},
                           {"list", ordered_json::array()},
                           {"times", {1.5, 2, 1e-9}},
                           {"runs", {{{"id", "a"}, {"ok", true}}, {{"id", "b"}}}}};
  EXPECT_EQ(print_json(value), R"({
 "schema": "x/1",
 "none": null,
 "empty": {},
 "list": [],
 "times": [1.5,2,1e-09],
 "runs": [
  {
   "id": "a",
   "ok": true
  },
  {
   "id": "b"
  }
 ]
}
)");
}

TEST(PrintJson, KeysAndTextsAreEscaped) {
  EXPECT_EQ(print_json({{"a\"b\n", "\x1b[31m\\"}}), "{\n \"a\\\"b\\n\": \"\\u001b[31m\\\\\"\n}\n");
  EXPECT_EQ(print_json({{"k", "bad\xFF"}}), "{\n \"k\": \"bad\xEF\xBF\xBD\"\n}\n");
}

TEST(PrintJson, NumbersComeBackExactly) {
  for (const double number :
       {0.1, 1.0 / 3, 9.7726676123265968, 1.7976931348623157e308, 5e-324, -0.0, 3.4334977235567344e12})
    EXPECT_EQ(parse_json(print_json(number), "x").get<double>(), number);
}

TEST(ParseJson, OfEqualKeysTheFirstCounts) {
  struct Row {
    std::string text;
    std::string value;
  };
  const Row rows[] = {
      {R"({"real_time": 1, "real_time": 2})", R"({"real_time":1})"},
      {R"({"o": {"a": 1, "a": {"a": 3}}, "a": 4})", R"({"a":4,"o":{"a":1}})"},
      {R"({"o": {"a": 1}, "o": {"b": [{"c": 2}]}, "b": 5, "c": 6})", R"({"b":5,"c":6,"o":{"a":1}})"},
      {R"([{"a": 1}, {"a": 2, "a": [[1], 2]}, {"a": 3}])", R"([{"a":1},{"a":2},{"a":3}])"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(parse_json(row.text, "x", EqualKeys::kFirstCounts).dump(), row.value);
    EXPECT_THAT(error_of([&] { parse_json(row.text, "x"); }), HasSubstr("stands twice")) << row.text;
  }
}

TEST(ParseJson, NaNAndInfinityAreNamedWithBenchmarkAndByte) {
  for (const char* word : {"NaN", "nan", "-nan", "-NaN", "Infinity", "-Infinity", "inf", "-inf"}) {
    const std::string text =
        document({row("first"), row("se\\\"cond", std::string("\"x\": ") + word), row("third")});
    const std::string message = parse_error(text);
    EXPECT_THAT(message,
                AllOf(HasSubstr("'out.json': not valid JSON at byte"), HasSubstr("(in benchmark 'se\"cond')"),
                      HasSubstr(std::string("a value is ") + word), HasSubstr("nothing was recorded")));
    // The byte is that of the word, give or take the letters that could have begun another one.
    const auto from = message.find("at byte ") + 8;
    const std::size_t byte = std::stoul(message.substr(from));
    const std::size_t at = text.find(std::string(": ") + word + "}") + 3;  // counted from 1
    EXPECT_GE(byte, at) << word;
    EXPECT_LE(byte, at + 2) << word;
  }
}

TEST(ParseJson, SaysWhereItEnds) {
  const std::string text = document({row("first"), row("second")});
  const std::string in_second = text.substr(0, text.size() - 20);
  EXPECT_THAT(parse_error(in_second), AllOf(HasSubstr("at byte " + std::to_string(in_second.size() + 1)),
                                            HasSubstr("(in benchmark 'second'): it ends in the middle"),
                                            HasSubstr("was the benchmark stopped")));
  EXPECT_THAT(parse_error(text.substr(0, text.size() - 1)),
              AllOf(HasSubstr("it ends in the middle"), Not(HasSubstr("in benchmark"))));
  EXPECT_THAT(parse_error("{\"context\": {\"host_name\": \"vm\"}, "), Not(HasSubstr("in benchmark")));
}

TEST(ParseJson, WhatIsNoJson) {
  EXPECT_THAT(parse_error("2026-11-20 Running ./bench"), HasSubstr("unexpected text"));
  EXPECT_THAT(parse_error("[1] x"), HasSubstr("at byte 5: unexpected text"));
  EXPECT_THAT(parse_error("{'a': 1}"), HasSubstr("unexpected text"));
  EXPECT_THAT(parse_error("[1,]"), HasSubstr("unexpected text"));
  EXPECT_THAT(parse_error("nano"), HasSubstr("not valid JSON"));
  EXPECT_THAT(parse_error("[\"\xC3\x28\"]"), HasSubstr("at byte 4: unexpected text"));
  EXPECT_THAT(parse_error("[\"x\xFF\"]"), HasSubstr("not UTF-8"));
  EXPECT_THAT(parse_error("\xFF\xFE{"), HasSubstr("not UTF-8"));
  EXPECT_THAT(parse_error(""), HasSubstr("it ends in the middle"));
}

TEST(ParseJson, AByteOrderMarkIsPassedOver) {
  EXPECT_EQ(parse_json("\xEF\xBB\xBF[1]", "x").dump(), "[1]");
}

TEST(ParseJson, NumbersOutOfRangeNameTheBenchmark) {
  EXPECT_THAT(parse_error(document({row("loud", "\"x\": 1e999")})),
              HasSubstr("'out.json': not valid JSON (in benchmark 'loud'): a number is out of range"));
}

TEST(ParseJson, DepthIsBounded) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_NO_THROW(parse_json(nested(100), "x"));
  EXPECT_THAT(parse_error(nested(101)), HasSubstr("'out.json': nested more than 100 levels deep"));
  EXPECT_THAT(parse_error(std::string(50'000'000, '[')), HasSubstr("nested more than"));
  std::string objects;
  for (int i = 0; i < 1'000'000; ++i) objects += "{\"a\":";
  EXPECT_THAT(parse_error(objects), HasSubstr("nested more than"));
  EXPECT_NO_THROW(parse_json("[\"" + std::string(1000, '[') + "\"]", "x"));
}

TEST(ParseJson, NamesOfFilesAreFitForATerminal) {
  EXPECT_THAT(error_of([] { parse_json("x", "a\x1b[31m\n"); }), HasSubstr("'a [31m '"));
}

}  // namespace
}  // namespace tracker::formats
