#include "tracker/commands/memory.hpp"

#ifdef TRACKER_HAS_MIMALLOC
#include <cstdint>

#include <mimalloc.h>
#include <sys/mman.h>
#endif

namespace tracker {

void prepare_memory() {
#ifdef TRACKER_HAS_MIMALLOC
  mi_option_enable(mi_option_large_os_pages);
  mi_option_set(mi_option_eager_commit_delay, 0);  // in the memory of helping threads as well
  // The segment that libraries have begun to use before main() was made without. Advice alone: where it is no
  // such segment, nothing happens.
  constexpr std::uintptr_t kSegmentBytes = std::uintptr_t{32} << 20U;  // of mimalloc 2.0, aligned to it
  void* const block = mi_malloc(1);
  char* const segment = static_cast<char*>(block) - reinterpret_cast<std::uintptr_t>(block) % kSegmentBytes;
  ::madvise(segment, kSegmentBytes, MADV_HUGEPAGE);
  mi_free(block);
#endif
}

}  // namespace tracker
