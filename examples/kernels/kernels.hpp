// Two kernels, launched on a stream.
#pragma once

struct CUstream_st;

namespace kernels {

// y = a·x + y
void saxpy(int n, float a, const float* x, float* y, CUstream_st* stream);

// The sums of 256 elements each, of the values and of those before them. `n` is a multiple of 256.
void block_scan(int n, const float* in, float* out, CUstream_st* stream);

}  // namespace kernels
