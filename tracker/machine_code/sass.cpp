#include "tracker/machine_code/sass.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "tracker/machine_code/machine_code.hpp"

namespace tracker::machine_code {
namespace {

// A quadratic table of so many cells is the most that is made.
constexpr std::size_t kCellsMax = std::size_t{64} << 20;
// Alike, and around no more than so many, changes are shown as one.
constexpr std::size_t kGapsJoined = 1;

std::string_view trimmed(std::string_view text) {
  const auto from = text.find_first_not_of(" \t\r");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t\r") - from + 1);
}

// 90 of "arch = sm_90a" or "code for sm_90".
std::optional<int> architecture_in(std::string_view line) {
  constexpr std::string_view kMark = "code for sm_";
  const auto at = line.find(kMark);
  if (at == std::string_view::npos) return {};
  const auto digits = line.substr(at + kMark.size());
  int architecture = 0;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), architecture);
  if (failure != std::errc{}) return {};
  return architecture;
}

// "LDG.E R2, [R4]" of "        /*0010*/    LDG.E R2, [R4] ;     /* 0x000… */"; empty for other lines.
std::string_view instruction_in(std::string_view line) {
  line = trimmed(line);
  if (!line.starts_with("/*") || line.starts_with("/* 0x")) return {};
  const auto address_end = line.find("*/");
  const auto end = line.find(';');
  if (address_end == std::string_view::npos || end == std::string_view::npos || end < address_end) return {};
  return trimmed(line.substr(address_end + 2, end - address_end - 2));
}

// What makes two instructions the same: the opcode with its modifiers, without predicate and operands.
std::string_view opcode_of(std::string_view instruction) {
  if (instruction.starts_with("@")) instruction = trimmed(instruction.substr(instruction.find(' ') + 1));
  return instruction.substr(0, instruction.find(' '));
}

// Behind the end: NOPs, and a branch to itself that nothing reaches.
void drop_padding(std::vector<std::string>& instructions) {
  const auto ends_with = [&](std::string_view opcode, std::size_t from_end) {
    return instructions.size() > from_end &&
           opcode_of(instructions[instructions.size() - 1 - from_end]) == opcode;
  };
  while (ends_with("NOP", 0)) instructions.pop_back();
  if (ends_with("BRA", 0) && ends_with("EXIT", 1)) instructions.pop_back();
}

enum class Step : char { kSame = ' ', kRemoved = '-', kAdded = '+' };

struct Edit {
  Step step;
  const std::string* line;
};

// The longest common subsequence of opcodes, and what has to go and to come.
std::vector<Edit> edits_between(const std::vector<std::string>& base,
                                const std::vector<std::string>& candidate) {
  const std::size_t rows = base.size();
  const std::size_t columns = candidate.size();
  std::vector<Edit> edits;
  if ((rows + 1) * (columns + 1) > kCellsMax) {
    for (const auto& line : base) edits.push_back({Step::kRemoved, &line});
    for (const auto& line : candidate) edits.push_back({Step::kAdded, &line});
    return edits;
  }
  std::vector<std::uint32_t> longest((rows + 1) * (columns + 1));  // of what is left from here
  const auto at = [&](std::size_t row, std::size_t column) -> std::uint32_t& {
    return longest[row * (columns + 1) + column];
  };
  const auto same = [&](std::size_t row, std::size_t column) {
    return opcode_of(base[row]) == opcode_of(candidate[column]);
  };
  for (std::size_t row = rows; row-- > 0;)
    for (std::size_t column = columns; column-- > 0;)
      at(row, column) = same(row, column) ? at(row + 1, column + 1) + 1
                                          : std::max(at(row + 1, column), at(row, column + 1));
  std::size_t row = 0;
  std::size_t column = 0;
  while (row < rows || column < columns) {
    if (row < rows && column < columns && same(row, column)) {
      edits.push_back({Step::kSame, &candidate[column]});
      ++row;
      ++column;
    } else if (row < rows && (column == columns || at(row + 1, column) >= at(row, column + 1))) {
      edits.push_back({Step::kRemoved, &base[row++]});
    } else {
      edits.push_back({Step::kAdded, &candidate[column++]});
    }
  }
  return edits;
}

// A stretch of edits with what is around it.
struct Hunk {
  std::size_t from = 0;
  std::size_t to = 0;
  std::size_t changed = 0;
};

std::vector<Hunk> hunks_of(const std::vector<Edit>& edits, std::size_t context) {
  std::vector<Hunk> hunks;
  for (std::size_t i = 0; i < edits.size(); ++i) {
    if (edits[i].step == Step::kSame) continue;
    const std::size_t from = i > context ? i - context : 0;
    const std::size_t to = std::min(i + context + 1, edits.size());
    if (hunks.empty() || from > hunks.back().to + kGapsJoined) hunks.push_back({from, to, 0});
    hunks.back().to = to;
    ++hunks.back().changed;
  }
  return hunks;
}

// The largest that together change no more than so much, in their order; of one that is larger by itself its
// beginning.
std::vector<Hunk> largest_of(std::vector<Hunk> hunks, const std::vector<Edit>& edits,
                             std::size_t changed_max) {
  std::vector<Hunk> kept;
  std::vector<Hunk> by_size = std::move(hunks);
  std::ranges::stable_sort(by_size, [](const Hunk& a, const Hunk& b) { return a.changed > b.changed; });
  std::size_t room = changed_max;
  for (Hunk hunk : by_size) {
    if (room == 0) break;
    if (hunk.changed > room) {
      if (!kept.empty()) continue;
      std::size_t at = hunk.from;
      for (std::size_t left = room; at < hunk.to && left > 0; ++at)
        if (edits[at].step != Step::kSame) --left;
      hunk = {hunk.from, at, room};
    }
    room -= hunk.changed;
    kept.push_back(hunk);
  }
  std::ranges::sort(kept, [](const Hunk& a, const Hunk& b) { return a.from < b.from; });
  return kept;
}

}  // namespace

std::optional<std::vector<std::string>> sass_of(std::string_view listing, const std::string& name,
                                                int architecture) {
  constexpr std::string_view kFunction = "Function : ";
  std::vector<std::string> instructions;
  bool is_architecture = false;
  bool is_wanted = false;
  while (!listing.empty()) {
    const auto end = std::min(listing.find('\n'), listing.size());
    const std::string_view line = listing.substr(0, end);
    listing.remove_prefix(std::min(end + 1, listing.size()));
    if (const auto found = architecture_in(line)) {
      is_architecture = *found == architecture;
      is_wanted = false;
    } else if (const auto at = line.find(kFunction); at != std::string_view::npos) {
      if (is_wanted && !instructions.empty()) break;
      is_wanted =
          is_architecture && kernel_name(std::string(trimmed(line.substr(at + kFunction.size())))) == name;
    } else if (is_wanted) {
      if (const auto instruction = instruction_in(line); !instruction.empty())
        instructions.emplace_back(instruction);
    }
  }
  drop_padding(instructions);
  if (instructions.empty()) return {};
  return instructions;
}

SassDiff diff_sass(const std::vector<std::string>& base, const std::vector<std::string>& candidate,
                   std::size_t changed_max, std::size_t context) {
  const auto edits = edits_between(base, candidate);
  SassDiff diff;
  for (const auto& edit : edits) {
    diff.removed += edit.step == Step::kRemoved ? 1 : 0;
    diff.added += edit.step == Step::kAdded ? 1 : 0;
  }
  std::size_t shown = 0;
  for (const Hunk& hunk : largest_of(hunks_of(edits, context), edits, changed_max)) {
    diff.lines.push_back("@@ instruction " + std::to_string(hunk.from + 1) + " @@");
    for (std::size_t i = hunk.from; i < hunk.to; ++i)
      diff.lines.push_back(std::string(1, static_cast<char>(edits[i].step)) + *edits[i].line);
    shown += hunk.changed;
  }
  diff.left_out = diff.removed + diff.added - shown;
  return diff;
}

}  // namespace tracker::machine_code
