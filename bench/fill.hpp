// Random data made on the device.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/kernel.hpp"

namespace bench {

// Enqueues writing `count` floats, uniform in [-1, 1): each a hash of its index and the seed, so that the
// same call gives the same data. Throws CudaError.
void fill_random(float* data, std::size_t count, std::uint32_t seed, kernels::Stream stream);

}  // namespace bench
