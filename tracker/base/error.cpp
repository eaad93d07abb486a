#include "tracker/base/error.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <unordered_map>

#include "tracker/base/text.hpp"

namespace tracker {
namespace {

std::string with_lines_below(const std::string& message, const std::vector<std::string>& lines) {
  std::string text = printable(message);
  for (const auto& line : lines) text += "\n" + printable(line);
  return text;
}

}  // namespace

Error::Error(ExitCode code, const std::string& message, const std::string& hint,
             const std::vector<std::string>& lines)
    : std::runtime_error(with_lines_below(message, lines)),
      code_(code),
      hint_(printable(hint)),
      lines_(lines) {}

Error Error::with_hint(const std::string& hint) const {
  Error other(*this);
  other.hint_ = printable(hint);
  return other;
}

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

namespace {

constexpr std::string_view kHidden = "***";
constexpr std::string_view kBlanks = " \t\r\n";
constexpr auto kNowhere = std::string_view::npos;

// Where a word that begins here ends, without the quotes and full stops behind it.
std::size_t end_of_word(std::string_view text, std::size_t from) {
  std::size_t end = std::min(text.find_first_of(kBlanks, from), text.size());
  while (end > from && std::string_view("'\"`<>,;.:)]}").find(text[end - 1]) != kNowhere) --end;
  return end;
}

// The first of both, plain or percent-encoded, or kNowhere; and how long it is.
struct Mark {
  std::size_t at = kNowhere;
  std::size_t length = 0;
};
Mark find_mark(std::string_view text, std::string_view plain, std::string_view encoded, std::size_t from) {
  const std::size_t as_plain = text.find(plain, from);
  const std::size_t as_encoded = text.find(encoded, from);
  return as_encoded < as_plain ? Mark{as_encoded, encoded.size()} : Mark{as_plain, plain.size()};
}

// What stands behind "//" in a URL. `encoded`: the URL is text in another one.
std::string without_login(std::string_view rest, bool encoded) {
  const std::string small = lower_case(rest);
  const std::size_t host_end =
      std::min({small.find('/'), small.find('?'), small.find('#'), encoded ? small.find("%2f") : kNowhere});
  const std::string_view authority = std::string_view(small).substr(0, host_end);
  std::size_t sign = rest.rfind('@');
  std::size_t length = 1;
  if (const auto other = encoded ? small.rfind("%40") : authority.rfind("%40");
      other != kNowhere && (sign == kNowhere || other > sign)) {
    sign = other;
    length = 3;
  }
  if (sign != kNowhere) return std::string(rest.substr(sign + length));
  // Without a host: "//name:secret/…". A port is a number, and an address in brackets has colons.
  const Mark colon = find_mark(authority, ":", encoded ? "%3a" : ":", 0);
  if (authority.starts_with('[') || colon.at == kNowhere) return std::string(rest);
  const std::string_view port = authority.substr(colon.at + colon.length);
  if (port.find_first_not_of("0123456789") == kNowhere) return std::string(rest);
  return std::string(rest.substr(0, colon.at)) + ":" + std::string(kHidden) +
         std::string(rest.substr(std::min(host_end, rest.size())));
}

std::string without_url_secrets(std::string_view text) {
  const std::string small = lower_case(text);
  std::string result;
  std::size_t from = 0;
  for (;;) {
    const Mark scheme = find_mark(small, "://", "%3a%2f%2f", from);
    if (scheme.at == kNowhere) return result.append(text.substr(from));
    const std::size_t begin = scheme.at + scheme.length;
    const bool encoded = scheme.length > 3;
    const std::size_t end = end_of_word(text, begin);
    std::string rest = without_login(text.substr(begin, end - begin), encoded);
    const std::string rest_small = lower_case(rest);
    const Mark query = find_mark(rest_small, "?", encoded ? "%3f" : "?", 0);
    const Mark fragment = find_mark(rest_small, "#", encoded ? "%23" : "#", 0);
    const Mark first = fragment.at < query.at ? fragment : query;
    if (first.at != kNowhere && first.at + first.length < rest.size())
      rest.replace(first.at + first.length, kNowhere, kHidden);
    result.append(text.substr(from, begin - from)).append(rest);
    from = end;
  }
}

bool is_key_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
}

// Whether a value of this name is a secret.
bool names_secret(std::string_view key) {
  constexpr std::array<std::string_view, 14> kEndings{
      "password", "passwd",     "pwd",       "passphrase",  "secret",    "token",         "api_key",
      "apikey",   "access_key", "accesskey", "private_key", "signature", "authorization", "credential"};
  std::string small = lower_case(key);
  std::ranges::replace(small, '-', '_');
  if (small.ends_with('s') && small != "tokens" && !small.ends_with("_tokens")) small.pop_back();
  return std::ranges::any_of(kEndings, [&](std::string_view ending) { return small.ends_with(ending); });
}

// How many bytes of the text, behind a key, stand before its value; 0 where none follows.
std::size_t before_value(std::string_view text) {
  std::size_t at = text.starts_with('"') || text.starts_with('\'') ? 1 : 0;
  if (lower_case(text.substr(at, 3)) == "%3d") return at + 3;
  const std::size_t sign = text.find_first_not_of(" \t", at);
  if (sign == kNowhere || (text[sign] != '=' && text[sign] != ':')) return 0;
  if (text[sign] == ':' && sign > at) return 0;
  at = text.find_first_not_of(" \t", sign + 1);
  // In a sentence a colon is followed by a blank.
  const bool is_sentence = text[sign] == ':' && at != sign + 1 && !text.starts_with('"');
  return at == kNowhere || is_sentence ? 0 : at;
}

std::size_t value_length(std::string_view text) {
  if (const char quote = text.front(); quote == '"' || quote == '\'')
    for (std::size_t at = 1; at < text.size(); ++at) {
      if (text[at] == '\\')
        ++at;
      else if (text[at] == quote)
        return at + 1;
    }
  const std::size_t encoded = std::min(lower_case(text).find("%26"), text.size());
  return std::min({text.find_first_of(" \t\r\n&;,'\"`)", 1), encoded, text.size()});
}

std::string without_named_secrets(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_key_character(text[end])) ++end;
    if (end == at) {
      result += text[at++];
      continue;
    }
    const std::string_view key = text.substr(at, end - at);
    result += key;
    at = end;
    if (!names_secret(key)) continue;
    std::size_t skipped = before_value(text.substr(at));
    // "Authorization: Bearer …"
    if (lower_case(key).ends_with("authorization") && text.substr(at).starts_with(": ")) {
      const std::size_t kind = text.find(' ', at + 2);
      skipped = kind == kNowhere ? 2 : kind + 1 - at;
    }
    if (skipped == 0 || at + skipped >= text.size()) continue;
    const std::string_view value = text.substr(at + skipped, value_length(text.substr(at + skipped)));
    result += text.substr(at, skipped);
    // "token=128" counts something.
    const bool is_number = value.size() < 8 && value.find_first_not_of("0123456789.") == kNowhere;
    result += is_number ? value : kHidden;
    at += skipped + value.size();
  }
  return result;
}

std::string without_known_tokens(std::string text) {
  constexpr std::array<std::string_view, 8> kStarts{"ghp_", "gho_",        "ghu_",   "ghs_",
                                                    "ghr_", "github_pat_", "glpat-", "xoxb-"};
  constexpr std::size_t kLengthMin = 16;
  for (const auto start : kStarts)
    for (std::size_t at = 0; (at = text.find(start, at)) != kNowhere;) {
      std::size_t end = at + start.size();
      while (end < text.size() && is_key_character(text[end])) ++end;
      if (end - at >= kLengthMin) text.replace(at, end - at, kHidden);
      at += kHidden.size();
    }
  return text;
}

}  // namespace

std::string without_secrets(std::string_view text) {
  return without_known_tokens(without_named_secrets(without_url_secrets(text)));
}

}  // namespace tracker
