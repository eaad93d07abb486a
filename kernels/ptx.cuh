// Every instruction that our kernels name themselves (PTX ISA), by what it does: shared memory by its 32-bit
// address, copies past the registers (cp.async, 8.0), barriers that count bytes, copies of tiles by the
// tensor memory accelerator (TMA), clusters and warpgroups (9.0), and the products of the tensor cores. What
// a device lacks is never launched there. For .cu files only.
#pragma once

#include <cstdint>

#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>

namespace kernels {

// Shared memory.
__device__ __forceinline__ std::uint32_t shared_address(const void* place) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(place));
}

// Four floats side by side; the address must be a multiple of 16 bytes. Volatile, so that loads stay in the
// order they are written down, ahead of the arithmetic they are for.
__device__ __forceinline__ void load_shared(float* to, std::uint32_t address) {
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(to[0]), "=f"(to[1]), "=f"(to[2]), "=f"(to[3])
               : "r"(address));
}

__device__ __forceinline__ void store_shared(std::uint32_t address, float value) {
  asm volatile("st.shared.f32 [%0], %1;" ::"r"(address), "f"(value) : "memory");
}

__device__ __forceinline__ void store_shared(std::uint32_t address, float4 value) {
  asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(address), "f"(value.x), "f"(value.y),
               "f"(value.z), "f"(value.w)
               : "memory");
}
__device__ __forceinline__ void store_shared(std::uint32_t to, const uint4& chunk) {
  asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(to), "r"(chunk.x), "r"(chunk.y), "r"(chunk.z),
               "r"(chunk.w)
               : "memory");
}

// Copies from global to shared memory, past the registers, while the thread goes on: each is one of the
// calling thread, and belongs to the group that it commits next. Kernels that use copy_async() are compiled
// for devices older than 8.0 as well.
template <typename Value>
__device__ __forceinline__ void copy_async(std::uint32_t to, const Value* from) {
  static_assert(sizeof(Value) == 4 || sizeof(Value) == 16);
#if __CUDA_ARCH__ >= 800
  if constexpr (sizeof(Value) == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(from) : "memory");
  }
#else
  __trap();
#endif
}
// 16 bytes, past L1, with a whole line fetched to L2.
__device__ __forceinline__ void copy_chunk_async(std::uint32_t to, const void* from) {
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}
// Zeros, without looking at `from`, where not `inside`.
__device__ __forceinline__ void copy_chunk_async_or_zero(std::uint32_t to, const void* from, bool inside) {
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(to), "l"(from),
               "r"(inside ? 16 : 0)
               : "memory");
}
// The same for 4 bytes.
__device__ __forceinline__ void copy_word_async_or_zero(std::uint32_t to, const void* from, bool inside) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(inside ? 4 : 0)
               : "memory");
}
__device__ __forceinline__ void commit_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#else
  __trap();
#endif
}
// Until at most so many of this thread's groups are on their way.
template <int kPending>
__device__ __forceinline__ void wait_for_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(kPending) : "memory");
#else
  __trap();
#endif
}

// Products of a warp, from registers.
//
// Four matrices of 8 rows of 16 bytes; the rows' places are those of lanes 0 … 7 for the first, and so on.
// Lane l gets bytes l % 4 · 4 … + 3 of row l / 4 of each: just what the products below want, of either type.
__device__ __forceinline__ void load_matrices(std::uint32_t (&parts)[4], std::uint32_t from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(parts[0]), "=r"(parts[1]), "=r"(parts[2]), "=r"(parts[3])
               : "r"(from)
               : "memory");
}

// sum += a · b: 16 × 8 results of a warp, over 32 bytes of k.
__device__ __forceinline__ void multiply_add(float (&sum)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                                             std::uint32_t b1, __nv_bfloat16 /*type*/) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
__device__ __forceinline__ void multiply_add(float (&sum)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                                             std::uint32_t b1, float /*type*/) {
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// wgmma and setmaxnreg are in sm_90a alone, not in what sm_90 or later ones have.
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
inline constexpr bool kHasHopper = true;
#else
inline constexpr bool kHasHopper = false;
#endif

inline constexpr int kWarpgroup = 128;  // threads

// Barriers. A phase ends when `arrivals` have arrived and all bytes that were announced are there.
__device__ __forceinline__ void init_barrier(std::uint32_t barrier, std::uint32_t arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}
// For the copy engine and the other blocks of the cluster; they must still be told, by a barrier.
__device__ __forceinline__ void publish_barriers() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
__device__ __forceinline__ void arrive_expecting(std::uint32_t barrier, std::uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
               : "memory");
}
__device__ __forceinline__ void arrive(std::uint32_t barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}
// When all copies that this thread began are there; counts as one of the barrier's arrivals.
__device__ __forceinline__ void arrive_after_copies(std::uint32_t barrier) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(barrier) : "memory");
}
// At the same barrier of another block of the cluster. Not `.release.cluster`, nor is there an
// `.acquire.cluster` on the other side: no data written by threads changes hands here, and those would flush
// and invalidate caches at every step: products took 1.3 to 1.5 times as long.
__device__ __forceinline__ void arrive_at(std::uint32_t barrier, std::uint32_t block) {
  asm volatile(
      "{\n.reg .b32 there;\n"
      "mapa.shared::cluster.u32 there, %0, %1;\n"
      "mbarrier.arrive.shared::cluster.b64 _, [there];\n}\n" ::"r"(barrier),
      "r"(block)
      : "memory");
}
__device__ __forceinline__ bool phase_ended(std::uint32_t barrier, std::uint32_t parity) {
  std::uint32_t ended = 0;
  asm volatile(
      "{\n.reg .pred ended;\n"
      "mbarrier.try_wait.parity.shared::cta.b64 ended, [%1], %2;\n"
      "selp.u32 %0, 1, 0, ended;\n}\n"
      : "=r"(ended)
      : "r"(barrier), "r"(parity)
      : "memory");
  return ended != 0;
}
__device__ __forceinline__ void wait_for(std::uint32_t barrier, std::uint32_t parity) {
  while (!phase_ended(barrier, parity)) {
  }
}

// For a barrier that is used once.
__device__ __forceinline__ void wait_for_first_phase(std::uint32_t barrier) {
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "again_%=:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0;\n"
      "@!done bra again_%=;\n"
      "}" ::"r"(barrier)
      : "memory");
}

// Copies of tiles. `x` counts elements along a row, `y` rows; zeros come from outside of the matrix, and
// nothing is written there.
__device__ __forceinline__ void prefetch(const CUtensorMap& map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}
__device__ __forceinline__ void load_tile(std::uint32_t to, const CUtensorMap& map, std::uint32_t barrier,
                                          std::uint32_t x, std::uint32_t y) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%3, %4}], [%2];" ::"r"(to),
      "l"(&map), "r"(barrier), "r"(x), "r"(y)
      : "memory");
}
// To the same place of every block in the mask, whose barriers at the same place it counts towards.
__device__ __forceinline__ void load_tile_to_all(std::uint32_t to, const CUtensorMap& map,
                                                 std::uint32_t barrier, std::uint32_t x, std::uint32_t y,
                                                 std::uint16_t blocks) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster "
      "[%0], [%1, {%3, %4}], [%2], %5;" ::"r"(to),
      "l"(&map), "r"(barrier), "r"(x), "r"(y), "h"(blocks)
      : "memory");
}
__device__ __forceinline__ void store_tile(const CUtensorMap& map, std::uint32_t from, std::uint32_t x,
                                           std::uint32_t y) {
  asm volatile(
      "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];\n"
      "cp.async.bulk.commit_group;" ::"l"(&map),
      "r"(from), "r"(x), "r"(y)
      : "memory");
}
// Until all but the last kPending tiles that this thread stored have been read from shared memory.
template <int kPending>
__device__ __forceinline__ void wait_for_stores() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(kPending) : "memory");
}
// What this thread wrote to shared memory is there for the copy engine.
__device__ __forceinline__ void publish_shared() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// Clusters. Relaxed: they order the lives of blocks and their barriers, no data.
__device__ __forceinline__ std::uint32_t block_in_cluster() {
  std::uint32_t rank = 0;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
__device__ __forceinline__ void arrive_at_cluster() {
  asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
}
__device__ __forceinline__ void wait_for_cluster() {
  asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
}

// A meeting of a cluster: what its blocks wrote before, and sent to each other's barriers, is there.
__device__ __forceinline__ void meet_cluster() {
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

// Four floats of another block's shared memory, at the place that has this address in one's own.
__device__ __forceinline__ float4 load_shared_of(std::uint32_t block, std::uint32_t address) {
  float4 value;
  asm volatile(
      "{\n.reg .b32 there;\n"
      "mapa.shared::cluster.u32 there, %4, %5;\n"
      "ld.shared::cluster.v4.f32 {%0, %1, %2, %3}, [there];\n}\n"
      : "=f"(value.x), "=f"(value.y), "=f"(value.z), "=f"(value.w)
      : "r"(address), "r"(block)
      : "memory");
  return value;
}

// A barrier of the block by number, for `threads` of it: those that wait and those that only arrive.
__device__ __forceinline__ void wait_at(int number, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}
__device__ __forceinline__ void arrive_at_numbered(int number, int threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

// One thread of a warp that is here as a whole, always the same. Not `lane == 0`: here the compiler knows
// that it is one alone, and puts no loop over the warp's threads around what takes no vectors (copies of
// tiles).
__device__ __forceinline__ bool is_elected() {
  std::uint32_t elected = 0;
  asm volatile(
      "{\n.reg .pred one;\n"
      "elect.sync _|one, 0xffffffff;\n"
      "selp.u32 %0, 1, 0, one;\n}\n"
      : "=r"(elected));
  return elected != 0;
}

// Registers per thread, of a whole warpgroup at a time.
template <int kRegisters>
__device__ __forceinline__ void give_registers_up() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(kRegisters));
}
template <int kRegisters>
__device__ __forceinline__ void take_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(kRegisters));
}

// Four 8 × 8 matrices of 16-bit elements from a warp's registers; each lane gives the place of one row.
__device__ __forceinline__ void store_matrices(std::uint32_t row, const std::uint32_t (&parts)[4]) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(row), "r"(parts[0]),
               "r"(parts[1]), "r"(parts[2]), "r"(parts[3])
               : "memory");
}

// The same, each matrix turned: a lane gives the place of a column.
__device__ __forceinline__ void store_turned_matrices(std::uint32_t column, const std::uint32_t (&parts)[4]) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(column),
               "r"(parts[0]), "r"(parts[1]), "r"(parts[2]), "r"(parts[3])
               : "memory");
}

// Products of a warpgroup: 64 rows of A by up to 256 columns, both in shared memory, into its registers,
// while it goes on.
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
#define WGMMA_PLACES_8 "%0, %1, %2, %3, %4, %5, %6, %7"
#define WGMMA_PLACES_16 WGMMA_PLACES_8 ", %8, %9, %10, %11, %12, %13, %14, %15"
#define WGMMA_PLACES_24 WGMMA_PLACES_16 ", %16, %17, %18, %19, %20, %21, %22, %23"
#define WGMMA_PLACES_32 WGMMA_PLACES_24 ", %24, %25, %26, %27, %28, %29, %30, %31"
#define WGMMA_PLACES_40 WGMMA_PLACES_32 ", %32, %33, %34, %35, %36, %37, %38, %39"
#define WGMMA_PLACES_48 WGMMA_PLACES_40 ", %40, %41, %42, %43, %44, %45, %46, %47"
#define WGMMA_PLACES_64 \
  WGMMA_PLACES_48 ", %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define WGMMA_PLACES_72 WGMMA_PLACES_64 ", %64, %65, %66, %67, %68, %69, %70, %71"
#define WGMMA_PLACES_80 WGMMA_PLACES_72 ", %72, %73, %74, %75, %76, %77, %78, %79"
#define WGMMA_PLACES_96 \
  WGMMA_PLACES_80 ", %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95"
#define WGMMA_PLACES_128                                                                         \
  WGMMA_PLACES_96                                                                                \
  ", %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111" \
  ", %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
#define WGMMA_SUMS_4(i) "+f"(sums[i]), "+f"(sums[(i) + 1]), "+f"(sums[(i) + 2]), "+f"(sums[(i) + 3])
#define WGMMA_SUMS_8(i) WGMMA_SUMS_4(i), WGMMA_SUMS_4((i) + 4)
#define WGMMA_SUMS_16(i) WGMMA_SUMS_8(i), WGMMA_SUMS_8((i) + 8)
#define WGMMA_SUMS_32(i) WGMMA_SUMS_16(i), WGMMA_SUMS_16((i) + 16)
#define WGMMA_ALL_8 WGMMA_SUMS_8(0)
#define WGMMA_ALL_16 WGMMA_ALL_8, WGMMA_SUMS_8(8)
#define WGMMA_ALL_24 WGMMA_ALL_16, WGMMA_SUMS_8(16)
#define WGMMA_ALL_32 WGMMA_ALL_24, WGMMA_SUMS_8(24)
#define WGMMA_ALL_40 WGMMA_ALL_32, WGMMA_SUMS_8(32)
#define WGMMA_ALL_48 WGMMA_ALL_40, WGMMA_SUMS_8(40)
#define WGMMA_ALL_64 WGMMA_ALL_48, WGMMA_SUMS_16(48)
#define WGMMA_ALL_72 WGMMA_ALL_64, WGMMA_SUMS_8(64)
#define WGMMA_ALL_80 WGMMA_ALL_72, WGMMA_SUMS_8(72)
#define WGMMA_ALL_96 WGMMA_ALL_80, WGMMA_SUMS_16(80)
#define WGMMA_ALL_128 WGMMA_ALL_96, WGMMA_SUMS_32(96)
// After the sums come the places of A, B and whether to add. Modifiers: 1, 1 for plus A and plus B; for
// 16-bit types also 0, 0 for "K-major".
#define WGMMA(count, shape, place_a, place_b, place_add, modifiers)                                         \
  asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, %" place_add                                           \
               ", 0;\n"                                                                                     \
               "wgmma.mma_async.sync.aligned." shape " {" WGMMA_PLACES_##count "}, %" place_a ", %" place_b \
                                                                               ", add, " modifiers ";\n}"   \
               : WGMMA_ALL_##count                                                                          \
               : "l"(a), "l"(b), "r"(add))
// sums = A · Bᵀ (+ sums if `add`), of 32 bytes of each row: 32 of e4m3, 16 of bfloat16, 8 of TF32.
#define DEFINE_MULTIPLY(count, columns, place_a, place_b, place_add)                                       \
  template <typename Element>                                                                              \
  __device__ __forceinline__ void multiply_by_wgmma(float(&sums)[count], std::uint64_t a, std::uint64_t b, \
                                                    std::uint32_t add) {                                   \
    if constexpr (sizeof(Element) == 1) {                                                                  \
      WGMMA(count, "m64n" columns "k32.f32.e4m3.e4m3", place_a, place_b, place_add, "1, 1");               \
    } else if constexpr (sizeof(Element) == 2) {                                                           \
      WGMMA(count, "m64n" columns "k16.f32.bf16.bf16", place_a, place_b, place_add, "1, 1, 0, 0");         \
    } else {                                                                                               \
      WGMMA(count, "m64n" columns "k8.f32.tf32.tf32", place_a, place_b, place_add, "1, 1");                \
    }                                                                                                      \
  }
DEFINE_MULTIPLY(8, "16", "8", "9", "10")
DEFINE_MULTIPLY(16, "32", "16", "17", "18")
DEFINE_MULTIPLY(24, "48", "24", "25", "26")
DEFINE_MULTIPLY(32, "64", "32", "33", "34")
DEFINE_MULTIPLY(40, "80", "40", "41", "42")
DEFINE_MULTIPLY(48, "96", "48", "49", "50")
DEFINE_MULTIPLY(64, "128", "64", "65", "66")
DEFINE_MULTIPLY(72, "144", "72", "73", "74")
DEFINE_MULTIPLY(80, "160", "80", "81", "82")
DEFINE_MULTIPLY(96, "192", "96", "97", "98")
DEFINE_MULTIPLY(128, "256", "128", "129", "130")

#undef DEFINE_MULTIPLY
#undef WGMMA
#undef WGMMA_SUMS_32
#undef WGMMA_SUMS_16
#undef WGMMA_SUMS_8
#undef WGMMA_SUMS_4
#undef WGMMA_ALL_128
#undef WGMMA_PLACES_128
#undef WGMMA_ALL_96
#undef WGMMA_PLACES_96
#undef WGMMA_ALL_80
#undef WGMMA_PLACES_80
#undef WGMMA_ALL_72
#undef WGMMA_PLACES_72
#undef WGMMA_ALL_64
#undef WGMMA_PLACES_64
#undef WGMMA_ALL_48
#undef WGMMA_PLACES_48
#undef WGMMA_ALL_40
#undef WGMMA_PLACES_40
#undef WGMMA_ALL_32
#undef WGMMA_PLACES_32
#undef WGMMA_ALL_24
#undef WGMMA_PLACES_24
#undef WGMMA_ALL_16
#undef WGMMA_PLACES_16
#undef WGMMA_ALL_8
#undef WGMMA_PLACES_8

}  // namespace kernels
