#include "tracker/formats/json_text.hpp"

#include <algorithm>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"

namespace tracker {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

// The benchmark that the byte lies in: the last "name" before it.
std::string benchmark_at(std::string_view text, std::size_t byte) {
  constexpr std::string_view kKey = "\"name\": \"";
  const std::size_t key = text.substr(0, std::min(byte, text.size())).rfind(kKey);
  if (key == std::string_view::npos) return "";
  const std::size_t from = key + kKey.size();
  const std::size_t end = text.find('"', from);
  if (end == std::string_view::npos) return "";
  return " (in benchmark '" + printable(text.substr(from, end - from)) + "')";
}

// What is wrong, in words: nlohmann's own messages speak of lexers and states.
std::pair<std::string, std::string> cause_at(std::string_view text, std::size_t byte) {
  if (byte >= text.size()) return {"it ends in the middle", "was the benchmark stopped before it ended?"};
  std::size_t word = std::min(byte == 0 ? 0 : byte - 1, text.size() - 1);
  while (word > 0 && (std::isalpha(static_cast<unsigned char>(text[word - 1])) != 0 || text[word - 1] == '-'))
    --word;
  const std::string_view rest = text.substr(word);
  for (const char* name : {"NaN", "nan", "-nan", "-NaN", "Infinity", "-Infinity", "inf", "-inf"})
    if (rest.starts_with(name))
      return {"a value is " + std::string(name),
              "find out why the benchmark reports it; nothing was recorded"};
  return {"unexpected text", "is it the output of --benchmark_out_format=json?"};
}

bool is_flat(const ordered_json& array) {
  return std::all_of(array.begin(), array.end(), [](const auto& item) { return item.is_primitive(); });
}

void print_value(const ordered_json& value, int depth, std::string& out) {
  const bool object = value.is_object();
  if (value.empty() || !value.is_structured()) {
    out += value.dump(-1, ' ', false, json::error_handler_t::replace);
    return;
  }
  const bool flat = !object && is_flat(value);
  const std::string indent(static_cast<std::size_t>(depth + 1), ' ');
  out += object ? "{" : "[";
  bool first = true;
  for (const auto& item : value.items()) {
    if (!first) out += ",";
    if (!flat) out += "\n" + indent;
    if (object) out += ordered_json(item.key()).dump(-1, ' ', false, json::error_handler_t::replace) + ": ";
    print_value(item.value(), depth + 1, out);
    first = false;
  }
  if (!flat) out += "\n" + std::string(static_cast<std::size_t>(depth), ' ');
  out += object ? "}" : "]";
}

}  // namespace

json parse_json(std::string_view text, const std::string& source) {
  try {
    return json::parse(text);
  } catch (const json::parse_error& error) {
    const auto [cause, hint] = cause_at(text, error.byte);
    throw Error(ExitCode::kUsage,
                "'" + printable(source) + "': not valid JSON at byte " + std::to_string(error.byte) +
                    benchmark_at(text, error.byte) + ": " + cause,
                hint);
  } catch (const json::exception& error) {
    throw Error(ExitCode::kUsage, "'" + printable(source) + "': not valid JSON: a number is out of range");
  }
}

std::string print_json(const ordered_json& value) {
  std::string out;
  print_value(value, 0, out);
  return out + "\n";
}

}  // namespace tracker
