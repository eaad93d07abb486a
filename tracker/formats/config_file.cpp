#include "tracker/formats/config_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
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

constexpr int kWorktreesMax = 26;

template <typename T, typename Read>
void read_list(const Section& top, const toml::node& node, const std::string& name, std::vector<T>& list,
               Read read) {
  const toml::array* array = node.as_array();
  if (array == nullptr) top.fail(node.source(), "write " + name + " with two brackets");
  for (const auto& item : *array) {
    if (!item.is_table()) top.fail(item.source(), "write " + name + " with two brackets");
    list.push_back(read(*item.as_table()));
  }
}

Binary read_binary(const std::string& source, const toml::table& table) {
  Binary binary;
  Section section(source, "[[binary]]");
  section.key("path", [&](const auto& n) { binary.path = section.text(n, "a path"); })
      .key("arguments", [&](const auto& n) { binary.arguments = section.texts(n, "a list of texts"); })
      .key("directory", [&](const auto& n) { binary.directory = section.text(n, "a folder"); })
      .key("prefix", [&](const auto& n) { binary.prefix = section.text(n, "a text, such as \"json/\""); })
      .key("format",
           [&](const auto& n) {
             binary.prints_rows = section.choice<bool>(n, {{"csv", true}, {"ndjson", true}, {"auto", false}});
           })
      .key("when",
           [&](const auto& n) {
             binary.when = section.choice<RunsWhere>(n, {{"always", RunsWhere::kAlways},
                                                         {"gpu", RunsWhere::kGpu},
                                                         {"no-gpu", RunsWhere::kNoGpu},
                                                         {"asked", RunsWhere::kAsked}});
           })
      .key("reads",
           [&](const auto& n) {
             binary.reads = section.texts(n, "a list of files of the repository, such as [\"data/*\"]");
           })
      .key("device", [&](const auto& n) {
        binary.device = section.choice<RunsOn>(
            n, {{"auto", RunsOn::kAuto}, {"cpu", RunsOn::kCpu}, {"gpu", RunsOn::kGpu}});
      });
  section.read(table);
  if (binary.path.empty()) section.fail(table.source(), "a [[binary]] needs a path");
  return binary;
}

// With a GPU and without one are never the same machine.
bool meet(RunsWhere a, RunsWhere b) {
  return !(a == RunsWhere::kGpu && b == RunsWhere::kNoGpu) &&
         !(a == RunsWhere::kNoGpu && b == RunsWhere::kGpu);
}

void read_binaries(const std::string& source, const Section& top, const toml::node& node,
                   std::vector<Binary>& binaries) {
  read_list(top, node, "[[binary]]", binaries, [&](const toml::table& table) {
    Binary binary = read_binary(source, table);
    for (const auto& other : binaries)
      if (is_same_binary(other, binary) && meet(other.when, binary.when))
        top.fail(table.source(), "a second [[binary]] " + in_quotes(describe(binary)) +
                                     " with the same path and arguments: give it other arguments, or "
                                     "leave it out");
    return binary;
  });
}

Sweep read_sweep(const std::string& source, const toml::table& table) {
  Sweep sweep;
  Section section(source, "[[sweep]]");
  const auto segments = [&](const toml::node& n) {
    const std::string expected = "segments of the names, such as \"{2}\"";
    const std::string text = section.text(n, expected);
    if (segments_in(text).empty()) section.fail(n.source(), "expected " + expected);
    return text;
  };
  section
      .key("match", [&](const auto& n) { sweep.match = section.text(n, "a pattern, such as \"blocks/*\""); })
      .key("rows", [&](const auto& n) { sweep.rows = segments(n); })
      .key("columns", [&](const auto& n) { sweep.columns = segments(n); })
      .key("row_title", [&](const auto& n) { sweep.row_title = section.text(n, "what a row is"); })
      .key("column_title", [&](const auto& n) { sweep.column_title = section.text(n, "what a column is"); });
  section.read(table);
  if (sweep.match.empty()) section.fail(table.source(), "a [[sweep]] needs a match");
  return sweep;
}

WorkRule read_work(const std::string& source, const toml::table& table) {
  WorkRule rule;
  Section section(source, "[[roofline]]");
  const auto formula = [&](const toml::node& n) {
    const std::string expected = "a formula, such as \"4 * ({4.1}*{4.3} + {4.3}*{4.2})\"";
    const std::string text = section.text(n, expected);
    if (!is_work_formula(text)) section.fail(n.source(), "expected " + expected);
    return text;
  };
  section.key("match", [&](const auto& n) { rule.match = section.text(n, "a pattern, such as \"gemm/*\""); })
      .key("bytes", [&](const auto& n) { rule.bytes = formula(n); })
      .key("flops", [&](const auto& n) { rule.flops = formula(n); });
  section.read(table);
  if (rule.match.empty()) section.fail(table.source(), "a [[roofline]] needs a match");
  if (rule.bytes.empty() && rule.flops.empty())
    section.fail(table.source(), "a [[roofline]] needs bytes or flops");
  return rule;
}

void read_measure(const std::string& source, const toml::node& node, MeasureSettings& measure) {
  Section section(source, "[measure]");
  section
      .key("build",
           [&](const toml::node& n) {
             const std::string expected = "a list of commands, each a list of texts: [[\"make\", \"-j\"]]";
             const toml::array* commands = n.as_array();
             if (commands == nullptr) section.fail(n.source(), "expected " + expected);
             for (const auto& command : *commands) {
               measure.build.push_back(section.texts(command, expected));
               if (measure.build.back().empty() || measure.build.back().front().empty())
                 section.fail(command.source(), "an empty command");
             }
           })
      .key("invocations",
           [&](const auto& n) {
             measure.invocations = section.count(n, 1000);
             measure.says_invocations = true;
           })
      .key("repetitions", [&](const auto& n) { measure.repetitions = section.count(n, 1000); })
      .key("timeout_s", [&](const auto& n) { measure.timeout_s = section.positive(n); })
      .key("cpus",
           [&](const toml::node& n) {
             const std::string expected = "\"all\", \"auto\" or a list of CPUs, such as \"2-3,6\"";
             measure.cpus = section.text(n, expected);
             if (measure.cpus == "all") measure.cpus.clear();
             const bool is_list = !parse_cpu_list(measure.cpus).empty();
             if (!measure.cpus.empty() && measure.cpus != "auto" && !is_list)
               section.fail(n.source(), "expected " + expected);
           })
      .key("priority",
           [&](const auto& n) {
             measure.high_priority = section.choice<bool>(n, {{"normal", false}, {"high", true}});
           })
      .key("gpus",
           [&](const toml::node& n) {
             const std::string expected = "\"all\", a number such as \"2\", or UUIDs: \"GPU-5f1c,GPU-8a02\"";
             measure.gpus = section.text(n, expected);
             if (!is_gpu_choice(measure.gpus)) section.fail(n.source(), "expected " + expected);
           })
      .key("lease_wait_s", [&](const auto& n) { measure.lease_wait_s = section.positive(n); })
      .key("build_timeout_s", [&](const auto& n) { measure.build_timeout_s = section.positive(n); })
      .key("clean", [&](const auto& n) { measure.clean = section.value<bool>(n, "true or false"); })
      .key("injection", [&](const auto& n) { measure.injection = section.value<bool>(n, "true or false"); })
      .key("worktrees", [&](const toml::node& n) {
        measure.worktrees = section.count(n, kWorktreesMax);
        if (measure.worktrees < 2) section.fail(n.source(), "expected at least 2, one for each side");
      });
  section.read_table(node);
}

void read_profile(const std::string& source, const toml::node& node, ProfileSettings& profile) {
  Section section(source, "[profile]");
  section.key("skip_kernels",
              [&](const auto& n) { profile.skip_kernels = section.texts(n, "a list of kernels' names"); });
  section.read_table(node);
}

void read_store(const std::string& source, const toml::node& node, Config& config) {
  std::string& ref = config.store_ref;
  Section section(source, "[store]");
  section.key("ref", [&](const toml::node& n) {
    ref = section.text(n, "the name of a ref");
    bool own = ref.starts_with("refs/");
    for (const char* git_uses : {"refs/heads/", "refs/tags/", "refs/remotes/"})
      own = own && !ref.starts_with(git_uses);
    if (!own)
      section.fail(n.source(), "expected a ref outside of branches and tags, such as \"refs/tracker/v1\"");
  });
  section.key("url", [&](const toml::node& n) {
    config.store_url = section.text(n, "the URL of a database");
    if (!config.store_url.starts_with("postgresql://") && !config.store_url.starts_with("postgres://"))
      section.fail(n.source(), "expected a URL such as \"postgresql://db.example/perf\"");
  });
  section.key("repository", [&](const toml::node& n) {
    config.store_repository = section.text(n, "the name of this repository's history in the database");
    if (config.store_repository.empty() || config.store_repository.size() > 200)
      section.fail(n.source(), "expected a name of 1 to 200 bytes");
  });
  section.read_table(node);
}

// A name that comes back to a rename it has been through would have no end.
void read_renames(const std::string& source, const Section& top, const toml::node& node,
                  std::vector<Rename>& renames) {
  std::vector<toml::source_region> places;
  read_list(top, node, "[[rename]]", renames, [&](const toml::table& table) {
    places.push_back(table.source());
    return read_rename(source, table);
  });
  if (const auto place = rename_in_a_circle(renames))
    top.fail(places[*place], "the renames go in a circle: what " + in_quotes(renames[*place].from) +
                                 " becomes comes back to it");
}

void read_baselines(const std::string& source, const toml::node& node, std::string& directory) {
  Section section(source, "[baselines]");
  section.key("directory", [&](const auto& n) {
    directory = section.text(n, "the path of a folder");
    const auto path = std::filesystem::path(directory).lexically_normal();
    const bool has_control = std::any_of(directory.begin(), directory.end(),
                                         [](unsigned char c) { return c < 0x20 || c == 0x7f; });
    if (path.is_absolute() || *path.begin() == ".." || has_control)
      section.fail(n.source(), "expected a folder in the repository, such as \"baselines\"");
  });
  section.read_table(node);
}

}  // namespace

std::optional<double> parse_share(std::string_view text) {
  if (text.empty() || text.back() != '%') return {};
  text.remove_suffix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  double percent = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), percent);
  if (failure != std::errc{} || end != text.data() + text.size() || !(percent > 0) || !(percent < 1000))
    return {};
  return percent / 100;
}

namespace {

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

}  // namespace

Config parse_config(std::string_view text, const std::string& source) {
  refuse_headers_without_name(text, source);
  refuse_deep_keys(text, source);
  Config config;
  Section top(source, "tracker.toml");
  top.key("binary", [&](const auto& n) { read_binaries(source, top, n, config.binaries); })
      .key("measure", [&](const auto& n) { read_measure(source, n, config.measure); })
      .key("profile", [&](const auto& n) { read_profile(source, n, config.profile); })
      .key("store", [&](const auto& n) { read_store(source, n, config); })
      .key("baselines", [&](const auto& n) { read_baselines(source, n, config.baselines_directory); })
      .key("policy",
           [&](const auto& n) {
             read_list(top, n, "[[policy]]", config.policy.rules,
                       [&](const toml::table& table) { return read_policy_rule(source, table); });
           })
      .key("waiver",
           [&](const auto& n) {
             read_list(top, n, "[[waiver]]", config.policy.waivers,
                       [&](const toml::table& table) { return read_waiver(source, table); });
           })
      .key("accepted",
           [&](const auto& n) {
             read_list(top, n, "[[accepted]]", config.policy.accepted,
                       [&](const toml::table& table) { return read_accepted(source, table); });
           })
      .key("rename", [&](const auto& n) { read_renames(source, top, n, config.policy.renames); })
      .key("sweep",
           [&](const auto& n) {
             read_list(top, n, "[[sweep]]", config.sweeps,
                       [&](const toml::table& table) { return read_sweep(source, table); });
           })
      .key("roofline",
           [&](const auto& n) {
             read_list(top, n, "[[roofline]]", config.work,
                       [&](const toml::table& table) { return read_work(source, table); });
           })
      .key("judge", [&](const auto& n) { read_judge(source, n, config.policy); })
      .key("drift", [&](const auto& n) { config.drift = read_drift(source, n); })
      .key("notify", [&](const auto& n) { config.notify = read_notify(source, n); })
      .key("sentinel", [&](const auto& n) { config.policy.sentinel = read_sentinel(source, n); });
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

namespace {

// Rounded up to hundredths.
std::string percent_text(double share) {
  constexpr double kPercentParts = 10000;  // of the whole: hundredths of a per cent
  constexpr double kRounding = 1e-9;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.10g%%", std::ceil(share * kPercentParts - kRounding) / 100);
  return text.data();
}

}  // namespace

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
