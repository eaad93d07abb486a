#include "tracker/formats/config_section.hpp"

#include <algorithm>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/formats/config_file.hpp"

namespace tracker {

Section& Section::key(const std::string& name, Reader reader) {
  names_.push_back(name);
  readers_.push_back(std::move(reader));
  return *this;
}

void Section::read(const toml::table& table) const {
  for (const auto& [key, value] : table) {
    const std::string name(key.str());
    const auto row = std::find(names_.begin(), names_.end(), name);
    if (row == names_.end()) refuse_unknown(name, key.source());
    readers_[static_cast<std::size_t>(row - names_.begin())](value);
  }
}

void Section::read_table(const toml::node& node) const {
  if (!node.is_table()) fail(node.source(), name_ + " is a table");
  read(*node.as_table());
}

std::string Section::text(const toml::node& node, const std::string& expected) const {
  const auto found = any_text(node, expected);
  if (found.empty()) fail(node.source(), "expected " + expected + ", not an empty text");
  return found;
}

std::string Section::any_text(const toml::node& node, const std::string& expected) const {
  const auto found = value<std::string>(node, expected);
  if (found.find('\0') != std::string::npos) fail(node.source(), "expected " + expected + ", without NUL");
  return found;
}

std::vector<std::string> Section::texts(const toml::node& node, const std::string& expected) const {
  const toml::array* array = node.as_array();
  if (array == nullptr) fail(node.source(), "expected " + expected);
  std::vector<std::string> all;
  for (const auto& item : *array) all.push_back(any_text(item, expected));
  return all;
}

int Section::count(const toml::node& node, int max) const {
  const std::string expected = "a whole number from 1 to " + std::to_string(max);
  const auto number = node.is_integer() ? value<std::int64_t>(node, expected) : 0;
  if (number < 1 || number > max) fail(node.source(), "expected " + expected);
  return static_cast<int>(number);
}

double Section::positive(const toml::node& node) const {
  constexpr int kMax = 1000000;
  const double number = node.is_number() ? *node.value<double>() : 0;
  if (!(number > 0) || number > kMax)
    fail(node.source(), "expected a number above 0, up to " + std::to_string(kMax));
  return number;
}

double Section::share(const toml::node& node) const {
  const auto share = node.is_string() ? parse_share(*node.value<std::string>()) : std::nullopt;
  if (!share) fail(node.source(), "expected a share in quotes, such as \"2%\"");
  return *share;
}

bool Section::truth(const toml::node& node) const {
  return value<bool>(node, "true or false");
}

void Section::fail(const toml::source_region& at, const std::string& what, const std::string& hint) const {
  throw Error(
      ExitCode::kUsage,
      source_ + ":" + std::to_string(at.begin.line) + ":" + std::to_string(at.begin.column) + ": " + what,
      hint);
}

void Section::refuse_unknown(const std::string& name, const toml::source_region& at) const {
  const auto meant = nearest(name, names_);
  fail(at, "unknown key '" + printable(name) + "' in " + name_,
       meant ? "did you mean '" + *meant + "'?" : "known keys: " + join(names_, ", "));
}

}  // namespace tracker
