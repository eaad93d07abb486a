#include "tracker/machine_code/machine_code.hpp"

#include <algorithm>
#include <utility>

#include "tracker/machine_code/digest.hpp"
#include "tracker/machine_code/elf.hpp"
#include "tracker/machine_code/instructions.hpp"

namespace tracker {
namespace {

constexpr std::string_view kFatbinSection = ".nv_fatbin";

}  // namespace

struct MachineCode::Found {
  std::optional<KernelCode> code;
  std::string why_not;
};

MachineCode::MachineCode(std::vector<std::string> cubins, int architecture) {
  for (auto& bytes : cubins) {
    files_.push_back(std::make_unique<const std::string>(std::move(bytes)));
    if (auto cubin = Cubin::read(ByteView(*files_.back())))
      units_.push_back({architecture, false, std::move(*cubin)});
  }
}

MachineCode::MachineCode(std::string executable) {
  files_.push_back(std::make_unique<const std::string>(std::move(executable)));
  const auto elf = read_elf(ByteView(*files_.back()));
  if (!elf) {
    why_none_ = "the executable is no ELF file";
    return;
  }
  for (const ElfSection& section : elf->sections) {
    if (section.name != kFatbinSection) continue;
    const auto entries = read_fatbins(section.content);
    if (!entries) {
      why_none_ = "the device code in the executable is damaged, or of an unknown format";
      return;
    }
    for (const FatbinEntry& entry : *entries) add(entry);
  }
}

void MachineCode::add(const FatbinEntry& entry) {
  if (!entry.is_cubin) {
    ptx_.push_back(entry.content);
  } else if (entry.packing != Packing::kNone) {
    has_compressed_ = true;
  } else if (auto cubin = Cubin::read(entry.content)) {
    units_.push_back({entry.architecture, entry.is_specific, std::move(*cubin)});
  }
}

// One name may stand in several units (an instance of a template, a static kernel): they must be the same.
// Code for this very architecture alone (sm_90a) goes before code that later ones can run as well, in
// whichever order they stand (so it is on an H200).
MachineCode::Found MachineCode::find(const KernelId& kernel) const {
  std::vector<std::pair<bool, KernelCode>> found;
  bool is_elsewhere = std::any_of(ptx_.begin(), ptx_.end(), [&](ByteView ptx) {
    return ptx.bytes().find(kernel.name) != std::string_view::npos;
  });
  for (const Unit& unit : units_) {
    auto code = unit.cubin.kernel(kernel.name);
    if (code && unit.architecture == kernel.architecture)
      found.emplace_back(unit.is_specific, std::move(*code));
    else if (code)
      is_elsewhere = true;
  }
  if (found.empty()) {
    if (!why_none_.empty()) return {{}, why_none_};
    if (is_elsewhere) return {{}, "compiled by the driver from PTX"};
    return {{}, has_compressed_ ? "compressed in the executable" : "not in the executable"};
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  for (const auto& [is_specific, code] : found)
    if (is_specific == found.front().first && code.hash != found.front().second.hash)
      return {{}, "two kernels of one name differ"};
  return {std::move(found.front().second), {}};
}

Code MachineCode::code_of(const std::vector<KernelId>& kernels) const {
  std::vector<KernelId> seen;
  Digest all;
  Code code;
  for (const KernelId& kernel : kernels) {
    if (std::find(seen.begin(), seen.end(), kernel) != seen.end()) continue;
    seen.push_back(kernel);
    const Found found = find(kernel);
    if (!found.code) return {.why_no_hash = found.why_not};
    code.hash = found.code->hash;
    all.add_counted(found.code->hash);
    for (const ByteView text : found.code->texts) {
      code.bytes += static_cast<std::int64_t>(text.size());
      for (const auto& [mnemonic, count] : instruction_mix(text, kernel.architecture))
        code.instructions[mnemonic] += count;
    }
  }
  if (seen.size() > 1) code.hash = all.text();
  return code;
}

std::vector<KernelId> MachineCode::functions() const {
  std::vector<KernelId> all;
  for (const Unit& unit : units_)
    for (const auto name : unit.cubin.functions()) all.push_back({std::string(name), unit.architecture});
  return all;
}

}  // namespace tracker
