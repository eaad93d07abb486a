#include "tracker/machine_code/reachable_code.hpp"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <cxxabi.h>

#include "tracker/machine_code/digest.hpp"
#include "tracker/machine_code/elf.hpp"
#include "tracker/machine_code/x86_64.hpp"

namespace tracker {
namespace {

constexpr std::uint32_t kSharedObject = 3;  // ET_DYN: executables that may lie anywhere are such, too
constexpr std::uint32_t kX86Machine = 62;
constexpr std::uint64_t kMapped = 2;  // SHF_ALLOC
constexpr std::uint64_t kHasCode = 4;
constexpr std::uint64_t kOfThread = 0x400;
constexpr std::uint32_t kRelocationTable = 4;
constexpr std::uint32_t kNoContent = 8;
constexpr std::uint32_t kDynamicSymbols = 11;
constexpr std::uint32_t kArraysOfFunctions[] = {14, 15, 16};  // run before and after main()
constexpr std::uint32_t kPackedRelocations = 19;

constexpr std::uint8_t kDataSymbol = 1;
constexpr std::uint8_t kFunctionSymbol = 2;
constexpr std::uint8_t kThreadSymbol = 6;
constexpr std::uint8_t kChosenFunctionSymbol = 10;  // STT_GNU_IFUNC

constexpr std::uint32_t kByName[] = {1, 6, 7};   // R_X86_64_64, GLOB_DAT, JUMP_SLOT
constexpr std::uint32_t kByAddress[] = {8, 37};  // RELATIVE, IRELATIVE
constexpr std::uint64_t kPointerSize = 8;
constexpr std::uint64_t kRelocationRow = 24;

// Arrays are named by places a little before and behind them, too; and between sections there are gaps.
constexpr std::uint64_t kGapBytesMax = 64;

constexpr std::string_view kStateArgument = "(benchmark::State&)";
constexpr std::string_view kTypes = "_ZT";  // tables of virtual functions, and what types are called
constexpr std::string_view kFixtureCase = "_Benchmark::BenchmarkCase";

template <typename List, typename Value>
bool is_one_of(const List& list, const Value& value) {
  return std::find(std::begin(list), std::end(list), value) != std::end(list);
}

std::string demangled(std::string_view symbol) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(
      abi::__cxa_demangle(std::string(symbol).c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && name ? name.get() : std::string(symbol);
}

// "ns::BM_copy<int>" for what takes a benchmark's state alone; empty for other functions, and for parts of
// one that the compiler split off.
std::string benchmark_function(std::string_view symbol) {
  if (!symbol.starts_with("_Z")) return "";
  if (symbol.find("9benchmark5StateE") == std::string_view::npos) return "";
  std::string name = demangled(symbol);
  if (!name.ends_with(kStateArgument)) return "";
  name.resize(name.size() - kStateArgument.size());
  constexpr std::string_view kNothingReturned = "void ";  // said of templates
  if (name.starts_with(kNothingReturned)) name.erase(0, kNothingReturned.size());
  return name;
}

// What runs once, before benchmarks: registering one takes its function's address, and does not call it.
bool registers_benchmarks(std::string_view symbol) {
  return symbol == "main" || symbol.starts_with("_GLOBAL__sub_I_") ||
         symbol.starts_with("__cxx_global_var_init") ||
         symbol.find("static_initialization_and_destruction") != std::string_view::npos;
}

// From a place in a part to an address, or to something outside of the file.
struct Reference {
  std::uint64_t at = 0;  // in the part
  std::uint64_t bytes = 0;
  std::uint64_t target = 0;
  std::string outside;  // instead of the target
  bool is_jump = false;
};

// A function, an object, or what lies between two of them and is pointed at.
struct Part {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::string_view symbol;  // one of them
  bool is_code = false;
  bool is_opaque = false;    // it cannot be told what it refers to
  bool uses_thread = false;  // a variable of the thread, by its place
  std::vector<Reference> references;
};

class Executable {
 public:
  explicit Executable(const ProgramImage& image) : root_(image.root) {
    if (auto elf = read_elf(ByteView(image.file))) elf_ = std::move(*elf);
    is_known_ = elf_.type == kSharedObject && elf_.machine == kX86Machine && elf_.entry != 0 && read();
    if (is_known_) whole_ = program_hash(image, {});
  }

  bool is_known() const { return is_known_ && !whole_.empty(); }
  const std::string& whole() const { return whole_; }
  const std::string& root() const { return root_; }
  const std::string& thread_layout() const { return thread_layout_; }
  std::uint64_t entry() const { return elf_.entry; }
  // Of functions and objects that others may find by name, ascending by it.
  const std::vector<std::uint64_t>& exported() const { return exported_; }
  const std::map<std::string, std::set<std::uint64_t>>& benchmarks() const { return benchmarks_; }
  // "" where no function of a benchmark begins.
  std::string benchmark_at(std::uint64_t address) const {
    const auto found = benchmark_at_.find(address);
    return found == benchmark_at_.end() ? "" : found->second;
  }

  const ElfSection* section_at(std::uint64_t address) const {
    for (const auto* section : mapped_)
      if (address >= section->address && address - section->address < section->size) return section;
    return nullptr;
  }

  // The name of the one that ends here, or a little before; empty where none does.
  std::string_view section_before(std::uint64_t address) const {
    for (const auto* section : mapped_)
      if (address >= section->address + section->size &&
          address - section->address - section->size < kGapBytesMax)
        return section->name;
    return {};
  }

  // Nothing where no symbol has it.
  const Part* part_at(std::uint64_t address) const {
    auto after = std::upper_bound(parts_.begin(), parts_.end(), address,
                                  [](std::uint64_t a, const Part& part) { return a < part.begin; });
    if (after == parts_.begin()) return nullptr;
    --after;
    return address < after->end ? &*after : nullptr;
  }
  // The nearest that ends at this address or before it, and that begins behind it.
  const Part* part_before(std::uint64_t address) const {
    auto before = std::lower_bound(parts_.begin(), parts_.end(), address,
                                   [](const Part& part, std::uint64_t a) { return part.begin < a; });
    if (before == parts_.begin()) return nullptr;
    --before;
    return before->end <= address ? &*before : nullptr;
  }
  const Part* part_after(std::uint64_t address) const {
    const auto after = std::upper_bound(parts_.begin(), parts_.end(), address,
                                        [](std::uint64_t a, const Part& part) { return a < part.begin; });
    return after == parts_.end() ? nullptr : &*after;
  }

  // What begins at this address, and has no symbol.
  Part nameless_at(std::uint64_t address, const ElfSection& section) const {
    Part part;
    part.begin = address;
    part.is_code = (section.flags & kHasCode) != 0;
    const std::uint64_t section_end = section.address + section.size;
    part.end = std::min(section_end, next(starts_, address, section_end));
    if (section.name.starts_with(".got")) part.end = std::min(section_end, address + kPointerSize);
    if (!part.is_code && section.type != kNoContent && !section.name.starts_with(".got"))
      part.end = end_of_constant(part, section, section_end);
    find_references(part, section);
    return part;
  }

  // A whole text, or the end of one, that a zero ends.
  static bool is_text_at(std::uint64_t address, const ElfSection& section) {
    if (section.type == kNoContent) return false;
    const auto text = section.content.text(address - section.address);
    return text && !text->empty() && std::all_of(text->begin(), text->end(), [](char c) {
             return static_cast<unsigned char>(c) >= ' ' || c == '\n' || c == '\t';
           });
  }

  // The first address behind this one that something points at, or begins at.
  std::uint64_t next_target(std::uint64_t address, std::uint64_t otherwise) const {
    return std::min(next(targets_, address, otherwise), next(starts_, address, otherwise));
  }

  std::vector<std::uint64_t> run_around_main() const {
    std::vector<std::uint64_t> addresses;
    for (const auto* section : mapped_) {
      if (section->name == ".init" || section->name == ".fini") addresses.push_back(section->address);
      if (!is_one_of(kArraysOfFunctions, section->type)) continue;
      for (auto relocation = relocations_.lower_bound(section->address);
           relocation != relocations_.end() && relocation->first < section->address + section->size;
           ++relocation)
        if (relocation->second.outside.empty()) addresses.push_back(relocation->second.target);
    }
    return addresses;
  }

 private:
  static std::uint64_t next(const std::set<std::uint64_t>& places, std::uint64_t address,
                            std::uint64_t otherwise) {
    const auto found = places.upper_bound(address);
    return found == places.end() ? otherwise : *found;
  }

  bool read() {
    for (const auto& section : elf_.sections) {
      if (section.type == kPackedRelocations) return false;
      const bool takes_no_place = (section.flags & kOfThread) != 0 && section.type == kNoContent;
      if ((section.flags & kMapped) != 0 && section.address != 0 && !takes_no_place)
        mapped_.push_back(&section);
    }
    if (!read_relocations()) return false;
    read_symbols();
    if (parts_.empty()) return false;
    for (auto& part : parts_) {
      const ElfSection* section = section_at(part.begin);
      if (section == nullptr || part.end - section->address > section->size) return false;
      find_references(part, *section);
      for (const auto& reference : part.references)
        if (reference.outside.empty()) targets_.insert(reference.target);
    }
    for (const auto& [place, relocation] : relocations_)
      if (relocation.outside.empty()) targets_.insert(relocation.target);
    return true;
  }

  bool read_relocations() {
    for (const auto& table : elf_.sections) {
      if (table.type != kRelocationTable || (table.flags & kMapped) == 0) continue;
      std::vector<ElfSymbol> symbols;
      if (table.link < elf_.sections.size() && elf_.sections[table.link].type == kDynamicSymbols) {
        auto read = symbols_in(elf_, table.link);
        if (!read) return false;
        symbols = std::move(*read);
        add_exported(symbols);
      }
      for (std::uint64_t at = 0; at + kRelocationRow <= table.content.size(); at += kRelocationRow)
        if (!add_relocation(table.content.part(at, kRelocationRow).value(), symbols)) return false;
    }
    return true;
  }

  bool add_relocation(const ByteView& row, const std::vector<ElfSymbol>& symbols) {
    const auto place = row.number<std::uint64_t>(0).value();
    const auto info = row.number<std::uint64_t>(8).value();
    const auto addend = row.number<std::uint64_t>(16).value();
    const auto type = static_cast<std::uint32_t>(info);
    const std::uint64_t number = info >> 32;
    if (number != 0 && number >= symbols.size()) return false;
    Reference reference;
    reference.at = place;
    reference.bytes = kPointerSize;
    if (is_one_of(kByAddress, type) && number == 0) {
      reference.target = addend;
    } else if (is_one_of(kByName, type) && number != 0 && symbols[number].section != 0 &&
               symbols[number].type != kThreadSymbol) {
      reference.target = symbols[number].value + addend;
    } else {
      const std::string_view name = number == 0 ? std::string_view() : symbols[number].name;
      // Without a name it is a variable of the thread by its place.
      reference.outside = "relocation " + std::to_string(type) + " " + std::string(name) + " " +
                          std::to_string(addend) + (name.empty() ? " of the thread" : "");
    }
    relocations_[place] = std::move(reference);
    return true;
  }

  void add_exported(const std::vector<ElfSymbol>& symbols) {
    std::map<std::string_view, std::uint64_t> by_name;
    for (const auto& symbol : symbols)
      if (symbol.section != 0 && !symbol.name.empty() &&
          (symbol.type == kFunctionSymbol || symbol.type == kDataSymbol))
        by_name[symbol.name] = symbol.value;
    exported_.clear();
    for (const auto& [name, address] : by_name) exported_.push_back(address);
  }

  void read_symbols() {
    std::vector<const ElfSymbol*> sized;
    Digest thread;
    std::map<std::pair<std::string_view, std::uint64_t>, std::uint64_t> of_thread;
    for (const auto& symbol : elf_.symbols) {
      if (symbol.type == kThreadSymbol) of_thread[{symbol.name, symbol.value}] = symbol.size;
      if (symbol.section == 0 || symbol.type == kThreadSymbol || section_at(symbol.value) == nullptr)
        continue;
      const bool is_function = symbol.type == kFunctionSymbol || symbol.type == kChosenFunctionSymbol;
      if (is_function || symbol.type == kDataSymbol || symbol.type == 0) starts_.insert(symbol.value);
      if (symbol.size > 0 && (is_function || symbol.type == kDataSymbol)) sized.push_back(&symbol);
      if (!is_function) continue;
      const std::string benchmark = benchmark_function(symbol.name);
      if (benchmark.empty()) continue;
      benchmarks_[benchmark].insert(symbol.value);
      benchmark_at_[symbol.value] = benchmark;
    }
    for (const auto& [variable, size] : of_thread) {
      thread.add_counted(variable.first);
      thread.add(variable.second);
      thread.add(size);
    }
    for (const auto& section : elf_.sections)
      if ((section.flags & kOfThread) != 0) {
        thread.add(section.size);
        thread.add_counted(section.content.bytes());
      }
    thread_layout_ = thread.text();
    std::sort(sized.begin(), sized.end(), [](const ElfSymbol* a, const ElfSymbol* b) {
      return std::tie(a->value, b->size, a->name) < std::tie(b->value, a->size, b->name);
    });
    for (const auto* symbol : sized) {
      if (!parts_.empty() && symbol->value < parts_.back().end) {  // another name, or a part of it
        parts_.back().end = std::max(parts_.back().end, symbol->value + symbol->size);
        continue;
      }
      Part& part = parts_.emplace_back();
      part.begin = symbol->value;
      part.end = symbol->value + symbol->size;
      part.symbol = symbol->name;
      part.is_code = (section_at(symbol->value)->flags & kHasCode) != 0;
      // clang's tables of distances to constants
      part.is_opaque = symbol->name.starts_with("reltable.") || symbol->name.ends_with(".rel");
    }
  }

  // Up to what else is pointed at, and a text to its end: linkers share the ends of texts.
  std::uint64_t end_of_constant(const Part& part, const ElfSection& section,
                                std::uint64_t section_end) const {
    const std::uint64_t symbol_at = next(starts_, part.begin, section_end);
    std::uint64_t end = next_target(part.begin, section_end);
    const std::string_view bytes = section.content.bytes();
    const auto zero = bytes.substr(0, section.size).find('\0', part.begin - section.address);
    if (zero != std::string_view::npos) end = std::max(end, section.address + zero + 1);
    return std::min({end, symbol_at, section_end});
  }

  void find_references(Part& part, const ElfSection& section) const {
    for (auto relocation = relocations_.lower_bound(part.begin);
         relocation != relocations_.end() && relocation->first < part.end; ++relocation) {
      part.references.push_back(relocation->second);
      part.references.back().at -= part.begin;
      part.uses_thread |= relocation->second.outside.ends_with(" of the thread");
    }
    if (!part.is_code) return;
    if (!part.references.empty()) part.is_opaque = true;  // of code: it is changed when loaded
    const bool is_linkage = section.name.starts_with(".plt");
    for (std::uint64_t at = part.begin; at < part.end;) {
      const auto instruction = decode_x86(section.content, at - section.address);
      if (!instruction || at + instruction->length > part.end) {
        part.is_opaque = true;
        return;
      }
      part.uses_thread |= instruction->has_thread_segment;
      const std::uint64_t next_at = at + instruction->length;
      const std::uint64_t target = next_at + static_cast<std::uint64_t>(instruction->distance);
      const bool is_inside = target >= part.begin && target < part.end;
      if (instruction->target != X86Target::kNone && !is_inside)
        part.references.push_back({.at = at - part.begin + instruction->field,
                                   .bytes = instruction->field_bytes,
                                   .target = target,
                                   .outside = "",
                                   .is_jump = instruction->target == X86Target::kJump});
      at = next_at;
      if (is_linkage && instruction->is_jump_by_memory) part.end = at;
    }
  }

  ElfFile elf_;
  std::string root_;
  bool is_known_ = false;
  std::string whole_;
  std::string thread_layout_;
  std::vector<const ElfSection*> mapped_;
  std::map<std::uint64_t, Reference> relocations_;  // by address
  std::vector<Part> parts_;                         // by address
  std::set<std::uint64_t> starts_;                  // of all symbols
  std::set<std::uint64_t> targets_;
  std::vector<std::uint64_t> exported_;
  std::map<std::string, std::set<std::uint64_t>> benchmarks_;
  std::map<std::uint64_t, std::string> benchmark_at_;
};

// Goes from part to part by what each refers to, and numbers them as they are met. What it digests are the
// bytes with these numbers in place of distances, so that nothing depends on where a part lies.
class Walk {
 public:
  explicit Walk(const Executable& program) : program_(program) {}

  // What runs around benchmarks; their own functions are left out where they are registered.
  std::string around() {
    refer_to(program_.entry());
    for (const std::uint64_t address : program_.run_around_main()) refer_to(address);
    for (const std::uint64_t address : program_.exported())
      if (program_.benchmark_at(address).empty()) refer_to(address);
    return finish();
  }

  std::string from(const std::set<std::uint64_t>& functions) {
    for (const std::uint64_t address : functions) refer_to(address);
    return finish();
  }

 private:
  // A constant without a symbol may be a table of jumps of the function that names it.
  using Key = std::pair<std::uint64_t, std::string_view>;

  std::string finish() {
    while (!waiting_.empty()) {
      const auto [part, user] = std::move(waiting_.front());
      waiting_.pop_front();
      add(part, user);
    }
    return digest_.text();
  }

  void refer_to(std::uint64_t address) {
    Reference reference;
    reference.target = address;
    refer(reference, nullptr);
  }

  void refer(const Reference& reference, const Part* from) {
    if (!reference.outside.empty()) {
      digest_.add_counted(reference.outside);
      return;
    }
    if (from != nullptr && !reference.is_jump && is_registered(*from, reference.target)) {
      digest_.add_counted("benchmark " + program_.benchmark_at(reference.target));
      return;
    }
    const ElfSection* section = program_.section_at(reference.target);
    if (section == nullptr) {  // where a section ends: the linker has symbols for that
      const auto before = program_.section_before(reference.target);
      digest_.add_counted(before.empty() ? program_.whole() : "behind " + std::string(before));
      return;
    }
    if (const Part* part = program_.part_at(reference.target)) {
      digest_.add(number_of(*part, {part->begin, ""}, nullptr));
      digest_.add(reference.target - part->begin);
      if (!part->is_code && !part->symbol.starts_with(kTypes)) refer_to_neighbours(reference.target);
      return;
    }
    const bool has_user = from != nullptr && (section->flags & kHasCode) == 0;
    const Key key{reference.target, has_user ? from->symbol : std::string_view()};
    if (const auto known = numbers_.find(key); known != numbers_.end()) {
      digest_.add(known->second);
    } else {
      digest_.add(number_of(program_.nameless_at(reference.target, *section), key, from));
    }
    if ((section->flags & kHasCode) == 0 && !section->name.starts_with(".got") &&
        !program_.is_text_at(reference.target, *section))
      refer_to_neighbours(reference.target);
  }

  // An array may be named by its end, or by a place a little before it: those of plain data count as well.
  void refer_to_neighbours(std::uint64_t address) {
    const Part* ends = program_.part_before(address);
    if (ends != nullptr && ends->end == address) refer_to_plain(*ends);
    const Part* at = program_.part_at(address);
    const Part* next = program_.part_after(address);
    const bool begins_here = at != nullptr && at->begin == address;
    if (!begins_here && next != nullptr && next->begin - address < kGapBytesMax) refer_to_plain(*next);
  }

  void refer_to_plain(const Part& part) {
    if (part.is_code || !part.references.empty() || part.symbol.starts_with(kTypes)) return;
    digest_.add(number_of(part, {part.begin, ""}, nullptr));
  }

  bool is_registered(const Part& from, std::uint64_t target) const {
    const std::string benchmark = program_.benchmark_at(target);
    if (benchmark.empty()) return false;
    if (from.is_code) return registers_benchmarks(from.symbol.substr(0, from.symbol.find(".cold")));
    return from.symbol.starts_with("_ZTV") && benchmark.ends_with(kFixtureCase);
  }

  std::uint64_t number_of(const Part& part, const Key& key, const Part* user) {
    const auto [known, is_new] = numbers_.try_emplace(key, numbers_.size());
    if (is_new) waiting_.emplace_back(part, user == nullptr ? std::optional<Part>() : std::optional(*user));
    return known->second;
  }

  void add(const Part& part, const std::optional<Part>& user) {
    const ElfSection* section = program_.section_at(part.begin);
    digest_.add(std::uint64_t{part.is_code});
    if (part.is_opaque) digest_.add_counted(program_.whole());
    if (part.uses_thread) digest_.add_counted(program_.thread_layout());
    if (section->type == kNoContent) {
      digest_.add(part.symbol.empty() ? std::uint64_t{0} : part.end - part.begin);
      for (const auto& reference : part.references) refer(reference, &part);
      return;
    }
    std::string_view all =
        section->content.bytes().substr(part.begin - section->address, part.end - part.begin);
    // What pads up to the next constant is none of it.
    if (part.symbol.empty() && !part.is_code && part.references.empty())
      all = all.substr(0, all.find_last_not_of('\0') + 1);
    std::uint64_t done = 0;
    if (user && user->is_code && part.references.empty()) done = add_jumps(part, *user, all);
    if (done == 0) digest_.add(std::uint64_t{all.size()});
    // Of a table of jumps nothing behind it belongs to it, whatever a constant's least width is.
    const std::uint64_t end =
        done == 0 ? all.size()
                  : std::max(done, std::min<std::uint64_t>(
                                       all.size(), program_.next_target(part.begin, part.end) - part.begin));
    for (const auto& reference : part.references) {
      if (reference.at < done) continue;
      add_bytes(all.substr(done, reference.at - done));
      digest_.add(reference.bytes);
      digest_.add(std::uint64_t{reference.is_jump});
      refer(reference, &part);
      done = reference.at + reference.bytes;
    }
    if (done == 0 || done < end) add_bytes(all.substr(done, end - done));
  }

  // The entries of a table of jumps, as places in its function; how many bytes they take.
  std::uint64_t add_jumps(const Part& part, const Part& user, std::string_view bytes) {
    constexpr std::uint64_t kEntryBytes = 4;
    const ByteView table(bytes);
    const std::uint64_t end = program_.next_target(part.begin, part.end) - part.begin;
    std::uint64_t at = 0;
    for (; at + kEntryBytes <= std::min<std::uint64_t>(end, bytes.size()); at += kEntryBytes) {
      const std::uint64_t target =
          part.begin + static_cast<std::uint64_t>(std::int64_t{table.number<std::int32_t>(at).value()});
      const bool is_own = target >= user.begin && target < user.end;
      const Part* found = is_own ? nullptr : program_.part_at(target);
      const bool is_cold = found != nullptr && found->is_code && is_split_off(found->symbol, user.symbol);
      if (!is_own && !is_cold) break;
      digest_.add(std::uint64_t{is_own});
      if (is_cold) digest_.add(number_of(*found, {found->begin, ""}, nullptr));
      digest_.add(target - (is_own ? user.begin : found->begin));
    }
    return at;
  }

  // "f.cold" of "f", or "f" of "f.cold".
  static bool is_split_off(std::string_view a, std::string_view b) {
    const auto whole = [](std::string_view symbol) { return symbol.substr(0, symbol.find(".cold")); };
    return !a.empty() && whole(a) == whole(b);
  }

  // Texts that name the folder of the build are the same in another one.
  void add_bytes(std::string_view bytes) {
    const std::string& root = program_.root();
    while (!root.empty()) {
      const auto found = bytes.find(root);
      if (found == std::string_view::npos) break;
      digest_.add_counted(bytes.substr(0, found));
      bytes.remove_prefix(found + root.size());
    }
    digest_.add_counted(bytes);
  }

  const Executable& program_;
  Digest digest_;
  std::map<Key, std::uint64_t> numbers_;
  std::deque<std::pair<Part, std::optional<Part>>> waiting_;
};

// "BM_copy" of "BM_copy/8/threads:2", "Fixture_Case_Benchmark::BenchmarkCase" of "Fixture/Case/8".
std::set<std::uint64_t> functions_of(const Executable& program, const std::string& benchmark) {
  const auto first = benchmark.find('/');
  const std::string base = benchmark.substr(0, first);
  std::vector<std::string> wanted{base};
  if (first != std::string::npos) {
    const auto second = benchmark.find('/', first + 1);
    wanted.push_back(base + "_" + benchmark.substr(first + 1, second - first - 1) +
                     std::string(kFixtureCase));
  }
  std::set<std::uint64_t> functions;
  for (const auto& [name, addresses] : program.benchmarks())
    for (const auto& one : wanted)
      if (name == one || name.ends_with("::" + one)) functions.insert(addresses.begin(), addresses.end());
  return functions;
}

}  // namespace

ReachableCode reachable_code(const ProgramImage& image, const std::vector<std::string>& benchmarks) {
  ReachableCode code;
  const Executable program(image);
  if (!program.is_known()) return code;
  code.around = Walk(program).around();
  std::map<std::set<std::uint64_t>, std::string> done;
  for (const auto& benchmark : benchmarks) {
    const auto functions = functions_of(program, benchmark);
    if (functions.empty()) continue;
    auto& hash = done[functions];
    if (hash.empty()) hash = Walk(program).from(functions);
    code.benchmarks[benchmark] = hash;
  }
  return code;
}

}  // namespace tracker
