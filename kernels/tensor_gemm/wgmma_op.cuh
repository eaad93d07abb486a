// wgmma: a warpgroup multiplies 64 rows of A by up to 256 columns, both in shared memory, into its registers,
// while it goes on. For .cu files only.
#pragma once

#include <cstdint>

#include <cuda_bf16.h>

#include "kernels/tensor_gemm/hopper.cuh"

namespace kernels::tensor_gemm {

inline constexpr int kWgmmaRows = 64;
// In a thread, of so many columns.
template <int kColumns>
inline constexpr int kSumsOf = kWgmmaRows* kColumns / kWarpgroup;
// A row of a tile in shared memory: as much as the copy engine swizzles, 8 rows at a time, so that neither it
// nor wgmma meets bank conflicts. One instruction takes 32 bytes of each.
inline constexpr int kRowBytes = 128;
inline constexpr int kInstructionBytes = 32;
inline constexpr int kSwizzleBytes = 8 * kRowBytes;  // tiles start at a multiple of it

// Where a tile of rows lies, as wgmma wants it: address and distance of 8 rows in units of 16 bytes, and the
// swizzle's code (PTX ISA, "Matrix descriptor").
__device__ __forceinline__ std::uint64_t tile_descriptor(std::uint32_t address) {
  constexpr std::uint64_t kSwizzle128 = 1;
  constexpr std::uint64_t kUnit = 16;
  return kSwizzle128 << 62 | kSwizzleBytes / kUnit << 32 | std::uint64_t{1} << 16 | address / kUnit;
}
inline constexpr std::uint64_t kDescriptorStep = kInstructionBytes / 16;

__device__ __forceinline__ void fence_wgmma() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ __forceinline__ void commit_wgmma() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
template <int kPending>
__device__ __forceinline__ void wait_for_wgmma() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kPending) : "memory");
}
// The compiler neither reads nor moves the sums across this.
template <int kSums>
__device__ __forceinline__ void pin(float (&sums)[kSums]) {
#pragma unroll
  for (int i = 0; i < kSums; ++i) {
    asm volatile("" : "+f"(sums[i])::"memory");
  }
}

// For sums that the first product overwrites: 128 zeros would be 64 instructions to fetch before it.
template <int kSums>
__device__ __forceinline__ void leave_undefined(float (&sums)[kSums]) {
#pragma unroll
  for (int i = 0; i < kSums; ++i) {
    asm volatile("" : "=f"(sums[i]));
  }
}

// The instruction names its sums one by one.
#define WGMMA_PLACES_32                                                    \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
  "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define WGMMA_PLACES_64                                                              \
  WGMMA_PLACES_32                                                                    \
  ", "                                                                               \
  "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, " \
  "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define WGMMA_PLACES_96                                                              \
  WGMMA_PLACES_64                                                                    \
  ", "                                                                               \
  "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, " \
  "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95"
#define WGMMA_PLACES_128                                                                         \
  WGMMA_PLACES_96                                                                                \
  ", "                                                                                           \
  "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, " \
  "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
#define WGMMA_SUMS_4(i) "+f"(sums[i]), "+f"(sums[(i) + 1]), "+f"(sums[(i) + 2]), "+f"(sums[(i) + 3])
#define WGMMA_SUMS_16(i) WGMMA_SUMS_4(i), WGMMA_SUMS_4((i) + 4), WGMMA_SUMS_4((i) + 8), WGMMA_SUMS_4((i) + 12)
#define WGMMA_SUMS_32 WGMMA_SUMS_16(0), WGMMA_SUMS_16(16)
#define WGMMA_SUMS_64 WGMMA_SUMS_32, WGMMA_SUMS_16(32), WGMMA_SUMS_16(48)
#define WGMMA_SUMS_96 WGMMA_SUMS_64, WGMMA_SUMS_16(64), WGMMA_SUMS_16(80)
#define WGMMA_SUMS_128 WGMMA_SUMS_96, WGMMA_SUMS_16(96), WGMMA_SUMS_16(112)
// After the sums come the places of A, B and whether to add. Modifiers: 1, 1 for plus A and plus B; for
// 16-bit types also 0, 0 for "K-major".
#define WGMMA(count, shape, place_a, place_b, place_add, modifiers)                                         \
  asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, %" place_add                                           \
               ", 0;\n"                                                                                     \
               "wgmma.mma_async.sync.aligned." shape " {" WGMMA_PLACES_##count "}, %" place_a ", %" place_b \
                                                                               ", add, " modifiers ";\n}"   \
               : WGMMA_SUMS_##count                                                                         \
               : "l"(a), "l"(b), "r"(add))
// sums = A · Bᵀ (+ sums if `add`), of 32 bytes of each row: 32 of e4m3, 16 of bfloat16, 8 of TF32.
#define DEFINE_MULTIPLY(count, columns, place_a, place_b, place_add)                               \
  template <typename Element>                                                                      \
  __device__ __forceinline__ void multiply(float(&sums)[count], std::uint64_t a, std::uint64_t b,  \
                                           std::uint32_t add) {                                    \
    if constexpr (sizeof(Element) == 1) {                                                          \
      WGMMA(count, "m64n" columns "k32.f32.e4m3.e4m3", place_a, place_b, place_add, "1, 1");       \
    } else if constexpr (sizeof(Element) == 2) {                                                   \
      WGMMA(count, "m64n" columns "k16.f32.bf16.bf16", place_a, place_b, place_add, "1, 1, 0, 0"); \
    } else {                                                                                       \
      WGMMA(count, "m64n" columns "k8.f32.tf32.tf32", place_a, place_b, place_add, "1, 1");        \
    }                                                                                              \
  }
DEFINE_MULTIPLY(32, "64", "32", "33", "34")
DEFINE_MULTIPLY(64, "128", "64", "65", "66")
DEFINE_MULTIPLY(96, "192", "96", "97", "98")
DEFINE_MULTIPLY(128, "256", "128", "129", "130")

#undef DEFINE_MULTIPLY
#undef WGMMA
#undef WGMMA_SUMS_128
#undef WGMMA_SUMS_96
#undef WGMMA_SUMS_64
#undef WGMMA_SUMS_32
#undef WGMMA_SUMS_16
#undef WGMMA_SUMS_4
#undef WGMMA_PLACES_128
#undef WGMMA_PLACES_96
#undef WGMMA_PLACES_64
#undef WGMMA_PLACES_32

// One stage: 128 bytes of each row.
template <typename Element, int kSums>
__device__ __forceinline__ void multiply_stage(float (&sums)[kSums], std::uint32_t a, std::uint32_t b,
                                               bool add) {
  const std::uint64_t tile_a = tile_descriptor(a);
  const std::uint64_t tile_b = tile_descriptor(b);
  pin(sums);
  fence_wgmma();
#pragma unroll
  for (int step = 0; step < kRowBytes / kInstructionBytes; ++step) {
    multiply<Element>(sums, tile_a + step * kDescriptorStep, tile_b + step * kDescriptorStep,
                      add || step > 0 ? 1 : 0);
  }
  commit_wgmma();
  pin(sums);
}

}  // namespace kernels::tensor_gemm
