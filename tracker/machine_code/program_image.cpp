#include "tracker/machine_code/program_image.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "tracker/machine_code/digest.hpp"
#include "tracker/machine_code/elf.hpp"

namespace tracker::machine_code {
namespace {

constexpr std::uint64_t kLoaded = 2;  // SHF_ALLOC
constexpr std::uint32_t kRelocationSection = 4;
constexpr std::uint64_t kRelocationBytes = 24;
constexpr std::uint64_t kPointerBytes = 8;
constexpr char kMasked = '\1';

constexpr std::string_view kBuildId = ".note.gnu.build-id";
constexpr std::string_view kFatbins = ".nv_fatbin";
constexpr std::string_view kRelocatableFatbins = "__nv_relfatbin";
constexpr std::string_view kFatbinPointers = ".nvFatBinSegment";

// What lies behind device code of another length is elsewhere, and nothing but the unwinder points at it.
constexpr std::string_view kMayMove[] = {kFatbins,        kRelocatableFatbins, "__nv_module_id",
                                         ".eh_frame_hdr", ".eh_frame",         ".gcc_except_table"};
// These hold distances to what they describe.
constexpr std::string_view kDiffersWhereMoved[] = {".eh_frame_hdr", ".eh_frame"};

// What stands before the hash of a file's path in the names that nvcc makes.
constexpr std::string_view kHashPrefixes[] = {"_GLOBAL__N__", "_INTERNAL_", "_cu_"};
constexpr std::size_t kHashDigits = 8;

template <std::size_t N>
bool is_among(const std::string_view (&names)[N], std::string_view name) {
  return std::ranges::find(names, name) != std::end(names);
}

bool is_device_code(std::string_view section) {
  return section == kFatbins || section == kRelocatableFatbins;
}

// The folder itself and what lies below it, not others whose names begin alike.
void mask_path(const std::string& root, std::string& bytes) {
  constexpr std::string_view kAfter = "/:;\"";
  for (std::size_t at = bytes.find(root); at != std::string::npos; at = bytes.find(root, at + root.size())) {
    const std::size_t end = at + root.size();
    const bool ends =
        end == bytes.size() || bytes[end] == '\0' || kAfter.find(bytes[end]) != std::string_view::npos;
    if (ends) std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), root.size(), kMasked);
  }
}

void mask_hashes(std::string& bytes) {
  for (const std::string_view prefix : kHashPrefixes)
    for (std::size_t at = bytes.find(prefix); at != std::string::npos; at = bytes.find(prefix, at + 1)) {
      const std::size_t begin = at + prefix.size();
      if (bytes.size() - begin < kHashDigits) break;
      const auto digits = std::string_view(bytes).substr(begin, kHashDigits);
      if (digits.find_first_not_of("0123456789abcdef") != std::string_view::npos) continue;
      std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(begin), kHashDigits, kMasked);
    }
}

std::string masked(std::string_view content, const std::string& root) {
  std::string bytes(content);
  if (!root.empty()) mask_path(root, bytes);
  mask_hashes(bytes);
  return bytes;
}

using Entries = std::vector<FatbinEntry>;

// Code for exactly this architecture goes first, then for a lower one of the generation; code for one GPU
// alone (sm_90a) runs on no other.
std::optional<int> machine_code_for(const Entries& entries, int architecture) {
  std::optional<int> best;
  for (const auto& entry : entries) {
    const bool is_exact = entry.architecture == architecture;
    const bool runs = is_exact || (!entry.is_specific && entry.architecture < architecture &&
                                   entry.architecture / 10 == architecture / 10);
    if (entry.is_cubin && runs) best = std::max(best.value_or(0), entry.architecture);
  }
  return best;
}

Entries loaded_of(const Entries& container, int architecture) {
  const auto best = machine_code_for(container, architecture);
  Entries loaded;
  for (const auto& entry : container) {
    const bool is_loaded = best ? entry.is_cubin && entry.architecture == *best
                                : !entry.is_cubin && entry.architecture <= architecture;
    if (is_loaded) loaded.push_back(entry);
  }
  return loaded;
}

// Unpacked where that can be done: packed, the hash of a path in a name cannot be told from code.
std::string comparable_code(const FatbinEntry& entry, const std::string& root) {
  const auto code = unpack(entry.content.bytes(), entry.packing, entry.unpacked_bytes);
  return code ? masked(*code, root) : std::string(entry.content.bytes());
}

bool is_same(const FatbinEntry& a, const FatbinEntry& b, const std::string& root_a,
             const std::string& root_b) {
  return a.is_cubin == b.is_cubin && a.architecture == b.architecture && a.is_specific == b.is_specific &&
         a.packing == b.packing &&
         (a.content.bytes() == b.content.bytes() || comparable_code(a, root_a) == comparable_code(b, root_b));
}

std::map<std::size_t, Entries> by_container(const Entries& entries) {
  std::map<std::size_t, Entries> containers;
  for (const auto& entry : entries) containers[entry.container].push_back(entry);
  return containers;
}

// One of the two files on the way through its sections.
class Image {
 public:
  Image(const ProgramImage& image, const std::string& root) : root_(root) {
    if (auto elf = read_elf(ByteView(image.file))) elf_ = std::move(*elf);
    for (const auto& section : elf_.sections)
      if ((section.flags & kLoaded) != 0) loaded_.push_back(section);
    if (const ElfSection* fatbins = find(kFatbins))
      fatbins_ = read_fatbins(fatbins->content).value_or(Entries{});
  }

  const ElfFile& elf() const { return elf_; }
  const std::vector<ElfSection>& loaded() const { return loaded_; }
  const std::string& root() const { return root_; }

  // What is compared of a section: pointers to device code by its container's place.
  std::string comparable(const ElfSection& section) const {
    std::string bytes(section.content.bytes());
    const ElfSection* pointers = find(kFatbinPointers);
    if (pointers != nullptr && section.name == kFatbinPointers)
      for (std::size_t at = 0; at + kPointerBytes <= bytes.size(); at += kPointerBytes)
        number_pointer(bytes, at);
    if (pointers != nullptr && section.type == kRelocationSection)
      for (std::size_t row = 0; row + kRelocationBytes <= bytes.size(); row += kRelocationBytes) {
        const auto target = ByteView(bytes).number<std::uint64_t>(row).value_or(0);
        if (target >= pointers->address && target - pointers->address < pointers->size)
          number_pointer(bytes, row + 2 * kPointerBytes);
      }
    return masked(bytes, root_);
  }

 private:
  const ElfSection* find(std::string_view name) const {
    const auto found = std::ranges::find(loaded_, name, &ElfSection::name);
    return found == loaded_.end() ? nullptr : &*found;
  }

  void number_pointer(std::string& bytes, std::size_t at) const {
    const ElfSection* fatbins = find(kFatbins);
    const auto value = ByteView(bytes).number<std::uint64_t>(at);
    if (fatbins == nullptr || !value) return;
    for (const auto& entry : fatbins_)
      if (*value == fatbins->address + entry.offset) {
        const std::uint64_t place = entry.container;
        std::memcpy(bytes.data() + at, &place, kPointerBytes);
        return;
      }
  }

  std::string root_;
  ElfFile elf_;
  std::vector<ElfSection> loaded_;
  Entries fatbins_;
};

bool have_same_head(const ElfFile& a, const ElfFile& b) {
  return std::tie(a.type, a.machine, a.entry, a.segments) == std::tie(b.type, b.machine, b.entry, b.segments);
}

}  // namespace

std::string device_code_difference(std::string_view base, std::string_view candidate, int architecture,
                                   const std::string& base_root, const std::string& candidate_root) {
  if (base == candidate) return "";
  const auto base_entries = read_fatbins(ByteView(base));
  const auto candidate_entries = read_fatbins(ByteView(candidate));
  if (!base_entries || !candidate_entries) return "the device code is damaged, or of an unknown format";
  const auto base_containers = by_container(*base_entries);
  const auto candidate_containers = by_container(*candidate_entries);
  const bool same = std::equal(base_containers.begin(), base_containers.end(), candidate_containers.begin(),
                               candidate_containers.end(), [&](const auto& a, const auto& b) {
                                 const Entries x = loaded_of(a.second, architecture);
                                 const Entries y = loaded_of(b.second, architecture);
                                 return a.first == b.first &&
                                        std::equal(x.begin(), x.end(), y.begin(), y.end(),
                                                   [&](const FatbinEntry& one, const FatbinEntry& other) {
                                                     return is_same(one, other, base_root, candidate_root);
                                                   });
                               });
  return same ? "" : "the device code for sm_" + std::to_string(architecture) + " differs";
}

namespace {

// What a GPU loads of a section of fatbins; false where it cannot be read.
bool add_device_code(const ByteView& content, const std::string& root, int architecture, Digest& digest) {
  const auto entries = read_fatbins(content);
  if (!entries) return false;
  for (const auto& [place, container] : by_container(*entries)) {
    digest.add(place);
    for (const auto& entry : loaded_of(container, architecture)) {
      digest.add(entry.is_cubin, entry.is_specific, entry.packing != Packing::kNone, entry.architecture);
      digest.add_counted(comparable_code(entry, root));
    }
  }
  return true;
}

// Of two sections of one name, in one place of the files.
std::string section_difference(const Image& base_image, const ElfSection& base, const Image& candidate_image,
                               const ElfSection& candidate, std::optional<int> architecture) {
  const std::string name = "'" + std::string(base.name) + "'";
  const bool moved = base.address != candidate.address;
  if (base.type != candidate.type || base.flags != candidate.flags) return name + " is of another kind";
  if (moved && !(architecture && is_among(kMayMove, base.name))) return name + " lies elsewhere";
  if (architecture && is_device_code(base.name))
    return device_code_difference(base.content.bytes(), candidate.content.bytes(), *architecture,
                                  base_image.root(), candidate_image.root());
  if (base.size != candidate.size) return name + " has another length";
  if (base.name == kBuildId || (moved && is_among(kDiffersWhereMoved, base.name))) return "";
  if (base.content.bytes() == candidate.content.bytes() ||
      base_image.comparable(base) == candidate_image.comparable(candidate))
    return "";
  return name + " differs";
}

}  // namespace

std::string program_difference(const ProgramImage& base, const ProgramImage& candidate,
                               std::optional<int> architecture) {
  if (base.file == candidate.file) return "";
  const bool alike = base.root.size() == candidate.root.size();  // else all that follows is moved
  const Image base_image(base, alike ? base.root : "");
  const Image candidate_image(candidate, alike ? candidate.root : "");
  if (base_image.loaded().empty() || candidate_image.loaded().empty())
    return "the files differ, and are no executables that can be compared";
  if (!have_same_head(base_image.elf(), candidate_image.elf())) return "its ELF header differs";
  const auto& base_sections = base_image.loaded();
  const auto& candidate_sections = candidate_image.loaded();
  for (std::size_t i = 0; i < std::min(base_sections.size(), candidate_sections.size()); ++i) {
    if (base_sections[i].name != candidate_sections[i].name)
      return "'" + std::string(candidate_sections[i].name) + "' is new, or elsewhere";
    const auto why = section_difference(base_image, base_sections[i], candidate_image, candidate_sections[i],
                                        architecture);
    if (!why.empty()) return why;
  }
  return base_sections.size() == candidate_sections.size() ? "" : "there are other sections";
}

std::string program_hash(const ProgramImage& file, std::optional<int> architecture) {
  const Image image(file, file.root);
  if (image.loaded().empty()) return "";
  Digest digest;
  const ElfFile& elf = image.elf();
  digest.add(file.root.size(), elf.type, elf.machine, elf.entry, elf.segments.size());
  for (const auto& segment : elf.segments) digest.add(segment.type, segment.flags, segment.alignment);
  for (const auto& section : image.loaded()) {
    digest.add_counted(section.name);
    digest.add(section.type, section.flags, section.address);
    if (architecture && is_device_code(section.name)) {
      if (!add_device_code(section.content, file.root, *architecture, digest)) return "";
      continue;
    }
    digest.add(section.size);
    if (section.name != kBuildId) digest.add_counted(image.comparable(section));
  }
  return digest.text();
}

}  // namespace tracker::machine_code
