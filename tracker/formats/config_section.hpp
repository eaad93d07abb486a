// One table of tracker.toml, with the keys it may have: each row reads one. The value functions fail with
// kUsage, and name file, line and column.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <toml++/toml.h>

namespace tracker {

class Section {
 public:
  using Reader = std::function<void(const toml::node&)>;

  Section(std::string source, std::string name) : source_(std::move(source)), name_(std::move(name)) {}

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
  double positive(const toml::node& node) const;
  double share(const toml::node& node) const;
  bool truth(const toml::node& node) const;

  template <typename T>
  T choice(const toml::node& node, const std::vector<std::pair<std::string, T>>& choices) const {
    std::string names;
    for (const auto& [name, value] : choices) names += (names.empty() ? "\"" : ", \"") + name + "\"";
    const std::string word = node.is_string() ? *node.value<std::string>() : "";
    for (const auto& [name, value] : choices)
      if (name == word) return value;
    fail(node.source(), "expected one of " + names);
  }

  [[noreturn]] void fail(const toml::source_region& at, const std::string& what,
                         const std::string& hint = {}) const;

 private:
  [[noreturn]] void refuse_unknown(const std::string& name, const toml::source_region& at) const;

  std::string source_;
  std::string name_;
  std::vector<std::string> names_;
  std::vector<Reader> readers_;
};

}  // namespace tracker
