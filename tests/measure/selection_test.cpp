#include "tracker/measure/selection.hpp"

#include <regex>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <regex.h>

#include "tests/support/make_run.hpp"
#include "tracker/base/file.hpp"
#include "tracker/measure/listing.hpp"

namespace tracker::measure {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAreArray;

using Names = std::vector<std::string>;

// What an expression could stumble over, and what it must not take for it.
const Names kOddNames{"plain",         "plain/longer",
                      "plai",          "a.b",
                      "axb",           "a+b",
                      "aab",           "BM_sum<int, 4>(x*y)",
                      "[0]{1}",        "back\\slash|bar",
                      "^caret$dollar", "what?",
                      "-dash",         "copy#2",
                      "größe/µs",      "real_time"};

// Google Benchmark compiles filters with one of these two.
bool matches(const std::string& filter, const std::string& name) {
  const bool by_std = std::regex_search(name, std::regex(filter, std::regex::extended));
  regex_t posix;
  EXPECT_EQ(::regcomp(&posix, filter.c_str(), REG_EXTENDED | REG_NOSUB), 0) << filter;
  const bool by_posix = ::regexec(&posix, name.c_str(), 0, nullptr, 0) == 0;
  ::regfree(&posix);
  EXPECT_EQ(by_std, by_posix) << filter << " on " << name;
  return by_std;
}

TEST(ExactFilter, TakesEveryOddNameAndNoOther) {
  for (const auto& wanted : kOddNames) {
    const auto filter = exact_filter({wanted});
    ASSERT_TRUE(filter);
    for (const auto& name : kOddNames)
      EXPECT_EQ(matches(*filter, name), name == wanted) << *filter << " on " << name;
  }
}

TEST(ExactFilter, TakesANameWithWhateverSuffixesItsMethodGivesIt) {
  const auto filter = exact_filter({"x/8", "y/8/threads:4", "kept/iterations:10"}).value();
  for (const auto* name :
       {"x/8", "x/8/manual_time", "x/8/min_time:0.500/repeats:3/process_time/real_time", "y/8/threads:4",
        "y/8/iterations:5/real_time/threads:4", "kept/iterations:10", "kept/iterations:20", "kept"})
    EXPECT_TRUE(matches(filter, name)) << name;
  for (const auto* name : {"x", "x/80", "ax/8", "x/8/9", "x/8/manual_times", "x/8/threads:4", "y/8",
                           "y/8/threads:40", "y/8/manual_time", "kept/9/iterations:10"})
    EXPECT_FALSE(matches(filter, name)) << name;
}

TEST(ExactFilter, TakesCopiesWithTheirFirst) {
  const auto filter = exact_filter({"x#2"}).value();
  EXPECT_TRUE(matches(filter, "x/manual_time"));
  EXPECT_TRUE(matches(filter, "x#2"));
  EXPECT_FALSE(matches(filter, "x#3"));
}

TEST(ExactFilter, IsNotMadeWhereItWouldBeTooLong) {
  Names names;
  std::size_t bytes = 0;
  for (int i = 0; bytes < kFilterBytesMax - 2000; ++i) {
    names.push_back("transpose/smem_padded/f32/" + std::to_string(i) + "+");
    bytes += names.back().size() + 2;
  }
  const auto filter = exact_filter(names);
  ASSERT_TRUE(filter);
  EXPECT_GT(filter->size(), kFilterBytesMax / 10 * 9);
  EXPECT_TRUE(matches(*filter, names.back() + "/manual_time")) << "what is made must be one that compiles";
  EXPECT_FALSE(matches(*filter, names.back() + "1"));
  names.emplace_back(3000, 'x');
  EXPECT_FALSE(exact_filter(names));
}

// Its names carry the suffix iterations:N.
TEST(ExactFilter, MeansTheSameToTheLibrary) {
  InvocationSpec spec;
  spec.binary.path = CPU_BENCH;
  spec.root = "/";
  const auto listed = [&](const Names& names) {
    spec.filter = exact_filter(names).value();
    return list_benchmarks(spec).names;
  };
  const auto all = list_benchmarks(spec).names;
  ASSERT_TRUE(all);
  ASSERT_GE(all->size(), 12u);
  for (const auto& name : *all) EXPECT_EQ(listed({name}), Names{name});
  Names among_odd = kOddNames;
  among_odd.push_back(all->front());
  EXPECT_EQ(listed(among_odd), Names{all->front()}) << "the library reads every escape";
  for (const auto* special : {".", ".*", "?", "+", "*", "[a-z_]", "(a|b)", "{3}", "^", "$", "|x", "\\w"})
    EXPECT_EQ(listed({"transpose_cpu/copy/f32" + std::string(special), "gemm_cp" + std::string(special)}),
              Names{})
        << special;
  Names many = *all;
  while (exact_filter(many)) many.push_back("more/" + std::to_string(many.size()) + std::string(200, '+'));
  many.pop_back();
  EXPECT_EQ(listed(many), all) << "the longest filter is not too long";
}

TEST(ListBenchmarks, WhatIsNoListIsNone) {
  InvocationSpec spec;
  spec.root = "/";
  for (const auto* path : {"/bin/true", "/bin/false", "/nowhere"}) {
    spec.binary.path = path;
    EXPECT_FALSE(list_benchmarks(spec).names) << path;
  }
}

TEST(ListBenchmarks, AListIsKeptForTheSameBinaryAndFilter) {
  const TemporaryDirectory folder;
  InvocationSpec spec;
  spec.binary.path = "bench";
  spec.root = folder.path();
  spec.output = folder.path() / "spool" / "bench.list";
  const auto answer = [&](const std::string& name) {
    write_file(folder.path() / "bench", "#!/bin/sh\necho " + name + "\n");
    std::filesystem::permissions(folder.path() / "bench", std::filesystem::perms::owner_all);
    return list_benchmarks(spec).names.value_or(Names{});
  };
  EXPECT_THAT(answer("first"), ElementsAre("first"));
  EXPECT_THAT(answer("second"), ElementsAre("first"));
  spec.filter = "s";
  EXPECT_THAT(answer("third"), ElementsAre("third"));
}

TEST(ParseList, GivesNamesAsTrackerHasThem) {
  const auto names = parse_list("x/8/manual_time\r\nx/8/iterations:3\n\ny/real_time/threads:2\ny");
  ASSERT_TRUE(names);
  EXPECT_THAT(*names, ElementsAre("x/8", "y/threads:2", "y"));
  EXPECT_FALSE(parse_list("Benchmark   Time\n----------------\nx    3 ns\n"));
}

// main() may print before it hands its arguments over.
TEST(ParseList, LeavesOutWhatTheBinaryPrintsWithItsHelpAsWell) {
  const std::string help = "USING SIMD\n\nbenchmark [--benchmark_list_tests={true|false}]\n";
  EXPECT_EQ(without_banner("USING SIMD\n\nx/8\ny\n", help), "x/8\ny\n");
  EXPECT_EQ(without_banner("x/8\ny\n", ""), "x/8\ny\n");
  EXPECT_EQ(without_banner("|  free 9.5 GiB |\nx/8\n", "| free 78.123 GiB |\nx/16\ny\n"), "x/8\n")
      << "the memory that is free differs from start to start";
}

TEST(ParseList, ARuleInABannerMakesNoTable) {
  EXPECT_TRUE(parse_list("------------\nThe library\n------------\nx/8\n"));
}

// A test program that links Google Benchmark runs its tests, whatever it is told.
TEST(ParseList, TheOutputOfGoogleTestIsNoList) {
  EXPECT_FALSE(
      parse_list("Running main() from gmock_main.cc\n[==========] Running 1 test from 1 test suite.\n"
                 "[ RUN      ] Range.Adds\n[       OK ] Range.Adds (0 ms)\n"));
  EXPECT_TRUE(parse_list("[=] x/8\n"));
}

// As a library of GPU containers prints: its name and the device before the list, and its memory after it.
TEST(ListBenchmarks, LeavesOutWhatTheBinaryPrintsItself) {
  const TemporaryDirectory folder;
  InvocationSpec spec;
  spec.binary.path = "bench";
  spec.root = folder.path();
  write_file(folder.path() / "bench",
             "#!/bin/sh\n"
             "echo x >> starts\n"
             "echo '------------'; echo \"| free memory: $(wc -l < starts) GiB |\"; echo '------------'\n"
             "case \"$*\" in\n"
             "  --help) echo 'benchmark [--benchmark_filter=<regex>]'; exit 0;;\n"
             "  *filter=^$) echo 'Failed to match any benchmarks against regex: ^$' >&2;;\n"
             "  *) echo 'sort<int, 8>/8'; echo find/8;;\n"
             "esac\n"
             "echo '| created / destroyed |'; echo \"| $(wc -l < starts) / 0 |\"\n");
  std::filesystem::permissions(folder.path() / "bench", std::filesystem::perms::owner_all);
  const auto outcome = list_benchmarks(spec);
  EXPECT_THAT(outcome.names.value_or(Names{}), ElementsAre("sort<int, 8>/8", "find/8"));
  EXPECT_THAT(outcome.lines, ElementsAre("sort<int, 8>/8", "find/8"));
}

Binary named(const std::string& path) {
  Binary binary;
  binary.path = path;
  return binary;
}

std::vector<Listing> listings(const Names& base, const Names& candidate) {
  return {{0, base}, {1, candidate}};
}

Selection of_two() {
  Selection selection;
  selection.labels = {"HEAD~1", "HEAD"};
  return selection;
}

TEST(ChooseParts, SameSetsAreMeasuredWithTheFilterAsItIs) {
  Selection selection = of_two();
  selection.filter = "a|b";
  const auto chosen = choose_parts(named("bin/bench"), listings({"a", "b"}, {"a", "b"}), selection);
  ASSERT_THAT(chosen.parts, SizeIs(1));
  EXPECT_EQ(chosen.parts[0].filter, "a|b");
  EXPECT_THAT(chosen.parts[0].targets, ElementsAre(0, 1));
  EXPECT_THAT(chosen.notes, IsEmpty());
}

TEST(ChooseParts, WhatOnlyOneSideHasGetsAProcessOfItsOwn) {
  const auto chosen =
      choose_parts(named("bin/bench"), listings({"a", "gone", "b"}, {"new", "a", "b", "newer"}), of_two());
  ASSERT_THAT(chosen.parts, SizeIs(3));
  EXPECT_THAT(chosen.parts[0].targets, ElementsAre(0, 1));
  EXPECT_TRUE(matches(chosen.parts[0].filter, "a"));
  EXPECT_TRUE(matches(chosen.parts[0].filter, "b"));
  EXPECT_FALSE(matches(chosen.parts[0].filter, "new"));
  EXPECT_THAT(chosen.parts[1].targets, ElementsAre(0));
  EXPECT_TRUE(matches(chosen.parts[1].filter, "gone"));
  EXPECT_FALSE(matches(chosen.parts[1].filter, "a"));
  EXPECT_THAT(chosen.parts[2].targets, ElementsAre(1));
  EXPECT_TRUE(matches(chosen.parts[2].filter, "new"));
  EXPECT_TRUE(matches(chosen.parts[2].filter, "newer"));
  ASSERT_THAT(chosen.notes, SizeIs(1));
  EXPECT_THAT(chosen.notes[0], HasSubstr("'bench' has other benchmarks on the two sides (1 only at HEAD~1, 2 "
                                         "only at HEAD)"));
  EXPECT_THAT(chosen.notes[0], HasSubstr("and the 2 common ones are measured with the same neighbours"));
}

TEST(ChooseParts, SaysThatSidesHaveNothingInCommon) {
  const auto chosen = choose_parts(named("bench"), listings({"a"}, {"b", "c"}), {});
  ASSERT_THAT(chosen.parts, SizeIs(2));
  EXPECT_THAT(chosen.notes[0], HasSubstr("in processes of their own, and no benchmark is on both"));
}

TEST(ChooseParts, AnotherOrderIsSaid) {
  const auto chosen = choose_parts(named("bench"), listings({"a", "b"}, {"b", "a"}), of_two());
  EXPECT_THAT(chosen.parts, SizeIs(1));
  ASSERT_THAT(chosen.notes, SizeIs(1));
  EXPECT_THAT(chosen.notes[0], HasSubstr("in another order"));
}

TEST(ChooseParts, OnlyStandsForTheFilter) {
  Selection selection = of_two();
  selection.only = {"a", "c/iterations:3", "elsewhere"};
  const auto chosen =
      choose_parts(named("bench"), listings({"a", "b", "c"}, {"a", "b", "c", "d"}), selection);
  ASSERT_THAT(chosen.parts, SizeIs(1)) << "d is not asked for: the sets are the same";
  EXPECT_TRUE(matches(chosen.parts[0].filter, "a/manual_time"));
  EXPECT_TRUE(matches(chosen.parts[0].filter, "c"));
  EXPECT_FALSE(matches(chosen.parts[0].filter, "b"));
  EXPECT_THAT(choose_parts(named("other"), listings({"x"}, {"x"}), selection).parts, IsEmpty());
}

TEST(ChooseParts, TooManyNamesAreMeasuredWithAllOthersAndItSaysSo) {
  Selection selection = of_two();
  Names all;
  for (int i = 0; i < 1000; ++i) all.push_back(std::string(100, 'x') + std::to_string(i));
  selection.only = all;
  const auto same = choose_parts(named("bench"), listings(all, all), selection);
  ASSERT_THAT(same.parts, SizeIs(1));
  EXPECT_EQ(same.parts[0].filter, "");
  ASSERT_THAT(same.notes, SizeIs(1));
  EXPECT_THAT(same.notes[0], HasSubstr("too long for one filter: all of 'bench' are measured"));
  Names more = all;
  more.emplace_back("new");
  selection.only.clear();
  const auto apart = choose_parts(named("bench"), listings(all, more), selection);
  ASSERT_THAT(apart.parts, SizeIs(1)) << "a side's own must not be measured twice";
  EXPECT_THAT(apart.notes[0], HasSubstr("neighbours may move one another"));
}

TEST(ChooseParts, ABinaryThatCannotListIsMeasuredAsItIs) {
  Selection selection = of_two();
  selection.filter = "a";
  const auto chosen = choose_parts(named("bench"), {{0, Names{"a"}}, {1, {}}}, selection);
  ASSERT_THAT(chosen.parts, SizeIs(1));
  EXPECT_EQ(chosen.parts[0].filter, "a");
  ASSERT_THAT(chosen.notes, SizeIs(1));
  EXPECT_THAT(chosen.notes[0], HasSubstr("'bench' at HEAD cannot list its benchmarks"));
  EXPECT_THAT(choose_parts(named("bench"), {{0, {}}}, Selection{}).notes, IsEmpty());
}

TEST(ChooseParts, IsolatedEveryBenchmarkHasAPart) {
  Selection selection = of_two();
  selection.isolate = true;
  const auto chosen =
      choose_parts(named("bench"), listings({"a", "b", "gone"}, {"b", "a", "new"}), selection);
  ASSERT_THAT(chosen.parts, SizeIs(4));
  Names what;
  for (const auto& part : chosen.parts) what.push_back(part.what);
  EXPECT_THAT(what, ElementsAre("a", "b", "gone", "new"));
  EXPECT_THAT(chosen.parts[0].targets, ElementsAre(0, 1));
  EXPECT_THAT(chosen.parts[2].targets, ElementsAre(0));
  EXPECT_THAT(chosen.parts[3].targets, ElementsAre(1));
  EXPECT_FALSE(matches(chosen.parts[0].filter, "b"));
  EXPECT_THAT(chosen.notes, IsEmpty());
}

TEST(ChooseParts, ABinaryOfOneSideIsMeasuredThere) {
  const auto chosen = choose_parts(named("bench"), {{1, Names{"a"}}}, of_two());
  ASSERT_THAT(chosen.parts, SizeIs(1));
  EXPECT_THAT(chosen.parts[0].targets, ElementsAre(1));
  EXPECT_EQ(chosen.parts[0].filter, "");
  EXPECT_THAT(chosen.notes, IsEmpty());
}

TEST(NextStage, EachFamilyIsSeenBeforeAnyIsSeenTwice) {
  std::vector<std::string> names;
  for (const char* family : {"copy", "gemm/a", "gemm/b"})
    for (const char* shape : {"/1", "/2", "/4", "/8"}) names.push_back(std::string(family) + shape);
  const auto first = next_stage(names, {});
  ASSERT_EQ(first.size(), 8u);
  EXPECT_EQ(std::set<std::string>(first.begin(), first.begin() + 3),
            (std::set<std::string>{"copy/8", "gemm/a/8", "gemm/b/8"}));
  EXPECT_EQ(std::set<std::string>(first.begin() + 3, first.begin() + 6),
            (std::set<std::string>{"copy/4", "gemm/a/4", "gemm/b/4"}));
  EXPECT_EQ(next_stage(names, {first.begin(), first.end()}).size(), 4u);
}

// One of each family, of those likely changed where it has any; then what is suspicious; then the other
// likely ones.
TEST(NextStage, SmokeThenSuspicionThenSource) {
  std::vector<std::string> names;
  for (int i = 0; i < 40; ++i) names.push_back("f" + std::to_string(i % 4) + "/" + std::to_string(i));
  const auto first = next_stage(names, {}, {.likely_changed = {"f1/1", "f1/5", "f2/2"}});
  EXPECT_EQ(std::set<std::string>(first.begin(), first.begin() + 4),
            (std::set<std::string>{"f0/36", "f1/5", "f2/2", "f3/39"}));
  EXPECT_EQ(first[4], "f1/1");
  const auto second = next_stage(names, {first.begin(), first.end()}, {.suspicious = {"f3"}});
  ASSERT_EQ(second.size(), 8u);
  for (const auto& name : second) EXPECT_TRUE(name.starts_with("f3/")) << name;
}

TEST(NextStage, OfAFamilyTheMostTellingComesFirst) {
  const std::vector<std::string> names{"a/1", "a/2", "a/3", "b/1"};
  EXPECT_EQ(next_stage(names, {}, {.telling = {{"a/1", 0.2}, {"a/2", 0.9}, {"a/3", 0.1}}}),
            (std::vector<std::string>{"a/2", "b/1", "a/1", "a/3"}));
}

TEST(NextStage, StagesGrowAndHoldEachNameOnce) {
  std::vector<std::string> names;
  for (int i = 0; i < 100; ++i) names.push_back("bench" + std::to_string(i));
  std::vector<std::size_t> sizes;
  std::set<std::string> seen;
  while (seen.size() < names.size()) {
    const auto stage = next_stage(names, seen);
    sizes.push_back(stage.size());
    seen.insert(stage.begin(), stage.end());
  }
  EXPECT_EQ(sizes, (std::vector<std::size_t>{8, 8, 16, 32, 36}));
  EXPECT_TRUE(next_stage({}, {}).empty());
}

// Two of the family move together, the third by itself; what is alone in its family tells of none.
TEST(HowTelling, IsHowWellABenchmarkMovesWithItsFamily) {
  std::vector<tracker::Run> runs;
  for (int i = 0; i < 12; ++i) {
    const double together = i % 3 == 0 ? 1.05 : 1;
    const double alone = i % 4 < 2 ? 1.05 : 1;
    runs.push_back(test::make_run({}, {{"f/a", test::around(100 * together)},
                                       {"f/b", test::around(200 * together)},
                                       {"f/c", test::around(300 * alone)},
                                       {"g/d", test::around(400 * alone)}}));
  }
  const auto telling = how_telling(runs);
  EXPECT_GT(telling.at("f/a"), telling.at("f/c") + 0.2);
  EXPECT_GT(telling.at("f/b"), telling.at("f/c") + 0.2);
  EXPECT_FALSE(telling.contains("g/d"));
  EXPECT_TRUE(how_telling({runs.begin(), runs.begin() + 4}).empty()) << "too few";
}

TEST(FilterForGlobs, TakesTrackersNamesAndPrintedOnes) {
  const auto filter = filter_for_globs(
      {"gemm/*", "a.b/?", "thr/threads:2", "p/8/min_time:0.010/real_time/threads:4", "dup#2"});
  for (const char* taken :
       {"gemm/a/8", "a.b/8/manual_time", "a.b/8/threads:4", "thr/real_time/threads:2",
        "thr/min_time:0.5/threads:2", "p/8/min_time:0.010/real_time/threads:4", "p/8/threads:4", "dup"})
    EXPECT_TRUE(BenchmarkFilter(filter).passes(taken)) << taken;
  for (const char* left : {"a.b/8/9", "axb/8", "x/gemm/a", "thr/threads:4", "thr/real_time", "dup/8"})
    EXPECT_FALSE(BenchmarkFilter(filter).passes(left)) << left;
}

}  // namespace
}  // namespace tracker::measure
