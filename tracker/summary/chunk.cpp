#include "tracker/summary/chunk.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <numeric>

#include "tracker/summary/packed.hpp"

namespace tracker::summary {
namespace {

constexpr unsigned kBytes = 8;  // of a double
constexpr unsigned kByte = 256;

// Numbers as what differs from the one in the same place of the row before: two share a byte that says how
// many bytes follow for each. 0: none; 1 to 8: so many low ones; 9 to 15: so many less 8, high ones.
class DoublePacker {
 public:
  void begin_row() { place_ = 0; }
  void put(double value) {
    if (place_ == last_.size()) last_.push_back(place_ == 0 ? 0 : last_[place_ - 1]);
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const std::uint64_t changed = bits ^ last_[place_];
    last_[place_++] = bits;
    unsigned code = 0;
    unsigned kept = 0;
    unsigned skipped = 0;
    if (changed != 0) {
      const unsigned low = kBytes - static_cast<unsigned>(std::countl_zero(changed)) / 8;
      const unsigned high = kBytes - static_cast<unsigned>(std::countr_zero(changed)) / 8;
      kept = std::min(low, high);
      code = low <= high ? low : kBytes + high;
      skipped = low <= high ? 0 : kBytes - high;
    }
    if (is_second_) {
      bytes_[head_] = static_cast<char>(static_cast<unsigned char>(bytes_[head_]) | code << 4U);
    } else {
      head_ = bytes_.size();
      bytes_ += static_cast<char>(code);
    }
    is_second_ = !is_second_;
    for (unsigned i = 0; i < kept; ++i) bytes_ += static_cast<char>(changed >> (8 * (skipped + i)));
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
  std::vector<std::uint64_t> last_;
  std::size_t place_ = 0;
  std::size_t head_ = 0;
  bool is_second_ = false;
};

// What the bytes behind a code are of the difference.
struct PackedDifference {
  unsigned kept = 0;  // how many bytes
  std::uint64_t mask = 0;
  unsigned shift = 0;
};

constexpr std::array<PackedDifference, 16> kDifferences = [] {
  std::array<PackedDifference, 16> all{};
  for (unsigned code = 1; code < all.size(); ++code) {
    const unsigned kept = code <= kBytes ? code : code - kBytes;
    all[code] = {kept, ~std::uint64_t{0} >> (8 * (kBytes - kept)), code <= kBytes ? 0 : 8 * (kBytes - kept)};
  }
  return all;
}();

class DoubleUnpacker {
 public:
  explicit DoubleUnpacker(std::string_view bytes) : next_(bytes.data()), end_(next_ + bytes.size()) {}

  void skip_row(std::size_t count) { take_row<false>(count, nullptr); }
  void take_row(std::size_t count, double* values) { take_row<true>(count, values); }

 private:
  template <bool kKeep>
  void take_row(std::size_t count, double* values) {
    const std::size_t known = std::min(count, last_.size());
    std::size_t i = take_pairs<kKeep>(known, values);
    for (; i < count; ++i) {
      // What the row before lacks is made of the value before.
      if (i >= known) last_.push_back(i == 0 ? 0 : last_[i - 1]);
      last_[i] ^= difference();
      if constexpr (kKeep) values[i] = std::bit_cast<double>(last_[i]);
    }
  }

  // As many as are surely there, two by two. How many.
  template <bool kKeep>
  std::size_t take_pairs(std::size_t count, double* values) {
    if (is_second_) return 0;
    constexpr std::ptrdiff_t kMostBytes = 1 + 2 * kBytes;
    std::uint64_t* const last = last_.data();
    const char* next = next_;
    std::size_t i = 0;
    for (; i + 1 < count && end_ - next >= kMostBytes; i += 2) {
      const auto head = static_cast<unsigned char>(*next++);
      if (head != 0) {  // most counters, and some times, repeat from run to run
        last[i] ^= at(next, head & 0xFU);
        last[i + 1] ^= at(next, head >> 4U);
      }
      if constexpr (kKeep) values[i] = std::bit_cast<double>(last[i]);
      if constexpr (kKeep) values[i + 1] = std::bit_cast<double>(last[i + 1]);
    }
    next_ = next;
    return i;
  }

  // Reads the bytes of a double, and goes on by those that are the difference's own.
  static std::uint64_t at(const char*& next, unsigned code) {
    const PackedDifference& packed = kDifferences[code];
    std::uint64_t changed = 0;
    std::memcpy(&changed, next, kBytes);
    next += packed.kept;
    return (changed & packed.mask) << packed.shift;
  }

  std::uint64_t difference() {
    if (!is_second_) {
      if (next_ == end_) throw Damaged{"a column is cut"};
      head_ = static_cast<unsigned char>(*next_++);
    }
    const unsigned code = is_second_ ? head_ >> 4U : head_ & 0xFU;
    is_second_ = !is_second_;
    const auto left = static_cast<std::size_t>(end_ - next_);
    if (left >= kBytes) return at(next_, code);
    if (kDifferences[code].kept > left) throw Damaged{"a column is cut"};
    std::array<char, kBytes> bytes{};
    std::memcpy(bytes.data(), next_, left);
    next_ += kDifferences[code].kept;
    const char* first = bytes.data();
    return at(first, code);
  }

  const char* next_;
  const char* end_;
  std::vector<std::uint64_t> last_;
  unsigned head_ = 0;
  bool is_second_ = false;
};

// The place of a value in a list of those seen before; it is added where it is new.
template <typename Value>
std::size_t index_in(std::vector<Value>& known, const Value& value) {
  const auto found = std::find(known.begin(), known.end(), value);
  if (found != known.end()) return static_cast<std::size_t>(found - known.begin());
  known.push_back(value);
  return known.size() - 1;
}

void pack_shape(const std::vector<SampledInvocation>& shape, Packer& packer) {
  packer.whole(shape.size());
  for (const auto& one : shape) {
    packer.whole(one.invocation);
    packer.whole(one.repetitions);
  }
}

std::vector<SampledInvocation> unpack_shape(Unpacker& unpacker) {
  std::vector<SampledInvocation> shape(unpacker.count());
  for (auto& one : shape) {
    one.invocation = static_cast<std::uint32_t>(unpacker.whole());
    one.repetitions = static_cast<std::uint32_t>(unpacker.whole());
  }
  return shape;
}

std::string pack_doubles(const std::vector<ChunkRun>& runs, const std::vector<double> ChunkRun::*column) {
  DoublePacker packer;
  for (const auto& run : runs) {
    packer.begin_row();
    for (const double value : run.*column) packer.put(value);
  }
  return packer.bytes();
}

// The counts of a row are mostly those of the row before: then a zero stands for them.
std::string pack_counter(const std::vector<ChunkRun>& runs, const std::string& name) {
  Packer counts;
  DoublePacker values;
  std::vector<std::uint32_t> last;
  for (const auto& run : runs) {
    const auto found = run.counters.find(name);
    const std::vector<std::uint32_t> own =
        found == run.counters.end() ? std::vector<std::uint32_t>() : found->second.counts;
    counts.whole(own == last ? 0 : own.size() + 1);
    if (own != last)
      for (const std::uint32_t count : own) counts.whole(count);
    last = own;
    values.begin_row();
    if (found == run.counters.end()) continue;
    for (const double value : found->second.values) values.put(value);
  }
  Packer column;
  column.bytes(counts.bytes());
  column.bytes(values.bytes());
  return column.bytes();
}

}  // namespace

std::string pack_chunk(const std::vector<ChunkRun>& runs) {
  Packer packer;
  std::vector<std::vector<SampledInvocation>> shapes;
  std::vector<std::string> names;
  packer.whole(runs.size());
  std::int64_t last = 0;
  for (const auto& run : runs) {
    packer.whole(static_cast<std::uint64_t>(run.number - last));
    last = run.number;
    packer.whole(static_cast<std::uint64_t>(run.text));
    // Mostly the same: then they take one byte.
    packer.whole(run.iterations.fewest +
                 kByte * static_cast<unsigned>(run.iterations.most - run.iterations.fewest));
    const std::size_t known = shapes.size();
    const std::size_t shape = index_in(shapes, run.sampled);
    packer.whole(shape);
    if (shape == known) pack_shape(run.sampled, packer);
    packer.whole(run.constants.size());
    for (const auto& [name, values] : run.counters) index_in(names, name);
  }
  for (const auto column : {&ChunkRun::constants, &ChunkRun::real_times, &ChunkRun::cpu_times})
    packer.bytes(pack_doubles(runs, column));
  packer.whole(names.size());
  for (const auto& name : names) {
    packer.bytes(name);
    packer.bytes(pack_counter(runs, name));
  }
  return packer.bytes();
}

Chunk::Chunk(std::string_view bytes) {
  Unpacker unpacker(bytes);
  rows_.resize(unpacker.count());
  std::int64_t last = 0;
  std::size_t first_constant = 0;
  std::size_t first_time = 0;
  for (auto& row : rows_) {
    row.number = last += static_cast<std::int64_t>(unpacker.whole());
    row.text = static_cast<std::int64_t>(unpacker.whole());
    const std::uint64_t iterations = unpacker.whole();
    row.iterations.fewest = static_cast<std::uint8_t>(iterations % kByte);
    row.iterations.most = static_cast<std::uint8_t>(iterations % kByte + iterations / kByte);
    const std::uint64_t shape = unpacker.whole();
    if (shape > shapes_.size()) throw Damaged{"values of no invocation"};
    if (shape == shapes_.size()) {
      std::size_t times = 0;
      for (const auto& one : shapes_.emplace_back(unpack_shape(unpacker)))
        times += kept_times(one.repetitions);
      times_of_shape_.push_back(times);
    }
    row.shape = static_cast<std::uint32_t>(shape);
    row.constants = static_cast<std::uint32_t>(unpacker.whole());
    row.first_constant = first_constant;
    row.first_time = first_time;
    first_constant += row.constants;
    first_time += times_of(row);
  }
  for (auto* column : {&constants_, &real_times_, &cpu_times_}) *column = unpacker.bytes();
  for (std::size_t left = unpacker.count(); left > 0; --left) {
    std::string name(unpacker.bytes());
    counters_[std::move(name)] = unpacker.bytes();
  }
}

template <typename CountOf>
std::vector<double> Chunk::unpack_rows(std::string_view column, std::size_t from_row,
                                       CountOf count_of) const {
  std::size_t before = 0;
  std::size_t all = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (i == from_row) before = all;
    all += count_of(rows_[i]);
  }
  // A value takes half a byte at least: what claims more is damaged.
  if (all > 2 * column.size()) throw Damaged{"a column is cut"};
  if (from_row >= rows_.size()) return {};
  // Each row is made of the one before it.
  DoubleUnpacker unpacker(column);
  for (std::size_t i = 0; i < from_row; ++i) unpacker.skip_row(count_of(rows_[i]));
  std::vector<double> values(all - before);
  double* next = values.data();
  for (std::size_t i = from_row; i < rows_.size(); ++i) {
    const std::size_t count = count_of(rows_[i]);
    unpacker.take_row(count, next);
    next += count;
  }
  return values;
}

std::vector<double> Chunk::constants(std::size_t from_row) const {
  return unpack_rows(constants_, from_row, [](const Row& row) { return std::size_t{row.constants}; });
}

std::vector<double> Chunk::times(std::string_view column, std::size_t from_row) const {
  return unpack_rows(column, from_row, [this](const Row& row) { return times_of(row); });
}

std::vector<std::string> Chunk::counter_names() const {
  std::vector<std::string> names;
  for (const auto& [name, bytes] : counters_) names.push_back(name);
  return names;
}

Chunk::CounterColumn Chunk::counter(const std::string& name) const {
  CounterColumn column;
  column.counts.resize(rows_.size());
  column.first.resize(rows_.size());
  const auto found = counters_.find(name);
  if (found == counters_.end()) return column;
  Unpacker parts(found->second);
  Unpacker counts(parts.bytes());
  DoubleUnpacker values(parts.bytes());
  std::vector<std::uint32_t> last;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (const std::uint64_t size = counts.whole(); size > 0) {
      if (size - 1 > sampled(rows_[i]).size()) throw Damaged{"values of no invocation"};
      last.resize(static_cast<std::size_t>(size - 1));
      for (auto& count : last) count = static_cast<std::uint32_t>(counts.whole());
    }
    if (!last.empty() && last.size() != sampled(rows_[i]).size()) throw Damaged{"values of no invocation"};
    std::size_t more = 0;
    for (const std::uint32_t count : last) more += count;
    if (more > 2 * found->second.size()) throw Damaged{"a column is cut"};
    const std::size_t at = column.values.size();
    column.values.resize(at + more);
    values.take_row(more, column.values.data() + at);
    column.counts[i] = last;
    column.first[i] = at;
  }
  return column;
}

std::vector<ChunkRun> unpack_chunk(std::string_view bytes) {
  const Chunk chunk(bytes);
  std::vector<ChunkRun> runs(chunk.rows().size());
  const auto constants = chunk.constants();
  const auto real_times = chunk.real_times();
  const auto cpu_times = chunk.cpu_times();
  const auto part = [](const std::vector<double>& column, std::size_t first, std::size_t count) {
    const auto begin = column.begin() + static_cast<std::ptrdiff_t>(first);
    return std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(count));
  };
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Chunk::Row& row = chunk.rows()[i];
    runs[i].number = row.number;
    runs[i].text = row.text;
    runs[i].iterations = row.iterations;
    runs[i].sampled = chunk.sampled(row);
    runs[i].constants = part(constants, row.first_constant, row.constants);
    runs[i].real_times = part(real_times, row.first_time, chunk.times_of(row));
    runs[i].cpu_times = part(cpu_times, row.first_time, chunk.times_of(row));
  }
  for (const auto& name : chunk.counter_names()) {
    const auto column = chunk.counter(name);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const auto& counts = column.counts[i];
      if (counts.empty()) continue;
      const auto count = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
      runs[i].counters[name] = {counts, part(column.values, column.first[i], count)};
    }
  }
  return runs;
}

}  // namespace tracker::summary
