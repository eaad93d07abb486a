#include "tracker/formats/config_file.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/formats/support.hpp"
#include "tests/source_tree.hpp"
#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"

namespace tracker::formats {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

Config parse_text(const std::string& text) {
  return parse_config(text, "tracker.toml");
}

std::string error_in(const std::string& text) {
  return error_of([&] { parse_text(text); });
}

void expect_defaults(const Config& config) {
  EXPECT_THAT(config.binaries, IsEmpty());
  EXPECT_THAT(config.measure.build, IsEmpty());
  EXPECT_EQ(config.measure.invocations, 5);
  EXPECT_EQ(config.measure.repetitions, 5);
  EXPECT_EQ(config.measure.timeout_s, 600);
  EXPECT_EQ(config.measure.build_timeout_s, 3600);
  EXPECT_FALSE(config.measure.clean.has_value());
  EXPECT_EQ(config.measure.worktrees, 2);
  EXPECT_THAT(config.profile.skip_kernels, IsEmpty());
  EXPECT_EQ(config.store_ref, "refs/tracker/v1");
  EXPECT_EQ(config.store_url + config.store_repository, "");
  EXPECT_EQ(config.baselines_directory, "baselines");
  EXPECT_EQ(config.policy.confidence, 0.99);
  EXPECT_THAT(config.policy.rules, IsEmpty());
}

TEST(Config, AWholeFile) {
  const Config config = parse_text(R"toml(# What is measured here, and what is accepted.
[measure]
build = [["cmake", "--preset", "release"], ["cmake", "--build", "--preset", "release", ""]]
invocations = 7
repetitions = 3
timeout_s = 90
build_timeout_s = 1200.5
clean = false
worktrees = 8
injection = false

[profile]
skip_kernels = ["fill_kernel", "flush"]

[[binary]]
path = "build/release/bin/bench_transpose"
arguments = ["--benchmark_min_time=0.1", "", "with space; $(x)"]
when = "gpu"
device = "gpu"

[[binary]]
path = "/opt/bench_cpu"
when = "no-gpu"
device = "cpu"

[[binary]]
path = "other"
when = "always"
device = "auto"

[store]
ref = "refs/tracker/perf/history"

[baselines]
directory = "perf/baselines"

[[policy]]
match = "transpose/*"
metric = "bytes_per_second"
threshold = "2%"
bound = "transpose/copy_row/{3}/{4}"

[[policy]]
match = "*"
metric = "misses"
better = "lower"
report_only = true
may_be_missing = true

[[policy]]
match = "gemm/*"
better = "higher"
report_only = false
)toml");
  EXPECT_THAT(config.measure.build, ElementsAre(ElementsAre("cmake", "--preset", "release"),
                                                ElementsAre("cmake", "--build", "--preset", "release", "")));
  EXPECT_EQ(config.measure.invocations, 7);
  EXPECT_EQ(config.measure.repetitions, 3);
  EXPECT_EQ(config.measure.timeout_s, 90);
  EXPECT_EQ(config.measure.build_timeout_s, 1200.5);
  EXPECT_EQ(config.measure.clean, false);
  EXPECT_EQ(config.measure.worktrees, 8);
  EXPECT_FALSE(config.measure.injection);
  ASSERT_THAT(config.binaries, SizeIs(3));
  EXPECT_EQ(config.binaries[0].path, "build/release/bin/bench_transpose");
  EXPECT_THAT(config.binaries[0].arguments, ElementsAre("--benchmark_min_time=0.1", "", "with space; $(x)"));
  EXPECT_EQ(config.binaries[0].when, RunsWhere::kGpu);
  EXPECT_EQ(config.binaries[0].device, RunsOn::kGpu);
  EXPECT_EQ(config.binaries[1].when, RunsWhere::kNoGpu);
  EXPECT_EQ(config.binaries[1].device, RunsOn::kCpu);
  EXPECT_THAT(config.binaries[1].arguments, IsEmpty());
  EXPECT_EQ(config.binaries[2].when, RunsWhere::kAlways);
  EXPECT_EQ(config.binaries[2].device, RunsOn::kAuto);
  EXPECT_THAT(config.profile.skip_kernels, ElementsAre("fill_kernel", "flush"));
  EXPECT_EQ(config.store_ref, "refs/tracker/perf/history");
  EXPECT_EQ(config.baselines_directory, "perf/baselines");
  ASSERT_THAT(config.policy.rules, SizeIs(3));
  const auto& rules = config.policy.rules;
  EXPECT_EQ(rules[0].match, "transpose/*");
  EXPECT_EQ(rules[0].metric, "bytes_per_second");
  EXPECT_EQ(rules[0].threshold, 0.02);
  EXPECT_EQ(rules[0].bound, "transpose/copy_row/{3}/{4}");
  EXPECT_EQ(rules[0].better, std::nullopt);
  EXPECT_EQ(rules[0].report_only, std::nullopt);
  EXPECT_EQ(rules[1].better, Better::kLower);
  EXPECT_EQ(rules[1].report_only, true);
  EXPECT_EQ(rules[1].may_be_missing, true);
  EXPECT_EQ(rules[1].threshold, std::nullopt);
  EXPECT_EQ(rules[2].better, Better::kHigher);
  EXPECT_EQ(rules[2].report_only, false);
}

TEST(Config, NothingSaidIsTheDefaults) {
  expect_defaults(parse_text(""));
  expect_defaults(parse_text("# nothing\n[measure]\n[store]\n[baselines]\n"));
  expect_defaults(parse_text("\xEF\xBB\xBF# with a byte order mark\n"));
}

TEST(Config, TheExampleOfTheReferenceIsValid) {
  const std::string page = read_file(TRACKER_SOURCE_DIR "/docs/tracker-toml.md", 1 << 20);
  const std::size_t from = page.find("```toml\n") + 8;
  const Config config = parse_text(page.substr(from, page.find("```", from) - from));
  EXPECT_THAT(config.binaries, SizeIs(3));
  EXPECT_THAT(config.policy.rules, SizeIs(3));
  EXPECT_EQ(config.policy.rules[1].threshold, 0.02);
  EXPECT_TRUE(config.policy.rules[1].floor);
  EXPECT_THAT(config.policy.waivers, SizeIs(1));
  EXPECT_THAT(config.policy.renames, SizeIs(1));
  EXPECT_THAT(config.sweeps, SizeIs(1));
  EXPECT_THAT(config.work, SizeIs(2));
}

TEST(Config, FilesOnDisk) {
  const TemporaryDirectory folder;
  const auto path = folder.path() / "tracker.toml";
  expect_defaults(read_config(path));
  std::ofstream(path).flush();
  expect_defaults(read_config(path));
  std::ofstream(path) << "[measure]\ninvocations = 9\n";
  EXPECT_EQ(read_config(path).measure.invocations, 9);
  std::ofstream(path) << "[measure]\ninvocation = 9\n";
  EXPECT_THAT(error_of([&] { read_config(path); }), StartsWith("tracker.toml:2:1: unknown key 'invocation'"));
  std::filesystem::resize_file(path, 2 << 20);
  EXPECT_THAT(error_of([&] { read_config(path); }), HasSubstr("larger than 1 MiB"));
  std::filesystem::remove(path);
  std::filesystem::create_directory(path);
  EXPECT_THAT(error_of([&] { read_config(path); }), HasSubstr("is a folder"));
}

TEST(Config, UnknownKeysGetASuggestion) {
  struct Row {
    std::string text;
    std::string message;
  };
  const Row rows[] = {
      {"[mesure]\n", "tracker.toml:1:2: unknown key 'mesure' in tracker.toml | did you mean 'measure'?"},
      {"x = 1\n",
       "tracker.toml:1:1: unknown key 'x' in tracker.toml | known keys: binary, measure, profile, store, "
       "baselines, policy, waiver, accepted, rename, sweep, roofline, judge, drift, notify"},
      {"[measure]\n\n  repetition = 3\n",
       "tracker.toml:3:3: unknown key 'repetition' in [measure] | did you mean 'repetitions'?"},
      {"[[binary]]\npath = \"x\"\nargs = []\n",
       "tracker.toml:3:1: unknown key 'args' in [[binary]] | known keys: path, arguments, directory, prefix, "
       "format, "
       "when, "
       "reads, device"},
      {"[[policy]]\nmatch = \"x\"\ntreshold = \"2%\"\n",
       "tracker.toml:3:1: unknown key 'treshold' in [[policy]] | did you mean 'threshold'?"},
      {"[store]\nreff = \"x\"\n", "tracker.toml:2:1: unknown key 'reff' in [store] | did you mean 'ref'?"},
      {"[profile]\nkernels = []\n",
       "tracker.toml:2:1: unknown key 'kernels' in [profile] | known keys: skip_kernels"},
      {"[baselines]\nfolder = \"x\"\n",
       "tracker.toml:2:1: unknown key 'folder' in [baselines] | known keys: directory"},
      {"\"a\\u001b\" = 1\n", "unknown key 'a ' in tracker.toml"},
  };
  for (const auto& row : rows) EXPECT_THAT(error_in(row.text), HasSubstr(row.message));
}

TEST(Config, ValuesOfAnotherKindNameThePlace) {
  struct Row {
    std::string text;
    std::string message;
  };
  const Row rows[] = {
      {"measure = 3\n", "tracker.toml:1:11: [measure] is a table"},
      {"store = \"refs/x\"\n", "tracker.toml:1:9: [store] is a table"},
      {"baselines = []\n", "[baselines] is a table"},
      {"[policy]\nmatch = \"x\"\n", "tracker.toml:1:1: write [[policy]] with two brackets"},
      {"binary = [3]\n", "tracker.toml:1:11: write [[binary]] with two brackets"},
      {"[measure]\nbuild = \"make\"\n",
       "tracker.toml:2:9: expected a list of commands, each a list of texts"},
      {"[measure]\nbuild = [\"make\", \"-j\"]\n", "tracker.toml:2:10: expected a list of commands"},
      {"[measure]\nbuild = [[\"make\", 2]]\n", "tracker.toml:2:19: expected a list of commands"},
      {"[measure]\nbuild = [[]]\n", "tracker.toml:2:10: an empty command"},
      {"[measure]\nbuild = [[\"\"]]\n", "tracker.toml:2:10: an empty command"},
      {"[measure]\nbuild = [[\"a\\u0000b\"]]\n", "without NUL"},
      {"[measure]\ninvocations = 0\n", "tracker.toml:2:15: expected a whole number from 1 to 1000"},
      {"[measure]\ninvocations = -3\n", "expected a whole number from 1 to 1000"},
      {"[measure]\ninvocations = 1001\n", "expected a whole number from 1 to 1000"},
      {"[measure]\ninvocations = 2.5\n", "expected a whole number from 1 to 1000"},
      {"[measure]\ninvocations = \"5\"\n", "expected a whole number from 1 to 1000"},
      {"[measure]\nrepetitions = 9223372036854775807\n", "expected a whole number from 1 to 1000"},
      {"[measure]\ntimeout_s = 0\n", "tracker.toml:2:13: expected a number above 0, up to 1000000"},
      {"[measure]\ntimeout_s = nan\n", "expected a number above 0"},
      {"[measure]\ntimeout_s = inf\n", "expected a number above 0"},
      {"[measure]\nbuild_timeout_s = \"1h\"\n", "expected a number above 0"},
      {"[measure]\nclean = \"yes\"\n", "tracker.toml:2:9: expected true or false"},
      {"[measure]\nworktrees = 1\n", "tracker.toml:2:13: expected at least 2, one for each side"},
      {"[measure]\nworktrees = 27\n", "expected a whole number from 1 to 26"},
      {"[[binary]]\n", "tracker.toml:1:1: a [[binary]] needs a path"},
      {"[[binary]]\npath = \"\"\n", "tracker.toml:2:8: expected a path, not an empty text"},
      {"[[binary]]\npath = 3\n", "tracker.toml:2:8: expected a path"},
      {"[[binary]]\npath = \"x\"\narguments = \"-v\"\n", "tracker.toml:3:13: expected a list of texts"},
      {"[[binary]]\npath = \"x\"\nwhen = \"never\"\n",
       "tracker.toml:3:8: expected one of \"always\", \"gpu\", \"no-gpu\", \"asked\""},
      {"[[binary]]\npath = \"x\"\ndevice = true\n", "expected one of \"auto\", \"cpu\", \"gpu\""},
      {"[profile]\nskip_kernels = \"fill\"\n", "tracker.toml:2:16: expected a list of kernels' names"},
      {"[store]\nref = \"\"\n", "tracker.toml:2:7: expected the name of a ref"},
      {"[store]\nref = \"refs/heads/main\"\n",
       "tracker.toml:2:7: expected a ref outside of branches and tags"},
      {"[store]\nref = \"refs/tags/v1\"\n", "expected a ref outside of branches and tags"},
      {"[store]\nref = \"main\"\n", "expected a ref outside of branches and tags"},
      {"[baselines]\ndirectory = 3\n", "tracker.toml:2:13: expected the path of a folder"},
      {"[[policy]]\nmetric = \"x\"\n", "tracker.toml:1:1: a [[policy]] needs a match"},
      {"[[policy]]\nmatch = \"\"\n",
       "tracker.toml:2:9: expected a pattern, such as \"gemm/*\", not an empty text"},
      {"[[policy]]\nmatch = \"x\"\nbetter = \"faster\"\n",
       "tracker.toml:3:10: expected one of \"higher\", \"lower\""},
      {"[[policy]]\nmatch = \"x\"\nsame_code = \"never\"\n",
       "tracker.toml:3:13: expected one of \"report\", \"fail_in_turn\", \"fail\""},
      {"[[policy]]\nmatch = \"x\"\nreport_only = 1\n", "tracker.toml:3:15: expected true or false"},
      {"[[policy]]\nmatch = \"x\"\nmay_be_missing = \"yes\"\n", "tracker.toml:3:18: expected true or false"},
      {"[[policy]]\nmatch = \"x\"\nmetric = 1\n",
       "tracker.toml:3:10: expected the name of a metric or a counter"},
      {"[[policy]]\nmatch = \"x\"\nbound = []\n", "tracker.toml:3:9: expected the name of a benchmark"},
  };
  for (const auto& row : rows) EXPECT_THAT(error_in(row.text), HasSubstr(row.message)) << row.text;
}

TEST(Config, ABinaryIsItsPathAndItsArguments) {
  const Config config = parse_text(
      "[[binary]]\npath = \"a/bench\"\n[[binary]]\npath = \"b/bench\"\nprefix = \"b/\"\n"
      "[[binary]]\npath = \"b/bench\"\narguments = [\"--xml\"]\nprefix = \"xml/\"\nwhen = \"asked\"\n"
      "[[binary]]\npath = \"other\"\nwhen = \"gpu\"\n[[binary]]\npath = \"other\"\nwhen = \"no-gpu\"\n");
  ASSERT_THAT(config.binaries, SizeIs(5));
  EXPECT_EQ(config.binaries[1].prefix, "b/");
  std::vector<std::string> labels;
  for (const auto& binary : config.binaries) labels.push_back(label_of(binary));
  EXPECT_THAT(labels, ElementsAre("a/bench", "b/bench", "b/bench --xml", "other", "other"));
  EXPECT_THAT(config.policy.asked, ElementsAre("b/bench --xml"));
  const std::string twice = "[[binary]]\npath = \"a\"\narguments = [\"-x\"]\n";
  EXPECT_THAT(
      error_in(twice + twice + "prefix = \"p/\"\n"),
      AllOf(HasSubstr("4:1"), HasSubstr("a second [[binary]] 'a -x' with the same path and arguments")));
}

TEST(Config, CpusAndPriority) {
  const auto cpus = [](const std::string& text) {
    return parse_text("[measure]\ncpus = \"" + text + "\"\n").measure.cpus;
  };
  EXPECT_EQ(cpus("all"), "");
  EXPECT_EQ(cpus("auto"), "auto");
  EXPECT_EQ(cpus("2-3,6"), "2-3,6");
  EXPECT_THAT(error_in("[measure]\ncpus = \"3-2\"\n"), HasSubstr("a list of CPUs"));
  EXPECT_TRUE(parse_text("[measure]\npriority = \"high\"\n").measure.high_priority);
  EXPECT_THAT(error_in("[measure]\npriority = 3\n"), HasSubstr("\"high\""));
}

TEST(Config, Sweeps) {
  const Config config = parse_text(
      "[[sweep]]\nmatch = \"blocks/*\"\nrows = \"{2}\"\ncolumns = \"{5} of {4}\"\nrow_title = \"variant\"\n"
      "column_title = \"block\"\n[[sweep]]\nmatch = \"BM_*\"\n"
      "[[binary]]\npath = \"build/x\"\nwhen = \"asked\"\n[[binary]]\npath = \"y\"\n");
  ASSERT_THAT(config.sweeps, SizeIs(2));
  const Sweep& sweep = config.sweeps[0];
  EXPECT_EQ(sweep.match, "blocks/*");
  EXPECT_EQ(sweep.rows, "{2}");
  EXPECT_EQ(sweep.columns, "{5} of {4}");
  EXPECT_EQ(sweep.row_title, "variant");
  EXPECT_EQ(sweep.column_title, "block");
  EXPECT_EQ(config.sweeps[1].rows, "");
  EXPECT_EQ(config.binaries.at(0).when, RunsWhere::kAsked);
  EXPECT_THAT(config.policy.asked, ElementsAre("x"));
  const std::pair<const char*, const char*> wrong[] = {
      {"[[sweep]]\nrows = \"{1}\"\n", "tracker.toml:1:1: a [[sweep]] needs a match"},
      {"[sweep]\nmatch = \"x\"\n", "write [[sweep]] with two brackets"},
      {"[[sweep]]\nmatch = \"x\"\nrows = \"variant\"\n",
       "tracker.toml:3:8: expected segments of the names, such as \"{2}\""},
      {"[[sweep]]\nmatch = \"x\"\ncolumns = 5\n", "tracker.toml:3:11: expected segments of the names"},
      {"[[sweep]]\nmatch = \"x\"\ncolums = \"{5}\"\n", "did you mean 'columns'?"}};
  for (const auto& [text, message] : wrong) EXPECT_THAT(error_in(text), HasSubstr(message)) << text;
}

TEST(Config, WorkOfRooflines) {
  const Config config = parse_text(
      "[[roofline]]\nmatch = \"gemm/*\"\nbytes = \"{3}/8 * ({4.1}*{4.3} + {4.3}*{4.2})\"\n"
      "[[roofline]]\nmatch = \"BM_*\"\nflops = \"2*{2}\"\n");
  ASSERT_THAT(config.work, SizeIs(2));
  EXPECT_EQ(config.work[0].match, "gemm/*");
  EXPECT_EQ(config.work[0].bytes, "{3}/8 * ({4.1}*{4.3} + {4.3}*{4.2})");
  EXPECT_EQ(config.work[0].flops, "");
  EXPECT_EQ(config.work[1].flops, "2*{2}");
  const std::pair<const char*, const char*> wrong[] = {
      {"[[roofline]]\nbytes = \"1\"\n", "tracker.toml:1:1: a [[roofline]] needs a match"},
      {"[[roofline]]\nmatch = \"x\"\n", "tracker.toml:1:1: a [[roofline]] needs bytes or flops"},
      {"[[roofline]]\nmatch = \"x\"\nbytes = \"{4} bytes\"\n",
       "tracker.toml:3:9: expected a formula, such as "},
      {"[[roofline]]\nmatch = \"x\"\nbytes = 4\n", "tracker.toml:3:9: expected a formula"},
      {"[[roofline]]\nmatch = \"x\"\nbyte = \"4\"\n", "did you mean 'bytes'?"}};
  for (const auto& [text, message] : wrong) EXPECT_THAT(error_in(text), HasSubstr(message)) << text;
}

TEST(Config, ThresholdsAreSharesInQuotes) {
  for (const char* value : {"2", "0.02", "\"2\"", "\"\"", "\"-1%\"", "\"0%\"", "\"nan%\"", "\"inf%\"",
                            "\"1000%\"", "\"2%%\"", "\"% 2\"", "\"+2%\"", "\"2 percent\"", "true", "[]"})
    EXPECT_THAT(error_in("[[policy]]\nmatch = \"x\"\nthreshold = " + std::string(value) + "\n"),
                StartsWith("tracker.toml:3:13: expected a share in quotes, such as \"2%\""))
        << value;
}

TEST(Config, SyntaxErrorsNameThePlace) {
  EXPECT_THAT(error_in("[measure\n"), StartsWith("tracker.toml:1:9: "));
  EXPECT_THAT(error_in("[measure]\ninvocations = \n"), StartsWith("tracker.toml:2:"));
  EXPECT_THAT(error_in("[measure]\ninvocations = 1\ninvocations = 2\n"), StartsWith("tracker.toml:3:"));
  EXPECT_THAT(error_in("[store]\nref = \"\xFF\"\n"), StartsWith("tracker.toml:2:"));
  EXPECT_THAT(error_in("x = " + std::string(100'000, '[')), StartsWith("tracker.toml:1:"));
  EXPECT_THAT(error_in(std::string("a\0b", 3)), StartsWith("tracker.toml:1:"));
}

// Whoever may write tracker.toml says where promote writes, which must not be outside of the repository.
TEST(Config, BaselinesLieInTheRepository) {
  EXPECT_EQ(parse_text("[baselines]\ndirectory = \"perf/../baselines/\"").baselines_directory,
            "perf/../baselines/");
  for (const char* directory : {"/tmp/x", "../x", "a/../../x", "..", "a\\n::error::x", "x\\u001b"})
    EXPECT_THAT(error_in(std::string("[baselines]\ndirectory = \"") + directory + "\""),
                StartsWith("tracker.toml:2:13: expected a folder in the repository"))
        << directory;
}

// toml++ reads and frees what lies in one another by recursion: each of these ended with signal 11.
TEST(Config, NothingIsNestedWithoutEnd) {
  std::string dotted = "a";
  std::string tables;
  std::string inner = "1";
  for (int i = 0; i < 40'000; ++i) dotted += ".a";
  for (int i = 0; i < 200; ++i) tables += "[a" + dotted.substr(1, 2 * static_cast<std::size_t>(i)) + "]\n";
  for (int i = 0; i < 200; ++i) inner = "{" + dotted.substr(0, 181) + " = " + inner + "}";
  for (const std::string& text :
       {"[" + dotted + "]", "[[" + dotted + "]]", dotted + " = 1", "x = {" + dotted + " = 1}", "x = " + inner,
        tables, "x = [\n" + std::string(5000, '{'),
        "\"" + std::string(9, 'a') + "\"" + dotted.substr(1) + " = 1"})
    EXPECT_THAT(error_in(text), HasSubstr("nested more than 100 levels deep")) << text.substr(0, 100);
  std::string floats =
      "[[accepted]]\nreason = \"" + std::string(500, '.') + "\" # " + std::string(500, '.') + "\nmore = [\n";
  for (int i = 0; i < 500; ++i) floats += "  0.5,\n";
  EXPECT_THAT(error_in(floats + "]"), HasSubstr("unknown key 'more'"));
}

TEST(ParseShare, ReadsPercents) {
  EXPECT_EQ(parse_share("2%"), 0.02);
  EXPECT_EQ(parse_share("2 %"), 0.02);
  EXPECT_EQ(parse_share("0.5%"), 0.005);
  EXPECT_EQ(parse_share("150%"), 1.5);
  EXPECT_EQ(parse_share("2"), std::nullopt);
  EXPECT_EQ(parse_share("%"), std::nullopt);
  EXPECT_EQ(parse_share(""), std::nullopt);
  EXPECT_EQ(parse_share("-2%"), std::nullopt);
}

// toml++ 3.3 asserts on it where it is built with assertions.
TEST(ConfigFile, RefusesATableWithoutAName) {
  for (const std::string text : {"[=", "[[=", "  [ ="})
    EXPECT_THAT(error_of([&] { parse_config("\n" + text, "tracker.toml"); }),
                testing::HasSubstr("tracker.toml:2:" + std::to_string(text.size()) +
                                   ": expected the name of a table"));
}

const Waiver& accepted_copy() {
  static const Waiver accepted{"copy/*", "bounds are \"checked\" \\ now\n", std::string(40, 'a'), 0.12341,
                               ""};
  return accepted;
}

TEST(AcceptedText, KeepsAllElseAndAddsATable) {
  const std::string before = "# What we measure\n[[policy]] # all\nmatch = \"*\"   # really\n";
  const std::string after = with_accepted_table(before, accepted_copy(), "tracker.toml");
  EXPECT_EQ(after, before + "\n[[accepted]]\nmatch = \"copy/*\"\ncommit = \"" + std::string(40, 'a') +
                       "\"\nceiling = \"12.35%\"\nreason = \"bounds are \\\"checked\\\" \\\\ now\\u000A\"\n");
}

TEST(AcceptedText, IsReadBack) {
  const auto config = parse_config(with_accepted_table("", accepted_copy(), "t"), "t");
  ASSERT_EQ(config.policy.accepted.size(), 1u);
  const Waiver& read = config.policy.accepted[0];
  EXPECT_EQ(read.match, "copy/*");
  EXPECT_EQ(read.granted, std::string(40, 'a'));
  EXPECT_EQ(read.reason, accepted_copy().reason);
  EXPECT_NEAR(read.ceiling, 0.1235, 1e-9);
  EXPECT_EQ(read.expires, "");
  EXPECT_TRUE(config.policy.waivers.empty()) << "it holds only where its commit lies between both sides";
}

TEST(AcceptedText, TakesALastLineWithoutAnEnd) {
  const auto twice =
      with_accepted_table(with_accepted_table("# no end", accepted_copy(), "t"), accepted_copy(), "t");
  EXPECT_TRUE(twice.starts_with("# no end\n\n[[accepted]]\n"));
  EXPECT_EQ(parse_config(twice, "t").policy.accepted.size(), 2u);
}

TEST(AcceptedText, RefusesATextThatCannotTakeIt) {
  EXPECT_THROW(with_accepted_table("accepted = 1\n", accepted_copy(), "t"), Error);
  EXPECT_THROW(with_accepted_table("x = \"open", accepted_copy(), "t"), Error);
}

TEST(AcceptedText, OfTheMachineHasNoCeiling) {
  Waiver accepted = accepted_copy();
  accepted.machine = true;
  const std::string text = with_accepted_table("", accepted, "t");
  EXPECT_EQ(text.find("ceiling"), std::string::npos);
  EXPECT_TRUE(parse_config(text, "t").policy.accepted.at(0).machine);
  EXPECT_THROW(parse_config(text + "ceiling = \"1%\"\n", "t"), Error);
  EXPECT_THROW(parse_config(text + "cause = \"host\"\n", "t"), Error);
}

TEST(AcceptedText, TheTableNeedsAllOfItsKeys) {
  EXPECT_THROW(parse_config("[[accepted]]\nmatch = \"a\"\ncommit = \"1a2b3c4\"\nreason = \"b\"\n", "t"),
               Error);
  EXPECT_THROW(
      parse_config("[[accepted]]\nmatch = \"a\"\ncommit = \"HEAD\"\nreason = \"b\"\nceiling = \"1%\"\n", "t"),
      Error);
}

}  // namespace
}  // namespace tracker::formats
