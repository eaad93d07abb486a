#include "tracker/formats/config_file.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <sstream>

#include <toml++/toml.h>

#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"

namespace tracker {
namespace {

// One table of the file, with the keys it may have: each row reads one.
class Section {
 public:
  using Reader = std::function<void(const toml::node&)>;

  Section(std::string source, std::string name) : source_(std::move(source)), name_(std::move(name)) {}

  Section& key(const std::string& name, Reader reader) {
    names_.push_back(name);
    readers_.push_back(std::move(reader));
    return *this;
  }

  void read(const toml::table& table) const {
    for (const auto& [key, value] : table) {
      const std::string name(key.str());
      const auto row = std::find(names_.begin(), names_.end(), name);
      if (row == names_.end()) refuse_unknown(name, key.source());
      readers_[static_cast<std::size_t>(row - names_.begin())](value);
    }
  }

  // A value of this type, or the error that says which was expected.
  template <typename T>
  T value(const toml::node& node, const std::string& expected) const {
    if (const auto found = node.value_exact<T>()) return *found;
    fail(node.source(), "expected " + expected);
  }

  // Not empty; without NUL, which neither a path nor an argument can hold.
  std::string text(const toml::node& node, const std::string& expected) const {
    const auto found = any_text(node, expected);
    if (found.empty()) fail(node.source(), "expected " + expected + ", not an empty text");
    return found;
  }

  std::string any_text(const toml::node& node, const std::string& expected) const {
    const auto found = value<std::string>(node, expected);
    if (found.find('\0') != std::string::npos) fail(node.source(), "expected " + expected + ", without NUL");
    return found;
  }

  int count(const toml::node& node, int max) const {
    const std::string expected = "a whole number from 1 to " + std::to_string(max);
    const auto number = node.is_integer() ? value<std::int64_t>(node, expected) : 0;
    if (number < 1 || number > max) fail(node.source(), "expected " + expected);
    return static_cast<int>(number);
  }

  double positive(const toml::node& node) const {
    constexpr int kMax = 1000000;
    const double number = node.is_number() ? *node.value<double>() : 0;
    if (!(number > 0) || number > kMax)
      fail(node.source(), "expected a number above 0, up to " + std::to_string(kMax));
    return number;
  }

  double share(const toml::node& node) const {
    const auto share = node.is_string() ? parse_share(*node.value<std::string>()) : std::nullopt;
    if (!share) fail(node.source(), "expected a share in quotes, such as \"2%\"");
    return *share;
  }

  std::vector<std::string> texts(const toml::node& node, const std::string& expected) const {
    const toml::array* array = node.as_array();
    if (array == nullptr) fail(node.source(), "expected " + expected);
    std::vector<std::string> all;
    for (const auto& item : *array) all.push_back(any_text(item, expected));
    return all;
  }

  template <typename T>
  T choice(const toml::node& node, const std::vector<std::pair<std::string, T>>& choices) const {
    std::vector<std::string> names;
    for (const auto& [name, value] : choices) names.push_back("\"" + name + "\"");
    const std::string word = node.is_string() ? *node.value<std::string>() : "";
    for (const auto& [name, value] : choices)
      if (name == word) return value;
    fail(node.source(), "expected one of " + join(names, ", "));
  }

  [[noreturn]] void fail(const toml::source_region& at, const std::string& what,
                         const std::string& hint = {}) const {
    throw Error(
        ExitCode::kUsage,
        source_ + ":" + std::to_string(at.begin.line) + ":" + std::to_string(at.begin.column) + ": " + what,
        hint);
  }

 private:
  [[noreturn]] void refuse_unknown(const std::string& name, const toml::source_region& at) const {
    const auto meant = nearest(name, names_);
    fail(at, "unknown key '" + printable(name) + "' in " + name_,
         meant ? "did you mean '" + *meant + "'?" : "known keys: " + join(names_, ", "));
  }

  std::string source_;
  std::string name_;
  std::vector<std::string> names_;
  std::vector<Reader> readers_;
};

Binary read_binary(const std::string& source, const toml::table& table) {
  Binary binary;
  Section section(source, "[[binary]]");
  section.key("path", [&](const auto& n) { binary.path = section.text(n, "a path"); })
      .key("arguments", [&](const auto& n) { binary.arguments = section.texts(n, "a list of texts"); })
      .key("when",
           [&](const auto& n) {
             binary.when = section.choice<RunsWhere>(
                 n,
                 {{"always", RunsWhere::kAlways}, {"gpu", RunsWhere::kGpu}, {"no-gpu", RunsWhere::kNoGpu}});
           })
      .key("device", [&](const auto& n) {
        binary.device = section.choice<RunsOn>(
            n, {{"auto", RunsOn::kAuto}, {"cpu", RunsOn::kCpu}, {"gpu", RunsOn::kGpu}});
      });
  section.read(table);
  if (binary.path.empty()) section.fail(table.source(), "a [[binary]] needs a path");
  return binary;
}

PolicyRule read_rule(const std::string& source, const toml::table& table) {
  PolicyRule rule;
  Section section(source, "[[policy]]");
  section.key("match", [&](const auto& n) { rule.match = section.text(n, "a pattern, such as \"gemm/*\""); })
      .key("metric",
           [&](const auto& n) { rule.metric = section.text(n, "the name of a metric or a counter"); })
      .key(
          "better",
          [&](const auto& n) {
            rule.better = section.choice<Better>(n, {{"higher", Better::kHigher}, {"lower", Better::kLower}});
          })
      .key("threshold", [&](const auto& n) { rule.threshold = section.share(n); })
      .key("report_only", [&](const auto& n) { rule.report_only = section.value<bool>(n, "true or false"); })
      .key("may_be_missing",
           [&](const auto& n) { rule.may_be_missing = section.value<bool>(n, "true or false"); })
      .key("bound", [&](const auto& n) { rule.bound = section.text(n, "the name of a benchmark"); });
  section.read(table);
  if (rule.match.empty()) section.fail(table.source(), "a [[policy]] needs a match");
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
      .key("invocations", [&](const auto& n) { measure.invocations = section.count(n, 1000); })
      .key("repetitions", [&](const auto& n) { measure.repetitions = section.count(n, 1000); })
      .key("timeout_s", [&](const auto& n) { measure.timeout_s = section.positive(n); })
      .key("build_timeout_s", [&](const auto& n) { measure.build_timeout_s = section.positive(n); });
  if (!node.is_table()) section.fail(node.source(), "[measure] is a table");
  section.read(*node.as_table());
}

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

void read_store(const std::string& source, const toml::node& node, std::string& ref) {
  Section section(source, "[store]");
  section.key("ref", [&](const toml::node& n) {
    ref = section.text(n, "the name of a ref");
    bool own = ref.starts_with("refs/");
    for (const char* git_uses : {"refs/heads/", "refs/tags/", "refs/remotes/"})
      own = own && !ref.starts_with(git_uses);
    if (!own)
      section.fail(n.source(), "expected a ref outside of branches and tags, such as \"refs/tracker/v1\"");
  });
  if (!node.is_table()) section.fail(node.source(), "[store] is a table");
  section.read(*node.as_table());
}

void read_baselines(const std::string& source, const toml::node& node, std::string& directory) {
  Section section(source, "[baselines]");
  section.key("directory", [&](const auto& n) { directory = section.text(n, "the path of a folder"); });
  if (!node.is_table()) section.fail(node.source(), "[baselines] is a table");
  section.read(*node.as_table());
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

Config parse_config(std::string_view text, const std::string& source) {
  Config config;
  Section top(source, "tracker.toml");
  top.key("binary",
          [&](const auto& n) {
            read_list(top, n, "[[binary]]", config.binaries,
                      [&](const toml::table& table) { return read_binary(source, table); });
          })
      .key("measure", [&](const auto& n) { read_measure(source, n, config.measure); })
      .key("store", [&](const auto& n) { read_store(source, n, config.store_ref); })
      .key("baselines", [&](const auto& n) { read_baselines(source, n, config.baselines_directory); })
      .key("policy", [&](const auto& n) {
        read_list(top, n, "[[policy]]", config.policy.rules,
                  [&](const toml::table& table) { return read_rule(source, table); });
      });
  try {
    top.read(toml::parse(text, source));
  } catch (const toml::parse_error& error) {
    top.fail(error.source(), printable(error.description()));
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

}  // namespace tracker
