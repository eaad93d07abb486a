// Kernels that are not measured: random data made on the device, and one that does nothing.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/kernel.hpp"

namespace bench {

// Enqueues writing `count` floats, uniform in [-1, 1): each a hash of its index and the seed, so that the
// same call gives the same data. Throws CudaError.
void fill_random(float* data, std::size_t count, std::uint32_t seed, kernels::Stream stream);

// The same of bfloat16 values, as their bits: the upper half of such a float32.
void fill_random_bf16(std::uint16_t* data, std::size_t count, std::uint32_t seed, kernels::Stream stream);

// The same of e4m3 values (4 bits of exponent, 3 of mantissa), as their bits: the nearest to such a float32.
void fill_random_e4m3(std::uint8_t* data, std::size_t count, std::uint32_t seed, kernels::Stream stream);

// Enqueues a kernel that does nothing; gives its cudaError_t.
int launch_empty(kernels::Stream stream);

}  // namespace bench
