// What tests and checkers of both families share: inputs, poison, and how far a result is off. Host memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace kernels {

// A quiet NaN that no kernel computes: an output element still holding it was not written.
inline constexpr std::uint32_t kPoisonBits = 0x7fc0deadU;

// Writes the poison into every element.
void fill_poison(std::span<float> values);

// How many elements no longer hold exactly the poison's bits.
std::size_t count_not_poison(std::span<const float> values);

// Uniform between low and high, 24 random bits each; the same for the same seed on every machine.
void fill_random(std::span<float> values, std::uint64_t seed, float low = -1, float high = 1);

// ‖out − reference‖ / ‖reference‖, in double. Infinite when sizes differ or anything in either is NaN or
// infinite, so that no bound is met; for a reference of zeros 0 or infinite. A ratio: 0 where they are equal.
double relative_error(std::span<const float> out, std::span<const float> reference);

// How many elements are off by more than relative (a share) · |reference| + absolute. Those that are NaN or
// infinite are, and all of them are where sizes differ.
std::size_t count_beyond(std::span<const float> out, std::span<const float> reference, double relative,
                         double absolute);

// bfloat16 is the upper half of a float32: to the nearest, ties to even; NaN stays NaN.
std::uint16_t to_bf16(float value);
float from_bf16(std::uint16_t bits);

// e4m3, without infinities: to the nearest, ties to even; beyond 448 and infinite is 448, NaN stays NaN.
std::uint8_t to_e4m3(float value);
float from_e4m3(std::uint8_t bits);

// The nearest float32 with 10 bits of mantissa, ties to even, which every tensor core reads as it is.
float rounded_to_tf32(float value);

}  // namespace kernels
