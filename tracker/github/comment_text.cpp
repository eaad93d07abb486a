#include <algorithm>
#include <cctype>
#include <string_view>

#include "tracker/base/text.hpp"
#include "tracker/github/comment.hpp"

namespace tracker {
namespace {

bool is_first_byte(char c) {
  return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u;
}

std::size_t count(std::string_view text, std::string_view word) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string_view::npos; at += word.size()) ++found;
  return found;
}

// The fence that a cut has left open ("```", "~~~~"), else nothing.
std::string open_fence(std::string_view text) {
  std::string open;
  for (const auto& line : split(text, '\n')) {
    const auto from = std::min(line.find_first_not_of(' '), line.size());
    if (from > 3 || from == line.size() || (line[from] != '`' && line[from] != '~')) continue;
    const auto end = std::min(line.find_first_not_of(line[from], from), line.size());
    if (end - from < 3) continue;
    const std::string fence = line.substr(from, end - from);
    if (open.empty())
      open = fence;
    else if (fence.starts_with(open) && line.find_first_not_of(" \r", end) == std::string::npos)
      open.clear();
  }
  return open;
}

// Up to the last line end within so many characters; in the middle of a line where there is none.
std::string head_of(const std::string& text, std::size_t length_max) {
  std::size_t bytes = 0;
  for (std::size_t characters = 0; bytes < text.size(); ++bytes)
    if (is_first_byte(text[bytes]) && ++characters > length_max) break;
  if (bytes == text.size()) return text;
  const auto line_end = text.rfind('\n', bytes);
  return text.substr(0, line_end == std::string::npos || line_end == 0 ? bytes : line_end);
}

std::string without_marker(const std::string& body, const std::string& marker) {
  std::string out;
  for (const auto& line : split(body, '\n')) {
    std::string_view bare = line;
    while (!bare.empty() && bare.back() == '\r') bare.remove_suffix(1);
    if (bare != marker) out += line + "\n";
  }
  while (!out.empty() && std::isspace(static_cast<unsigned char>(out.back())) != 0) out.pop_back();
  return out;
}

}  // namespace

std::size_t character_count(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_first_byte));
}

std::string comment_marker(const std::string& key) {
  const bool plain = std::all_of(key.begin(), key.end(), [](unsigned char c) {
    return c < 0x80 && (std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.');
  });
  if (key.empty() || key.size() > 60 || !plain || key.find("--") != std::string::npos)
    throw Error(ExitCode::kUsage, "--key '" + printable(key) + "' cannot stand in a hidden marker",
                "use up to 60 letters, digits, '.', '_' and single '-'");
  return "<!-- tracker-" + key + " -->";
}

std::string comment_text(const CommentRequest& request, std::size_t length_max, bool& was_cut,
                         const std::string& service) {
  const std::string marker = comment_marker(request.key);
  const std::string whole = marker + "\n" + without_marker(request.body, marker) + "\n";
  was_cut = character_count(whole) > length_max;
  if (!was_cut) return whole;
  std::string statement = "\n\n**This comment is cut: the report has " +
                          std::to_string(character_count(whole)) + " characters, more than " + service +
                          " takes.** ";
  statement += request.run_url.empty()
                   ? "The whole of it is in the summary of the workflow's run.\n"
                   : "The whole of it is in the [summary of the run](" + request.run_url + ").\n";
  constexpr std::size_t kRoomToClose = 400;
  const std::size_t taken = character_count(statement) + kRoomToClose;
  std::string text = head_of(whole, length_max > taken ? length_max - taken : 0);
  if (const std::string fence = open_fence(text); !fence.empty() && fence.size() < 100) text += "\n" + fence;
  const auto opened = count(text, "<details");
  const auto closed = count(text, "</details>");
  for (auto i = closed; i < std::min(opened, closed + 20); ++i) text += "\n</details>";
  return text + statement;
}

}  // namespace tracker
