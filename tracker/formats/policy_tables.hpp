// The tables of tracker.toml that say what is accepted: [[policy]], [[waiver]], [[accepted]], [[rename]],
// [judge], [drift], [notify] and [sentinel].
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <toml++/toml.h>

#include "tracker/model/policy.hpp"

namespace tracker::formats {

// Each reads one table; `source` is the file's name. kUsage, naming file, line and column, for a wrong key or
// value.
PolicyRule read_policy_rule(const std::string& source, const toml::table& table);
Waiver read_waiver(const std::string& source, const toml::table& table);
Waiver read_accepted(const std::string& source, const toml::table& table);
Rename read_rename(const std::string& source, const toml::table& table);
void read_judge(const std::string& source, const toml::node& node, Policy& policy);
DriftPolicy read_drift(const std::string& source, const toml::node& node);
Notify read_notify(const std::string& source, const toml::node& node);
SentinelSettings read_sentinel(const std::string& source, const toml::node& node);

// One table of tracker.toml, with the keys it may have: each row reads one. The value functions throw kUsage,
// and name file, line and column.
class Section {
 public:
  // Takes over the value of a key.
  using Reader = std::function<void(const toml::node&)>;

  Section(std::string source, std::string name) : source_(std::move(source)), name_(std::move(name)) {}

  // Adds a key that the table may have.
  Section& key(const std::string& name, Reader reader);

  // Calls the readers of the keys that the table has, in the order of the names.
  void read(const toml::table& table) const;
  // The same, where it has to be a table.
  void read_table(const toml::node& node) const;

  // A value of this type, or the error that says which was expected.
  template <typename T>
  T value(const toml::node& node, const std::string& expected) const {
    if (const auto found = node.value_exact<T>()) return *found;
    fail(node.source(), "expected " + expected);
  }

  // Not empty; without NUL, which neither a path nor an argument can hold.
  std::string text(const toml::node& node, const std::string& expected) const;
  std::string any_text(const toml::node& node, const std::string& expected) const;
  std::vector<std::string> texts(const toml::node& node, const std::string& expected) const;
  int count(const toml::node& node, int max) const;
  double positive(const toml::node& node) const;  // in the unit of the key; at most 1,000,000
  double share(const toml::node& node) const;
  bool truth(const toml::node& node) const;

  // The value beside the word; kUsage, with all words, for another one.
  template <typename T>
  T choice(const toml::node& node, const std::vector<std::pair<std::string, T>>& choices) const {
    std::string names;
    for (const auto& [name, value] : choices) names += (names.empty() ? "\"" : ", \"") + name + "\"";
    const std::string word = node.is_string() ? *node.value<std::string>() : "";
    for (const auto& [name, value] : choices)
      if (name == word) return value;
    fail(node.source(), "expected one of " + names);
  }

  // Throws the error at this place (kUsage): `what` is wrong, and the `hint` is the next step.
  [[noreturn]] void fail(const toml::source_region& at, const std::string& what,
                         const std::string& hint = {}) const;

 private:
  [[noreturn]] void refuse_unknown(const std::string& name, const toml::source_region& at) const;

  std::string source_;
  std::string name_;
  std::vector<std::string> names_;
  std::vector<Reader> readers_;
};

// What a policy's floor says: a quantity, or a share of another benchmark.

// "3.2 TB/s", "450 GFLOP/s", "2 M1/s", "2.5 ms", "12" (a counter), "90% of copy/{2}". SI prefixes that the
// unit is used with: n, µ (or u), m of seconds; k, M, G, T, P of rates. Empty for what is none of these, or
// not above 0.
std::optional<Floor> parse_floor(std::string_view text);

// "2%", or an amount in the metric's unit: "5 ns", "50ms". False for what is neither, or not above 0.
bool parse_threshold(std::string_view text, PolicyRule& rule);

// "Passed = 1", "errors <= 0", "verified >= 1": a counter's name may hold blanks.
std::optional<Requirement> parse_requirement(std::string_view text);

}  // namespace tracker::formats
