#include "tracker/formats/floor_text.hpp"

#include <charconv>
#include <cmath>

#include "tracker/formats/config_file.hpp"

namespace tracker {
namespace {

struct Unit {
  std::string_view name;
  bool is_rate;  // rates come in thousands and more, times in thousandths and less: "Ms" is a slip
};
constexpr Unit kUnits[] = {{"B/s", true}, {"FLOP/s", true}, {"1/s", true}, {"s", false}};

struct Prefix {
  std::string_view text;
  double factor;
};
constexpr Prefix kPrefixes[] = {{"", 1},          {"k", 1e3},  {"M", 1e6},  {"G", 1e9},
                                {"T", 1e12},      {"P", 1e15}, {"m", 1e-3}, {"\u00b5", 1e-6},
                                {"\u03bc", 1e-6}, {"u", 1e-6}, {"n", 1e-9}};

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

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

std::optional<Requirement> parse_requirement(std::string_view text) {
  constexpr std::pair<std::string_view, Requirement::Relation> kRelations[] = {
      {">=", Requirement::Relation::kLeast},
      {"<=", Requirement::Relation::kMost},
      {"==", Requirement::Relation::kEqual},
      {"=", Requirement::Relation::kEqual}};
  for (const auto& [sign, relation] : kRelations) {
    const std::size_t at = text.rfind(sign);
    if (at == text.npos) continue;
    Requirement requirement{std::string(trimmed(text.substr(0, at))), relation, 0, std::string(text)};
    const std::string_view number = trimmed(text.substr(at + sign.size()));
    const auto [end, failure] =
        std::from_chars(number.data(), number.data() + number.size(), requirement.value);
    const bool whole = failure == std::errc{} && end == number.data() + number.size();
    return whole && !requirement.counter.empty() ? std::optional(requirement) : std::nullopt;
  }
  return {};
}

}  // namespace tracker
