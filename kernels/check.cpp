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

}  // namespace kernels
