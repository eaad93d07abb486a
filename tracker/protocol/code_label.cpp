#include "tracker/protocol/code_label.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include "tracker/base/text.hpp"

namespace tracker {
namespace {

constexpr std::size_t kHashDigitsMin = 8;
constexpr std::size_t kHashDigitsMax = 128;
constexpr std::size_t kLaunchesMax = 64;

constexpr std::string_view kHash = "code=";
constexpr std::string_view kWhyNoHash = "no_code=";
constexpr std::string_view kBytes = "code_bytes=";
constexpr std::string_view kLaunch = "launch=";
constexpr std::string_view kCall = "call=";
constexpr std::string_view kMix = "mix=";
constexpr std::string_view kCluster = "cluster=";
constexpr std::string_view kShared = "shared=";

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  const auto value = parse_number<std::int64_t>(text);
  return value.value_or(-1) < 0 ? std::nullopt : value;
}

bool is_hash(std::string_view text) {
  return text.size() >= kHashDigitsMin && text.size() <= kHashDigitsMax &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// "256", "256x256", "64x64x2"
bool is_shape(const std::string& text) {
  const auto sides = split(text, 'x');
  return sides.size() <= 3 && std::ranges::all_of(sides, [](const std::string& side) {
           return whole_number(side).value_or(0) > 0;
         });
}

bool is_mnemonic(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
  });
}

// <kernel>:<grid>:<block>[:cluster=<blocks>][:shared=<bytes>], or what is no kernel.
std::optional<KernelLaunch> read_launch(std::string_view text) {
  const auto parts = split(text, ':');
  KernelLaunch launch;
  launch.kernel = parts[0];
  if (text == "memset" || text == "memcpy") return launch;
  if (launch.kernel.empty() || parts.size() < 3 || !is_shape(parts[1]) || !is_shape(parts[2])) return {};
  launch.grid = parts[1];
  launch.block = parts[2];
  for (std::size_t i = 3; i < parts.size(); ++i) {
    std::string_view part = parts[i];
    if (launch.cluster.empty() && launch.shared_bytes == 0 && take_prefix(part, kCluster)) {
      launch.cluster = part;
      if (!is_shape(launch.cluster)) return {};
    } else if (launch.shared_bytes == 0 && take_prefix(part, kShared)) {
      launch.shared_bytes = whole_number(part).value_or(0);
      if (launch.shared_bytes == 0) return {};
    } else {
      return {};
    }
  }
  return launch;
}

// LDG:4,STG:4
std::map<std::string, std::int64_t> read_mix(std::string_view text) {
  std::map<std::string, std::int64_t> mix;
  for (const auto& part : split(text, ',')) {
    const auto colon = part.find(':');
    const auto count =
        colon == std::string::npos ? std::nullopt : whole_number(std::string_view(part).substr(colon + 1));
    const std::string mnemonic = part.substr(0, colon);
    if (!count || *count == 0 || !is_mnemonic(mnemonic) || !mix.emplace(mnemonic, *count).second) return {};
  }
  return mix;
}

// Whether the word is one of ours and says something new.
bool read_word(std::string_view word, Code& code) {
  if (take_prefix(word, kHash)) {
    if (!code.hash.empty() || !is_hash(word)) return false;
    code.hash = word;
    return true;
  }
  if (take_prefix(word, kWhyNoHash)) {
    if (!code.why_no_hash.empty() || word.empty()) return false;
    code.why_no_hash = word;
    std::ranges::replace(code.why_no_hash, '_', ' ');
    return true;
  }
  if (take_prefix(word, kBytes)) {
    if (code.bytes != 0) return false;
    code.bytes = whole_number(word).value_or(0);
    return code.bytes != 0;
  }
  if (take_prefix(word, kCall)) {
    constexpr std::string_view kCalls[] = {"copy_", "memset_", "allocation_", "release_", "wait_"};
    const bool is_known =
        std::ranges::any_of(kCalls, [&](std::string_view call) { return word.starts_with(call); });
    if (!is_known || code.launches.size() >= kLaunchesMax) return false;
    KernelLaunch& call = code.launches.emplace_back();
    call.kernel = word;
    std::ranges::replace(call.kernel, '_', ' ');
    return true;
  }
  if (take_prefix(word, kLaunch)) {
    const auto launch = code.launches.size() < kLaunchesMax ? read_launch(word) : std::nullopt;
    if (launch) code.launches.push_back(*launch);
    return launch.has_value();
  }
  if (!take_prefix(word, kMix) || !code.instructions.empty()) return false;
  code.instructions = read_mix(word);
  return !code.instructions.empty();
}

// What is no kernel has a name of several words: "copy of 4 bytes to the host".
std::string launch_word(const KernelLaunch& launch) {
  if (launch.kernel.find(' ') != std::string::npos) {
    std::string word = std::string(kCall) + launch.kernel;
    std::ranges::replace(word, ' ', '_');
    return word;
  }
  std::string word = std::string(kLaunch) + launch.kernel;
  if (!launch.grid.empty()) word += ":" + launch.grid + ":" + launch.block;
  if (!launch.cluster.empty()) word += ":" + std::string(kCluster) + launch.cluster;
  if (launch.shared_bytes > 0) word += ":" + std::string(kShared) + std::to_string(launch.shared_bytes);
  return word;
}

// The most frequent first: that is what a person looks for.
std::string mix_word(const Code& code) {
  std::vector<std::pair<std::string, std::int64_t>> mix(code.instructions.begin(), code.instructions.end());
  std::ranges::stable_sort(mix, [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> parts;
  for (const auto& [mnemonic, count] : mix) parts.push_back(mnemonic + ":" + std::to_string(count));
  return std::string(kMix) + join(parts, ",");
}

}  // namespace

std::optional<Code> read_code_label(std::string_view label) {
  Code code;
  bool says_something = false;
  while (!label.empty()) {
    const auto end = std::min(label.find(' '), label.size());
    says_something |= read_word(label.substr(0, end), code);
    label.remove_prefix(std::min(end + 1, label.size()));
  }
  if (!says_something) return {};
  if (!code.hash.empty()) code.why_no_hash.clear();
  return code;
}

std::string code_label(const Code& code) {
  std::vector<std::string> words;
  if (!code.hash.empty()) words.push_back(std::string(kHash) + code.hash);
  if (!code.why_no_hash.empty()) {
    std::string why = code.why_no_hash;
    std::ranges::replace(why, ' ', '_');
    words.push_back(std::string(kWhyNoHash) + why);
  }
  if (code.bytes > 0) words.push_back(std::string(kBytes) + std::to_string(code.bytes));
  for (const auto& launch : code.launches) words.push_back(launch_word(launch));
  if (!code.instructions.empty()) words.push_back(mix_word(code));
  return join(words, " ");
}

}  // namespace tracker
