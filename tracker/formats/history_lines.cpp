#include "tracker/formats/history_lines.hpp"

#include <array>
#include <cstdint>

#include <nlohmann/json.hpp>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"

namespace tracker {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr const char* kHistorySchema = "tracker.history/1";
constexpr std::string_view kBase64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// RFC 4648.
std::string to_base64(std::string_view bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    const std::size_t there = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t k = 0; k < 3; ++k)
      three = three << 8 | (k < there ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) text += k <= there ? kBase64Digits[three >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return {};
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); i += 4) {
    std::uint32_t three = 0;
    std::size_t padding = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const char c = text[i + k];
      const auto digit = kBase64Digits.find(c);
      const bool is_padding = c == '=' && i + 4 == text.size() && k >= 2;
      if ((digit == std::string_view::npos && !is_padding) || (padding > 0 && !is_padding)) return {};
      padding += is_padding ? 1 : 0;
      three = three << 6 | static_cast<std::uint32_t>(is_padding ? 0 : digit);
    }
    for (std::size_t k = 0; k < 3 - padding; ++k) bytes += static_cast<char>(three >> (16 - 8 * k) & 0xff);
  }
  return bytes;
}

std::string in_one_line(const ordered_json& value) {
  return value.dump() + "\n";
}

}  // namespace

std::string history_head() {
  return in_one_line({{"schema", kHistorySchema}});
}

std::string history_line(const HistoryLine& line) {
  try {
    return in_one_line({{"path", line.path}, {"text", line.text}});
  } catch (const json::type_error&) {  // no UTF-8
    return in_one_line({{"path", line.path}, {"base64", to_base64(line.text)}});
  }
}

std::string history_end(std::size_t lines) {
  return in_one_line({{"end", lines}});
}

std::optional<HistoryLine> HistoryLines::read(std::string_view line) {
  ++number_;
  const auto fail = [&](const std::string& what) {
    return Error(ExitCode::kUsage,
                 "'" + printable(source_) + "', line " + std::to_string(number_) + ": " + what,
                 "name a file that tracker store export wrote");
  };
  const auto document = json::parse(line, nullptr, false);
  if (!document.is_object()) throw fail("no JSON object");
  const auto text_at = [&](const char* key) -> std::optional<std::string> {
    const auto found = document.find(key);
    if (found == document.end() || !found->is_string()) return {};
    return found->get<std::string>();
  };
  if (number_ == 1) {
    const auto schema = text_at("schema");
    if (!schema) throw fail("no history: its first line has no schema");
    if (*schema != kHistorySchema)
      throw fail("schema '" + printable(*schema) + "' is not '" + kHistorySchema + "'");
    return {};
  }
  if (ended_) throw fail("a line after the end");
  if (const auto end = document.find("end"); end != document.end()) {
    if (*end != lines_)
      throw fail("the end counts " + printable(end->dump()) + " lines, and there are " +
                 std::to_string(lines_));
    ended_ = true;
    return {};
  }
  const auto path = text_at("path");
  auto text = text_at("text");
  if (const auto packed = text_at("base64"); packed && !text) text = from_base64(*packed);
  if (!path || !text) throw fail("no path, or no text");
  ++lines_;
  return HistoryLine{*path, std::move(*text)};
}

void HistoryLines::require_end() const {
  if (!ended_)
    throw Error(
        ExitCode::kUsage,
        "'" + printable(source_) + "' ends after line " + std::to_string(number_) + ", and is cut off",
        "what it has was recorded; import the whole file, and the rest is added");
}

}  // namespace tracker
