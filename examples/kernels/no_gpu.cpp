// Where there is no CUDA compiler: what links, and is never called.
#include "kernels.hpp"

namespace kernels {

void saxpy(int, float, const float*, float*, CUstream_st*) {}
void block_scan(int, const float*, float*, CUstream_st*) {}

}  // namespace kernels
