#include "tracker/judge/explain/code_diff.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <string_view>

#include "tracker/base/text.hpp"

namespace tracker {
namespace {

constexpr std::size_t kInstructionsNamed = 3;

// Prefixes of what costs most when there is more of it.
constexpr std::array<std::string_view, 14> kTelling{"LDL", "STL", "LDG", "STG",  "UTMA", "LDGSTS", "ATOM",
                                                    "RED", "LDS", "STS", "LDSM", "BAR",  "HGMMA",  "HMMA"};

std::size_t group_place(const std::string& instruction) {
  const auto found = std::find_if(kTelling.begin(), kTelling.end(), [&](std::string_view prefix) {
    return instruction == prefix || (instruction.starts_with(prefix) && instruction.size() > prefix.size() &&
                                     instruction[prefix.size()] == '.');
  });
  return static_cast<std::size_t>(found - kTelling.begin());
}

// How often each kernel is launched; the difference, kernel by kernel.
std::map<std::string, int> launch_changes(const std::vector<KernelLaunch>& base,
                                          const std::vector<KernelLaunch>& candidate) {
  std::map<std::string, int> changes;
  for (const auto& launch : base) --changes[launch.kernel];
  for (const auto& launch : candidate) ++changes[launch.kernel];
  std::erase_if(changes, [](const auto& change) { return change.second == 0; });
  return changes;
}

std::string name_of(const std::string& kernel, int times) {
  return times == 1 ? kernel : std::to_string(times) + " × " + kernel;
}

std::string or_none(const std::string& text, const char* none) {
  return text.empty() ? none : text;
}

// Of the sides of "32x8".
double product_of(const std::string& shape) {
  double product = 1;
  for (const auto& side : split(shape, 'x')) product *= std::atof(side.c_str());
  return product;
}

// Copies, waits and allocations have names of several words, kernels of one.
bool is_kernel(const std::string& name) {
  return name.find(' ') == std::string::npos && name != "memset" && name != "memcpy";
}

std::string shape_in_words(const KernelLaunch& of_base, const KernelLaunch& of_candidate) {
  std::vector<std::string> parts;
  const auto add = [&](const char* what, const std::string& before, const std::string& now) {
    if (before != now && !before.empty() + !now.empty() > 0)
      parts.push_back(std::string(what) + " " + before + " → " + now);
  };
  add("block", of_base.block, of_candidate.block);
  add("cluster", or_none(of_base.cluster, "none"), or_none(of_candidate.cluster, "none"));
  const double block_max = std::max(product_of(of_base.block), product_of(of_candidate.block));
  const double fewer = product_of(of_base.grid) * product_of(of_base.block) -
                       product_of(of_candidate.grid) * product_of(of_candidate.block);
  if (of_base.block == of_candidate.block || std::abs(fewer) > block_max)
    add("grid", of_base.grid, of_candidate.grid);  // else it follows from the block
  return join(parts, ", ");
}

}  // namespace

std::string kernels_in_words(const std::vector<KernelLaunch>& base,
                             const std::vector<KernelLaunch>& candidate) {
  if (base.empty() || candidate.empty()) return "";
  std::vector<std::string> gone;
  std::vector<std::string> added;
  for (const auto& [kernel, change] : launch_changes(base, candidate))
    (change < 0 ? gone : added).push_back(name_of(kernel, std::abs(change)));
  const bool any_kernel = std::any_of(gone.begin(), gone.end(), is_kernel);
  if (!gone.empty() && !added.empty())
    return (any_kernel ? "another kernel: " : "another call: ") + join(gone, ", ") + " → " +
           join(added, ", ");
  const std::string counts =
      "launches " + std::to_string(base.size()) + " → " + std::to_string(candidate.size()) + ": ";
  if (!added.empty()) return counts + join(added, ", ") + " more";
  return gone.empty() ? "" : counts + join(gone, ", ") + " less";
}

std::string calls_in_words(const std::vector<KernelLaunch>& launches) {
  std::size_t kernels = 0;
  std::vector<std::pair<std::string, std::size_t>> others;  // in the order they come
  for (const auto& launch : launches) {
    if (is_kernel(launch.kernel)) {
      ++kernels;
      continue;
    }
    const auto known = std::find_if(others.begin(), others.end(),
                                    [&](const auto& other) { return other.first == launch.kernel; });
    if (known == others.end())
      others.emplace_back(launch.kernel, 1);
    else
      ++known->second;
  }
  std::string text = std::to_string(kernels) + (kernels == 1 ? " launch" : " launches");
  for (std::size_t i = 0; i < others.size(); ++i)
    text += (i + 1 == others.size() ? " and " : ", ") + std::to_string(others[i].second) +
            (others[i].second == 1 ? " " : " × ") + others[i].first;
  return text;
}

bool has_other_calls(const std::vector<KernelLaunch>& launches) {
  return std::any_of(launches.begin(), launches.end(),
                     [](const KernelLaunch& launch) { return launch.kernel.find(' ') != std::string::npos; });
}

std::string shapes_in_words(const std::vector<KernelLaunch>& base,
                            const std::vector<KernelLaunch>& candidate) {
  if (base.size() != candidate.size()) return "";
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < base.size(); ++i) {
    if (base[i].kernel != candidate[i].kernel) return "";
    const std::string words = shape_in_words(base[i], candidate[i]);
    if (!words.empty()) parts.push_back(words + (base.size() > 1 ? " in " + base[i].kernel : ""));
  }
  return join(parts, "; ");
}

std::vector<InstructionChange> instruction_changes(const Code& base, const Code& candidate) {
  std::map<std::string, InstructionChange> all;
  for (const auto& [name, count] : base.instructions) all[name] = {name, count, 0};
  for (const auto& [name, count] : candidate.instructions) {
    all[name].name = name;
    all[name].candidate = count;
  }
  std::vector<InstructionChange> changes;
  for (const auto& [name, change] : all)
    if (change.base != change.candidate) changes.push_back(change);
  std::stable_sort(changes.begin(), changes.end(), [](const auto& a, const auto& b) {
    const std::size_t place_a = group_place(a.name);
    const std::size_t place_b = group_place(b.name);
    if (place_a != place_b) return place_a < place_b;
    return std::abs(a.candidate - a.base) > std::abs(b.candidate - b.base);
  });
  return changes;
}

std::string code_in_words(const Code& base, const Code& candidate) {
  const bool hashes_known = !base.hash.empty() && !candidate.hash.empty();
  if (hashes_known && base.hash == candidate.hash) return "";
  std::vector<std::string> parts;
  std::size_t more = 0;
  if (!base.instructions.empty() && !candidate.instructions.empty())
    for (const auto& change : instruction_changes(base, candidate)) {
      if (parts.size() < kInstructionsNamed)
        parts.push_back(change.name + " " + std::to_string(change.base) + " → " +
                        std::to_string(change.candidate));
      else
        ++more;
    }
  const bool sizes_known = base.bytes > 0 && candidate.bytes > 0;
  if (parts.empty() && sizes_known && base.bytes != candidate.bytes)
    parts.push_back(format_bytes(static_cast<double>(base.bytes)) + " → " +
                    format_bytes(static_cast<double>(candidate.bytes)));
  if (!hashes_known && parts.empty()) return "";
  const bool same_mix = parts.empty() && !base.instructions.empty() && !candidate.instructions.empty();
  return "machine code changed" + (parts.empty() ? "" : ": " + join(parts, ", ")) + and_more(more) +
         (same_mix ? ": as many of each instruction, in another order or with other operands" : "");
}

}  // namespace tracker
