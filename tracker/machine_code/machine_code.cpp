#include "tracker/machine_code/machine_code.hpp"

#include <algorithm>
#include <cctype>
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

namespace {

constexpr int kArchitectureMin = 75;
constexpr int kArchitectureMax = 90;
constexpr std::uint64_t kInstructionBytes = 16;
constexpr std::uint64_t kOpcodeMask = 0xfff;  // 9 bits say what it does, 3 where its operands come from

struct Opcode {
  std::uint16_t bits = 0;
  std::string_view mnemonic;
};

// Ascending. Nowhere documented: seen beside nvdisasm's names in 24 million instructions of CUDA 13.0's
// libraries and of test kernels, for sm_75, 80, 86, 89 and 90a.
constexpr Opcode kOpcodes[] = {
    {0x202, "MOV"},           {0x207, "SEL"},          {0x208, "FSEL"},      {0x209, "FMNMX"},
    {0x20b, "FSETP"},         {0x20c, "ISETP"},        {0x20f, "VIMNMX3"},   {0x210, "IADD3"},
    {0x211, "LEA"},           {0x212, "LOP3"},         {0x213, "IABS"},      {0x214, "VABSDIFF"},
    {0x215, "VABSDIFF4"},     {0x216, "PRMT"},         {0x217, "IMNMX"},     {0x219, "SHF"},
    {0x21a, "SGXT"},          {0x21b, "BMSK"},         {0x220, "FMUL"},      {0x221, "FADD"},
    {0x223, "FFMA"},          {0x224, "IMAD"},         {0x225, "IMAD"},      {0x226, "IDP"},
    {0x227, "IMAD"},          {0x228, "DMUL"},         {0x229, "DADD"},      {0x22a, "DSETP"},
    {0x22b, "DFMA"},          {0x230, "HADD2"},        {0x231, "HFMA2"},     {0x232, "HMUL2"},
    {0x233, "HSET2"},         {0x234, "HSETP2"},       {0x235, "HFMA2"},     {0x236, "HMMA"},
    {0x237, "IMMA"},          {0x23a, "MOVM"},         {0x23c, "HMMA"},      {0x23d, "BMMA"},
    {0x23e, "F2FP"},          {0x23f, "DMMA"},         {0x240, "HMNMX2"},    {0x243, "F2IP"},
    {0x245, "I2FP"},          {0x246, "VIADDMNMX"},    {0x248, "VIMNMX"},    {0x287, "USEL"},
    {0x28c, "UISETP"},        {0x290, "UIADD3"},       {0x291, "ULEA"},      {0x292, "ULOP3"},
    {0x299, "USHF"},          {0x2a4, "UIMAD"},        {0x2a5, "UIMAD"},     {0x2bd, "UFLO"},
    {0x2bf, "UPOPC"},         {0x2ca, "R2UR"},         {0x300, "FLO"},       {0x301, "BREV"},
    {0x302, "FCHK"},          {0x304, "F2F"},          {0x305, "F2I"},       {0x306, "I2F"},
    {0x307, "FRND"},          {0x308, "MUFU"},         {0x309, "POPC"},      {0x310, "F2F"},
    {0x311, "F2I"},           {0x312, "I2F"},          {0x313, "FRND"},      {0x31c, "B2R"},
    {0x343, "CALL"},          {0x344, "CALL"},         {0x348, "WARPSYNC"},  {0x34e, "LEPC"},
    {0x355, "BMOV"},          {0x356, "BMOV"},         {0x35d, "NANOSLEEP"}, {0x361, "TEX"},
    {0x364, "TLD4"},          {0x367, "TLD"},          {0x36d, "TXD"},       {0x370, "TXQ"},
    {0x381, "LDG"},           {0x385, "ST"},           {0x386, "STG"},       {0x387, "STL"},
    {0x388, "STS"},           {0x389, "SHFL"},         {0x38a, "ATOM"},      {0x38b, "ATOM"},
    {0x38c, "ATOMS"},         {0x38d, "ATOMS"},        {0x3a0, "SURED"},     {0x3a1, "MATCH"},
    {0x3a8, "ATOMG"},         {0x3a9, "ATOMG"},        {0x3aa, "QSPC"},      {0x3b4, "UTMALDG"},
    {0x3b5, "UTMASTG"},       {0x3b6, "UTMAREDG"},     {0x3ba, "UBLKCP"},    {0x3bb, "UBLKRED"},
    {0x3bc, "UBLKPF"},        {0x3c2, "R2UR"},         {0x3c4, "REDUX"},     {0x3c6, "FENCE"},
    {0x411, "LEA"},           {0x419, "SHF"},          {0x421, "FADD"},      {0x423, "FFMA"},
    {0x424, "IMAD"},          {0x429, "DADD"},         {0x42a, "DSETP"},     {0x42b, "DFMA"},
    {0x430, "HADD2"},         {0x435, "HFMA2"},        {0x446, "VIADDMNMX"}, {0x4a4, "UIMAD"},
    {0x589, "SHFL"},          {0x59f, "SURED"},        {0x5a7, "SYNCS"},     {0x5ab, "CGAERRBAR"},
    {0x5b2, "SYNCS"},         {0x5b4, "UTMALDG"},      {0x5b8, "UTMAPF"},    {0x619, "SHF"},
    {0x621, "FADD"},          {0x623, "FFMA"},         {0x624, "IMAD"},      {0x625, "IMAD"},
    {0x627, "IMAD"},          {0x629, "DADD"},         {0x62a, "DSETP"},     {0x62b, "DFMA"},
    {0x630, "HADD2"},         {0x801, "PMTRIG"},       {0x802, "MOV"},       {0x803, "P2R"},
    {0x804, "R2P"},           {0x805, "CS2R"},         {0x806, "VOTE"},      {0x807, "SEL"},
    {0x808, "FSEL"},          {0x809, "FMNMX"},        {0x80b, "FSETP"},     {0x80c, "ISETP"},
    {0x80f, "VIMNMX3"},       {0x810, "IADD3"},        {0x811, "LEA"},       {0x812, "LOP3"},
    {0x816, "PRMT"},          {0x817, "IMNMX"},        {0x819, "SHF"},       {0x81a, "SGXT"},
    {0x81c, "PLOP3"},         {0x820, "FMUL"},         {0x823, "FFMA"},      {0x824, "IMAD"},
    {0x825, "IMAD"},          {0x827, "IMAD"},         {0x828, "DMUL"},      {0x82b, "DFMA"},
    {0x82d, "PREEXIT"},       {0x82e, "ACQBULK"},      {0x82f, "ELECT"},     {0x831, "HFMA2"},
    {0x835, "HFMA2"},         {0x836, "VIADD"},        {0x83b, "LDSM"},      {0x844, "STSM"},
    {0x846, "VIADDMNMX"},     {0x848, "VIMNMX"},       {0x882, "UMOV"},      {0x886, "VOTEU"},
    {0x887, "USEL"},          {0x88c, "UISETP"},       {0x890, "UIADD3"},    {0x891, "ULEA"},
    {0x892, "ULOP3"},         {0x896, "UPRMT"},        {0x899, "USHF"},      {0x89c, "UPLOP3"},
    {0x8a4, "UIMAD"},         {0x8a5, "UIMAD"},        {0x902, "FCHK"},      {0x906, "I2F"},
    {0x908, "MUFU"},          {0x918, "NOP"},          {0x919, "S2R"},       {0x91a, "DEPBAR"},
    {0x91b, "ENDCOLLECTIVE"}, {0x941, "BSYNC"},        {0x942, "BREAK"},     {0x943, "CALL"},
    {0x944, "CALL"},          {0x945, "BSSY"},         {0x946, "YIELD"},     {0x947, "BRA"},
    {0x948, "WARPSYNC"},      {0x949, "BRX"},          {0x94d, "EXIT"},      {0x950, "RET"},
    {0x958, "BRXU"},          {0x95c, "BPT"},          {0x95d, "NANOSLEEP"}, {0x980, "LD"},
    {0x981, "LDG"},           {0x983, "LDL"},          {0x984, "LDS"},       {0x985, "ST"},
    {0x986, "STG"},           {0x988, "STS"},          {0x989, "SHFL"},      {0x98a, "ATOM"},
    {0x98e, "RED"},           {0x98f, "CCTL"},         {0x992, "MEMBAR"},    {0x99a, "SULD"},
    {0x99e, "SUST"},          {0x9a2, "ATOM"},         {0x9a3, "ATOMG"},     {0x9a5, "LDGMC"},
    {0x9a6, "REDG"},          {0x9a7, "SYNCS"},        {0x9a8, "ATOMG"},     {0x9ab, "ERRBAR"},
    {0x9af, "LDGDEPBAR"},     {0x9b0, "ARRIVES"},      {0x9b1, "SYNCS"},     {0x9b7, "UTMACMDFLUSH"},
    {0x9b9, "UTMACCTL"},      {0x9c3, "S2UR"},         {0x9c5, "WARPGROUP"}, {0x9c7, "UCGABAR_ARV"},
    {0x9c8, "USETMAXREG"},    {0x9f0, "HGMMA"},        {0x9f1, "IGMMA"},     {0x9f2, "BGMMA"},
    {0x9f3, "QGMMA"},         {0xa02, "MOV"},          {0xa07, "SEL"},       {0xa08, "FSEL"},
    {0xa09, "FMNMX"},         {0xa0b, "FSETP"},        {0xa0c, "ISETP"},     {0xa10, "IADD3"},
    {0xa11, "LEA"},           {0xa12, "LOP3"},         {0xa13, "IABS"},      {0xa17, "IMNMX"},
    {0xa19, "SHF"},           {0xa20, "FMUL"},         {0xa23, "FFMA"},      {0xa24, "IMAD"},
    {0xa25, "IMAD"},          {0xa27, "IMAD"},         {0xa28, "DMUL"},      {0xa2b, "DFMA"},
    {0xa3e, "F2FP"},          {0xa40, "HMNMX2"},       {0xa45, "I2FP"},      {0xab9, "ULDC"},
    {0xabb, "ULDC"},          {0xb04, "F2F"},          {0xb05, "F2I"},       {0xb06, "I2F"},
    {0xb07, "FRND"},          {0xb08, "MUFU"},         {0xb10, "F2F"},       {0xb11, "F2I"},
    {0xb12, "I2F"},           {0xb1d, "BAR"},          {0xb60, "TEX"},       {0xb63, "TLD4"},
    {0xb66, "TLD"},           {0xb6c, "TXD"},          {0xb6f, "TXQ"},       {0xb82, "LDC"},
    {0xb99, "SULD"},          {0xb9d, "SUST"},         {0xc02, "MOV"},       {0xc07, "SEL"},
    {0xc08, "FSEL"},          {0xc0b, "FSETP"},        {0xc0c, "ISETP"},     {0xc0f, "VIMNMX3"},
    {0xc10, "IADD3"},         {0xc11, "LEA"},          {0xc12, "LOP3"},      {0xc13, "IABS"},
    {0xc17, "IMNMX"},         {0xc19, "SHF"},          {0xc20, "FMUL"},      {0xc23, "FFMA"},
    {0xc24, "IMAD"},          {0xc25, "IMAD"},         {0xc27, "IMAD"},      {0xc28, "DMUL"},
    {0xc2b, "DFMA"},          {0xc36, "VIADD"},        {0xc3e, "F2FP"},      {0xc45, "I2FP"},
    {0xc46, "VIADDMNMX"},     {0xc48, "VIMNMX"},       {0xc82, "UMOV"},      {0xd00, "FLO"},
    {0xd05, "F2I"},           {0xd06, "I2F"},          {0xd07, "FRND"},      {0xd09, "POPC"},
    {0xd10, "F2F"},           {0xd11, "F2I"},          {0xd12, "I2F"},       {0xdae, "LDGSTS"},
    {0xdbd, "STAS"},          {0xdc7, "UCGABAR_WAIT"}, {0xe16, "PRMT"},      {0xe21, "FADD"},
    {0xe24, "IMAD"},          {0xe25, "IMAD"},         {0xe29, "DADD"},      {0xe2a, "DSETP"},
    {0xe2b, "DFMA"},          {0xe46, "VIADDMNMX"},    {0xf60, "TEX"},       {0xf63, "TLD4"},
    {0xf66, "TLD"},           {0xf6c, "TXD"},          {0xf6f, "TXQ"},       {0xf89, "SHFL"},
    {0xf8c, "ATOMS"},         {0xf99, "SULD"},         {0xf9d, "SUST"},      {0xf9f, "SURED"},
    {0xfae, "LDGSTS"}};

// The one that two architectures call differently.
constexpr std::uint16_t kReduction = 0x98e;
constexpr int kReductionIsGlobal = 90;  // from here on

constexpr std::string_view kPadding = "NOP";

std::string_view mnemonic_of(std::uint64_t first_word, int architecture) {
  const auto bits = static_cast<std::uint16_t>(first_word & kOpcodeMask);
  if (bits == kReduction && architecture >= kReductionIsGlobal) return "REDG";
  const auto known =
      std::lower_bound(std::begin(kOpcodes), std::end(kOpcodes), bits,
                       [](const Opcode& row, std::uint16_t wanted) { return row.bits < wanted; });
  return known != std::end(kOpcodes) && known->bits == bits ? known->mnemonic : kOtherInstruction;
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
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c <= ' ' || c > '~' || c == ':'; }, '_');
  if (name.size() > kNameMax) name = name.substr(0, std::min(name.find('<'), kNameMax)) + "...";
  return name.empty() ? "_" : name;
}

}  // namespace tracker::machine_code
