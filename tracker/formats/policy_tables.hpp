// The tables of tracker.toml that say what is accepted: [[policy]], [[waiver]], [[accepted]], [[rename]],
// [judge], [drift], [notify] and [sentinel]; and what reads any of its tables.
#pragma once

#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <toml++/toml.h>

#include "tracker/model/policy.hpp"

namespace tracker::formats {

// One table of tracker.toml, with the keys it may have: each row reads one. All that reads throws kUsage, and
// names file, line and column.
class Section {
 public:
  // Takes over the value of a key.
  using Reader = std::function<void(const toml::node&)>;

  Section(std::string source, std::string name) : source_(std::move(source)), name_(std::move(name)) {}
  // A table of another one's file.
  Section(const Section& top, std::string name) : Section(top.source_, std::move(name)) {}

  // Adds a key that the table may have, and what reads it.
  Section& key(const std::string& name, Reader reader);
  // A key whose value `to` is set to, here and below: to what `take(section, node)` gives.
  template <typename To, typename Take>
  Section& key(const std::string& name, To& to, Take take) {
    return key(name, [this, &to, take](const toml::node& node) { to = take(*this, node); });
  }
  // A text, as text() below; likewise the others.
  template <typename To>
  Section& text(const std::string& name, To& to, const std::string& expected) {
    return key(name, [this, &to, expected](const toml::node& node) { to = text(node, expected); });
  }
  // One that has to fit: `otherwise` is what was expected of one that does not.
  template <typename To, typename Fits>
  Section& text(const std::string& name, To& to, const std::string& expected, Fits fits,
                const std::string& otherwise) {
    return key(name, [this, &to, expected, fits, otherwise](const toml::node& node) {
      const std::string found = text(node, expected);
      if (!fits(found)) fail_expected(node, otherwise);
      to = found;
    });
  }
  template <typename To>
  Section& texts(const std::string& name, To& to, const std::string& expected) {
    return key(name, [this, &to, expected](const toml::node& node) { to = texts(node, expected); });
  }
  Section& count(const std::string& name, int& to, int max);
  Section& positive(const std::string& name, double& to);
  template <typename To>
  Section& share(const std::string& name, To& to) {
    return key(name, [this, &to](const toml::node& node) { to = share(node); });
  }
  template <typename To>
  Section& truth(const std::string& name, To& to) {
    return key(name, [this, &to](const toml::node& node) { to = value<bool>(node, "true or false"); });
  }
  // One of these words, each with the value that it means.
  template <typename To>
  Section& choice(const std::string& name, To& to,
                  const std::vector<std::pair<std::string, std::type_identity_t<To>>>& choices) {
    return key(name, [this, &to, choices](const toml::node& node) {
      std::vector<std::string> words;
      for (const auto& [word, meant] : choices) words.push_back(word);
      to = choices[place_among(words, node)].second;
    });
  }
  // A list of tables, each of which `take(section, table)` reads.
  template <typename T, typename Take>
  Section& list(const std::string& name, std::vector<T>& to, Take take) {
    return key(name, [this, &to, name, take](const toml::node& node) {
      each_table(name, node, [&](const toml::table& table) { to.push_back(take(*this, table)); });
    });
  }

  // Calls the readers of the keys that the table has, in the order of the names.
  void read(const toml::table& table) const;
  // The same, where it has to be a table.
  void read_table(const toml::node& node) const;
  // kUsage where the table lacks one of these keys.
  void require(const toml::table& table, const std::vector<std::string>& keys) const;

  // A value of this type, or the error that says which was expected.
  template <typename T>
  T value(const toml::node& node, const std::string& expected) const {
    if (const auto found = node.value_exact<T>()) return *found;
    fail_expected(node, expected);
  }
  // Not empty; without NUL, which neither a path nor an argument can hold.
  std::string text(const toml::node& node, const std::string& expected) const;
  std::vector<std::string> texts(const toml::node& node, const std::string& expected) const;
  int count(const toml::node& node, int max) const;  // from 1
  double share(const toml::node& node) const;        // "2%"
  // Visits each table of a list of this name.
  void each_table(const std::string& name, const toml::node& node,
                  const std::function<void(const toml::table&)>& visit) const;

  // Throws the error at this place (kUsage): `what` is wrong, and the `hint` is the next step.
  [[noreturn]] void fail(const toml::source_region& at, const std::string& what,
                         const std::string& hint = {}) const;
  // Likewise: something else was expected there.
  [[noreturn]] void fail_expected(const toml::node& node, const std::string& expected) const;

 private:
  std::string any_text(const toml::node& node, const std::string& expected) const;
  std::size_t place_among(const std::vector<std::string>& words, const toml::node& node) const;

  std::string source_;
  std::string name_;
  std::vector<std::string> names_;
  std::vector<Reader> readers_;
};

// Each reads one table of the file that `top` is. kUsage, naming file, line and column, for a wrong key or
// value.
PolicyRule read_policy_rule(const Section& top, const toml::table& table);
Waiver read_waiver(const Section& top, const toml::table& table);
Waiver read_accepted(const Section& top, const toml::table& table);
Rename read_rename(const Section& top, const toml::table& table);
void read_judge(const Section& top, const toml::node& node, Policy& policy);
DriftPolicy read_drift(const Section& top, const toml::node& node);
Notify read_notify(const Section& top, const toml::node& node);
SentinelSettings read_sentinel(const Section& top, const toml::node& node);

}  // namespace tracker::formats
