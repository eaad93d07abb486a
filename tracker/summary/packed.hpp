// Values as bytes, and back. Nothing in here is kept for long: another version of the program packs anew.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tracker/formats/run_fields.hpp"
#include "tracker/model/run.hpp"

namespace tracker::summary {

// What was packed is not what is there: bytes changed, or rows are missing.
struct Damaged {
  const char* what;
};

// Of the bytes, for what damage they may take, not against anybody's will. `seed` says where they belong.
inline std::uint32_t checksum(std::string_view bytes, std::uint64_t seed) {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15ULL;
  std::uint64_t sum = (seed + bytes.size()) * kFactor;
  const auto mix = [&](std::uint64_t word) {
    sum = (sum ^ word) * kFactor;
    sum ^= sum >> 32U;
  };
  while (bytes.size() >= sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof word);
    mix(word);
    bytes.remove_prefix(sizeof word);
  }
  std::uint64_t rest = 0;
  if (!bytes.empty()) std::memcpy(&rest, bytes.data(), bytes.size());
  mix(rest);
  mix(seed);
  return static_cast<std::uint32_t>(sum >> 16U);
}

// With a sum that tells damage, and whether they lie where they belong.
inline std::string sealed(std::string_view bytes, std::uint64_t place) {
  const std::uint32_t sum = checksum(bytes, place);
  std::string all(sizeof sum + bytes.size(), '\0');
  std::memcpy(all.data(), &sum, sizeof sum);
  if (!bytes.empty()) std::memcpy(all.data() + sizeof sum, bytes.data(), bytes.size());
  return all;
}

// What was sealed. Throws Damaged where it is cut, or its checksum does not fit.
inline std::string_view unsealed(std::string_view bytes, std::uint64_t place) {
  std::uint32_t sum = 0;
  if (bytes.size() < sizeof sum) throw Damaged{"a row is cut"};
  std::memcpy(&sum, bytes.data(), sizeof sum);
  bytes.remove_prefix(sizeof sum);
  if (sum != checksum(bytes, place)) throw Damaged{"a checksum does not fit"};
  return bytes;
}

// The records within a run that are packed with all of their fields.
template <typename T, typename... Types>
concept AnyOf = (std::same_as<std::remove_const_t<T>, Types> || ...);
template <typename T>
concept RunRecord = AnyOf<T, Software, BinaryFailure, SameProgramAs, Program, KernelLaunch, Code, Invocation>;

// Calls visit(name, member) for each field, as formats/run_fields.hpp lists them. Invocations come back
// without samples.
template <RunRecord Record, typename Visit>
void fields_of(Record& record, Visit& visit) {
  if constexpr (AnyOf<Record, Software>) formats::software_fields(record, visit);
  if constexpr (AnyOf<Record, BinaryFailure>) formats::failure_fields(record, visit);
  if constexpr (AnyOf<Record, SameProgramAs>) formats::same_program_fields(record, visit);
  if constexpr (AnyOf<Record, Program>) formats::program_fields(record, visit);
  if constexpr (AnyOf<Record, KernelLaunch>) formats::launch_fields(record, visit);
  if constexpr (AnyOf<Record, Code>) {
    formats::code_fields(record, visit);
    visit("launches", record.launches);
  }
  if constexpr (AnyOf<Record, Invocation>) {
    formats::invocation_fields(record, visit);
    formats::conditions_fields(record.conditions, visit);
  }
}

// Names are not kept.
class Packer {
 public:
  // A whole number: seven bits a byte, the lowest first, so that small numbers take one byte.
  void whole(std::uint64_t value) {
    while (value >= 0x80) {
      bytes_ += static_cast<char>(value | 0x80U);
      value >>= 7U;
    }
    bytes_ += static_cast<char>(value);
  }
  // A text, with its length before it.
  void bytes(std::string_view text) {
    whole(text.size());
    bytes_ += text;
  }

  void operator()(const char*, bool value) { whole(value ? 1 : 0); }
  void operator()(const char*, DeviceKind kind) { whole(kind == DeviceKind::kGpu ? 1 : 0); }
  void operator()(const char*, TimeBase base) { whole(static_cast<std::uint64_t>(base)); }
  void operator()(const char*, int value) { integer(value); }
  void operator()(const char*, std::int64_t value) { integer(value); }
  void operator()(const char*, double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    for (unsigned i = 0; i < 8; ++i) bytes_ += static_cast<char>(bits >> (8 * i));
  }
  void operator()(const char*, const std::string& text) { bytes(text); }
  void operator()(const char*, const Exclusion& exclusion) { bytes(exclusion_in_words(exclusion)); }
  // A benchmark's counters: their values are in the rows of chunks.
  void operator()(const char*, const std::map<std::string, double>& counters) {
    whole(counters.size());
    for (const auto& [name, value] : counters) bytes(name);
  }
  template <RunRecord Record>
  void operator()(const char*, const Record& record) {
    fields_of(record, *this);
  }
  template <typename T>
  void operator()(const char* name, const std::optional<T>& value) {
    whole(value ? 1 : 0);
    if (value) (*this)(name, *value);
  }
  template <typename T>
  void operator()(const char* name, const std::vector<T>& values) {
    whole(values.size());
    for (const auto& value : values) (*this)(name, value);
  }
  template <typename T>
  void operator()(const char* name, const std::map<std::string, T>& values) {
    whole(values.size());
    for (const auto& [key, value] : values) {
      bytes(key);
      (*this)(name, value);
    }
  }

  const std::string& bytes() const { return bytes_; }

 private:
  void integer(std::int64_t value) {
    whole(static_cast<std::uint64_t>(value) << 1U ^ static_cast<std::uint64_t>(value >> 63U));
  }

  std::string bytes_;
};

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : bytes_(bytes) {}

  bool at_end() const { return bytes_.empty(); }
  // The next number. Throws Damaged where the bytes end in it.
  std::uint64_t whole() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1).front());
      value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
      if (byte < 0x80) return value;
    }
    throw Damaged{"a number has no end"};
  }
  // Of things that take a byte each at least. Throws Damaged where there are not as many bytes.
  std::size_t count() {
    const std::uint64_t value = whole();
    if (value > bytes_.size()) throw Damaged{"a list is cut"};
    return static_cast<std::size_t>(value);
  }
  std::string_view bytes() { return take(count()); }

  void operator()(const char*, bool& value) { value = whole() != 0; }
  void operator()(const char*, DeviceKind& kind) {
    kind = whole() != 0 ? DeviceKind::kGpu : DeviceKind::kCpu;
  }
  void operator()(const char*, TimeBase& base) {
    const std::uint64_t value = whole();
    if (value > static_cast<std::uint64_t>(TimeBase::kNone)) throw Damaged{"an unknown time base"};
    base = static_cast<TimeBase>(value);
  }
  void operator()(const char*, int& value) { value = static_cast<int>(integer()); }
  void operator()(const char*, std::int64_t& value) { value = integer(); }
  void operator()(const char*, double& value) {
    std::uint64_t bits = 0;
    const std::string_view digits = take(8);
    for (unsigned i = 0; i < 8; ++i)
      bits |= static_cast<std::uint64_t>(static_cast<unsigned char>(digits[i])) << (8 * i);
    value = std::bit_cast<double>(bits);
  }
  void operator()(const char*, std::string& text) { text = bytes(); }
  void operator()(const char*, Exclusion& exclusion) { exclusion = exclusion_of(std::string(bytes())); }
  void operator()(const char*, std::map<std::string, double>& counters) {
    for (std::size_t left = count(); left > 0; --left)
      counters.emplace_hint(counters.end(), std::string(bytes()), 0.0);
  }
  template <RunRecord Record>
  void operator()(const char*, Record& record) {
    fields_of(record, *this);
  }
  template <typename T>
  void operator()(const char* name, std::optional<T>& value) {
    value.reset();
    if (whole() != 0) (*this)(name, value.emplace());
  }
  template <typename T>
  void operator()(const char* name, std::vector<T>& values) {
    values.resize(count());
    for (auto& value : values) (*this)(name, value);
  }
  template <typename T>
  void operator()(const char* name, std::map<std::string, T>& values) {
    values.clear();
    for (std::size_t left = count(); left > 0; --left) {
      std::string key(bytes());
      (*this)(name, values.try_emplace(values.end(), std::move(key))->second);
    }
  }

 private:
  std::string_view take(std::size_t size) {
    if (size > bytes_.size()) throw Damaged{"a row is cut"};
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }
  std::int64_t integer() {
    const std::uint64_t value = whole();
    return static_cast<std::int64_t>(value >> 1U ^ (~(value & 1U) + 1));
  }

  std::string_view bytes_;
};

}  // namespace tracker::summary
