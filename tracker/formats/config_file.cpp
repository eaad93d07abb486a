#include "tracker/formats/config_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>

#include <toml++/toml.h>

#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/formats/policy_tables.hpp"
#include "tracker/model/benchmark_name.hpp"

namespace tracker::formats {
namespace {

Binary read_binary(const Section& top, const toml::table& table) {
  Binary binary;
  Section section(top, "[[binary]]");
  section.text("path", binary.path, "a path")
      .texts("arguments", binary.arguments, "a list of texts")
      .text("directory", binary.directory, "a folder")
      .text("prefix", binary.prefix, "a text, such as \"json/\"")
      .choice("format", binary.prints_rows, {{"csv", true}, {"ndjson", true}, {"auto", false}})
      .choice("when", binary.when,
              {{"always", RunsWhere::kAlways},
               {"gpu", RunsWhere::kGpu},
               {"no-gpu", RunsWhere::kNoGpu},
               {"asked", RunsWhere::kAsked}})
      .texts("reads", binary.reads, "a list of files of the repository, such as [\"data/*\"]")
      .choice("device", binary.device,
              {{"auto", RunsOn::kAuto}, {"cpu", RunsOn::kCpu}, {"gpu", RunsOn::kGpu}});
  section.read(table);
  if (binary.path.empty()) section.fail(table.source(), "a [[binary]] needs a path");
  return binary;
}

// With a GPU and without one are never the same machine.
bool meet(RunsWhere a, RunsWhere b) {
  return !(a == RunsWhere::kGpu && b == RunsWhere::kNoGpu) &&
         !(a == RunsWhere::kNoGpu && b == RunsWhere::kGpu);
}

bool names_segments(const std::string& text) {
  return !segments_in(text).empty();
}

Sweep read_sweep(const Section& top, const toml::table& table) {
  constexpr char kSegments[] = "segments of the names, such as \"{2}\"";
  Sweep sweep;
  Section section(top, "[[sweep]]");
  section.text("match", sweep.match, "a pattern, such as \"blocks/*\"")
      .text("rows", sweep.rows, kSegments, names_segments, kSegments)
      .text("columns", sweep.columns, kSegments, names_segments, kSegments)
      .text("row_title", sweep.row_title, "what a row is")
      .text("column_title", sweep.column_title, "what a column is");
  section.read(table);
  if (sweep.match.empty()) section.fail(table.source(), "a [[sweep]] needs a match");
  return sweep;
}

WorkRule read_work(const Section& top, const toml::table& table) {
  constexpr char kFormula[] = "a formula, such as \"4 * ({4.1}*{4.3} + {4.3}*{4.2})\"";
  WorkRule rule;
  Section section(top, "[[roofline]]");
  section.text("match", rule.match, "a pattern, such as \"gemm/*\"")
      .text("bytes", rule.bytes, kFormula, is_work_formula, kFormula)
      .text("flops", rule.flops, kFormula, is_work_formula, kFormula);
  section.read(table);
  if (rule.match.empty()) section.fail(table.source(), "a [[roofline]] needs a match");
  if (rule.bytes.empty() && rule.flops.empty())
    section.fail(table.source(), "a [[roofline]] needs bytes or flops");
  return rule;
}

BuildCommands read_commands(const Section& section, const toml::node& node) {
  const std::string expected = "a list of commands, each a list of texts: [[\"make\", \"-j\"]]";
  if (!node.is_array()) section.fail_expected(node, expected);
  BuildCommands commands;
  for (const auto& command : *node.as_array()) {
    commands.push_back(section.texts(command, expected));
    if (commands.back().empty() || commands.back().front().empty())
      section.fail(command.source(), "an empty command");
  }
  return commands;
}

std::string read_cpus(const Section& section, const toml::node& node) {
  const std::string expected = "\"all\", \"auto\" or a list of CPUs, such as \"2-3,6\"";
  const std::string cpus = section.text(node, expected);
  if (cpus == "all") return "";
  if (cpus != "auto" && parse_cpu_list(cpus).empty()) section.fail_expected(node, expected);
  return cpus;
}

int read_worktrees(const Section& section, const toml::node& node) {
  constexpr int kMax = 26;
  const int worktrees = section.count(node, kMax);
  if (worktrees < 2) section.fail_expected(node, "at least 2, one for each side");
  return worktrees;
}

MeasureSettings read_measure(const Section& top, const toml::node& node) {
  constexpr int kMost = 1000;
  constexpr char kGpus[] = "\"all\", a number such as \"2\", or UUIDs: \"GPU-5f1c,GPU-8a02\"";
  MeasureSettings measure;
  Section section(top, "[measure]");
  section.key("build", measure.build, read_commands)
      .count("invocations", measure.invocations, kMost)
      .count("repetitions", measure.repetitions, kMost)
      .positive("timeout_s", measure.timeout_s)
      .key("cpus", measure.cpus, read_cpus)
      .choice("priority", measure.high_priority, {{"normal", false}, {"high", true}})
      .text("gpus", measure.gpus, kGpus, is_gpu_choice, kGpus)
      .positive("lease_wait_s", measure.lease_wait_s)
      .positive("build_timeout_s", measure.build_timeout_s)
      .truth("clean", measure.clean)
      .truth("injection", measure.injection)
      .key("worktrees", measure.worktrees, read_worktrees);
  section.read_table(node);
  measure.says_invocations = node.as_table()->contains("invocations");
  return measure;
}

ProfileSettings read_profile_settings(const Section& top, const toml::node& node) {
  ProfileSettings profile;
  Section section(top, "[profile]");
  section.texts("skip_kernels", profile.skip_kernels, "a list of kernels' names");
  section.read_table(node);
  return profile;
}

// One that git does not use itself.
bool is_own_ref(std::string_view ref) {
  return ref.starts_with("refs/") && !ref.starts_with("refs/heads/") && !ref.starts_with("refs/tags/") &&
         !ref.starts_with("refs/remotes/");
}

bool is_database(std::string_view url) {
  return url.starts_with("postgresql://") || url.starts_with("postgres://");
}

bool is_short_name(std::string_view name) {
  return name.size() <= 200;
}

void read_store(const Section& top, const toml::node& node, Config& config) {
  Section section(top, "[store]");
  section
      .text("ref", config.store_ref, "the name of a ref", is_own_ref,
            "a ref outside of branches and tags, such as \"refs/tracker/v1\"")
      .text("url", config.store_url, "the URL of a database", is_database,
            "a URL such as \"postgresql://db.example/perf\"")
      .text("repository", config.store_repository, "the name of this repository's history in the database",
            is_short_name, "a name of 1 to 200 bytes");
  section.read_table(node);
}

bool is_in_repository(const std::string& directory) {
  const auto path = std::filesystem::path(directory).lexically_normal();
  const bool has_control =
      std::ranges::any_of(directory, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
  return !path.is_absolute() && *path.begin() != ".." && !has_control;
}

void read_baselines(const Section& top, const toml::node& node, std::string& directory) {
  Section section(top, "[baselines]");
  section.text("directory", directory, "the path of a folder", is_in_repository,
               "a folder in the repository, such as \"baselines\"");
  section.read_table(node);
}

// A name that comes back to a rename it has been through would have no end.
void read_renames(const Section& top, const toml::node& node, std::vector<Rename>& renames) {
  std::vector<toml::source_region> places;
  top.each_table("rename", node, [&](const toml::table& table) {
    places.push_back(table.source());
    renames.push_back(read_rename(top, table));
  });
  if (const auto place = rename_in_a_circle(renames))
    top.fail(places[*place], "the renames go in a circle: what " + in_quotes(renames[*place].from) +
                                 " becomes comes back to it");
}

// toml++ 3.3 asserts that a table's name starts as a key does.
void refuse_headers_without_name(std::string_view text, const std::string& source) {
  if (text.find("\"\"\"") != text.npos || text.find("'''") != text.npos) return;  // not every line is TOML
  int number = 0;
  for (const auto& line : split(text, '\n')) {
    ++number;
    const std::size_t open = line.find_first_not_of(" \t");
    if (open == std::string::npos || line[open] != '[') continue;
    const std::size_t name = line.find_first_not_of("[ \t", open);
    if (name != std::string::npos && line[name] == '=')
      throw Error(ExitCode::kUsage, source + ":" + std::to_string(number) + ":" + std::to_string(name + 1) +
                                        ": expected the name of a table, saw '='");
  }
}

// The end of a TOML string that begins here; the text's where it has none.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string long_quote(3, quote);
  const bool is_long = text.substr(at).starts_with(long_quote);
  for (at += is_long ? 3 : 1; at < text.size(); ++at) {
    if (quote == '"' && text[at] == '\\')
      ++at;
    else if (is_long ? text.substr(at).starts_with(long_quote) : text[at] == quote || text[at] == '\n')
      return at + (is_long ? 3 : 1);
  }
  return text.size();
}

// toml++ follows keys of any number of parts, and of tables in one another, by recursion. Nothing here is
// deeper than "[a.b]".
void refuse_deep_keys(std::string_view text, const std::string& source) {
  constexpr std::size_t kDepthMax = 100;
  std::vector<std::size_t> depths{0};  // of the line, and of each bracket that is open in it
  int line = 1;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    std::size_t next = at + 1;
    if (c == '"' || c == '\'')
      next = end_of_string(text, at);
    else if (c == '#')
      next = std::min(text.find('\n', at), text.size());
    else if (c == '.')
      ++depths.back();
    else if (c == '[' || c == '{')
      depths.push_back(1);
    else if ((c == ']' || c == '}') && depths.size() > 1)
      depths.pop_back();
    else if (c == ',' || (c == '\n' && depths.size() == 1))  // what comes next does not lie in it
      depths.back() = depths.size() > 1 ? 1 : 0;
    const bool is_deeper = c == '.' || c == '[' || c == '{';
    if (is_deeper && std::accumulate(depths.begin(), depths.end(), std::size_t{0}) > kDepthMax)
      throw Error(ExitCode::kUsage, source + ":" + std::to_string(line) + ": nested more than " +
                                        std::to_string(kDepthMax) + " levels deep");
    line += static_cast<int>(std::count(text.begin() + static_cast<std::ptrdiff_t>(at),
                                        text.begin() + static_cast<std::ptrdiff_t>(next), '\n'));
    at = next;
  }
}

std::string percent_text(double share) {
  constexpr double kPercentParts = 10000;  // of the whole: hundredths of a per cent
  constexpr double kRounding = 1e-9;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.10g%%", std::ceil(share * kPercentParts - kRounding) / 100);
  return text.data();
}

}  // namespace

Config parse_config(std::string_view text, const std::string& source) {
  refuse_headers_without_name(text, source);
  refuse_deep_keys(text, source);
  Config config;
  const auto read_other_binary = [&](const Section& section, const toml::table& table) {
    Binary binary = read_binary(section, table);
    for (const auto& other : config.binaries)
      if (is_same_binary(other, binary) && meet(other.when, binary.when))
        section.fail(table.source(), "a second [[binary]] " + in_quotes(describe(binary)) +
                                         " with the same path and arguments: give it other arguments, or "
                                         "leave it out");
    return binary;
  };
  Section top(source, "tracker.toml");
  top.list("binary", config.binaries, read_other_binary)
      .key("measure", config.measure, read_measure)
      .key("profile", config.profile, read_profile_settings)
      .key("store", [&](const toml::node& node) { read_store(top, node, config); })
      .key("baselines",
           [&](const toml::node& node) { read_baselines(top, node, config.baselines_directory); })
      .list("policy", config.policy.rules, read_policy_rule)
      .list("waiver", config.policy.waivers, read_waiver)
      .list("accepted", config.policy.accepted, read_accepted)
      .key("rename", [&](const toml::node& node) { read_renames(top, node, config.policy.renames); })
      .list("sweep", config.sweeps, read_sweep)
      .list("roofline", config.work, read_work)
      .key("judge", [&](const toml::node& node) { read_judge(top, node, config.policy); })
      .key("drift", config.drift, read_drift)
      .key("notify", config.notify, read_notify)
      .key("sentinel", config.policy.sentinel, read_sentinel);
  try {
    top.read(toml::parse(text, source));
    label_binaries(config.binaries);
    for (const auto& binary : config.binaries)
      if (binary.when == RunsWhere::kAsked) config.policy.asked.push_back(label_of(binary));
  } catch (const toml::parse_error& error) {
    top.fail(error.source(), std::string(error.description()));
  }
  return config;
}

Config read_config(const std::filesystem::path& path) {
  constexpr std::uintmax_t kConfigBytesMax = 1 << 20;
  std::error_code failure;
  const auto status = std::filesystem::status(path, failure);
  if (status.type() == std::filesystem::file_type::not_found) return {};
  const bool empty =
      std::filesystem::is_regular_file(status) && std::filesystem::file_size(path, failure) == 0;
  if (empty) return {};
  return parse_config(read_file(path, kConfigBytesMax), path.filename().string());
}

std::string with_accepted_table(const std::string& toml, const Waiver& accepted, const std::string& source) {
  std::string out = toml;
  if (!out.empty() && !out.ends_with('\n')) out += '\n';
  if (!out.empty()) out += '\n';
  out += "[[accepted]]\nmatch = " + toml_text(accepted.match) + "\ncommit = " + toml_text(accepted.granted) +
         (accepted.machine ? "\ncause = \"machine\""
                           : "\nceiling = \"" + percent_text(accepted.ceiling) + "\"") +
         "\nreason = " + toml_text(accepted.reason) + "\n";
  parse_config(out, source);
  return out;
}

}  // namespace tracker::formats
