// What the vectorised transposes share: a quad of four by four floats, held by one thread.
#pragma once

#include "kernels/transpose/launch.cuh"

namespace kernels::transpose {

inline constexpr int kQuad = 4;  // floats on a side: 16 bytes

// Its rows; after transpose() its columns. Costs no instruction: only registers are renamed.
struct Quad {
  float4 rows[kQuad];

  __device__ __forceinline__ void transpose() {
    const float4 a = rows[0];
    const float4 b = rows[1];
    const float4 c = rows[2];
    const float4 d = rows[3];
    rows[0] = {a.x, b.x, c.x, d.x};
    rows[1] = {a.y, b.y, c.y, d.y};
    rows[2] = {a.z, b.z, c.z, d.z};
    rows[3] = {a.w, b.w, c.w, d.w};
  }
};

// cudaErrorNotSupported for a problem whose rows do not all begin at 16 bytes.
inline int launch_vector_rows(void (*kernel)(Panel), const TransposeProblem& problem, const Plan& plan,
                              Stream stream) {
  return has_vector_rows(problem) ? launch(kernel, problem, plan, stream) : cudaErrorNotSupported;
}

}  // namespace kernels::transpose
