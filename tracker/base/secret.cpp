#include "tracker/base/secret.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace tracker {

std::string without_secret(std::string_view text, std::string_view secret) {
  constexpr std::size_t kPieceMin = 8;
  if (secret.empty()) return std::string(text);
  const std::size_t length = std::min(kPieceMin, secret.size());
  std::unordered_map<std::string_view, std::vector<std::size_t>> pieces;  // where in the secret each begins
  for (std::size_t at = 0; at + length <= secret.size(); ++at)
    pieces[secret.substr(at, length)].push_back(at);
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const auto found = pieces.find(text.substr(at, length));
    if (found == pieces.end()) {
      result += text[at++];
      continue;
    }
    std::size_t longest = length;
    for (const std::size_t begin : found->second) {
      const auto [in_text, in_secret] =
          std::mismatch(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(),
                        secret.begin() + static_cast<std::ptrdiff_t>(begin), secret.end());
      longest = std::max(longest, static_cast<std::size_t>(in_text - text.begin()) - at);
    }
    result += "***";
    at += longest;
  }
  return result;
}

}  // namespace tracker
