#include "kernels/check.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace kernels {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014).
std::uint64_t next_random(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15U;
  std::uint64_t bits = state;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
  return bits ^ (bits >> 31);
}

// Without the last `count` bits of the mantissa: to the nearest, ties to even. Infinities stay; NaN keeps its
// upper bits and stays NaN.
std::uint32_t round_off(float value, int count) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t mask = (1U << count) - 1;
  if (std::isnan(value)) {
    return (bits | 0x00400000U) & ~mask;
  }
  const std::uint32_t half = mask >> 1;
  const std::uint32_t odd = bits >> count & 1U;
  return (bits + half + odd) & ~mask;
}

}  // namespace

void fill_poison(std::span<float> values) {
  std::fill(values.begin(), values.end(), std::bit_cast<float>(kPoisonBits));
}

std::size_t count_not_poison(std::span<const float> values) {
  return static_cast<std::size_t>(std::count_if(values.begin(), values.end(), [](const float& value) {
    return std::bit_cast<std::uint32_t>(value) != kPoisonBits;
  }));
}

void fill_random(std::span<float> values, std::uint64_t seed, float low, float high) {
  for (float& value : values) {
    const auto bits = static_cast<float>(next_random(seed) >> 40);
    value = low + (high - low) * (bits * 0x1p-24F);
  }
}

double relative_error(std::span<const float> out, std::span<const float> reference) {
  if (out.size() != reference.size()) {
    return kInfinite;
  }
  double difference = 0;
  double norm = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!std::isfinite(out[i]) || !std::isfinite(reference[i])) {
      return kInfinite;
    }
    const double distance = double{out[i]} - double{reference[i]};
    difference += distance * distance;
    norm += double{reference[i]} * double{reference[i]};
  }
  if (norm == 0) {
    return difference == 0 ? 0 : kInfinite;
  }
  return std::sqrt(difference / norm);
}

std::size_t count_beyond(std::span<const float> out, std::span<const float> reference, double relative,
                         double absolute) {
  if (out.size() != reference.size()) {
    return std::max(out.size(), reference.size());
  }
  std::size_t count = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double distance = std::abs(double{out[i]} - double{reference[i]});
    const double allowed = relative * std::abs(double{reference[i]}) + absolute;
    count += std::isfinite(distance) && distance <= allowed ? 0U : 1U;
  }
  return count;
}

std::uint16_t to_bf16(float value) {
  return static_cast<std::uint16_t>(round_off(value, 16) >> 16);
}

float from_bf16(std::uint16_t bits) {
  return std::bit_cast<float>(std::uint32_t{bits} << 16);
}

std::uint8_t to_e4m3(float value) {
  constexpr float kLargest = 448;
  constexpr int kExponentMin = -6;  // of what has all bits of mantissa
  constexpr int kMantissaBits = 3;
  constexpr std::uint8_t kNan = 0x7f;
  const auto sign = static_cast<std::uint8_t>(std::signbit(value) ? 0x80 : 0);
  if (std::isnan(value)) {
    return sign | kNan;
  }
  const float size = std::min(std::abs(value), kLargest);
  int exponent = kExponentMin;
  if (size >= 0x1p-6F) {
    exponent = std::ilogb(size);
  }
  // In units of the last place, as the eight bits count them: a carry goes into the exponent by itself.
  const float units = std::nearbyint(std::ldexp(size, kMantissaBits - exponent));
  return static_cast<std::uint8_t>(sign |
                                   (static_cast<int>(units) + ((exponent - kExponentMin) << kMantissaBits)));
}

float from_e4m3(std::uint8_t bits) {
  constexpr int kMantissaBits = 3;
  constexpr int kBias = 7;
  const int size = bits & 0x7f;
  if (size == 0x7f) {
    return std::numeric_limits<float>::quiet_NaN();
  }
  const int exponent = size >> kMantissaBits;
  const int mantissa = size & 7;
  const float value = exponent == 0
                          ? std::ldexp(static_cast<float>(mantissa), 1 - kBias - kMantissaBits)
                          : std::ldexp(static_cast<float>(8 + mantissa), exponent - kBias - kMantissaBits);
  return (bits & 0x80) != 0 ? -value : value;
}

float rounded_to_tf32(float value) {
  return std::bit_cast<float>(round_off(value, 13));
}

}  // namespace kernels
