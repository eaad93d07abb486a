// What tests and checkers of both families share: inputs, poison, and how far a result is off. Host memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace kernels {

// A quiet NaN that no kernel computes: an output element still holding it was not written.
inline constexpr std::uint32_t kPoisonBits = 0x7fc0deadU;

void fill_poison(std::span<float> values);

// How many elements no longer hold exactly the poison's bits.
std::size_t count_not_poison(std::span<const float> values);

// Uniform between low and high, 24 random bits each; the same for the same seed on every machine.
void fill_random(std::span<float> values, std::uint64_t seed, float low = -1, float high = 1);

// ‖out − reference‖ / ‖reference‖, in double. Infinite when sizes differ or anything in either is NaN or
// infinite, so that no bound is met; for a reference of zeros 0 or infinite.
double relative_error(std::span<const float> out, std::span<const float> reference);

}  // namespace kernels
