#include "tracker/machine_code/machine_code.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <utility>

#include <cxxabi.h>

#include "tracker/machine_code/digest.hpp"

namespace tracker::machine_code {
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

// A kernel, and the functions that it calls.
struct KernelCode {
  std::string hash;             // 16 hexadecimal digits
  std::vector<ByteView> texts;  // their instructions, the kernel's first
};

// A cubin: the ELF file of one translation unit's machine code for one architecture. The code of each kernel,
// and of each device function that is not part of one, is a section .text.<mangled name>.
struct Cubin {
  explicit Cubin(ElfFile elf) : file(std::move(elf)) {
    for (std::size_t i = 0; i < file.sections.size(); ++i) index.try_emplace(file.sections[i].name, i);
    if (const ElfSection* info = find(".nv.info")) registers = read_registers(info->content);
  }

  const ElfSection* find(const std::string& name) const {
    const auto found = index.find(name);
    return found == index.end() ? nullptr : &file.sections[found->second];
  }

  ElfFile file;
  std::map<std::string_view, std::size_t> index;     // section name → section
  std::map<std::uint32_t, std::uint32_t> registers;  // symbol → a thread's registers
};

// Walks over a kernel and what it refers to, each once.
class KernelReader {
 public:
  explicit KernelReader(const Cubin& cubin) : cubin_(cubin) {}

  // Empty where there is no such kernel, or the file is damaged.
  std::optional<KernelCode> read(const std::string& name) {
    const auto found = cubin_.index.find(std::string(kText) + name);
    if (found == cubin_.index.end()) return {};
    number_of(found->second);
    for (std::size_t i = 0; i < functions_.size(); ++i)
      if (!add_function(functions_[i])) return {};
    add_constants("");
    code_.hash = digest_.text();
    return code_;
  }

 private:
  bool add_function(std::size_t text_section) {
    const ElfSection& text = cubin_.file.sections[text_section];
    const std::string name(text.name.substr(kText.size()));
    digest_.add_counted(text.content.bytes());
    digest_.add(registers_of(name, text_section));
    const ElfSection* shared = cubin_.find(".nv.shared." + name);
    digest_.add(shared == nullptr ? 0 : shared->size);
    add_constants("." + name);
    code_.texts.push_back(text.content);
    const auto relocations = relocations_of(cubin_.file, text_section);
    if (!relocations) return false;
    return std::all_of(relocations->begin(), relocations->end(),
                       [&](const ElfRelocation& relocation) { return add_relocation(relocation); });
  }

  // Before CUDA 13 the upper byte of the section's info has it as well; .nv.info always does.
  std::uint64_t registers_of(std::string_view name, std::size_t text_section) const {
    for (const auto& [symbol, count] : cubin_.registers) {
      if (symbol >= cubin_.file.symbols.size()) continue;
      const ElfSymbol& known = cubin_.file.symbols[symbol];
      if (known.section == text_section && known.name == name) return count;
    }
    return 0;
  }

  // Of one function (".name"), or of the whole unit (""). What is zero is set at run time, if at all.
  void add_constants(const std::string& suffix) {
    for (const auto& [name, section] : cubin_.index) {
      if (!name.starts_with(kConstants) || !name.ends_with(suffix)) continue;
      const std::string_view bank =
          name.substr(kConstants.size(), name.size() - kConstants.size() - suffix.size());
      const ByteView content = cubin_.file.sections[section].content;
      if (bank.empty() || bank.find_first_not_of("0123456789") != std::string_view::npos) continue;
      if (bank == kParameterBank || is_zero(content)) continue;
      digest_.add_counted(bank);
      digest_.add_counted(content.bytes());
    }
  }

  // An address is known by what lies there, as the address itself and most names say nothing of the code.
  bool add_relocation(const ElfRelocation& relocation) {
    digest_.add(relocation.offset, relocation.type, relocation.addend);
    const ElfSymbol& symbol = cubin_.file.symbols[relocation.symbol];
    if (symbol.section == 0) {
      digest_.add_counted(symbol.name);
      return true;
    }
    if (symbol.section >= cubin_.file.sections.size()) return true;  // a common or an absolute one
    const ElfSection& section = cubin_.file.sections[symbol.section];
    if (section.name.starts_with(kText)) {
      digest_.add(number_of(symbol.section), symbol.value);
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
    const auto known = std::ranges::find(functions_, text_section);
    const auto number = static_cast<std::uint64_t>(known - functions_.begin());
    if (known == functions_.end()) functions_.push_back(text_section);
    return number;
  }

  const Cubin& cubin_;
  std::vector<std::size_t> functions_;  // their sections
  Digest digest_;
  KernelCode code_;
};

struct MachineCode::Unit {
  int architecture = 0;
  bool is_specific = false;
  Cubin cubin;
};

struct MachineCode::Found {
  std::optional<KernelCode> code;
  std::string why_not;
};

MachineCode::~MachineCode() = default;
MachineCode::MachineCode(MachineCode&&) noexcept = default;
MachineCode& MachineCode::operator=(MachineCode&&) noexcept = default;

MachineCode::MachineCode(std::vector<std::string> cubins, int architecture) {
  for (auto& bytes : cubins) {
    files_.push_back(std::make_unique<const std::string>(std::move(bytes)));
    if (auto elf = read_elf(ByteView(*files_.back())))
      units_.push_back({architecture, false, Cubin(std::move(*elf))});
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
    if (section.name != ".nv_fatbin") continue;
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
  } else if (auto elf = read_elf(entry.content)) {
    units_.push_back({entry.architecture, entry.is_specific, Cubin(std::move(*elf))});
  }
}

// One name may stand in several units (an instance of a template, a static kernel): they must be the same.
// Code for this very architecture alone (sm_90a) goes before code that later ones can run as well, in
// whichever order they stand (so it is on an H200).
MachineCode::Found MachineCode::find(const KernelId& kernel) const {
  std::vector<std::pair<bool, KernelCode>> found;
  bool is_elsewhere = std::ranges::any_of(
      ptx_, [&](ByteView ptx) { return ptx.bytes().find(kernel.name) != std::string_view::npos; });
  for (const Unit& unit : units_) {
    auto code = KernelReader(unit.cubin).read(kernel.name);
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
  std::ranges::stable_sort(found, [](const auto& a, const auto& b) { return a.first > b.first; });
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
    if (std::ranges::find(seen, kernel) != seen.end()) continue;
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
    for (const auto& [name, section] : unit.cubin.index)
      if (name.starts_with(kText)) all.push_back({std::string(name.substr(kText.size())), unit.architecture});
  return all;
}

namespace {

constexpr int kArchitectureMin = 75;
constexpr int kArchitectureMax = 90;
constexpr std::uint64_t kInstructionBytes = 16;
constexpr std::uint64_t kOpcodeMask = 0xfff;  // 9 bits say what it does, 3 where its operands come from

// Each instruction, and the opcodes of all its forms. Nowhere documented: seen beside nvdisasm's names in 24
// million instructions of CUDA 13.0's libraries and of test kernels, for sm_75, 80, 86, 89 and 90a.
constexpr std::string_view kOpcodes =
    "ACQBULK 82e  ARRIVES 9b0  ATOM 38a 38b 98a 9a2  ATOMG 3a8 3a9 9a3 9a8  ATOMS 38c 38d f8c  B2R 31c  "
    "BAR b1d  BGMMA 9f2  BMMA 23d  BMOV 355 356  BMSK 21b  BPT 95c  BRA 947  BREAK 942  BREV 301  BRX 949  "
    "BRXU 958  BSSY 945  BSYNC 941  CALL 343 344 943 944  CCTL 98f  CGAERRBAR 5ab  CS2R 805  "
    "DADD 229 429 629 e29  DEPBAR 91a  DFMA 22b 42b 62b 82b a2b c2b e2b  DMMA 23f  DMUL 228 828 a28 c28  "
    "DSETP 22a 42a 62a e2a  ELECT 82f  ENDCOLLECTIVE 91b  ERRBAR 9ab  EXIT 94d  F2F 304 310 b04 b10 d10  "
    "F2FP 23e a3e c3e  F2I 305 311 b05 b11 d05 d11  F2IP 243  FADD 221 421 621 e21  FCHK 302 902  "
    "FENCE 3c6  FFMA 223 423 623 823 a23 c23  FLO 300 d00  FMNMX 209 809 a09  FMUL 220 820 a20 c20  "
    "FRND 307 313 b07 d07  FSEL 208 808 a08 c08  FSETP 20b 80b a0b c0b  HADD2 230 430 630  "
    "HFMA2 231 235 435 831 835  HGMMA 9f0  HMMA 236 23c  HMNMX2 240 a40  HMUL2 232  HSET2 233  HSETP2 234  "
    "I2F 306 312 906 b06 b12 d06 d12  I2FP 245 a45 c45  IABS 213 a13 c13  IADD3 210 810 a10 c10  IDP 226  "
    "IGMMA 9f1  IMAD 224 225 227 424 624 625 627 824 825 827 a24 a25 a27 c24 c25 c27 e24 e25  IMMA 237  "
    "IMNMX 217 817 a17 c17  ISETP 20c 80c a0c c0c  LD 980  LDC b82  LDG 381 981  LDGDEPBAR 9af  LDGMC 9a5  "
    "LDGSTS dae fae  LDL 983  LDS 984  LDSM 83b  LEA 211 411 811 a11 c11  LEPC 34e  LOP3 212 812 a12 c12  "
    "MATCH 3a1  MEMBAR 992  MOV 202 802 a02 c02  MOVM 23a  MUFU 308 908 b08  NANOSLEEP 35d 95d  NOP 918  "
    "P2R 803  PLOP3 81c  PMTRIG 801  POPC 309 d09  PREEXIT 82d  PRMT 216 816 e16  QGMMA 9f3  QSPC 3aa  "
    "R2P 804  R2UR 2ca 3c2  RED 98e  REDG 9a6  REDUX 3c4  RET 950  S2R 919  S2UR 9c3  SEL 207 807 a07 c07  "
    "SGXT 21a 81a  SHF 219 419 619 819 a19 c19  SHFL 389 589 989 f89  ST 385 985  STAS dbd  STG 386 986  "
    "STL 387  STS 388 988  STSM 844  SULD 99a b99 f99  SURED 3a0 59f f9f  SUST 99e b9d f9d  "
    "SYNCS 5a7 5b2 9a7 9b1  TEX 361 b60 f60  TLD 367 b66 f66  TLD4 364 b63 f63  TXD 36d b6c f6c  "
    "TXQ 370 b6f f6f  UBLKCP 3ba  UBLKPF 3bc  UBLKRED 3bb  UCGABAR_ARV 9c7  UCGABAR_WAIT dc7  UFLO 2bd  "
    "UIADD3 290 890  UIMAD 2a4 2a5 4a4 8a4 8a5  UISETP 28c 88c  ULDC ab9 abb  ULEA 291 891  ULOP3 292 892  "
    "UMOV 882 c82  UPLOP3 89c  UPOPC 2bf  UPRMT 896  USEL 287 887  USETMAXREG 9c8  USHF 299 899  "
    "UTMACCTL 9b9  UTMACMDFLUSH 9b7  UTMALDG 3b4 5b4  UTMAPF 5b8  UTMAREDG 3b6  UTMASTG 3b5  VABSDIFF 214  "
    "VABSDIFF4 215  VIADD 836 c36  VIADDMNMX 246 446 846 c46 e46  VIMNMX 248 848 c48  VIMNMX3 20f 80f c0f  "
    "VOTE 806  VOTEU 886  WARPGROUP 9c5  WARPSYNC 348 948  YIELD 946";

// The one that two architectures call differently.
constexpr std::uint64_t kReduction = 0x98e;
constexpr int kReductionIsGlobal = 90;  // from here on

constexpr std::string_view kPadding = "NOP";

// By opcode.
const std::vector<std::string_view>& mnemonics() {
  static const std::vector<std::string_view> table = [] {
    std::vector<std::string_view> names(kOpcodeMask + 1, kOtherInstruction);
    std::string_view name;
    for (std::string_view rest = kOpcodes; !rest.empty();) {
      const auto word = rest.substr(0, rest.find(' '));
      rest.remove_prefix(std::min(word.size() + 1, rest.size()));
      std::size_t bits = 0;
      if (!word.empty() && std::isupper(static_cast<unsigned char>(word.front())) != 0)
        name = word;
      else if (std::from_chars(word.data(), word.data() + word.size(), bits, 16).ec == std::errc())
        names[bits] = name;
    }
    return names;
  }();
  return table;
}

std::string_view mnemonic_of(std::uint64_t first_word, int architecture) {
  const std::uint64_t bits = first_word & kOpcodeMask;
  return bits == kReduction && architecture >= kReductionIsGlobal ? "REDG" : mnemonics()[bits];
}

}  // namespace

std::map<std::string, std::int64_t> instruction_mix(ByteView text, int architecture) {
  if (architecture < kArchitectureMin || architecture > kArchitectureMax) return {};
  if (text.size() % kInstructionBytes != 0) return {};
  std::map<std::string_view, std::int64_t> mix;
  std::int64_t padding = 0;  // since the last of the others
  for (std::uint64_t at = 0; at < text.size(); at += kInstructionBytes) {
    const auto mnemonic = mnemonic_of(text.number<std::uint64_t>(at).value(), architecture);
    padding = mnemonic == kPadding ? padding + 1 : 0;
    ++mix[mnemonic];
  }
  if (padding > 0 && (mix[kPadding] -= padding) == 0) mix.erase(kPadding);
  return {mix.begin(), mix.end()};
}

namespace {

constexpr std::size_t kNameMax = 160;
constexpr std::string_view kAnonymous = "(anonymous namespace)::";

std::string demangled(const std::string& name) {
  if (!name.starts_with("_Z")) return name;  // a C function "f" is not the type "float"
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text != nullptr ? std::string(text.get()) : name;
}

void erase_all(std::string& text, std::string_view what) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at))
    text.erase(at, what.size());
}

// "void ns::kernel<(ns::Kind)2>(ns::Panel)" → "ns::kernel<(ns::Kind)2>": what lies outside of all brackets
// between the return type, if there is one, and the parameters.
std::string without_types(const std::string& text) {
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (depth == 0 && c == ' ') begin = i + 1;
    if (depth == 0 && c == '(') return text.substr(begin, i - begin);
    if (c == '<' || c == '(') ++depth;
    if (c == '>' || c == ')') --depth;
  }
  return text.substr(begin);
}

bool is_identifier(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// "ns::kernel<ns::Config>" → "kernel<Config>"
std::string without_namespaces(const std::string& text) {
  std::string kept;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "::") != 0) {
      kept += text[i];
      continue;
    }
    while (!kept.empty() && is_identifier(kept.back())) kept.pop_back();
    ++i;
  }
  return kept;
}

}  // namespace

std::string kernel_name(const std::string& mangled) {
  std::string name = demangled(mangled);
  erase_all(name, kAnonymous);
  name = without_namespaces(without_types(name));
  erase_all(name, " ");
  std::ranges::replace_if(
      name, [](char c) { return c <= ' ' || c > '~' || c == ':'; }, '_');
  if (name.size() > kNameMax) name = name.substr(0, std::min(name.find('<'), kNameMax)) + "...";
  return name.empty() ? "_" : name;
}

}  // namespace tracker::machine_code
