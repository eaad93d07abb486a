#include "tracker/formats/policy_tables.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/formats/config_file.hpp"

namespace tracker::formats {

Section& Section::key(const std::string& name, Reader reader) {
  names_.push_back(name);
  readers_.push_back(std::move(reader));
  return *this;
}

Section& Section::count(const std::string& name, int& to, int max) {
  return key(name, [this, &to, max](const toml::node& node) { to = count(node, max); });
}

Section& Section::positive(const std::string& name, double& to) {
  return key(name, [this, &to](const toml::node& node) {
    constexpr int kMax = 1000000;
    const double number = node.is_number() ? *node.value<double>() : 0;
    if (!(number > 0) || number > kMax)
      fail_expected(node, "a number above 0, up to " + std::to_string(kMax));
    to = number;
  });
}

void Section::read(const toml::table& table) const {
  for (const auto& [key, value] : table) {
    const std::string name(key.str());
    const auto row = std::ranges::find(names_, name);
    if (row == names_.end()) {
      const auto meant = nearest(name, names_);
      fail(key.source(), "unknown key " + in_quotes(name) + " in " + name_,
           meant ? "did you mean '" + *meant + "'?" : "known keys: " + join(names_, ", "));
    }
    readers_[static_cast<std::size_t>(row - names_.begin())](value);
  }
}

void Section::read_table(const toml::node& node) const {
  if (!node.is_table()) fail(node.source(), name_ + " is a table");
  read(*node.as_table());
}

void Section::require(const toml::table& table, const std::vector<std::string>& keys) const {
  for (const auto& key : keys)
    if (!table.contains(key))
      fail(table.source(), "a " + name_ + " needs " + key, "its keys: " + join(keys, ", "));
}

std::string Section::text(const toml::node& node, const std::string& expected) const {
  const auto found = any_text(node, expected);
  if (found.empty()) fail_expected(node, expected + ", not an empty text");
  return found;
}

std::string Section::any_text(const toml::node& node, const std::string& expected) const {
  const auto found = value<std::string>(node, expected);
  if (found.find('\0') != std::string::npos) fail_expected(node, expected + ", without NUL");
  return found;
}

std::vector<std::string> Section::texts(const toml::node& node, const std::string& expected) const {
  if (!node.is_array()) fail_expected(node, expected);
  std::vector<std::string> all;
  for (const auto& item : *node.as_array()) all.push_back(any_text(item, expected));
  return all;
}

int Section::count(const toml::node& node, int max) const {
  const auto number = node.value_exact<std::int64_t>().value_or(0);
  if (number < 1 || number > max) fail_expected(node, "a whole number from 1 to " + std::to_string(max));
  return static_cast<int>(number);
}

double Section::share(const toml::node& node) const {
  const auto share = parse_share(node.value_exact<std::string>().value_or(""));
  if (!share) fail_expected(node, "a share in quotes, such as \"2%\"");
  return *share;
}

std::size_t Section::place_among(const std::vector<std::string>& words, const toml::node& node) const {
  const auto word = std::ranges::find(words, node.value_exact<std::string>().value_or(""));
  if (word == words.end()) fail_expected(node, "one of \"" + join(words, "\", \"") + "\"");
  return static_cast<std::size_t>(word - words.begin());
}

void Section::each_table(const std::string& name, const toml::node& node,
                         const std::function<void(const toml::table&)>& visit) const {
  const std::string expected = "write [[" + name + "]] with two brackets";
  if (!node.is_array()) fail(node.source(), expected);
  for (const auto& item : *node.as_array()) {
    if (!item.is_table()) fail(item.source(), expected);
    visit(*item.as_table());
  }
}

void Section::fail(const toml::source_region& at, const std::string& what, const std::string& hint) const {
  throw Error(
      ExitCode::kUsage,
      source_ + ":" + std::to_string(at.begin.line) + ":" + std::to_string(at.begin.column) + ": " + what,
      hint);
}

void Section::fail_expected(const toml::node& node, const std::string& expected) const {
  fail(node.source(), "expected " + expected);
}

namespace {

constexpr char kPattern[] = "a pattern, such as \"gemm/*\"";
constexpr char kReason[] = "the reason it is accepted for";

// A counter may stand without quotes.
Floor read_floor(const Section& section, const toml::node& node) {
  const std::string expected = "a floor above 0, such as \"3.2 TB/s\", \"2.5 ms\" or \"90% of copy/{2}\"";
  if (node.is_number()) {
    Floor floor;
    floor.limit = *node.value<double>();
    floor.text = format_quantity(floor.limit, "");
    if (!(floor.limit > 0) || !std::isfinite(floor.limit)) section.fail_expected(node, expected);
    return floor;
  }
  const auto floor = parse_floor(section.text(node, expected));
  if (!floor) section.fail_expected(node, expected);
  return *floor;
}

void read_threshold(const Section& section, const toml::node& node, PolicyRule& rule) {
  const auto text = node.value_exact<std::string>();
  if (text && parse_threshold(*text, rule)) return;
  section.fail(node.source(),
               "expected a share in quotes, such as \"2%\", or an amount, such as \"5 ns\"" +
                   (text ? "; \"" + *text + "\" is neither" : ""),
               "a share is above 0 % and below 1000 %");
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// "Passed = 1", "errors <= 0", "verified >= 1": a counter's name may hold blanks.
std::optional<Requirement> parse_requirement(std::string_view text) {
  constexpr std::pair<std::string_view, Requirement::Relation> kRelations[] = {
      {">=", Requirement::Relation::kLeast},
      {"<=", Requirement::Relation::kMost},
      {"==", Requirement::Relation::kEqual},
      {"=", Requirement::Relation::kEqual}};
  for (const auto& [sign, relation] : kRelations) {
    const std::size_t at = text.rfind(sign);
    if (at == text.npos) continue;
    const std::string counter(trimmed(text.substr(0, at)));
    const auto value = parse_number<double>(trimmed(text.substr(at + sign.size())));
    if (!value || counter.empty()) return {};
    return Requirement{counter, relation, *value, std::string(text)};
  }
  return {};
}

Requirement read_requirement(const Section& section, const toml::node& node) {
  const std::string expected = "what a counter has to be, such as \"Passed = 1\" or \"residual <= 1e-6\"";
  const auto requirement = parse_requirement(section.text(node, expected));
  if (!requirement) section.fail_expected(node, expected);
  return *requirement;
}

// What one table says of its own metric; that of benchmarks is known when they are judged.
void check_unit(const Section& section, const toml::table& table, const PolicyRule& rule) {
  if (!rule.floor || rule.floor->of || !rule.metric) return;
  const std::string unit = find_metric(*rule.metric).unit;
  if (rule.floor->unit == unit) return;
  section.fail(table.get("floor")->source(),
               "the floor \"" + rule.floor->text + "\" does not fit the metric " + in_quotes(*rule.metric),
               unit.empty() ? "a counter's floor is a plain number" : "its unit is " + unit);
}

// Quoted, or TOML's own.
std::optional<std::string> date_of(const toml::node& node) {
  if (const toml::value<toml::date>* own = node.as_date()) {
    const toml::date& date = own->get();
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "%04d-%02d-%02d", static_cast<int>(date.year),
                  static_cast<int>(date.month), static_cast<int>(date.day));
    return text.data();
  }
  const auto text = node.value_exact<std::string>();
  return text && is_date(*text) ? text : std::nullopt;
}

bool is_commit(const std::string& text) {
  constexpr std::size_t kShort = 7;
  constexpr std::size_t kWhole = 40;
  return text.size() >= kShort && text.size() <= kWhole &&
         text.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
}

std::string read_granted(const Section& section, const toml::node& node) {
  if (const auto date = date_of(node)) return *date;
  const auto text = node.value_exact<std::string>();
  if (!text || !is_commit(*text))
    section.fail_expected(node, "a date, such as \"2026-11-20\", or 7 to 40 hexadecimal digits of a commit");
  return *text;
}

std::string read_expiry(const Section& section, const toml::node& node) {
  const auto date = date_of(node);
  if (!date) section.fail_expected(node, "a date, such as \"2026-12-31\"");
  return *date;
}

// From the root of the repository, as annotations have it.
std::string read_source(const Section& section, const toml::node& node) {
  const std::string path = section.text(node, "a file of the repository, such as \"kernels/{2}.cu\"");
  const auto segments = split(path, '/');
  const bool leads_out = path.starts_with("/") || std::ranges::find(segments, "..") != segments.end();
  if (leads_out)
    section.fail(node.source(), "a source is a path from the root of the repository",
                 "leave '/' and '..' out");
  return path;
}

std::string read_rename_pattern(const Section& section, const toml::node& node) {
  const std::string pattern = section.text(node, "a name or a pattern, such as \"gemm/old_*\"");
  if (pattern.find('?') != std::string::npos)
    section.fail(node.source(), "a rename has no '?': what it stands for would be lost", "use '*'");
  return pattern;
}

void read_drift_references(const Section& section, const toml::node& node, DriftPolicy& drift) {
  const std::string expected = R"(a list of "release", "baseline" and days, such as "30d" or "12w")";
  const auto names = section.texts(node, expected);
  if (names.empty())
    section.fail(node.source(), "a drift is measured since something: expected " + expected,
                 "to be told of none, write action = \"ignore\"");
  drift.since_release = drift.since_baseline = false;
  drift.since_days.clear();
  for (const auto& name : names) {
    if (name == "release") {
      drift.since_release = true;
    } else if (name == "baseline") {
      drift.since_baseline = true;
    } else if (const auto days = parse_days(name)) {
      drift.since_days.push_back(*days);
    } else {
      section.fail(node.source(), in_quotes(name) + " is no reference: expected " + expected);
    }
  }
}

struct FloorUnit {
  std::string_view name;
  bool is_rate;  // rates come in thousands and more, times in thousandths and less: "Ms" is a slip
};
constexpr FloorUnit kUnits[] = {{"B/s", true}, {"FLOP/s", true}, {"1/s", true}, {"s", false}};

struct Prefix {
  std::string_view text;
  double factor;
};
constexpr Prefix kPrefixes[] = {{"", 1},          {"k", 1e3},  {"M", 1e6},  {"G", 1e9},
                                {"T", 1e12},      {"P", 1e15}, {"m", 1e-3}, {"\u00b5", 1e-6},
                                {"\u03bc", 1e-6}, {"u", 1e-6}, {"n", 1e-9}};

std::optional<Floor> quantity(double number, std::string_view written_unit) {
  Floor floor;
  floor.limit = number;
  if (written_unit.empty()) return floor;
  for (const auto& unit : kUnits)
    for (const auto& prefix : kPrefixes) {
      const bool used = prefix.factor == 1 || (prefix.factor > 1) == unit.is_rate;
      if (!used || written_unit != std::string(prefix.text) + std::string(unit.name)) continue;
      floor.limit = number * prefix.factor;
      floor.unit = unit.name;
      return floor;
    }
  return {};
}

std::optional<Floor> share_of_another(std::string_view share, std::string_view of) {
  const auto limit = parse_share(share);
  if (!limit || !of.starts_with("of ")) return {};
  Floor floor;
  floor.limit = *limit;
  floor.of = trimmed(of.substr(3));
  return floor.of->empty() ? std::nullopt : std::optional<Floor>(floor);
}

}  // namespace

PolicyRule read_policy_rule(const Section& top, const toml::table& table) {
  PolicyRule rule;
  std::vector<std::pair<std::string, std::optional<Statistic>>> statistics;
  for (const auto& row : statistics_known()) statistics.emplace_back(row.name, row.statistic);
  Section section(top, "[[policy]]");
  section.text("match", rule.match, kPattern)
      .text("metric", rule.metric, "the name of a metric or a counter")
      .choice("better", rule.better, {{"higher", Better::kHigher}, {"lower", Better::kLower}})
      .choice("statistic", rule.statistic, statistics)
      .key("threshold", [&](const toml::node& node) { read_threshold(section, node, rule); })
      .key("require", rule.require, read_requirement)
      .key("floor", rule.floor, read_floor)
      .truth("same_clock", rule.same_clock)
      .choice(
          "same_code", rule.same_code,
          {{"report", SameCode::kReport}, {"fail_in_turn", SameCode::kFailInTurn}, {"fail", SameCode::kFail}})
      .choice("identical_code", rule.identical_code,
              {{"skip", IdenticalCode::kSkip}, {"measure", IdenticalCode::kMeasure}})
      .truth("report_only", rule.report_only)
      .truth("may_be_missing", rule.may_be_missing)
      .truth("may_exceed_peak", rule.may_exceed_peak)
      .text("bound", rule.bound, "the name of a benchmark")
      .key("source", rule.source, read_source);
  section.read(table);
  if (rule.match.empty()) section.fail(table.source(), "a [[policy]] needs a match");
  check_unit(section, table, rule);
  return rule;
}

Waiver read_waiver(const Section& top, const toml::table& table) {
  Waiver waiver;
  Section section(top, "[[waiver]]");
  section.text("match", waiver.match, kPattern)
      .text("reason", waiver.reason, kReason)
      .key("granted", waiver.granted, read_granted)
      .share("ceiling", waiver.ceiling)
      .key("expires", waiver.expires, read_expiry);
  section.read(table);
  section.require(table, {"match", "reason", "granted", "ceiling", "expires"});
  if (is_date(waiver.granted) && waiver.expires < waiver.granted)
    section.fail(table.get("expires")->source(),
                 "expires on " + waiver.expires + ", before it was granted on " + waiver.granted);
  return waiver;
}

Waiver read_accepted(const Section& top, const toml::table& table) {
  Waiver accepted;
  Section section(top, "[[accepted]]");
  section.text("match", accepted.match, kPattern)
      .text("commit", accepted.granted, "the id of a commit", is_commit,
            "7 to 40 hexadecimal digits of a commit")
      .choice("cause", accepted.machine, {{"code", false}, {"machine", true}})
      .share("ceiling", accepted.ceiling)
      .text("reason", accepted.reason, kReason);
  section.read(table);
  section.require(table, {"match", "commit", "reason"});
  if (!accepted.machine) section.require(table, {"ceiling"});
  if (accepted.machine && table.contains("ceiling"))
    section.fail(table.get("ceiling")->source(), "a change of the machine has no ceiling");
  return accepted;
}

Rename read_rename(const Section& top, const toml::table& table) {
  Rename rename;
  Section section(top, "[[rename]]");
  section.key("from", rename.from, read_rename_pattern).key("to", rename.to, read_rename_pattern);
  section.read(table);
  section.require(table, {"from", "to"});
  const auto stars = [](const std::string& text) { return std::ranges::count(text, '*'); };
  if (stars(rename.from) != stars(rename.to))
    section.fail(table.get("to")->source(), "'from' and 'to' need equally many '*'");
  if (rename.from == rename.to) section.fail(table.get("to")->source(), "'from' and 'to' are the same");
  return rename;
}

void read_judge(const Section& top, const toml::node& node, Policy& policy) {
  constexpr double kMin = 0.9;
  constexpr double kMax = 0.9999;
  constexpr double kRounding = 1e-12;  // of "99.99%" into a share
  Section section(top, "[judge]");
  section.key("confidence", [&](const toml::node& confidence) {
    const auto share = parse_share(confidence.value_exact<std::string>().value_or(""));
    if (!share || *share < kMin - kRounding || *share > kMax + kRounding)
      section.fail_expected(confidence,
                            "a confidence from \"90%\" to \"99.99%\", in quotes, such as \"99%\"");
    policy.confidence = *share;
  });
  section.read_table(node);
}

DriftPolicy read_drift(const Section& top, const toml::node& node) {
  DriftPolicy drift;
  Section section(top, "[drift]");
  section
      .choice("action", drift.action,
              {{"fail", DriftAction::kFail}, {"warn", DriftAction::kWarn}, {"ignore", DriftAction::kIgnore}})
      .share("threshold", drift.threshold)
      .key("since", [&](const toml::node& since) { read_drift_references(section, since, drift); });
  section.read_table(node);
  return drift;
}

Notify read_notify(const Section& top, const toml::node& node) {
  Notify notify = Notify::kFailed;
  Section section(top, "[notify]");
  section.choice("when", notify, {{"failed", Notify::kFailed}, {"always", Notify::kAlways}});
  section.read_table(node);
  return notify;
}

SentinelSettings read_sentinel(const Section& top, const toml::node& node) {
  SentinelSettings sentinel;
  Section section(top, "[sentinel]");
  section.text("commit", sentinel.commit, "a commit or a tag, in quotes")
      .texts("match", sentinel.match, "a list of globs over benchmarks");
  section.read_table(node);
  section.require(*node.as_table(), {"commit"});
  return sentinel;
}

std::optional<double> parse_share(std::string_view text) {
  if (!text.ends_with('%')) return {};
  text.remove_suffix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  const auto percent = parse_number<double>(text);
  if (!percent || !(*percent > 0) || !(*percent < 1000)) return {};
  return *percent / 100;
}

std::optional<Floor> parse_floor(std::string_view text) {
  double number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc{} || !(number > 0) || !std::isfinite(number)) return {};
  const std::string_view rest = trimmed(text.substr(static_cast<std::size_t>(end - text.data())));
  const std::size_t percent = text.find('%');
  auto floor = rest.starts_with('%')
                   ? share_of_another(text.substr(0, percent + 1), trimmed(text.substr(percent + 1)))
                   : quantity(number, rest);
  if (floor && (!(floor->limit > 0) || !std::isfinite(floor->limit))) return {};
  if (floor) floor->text = text;
  return floor;
}

bool parse_threshold(std::string_view text, PolicyRule& rule) {
  rule.threshold = parse_share(text);
  if (rule.threshold) return true;
  if (text.find('%') != text.npos) return false;
  const auto amount = parse_floor(text);
  if (!amount || amount->unit.empty()) return false;  // "2" is a slip for "2%"
  rule.threshold_amount = amount;
  return true;
}

}  // namespace tracker::formats
