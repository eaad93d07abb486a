#include "tracker/machine_code/cubin.hpp"

#include <algorithm>
#include <utility>

#include "tracker/machine_code/digest.hpp"

namespace tracker {
namespace {

constexpr std::string_view kText = ".text.";
constexpr std::string_view kConstants = ".nv.constant";
constexpr std::string_view kParameterBank = "0";

// An attribute of .nv.info: its format, its number, and a size where the format is "sized".
constexpr std::uint8_t kSized = 4;
constexpr std::uint8_t kRegisterCount = 0x2f;  // of a function: its symbol, and registers
constexpr std::uint64_t kAttributeBytes = 4;

std::map<std::uint32_t, std::uint32_t> read_registers(ByteView attributes) {
  std::map<std::uint32_t, std::uint32_t> registers;
  for (std::uint64_t at = 0; at + kAttributeBytes <= attributes.size();) {
    const auto format = attributes.number<std::uint8_t>(at);
    const auto attribute = attributes.number<std::uint8_t>(at + 1);
    const auto size = attributes.number<std::uint16_t>(at + 2);
    at += kAttributeBytes;
    if (format != kSized) continue;
    const auto symbol = attributes.number<std::uint32_t>(at);
    const auto count = attributes.number<std::uint32_t>(at + 4);
    if (attribute == kRegisterCount && size == 8u && symbol && count) registers[*symbol] = *count;
    at += *size;
  }
  return registers;
}

bool is_zero(ByteView bytes) {
  return bytes.bytes().find_first_not_of('\0') == std::string_view::npos;
}

}  // namespace

// Walks over a kernel and what it refers to, each once.
class KernelReader {
 public:
  explicit KernelReader(const Cubin& cubin) : cubin_(cubin) {}

  std::optional<KernelCode> read(std::size_t text_section) {
    number_of(text_section);
    for (std::size_t i = 0; i < functions_.size(); ++i)
      if (!add_function(functions_[i])) return {};
    add_constants("");
    code_.hash = digest_.text();
    return code_;
  }

 private:
  bool add_function(std::size_t text_section) {
    const ElfSection& text = cubin_.file_.sections[text_section];
    const std::string name(text.name.substr(kText.size()));
    digest_.add_counted(text.content.bytes());
    digest_.add(registers_of(name, text_section));
    const ElfSection* shared = cubin_.find(".nv.shared." + name);
    digest_.add(shared == nullptr ? 0 : shared->size);
    add_constants("." + name);
    code_.texts.push_back(text.content);
    const auto relocations = relocations_of(cubin_.file_, text_section);
    if (!relocations) return false;
    return std::all_of(relocations->begin(), relocations->end(),
                       [&](const ElfRelocation& relocation) { return add_relocation(relocation); });
  }

  // Before CUDA 13 the upper byte of the section's info has it as well; .nv.info always does.
  std::uint64_t registers_of(std::string_view name, std::size_t text_section) const {
    for (const auto& [symbol, count] : cubin_.registers_) {
      if (symbol >= cubin_.file_.symbols.size()) continue;
      const ElfSymbol& known = cubin_.file_.symbols[symbol];
      if (known.section == text_section && known.name == name) return count;
    }
    return 0;
  }

  // Of one function (".name"), or of the whole unit (""). What is zero is set at run time, if at all.
  void add_constants(const std::string& suffix) {
    for (const auto& [name, section] : cubin_.index_) {
      if (!name.starts_with(kConstants) || !name.ends_with(suffix)) continue;
      const std::string_view bank =
          name.substr(kConstants.size(), name.size() - kConstants.size() - suffix.size());
      const ByteView content = cubin_.file_.sections[section].content;
      if (bank.empty() || bank.find_first_not_of("0123456789") != std::string_view::npos) continue;
      if (bank == kParameterBank || is_zero(content)) continue;
      digest_.add_counted(bank);
      digest_.add_counted(content.bytes());
    }
  }

  // An address is known by what lies there, as the address itself and most names say nothing of the code.
  bool add_relocation(const ElfRelocation& relocation) {
    digest_.add(relocation.offset);
    digest_.add(relocation.type);
    digest_.add(static_cast<std::uint64_t>(relocation.addend));
    const ElfSymbol& symbol = cubin_.file_.symbols[relocation.symbol];
    if (symbol.section == 0) {
      digest_.add_counted(symbol.name);
      return true;
    }
    if (symbol.section >= cubin_.file_.sections.size()) return true;  // a common or an absolute one
    const ElfSection& section = cubin_.file_.sections[symbol.section];
    if (section.name.starts_with(kText)) {
      digest_.add(number_of(symbol.section));
      digest_.add(symbol.value);
      return true;
    }
    digest_.add(symbol.size);
    if (section.content.size() == 0) return true;
    const auto object = section.content.part(symbol.value, symbol.size);
    if (object) digest_.add_counted(object->bytes());
    return object.has_value();
  }

  // The place of a function among those read; a new one is read after the others.
  std::uint64_t number_of(std::size_t text_section) {
    const auto known = std::find(functions_.begin(), functions_.end(), text_section);
    const auto number = static_cast<std::uint64_t>(known - functions_.begin());
    if (known == functions_.end()) functions_.push_back(text_section);
    return number;
  }

  const Cubin& cubin_;
  std::vector<std::size_t> functions_;  // their sections
  Digest digest_;
  KernelCode code_;
};

Cubin::Cubin(ElfFile file) : file_(std::move(file)) {
  for (std::size_t i = 0; i < file_.sections.size(); ++i) index_.try_emplace(file_.sections[i].name, i);
  if (const ElfSection* info = find(".nv.info")) registers_ = read_registers(info->content);
}

std::optional<Cubin> Cubin::read(ByteView file) {
  auto elf = read_elf(file);
  if (!elf) return {};
  return Cubin(std::move(*elf));
}

const ElfSection* Cubin::find(const std::string& name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &file_.sections[found->second];
}

std::vector<std::string_view> Cubin::functions() const {
  std::vector<std::string_view> names;
  for (const auto& [name, section] : index_)
    if (name.starts_with(kText)) names.push_back(name.substr(kText.size()));
  return names;
}

std::optional<KernelCode> Cubin::kernel(std::string_view name) const {
  const auto found = index_.find(std::string(kText) + std::string(name));
  if (found == index_.end()) return {};
  return KernelReader(*this).read(found->second);
}

}  // namespace tracker
