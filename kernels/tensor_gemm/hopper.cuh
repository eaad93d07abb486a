// What compute capability 9.0 has beyond C++: barriers that count bytes, copies of tiles by the tensor memory
// accelerator (TMA), clusters and warpgroups. Shared memory is given by its 32-bit address. Only to be called
// where kHasHopper. For .cu files only.
#pragma once

#include <cstdint>

#include <cuda.h>
#include <cuda_runtime.h>

namespace kernels::tensor_gemm {

// wgmma and setmaxnreg are in sm_90a alone, not in what sm_90 or later ones have.
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
inline constexpr bool kHasHopper = true;
#else
inline constexpr bool kHasHopper = false;
#endif

inline constexpr int kWarpgroup = 128;  // threads

__device__ __forceinline__ std::uint32_t shared_address(const void* place) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(place));
}

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

// The last meeting of a cluster: what its blocks sent to each other's barriers has arrived, so that they may
// end.
__device__ __forceinline__ void leave_cluster() {
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
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

}  // namespace kernels::tensor_gemm
