#include "tracker/commands/memory.hpp"

#ifdef TRACKER_HAS_MIMALLOC
#include <mimalloc.h>
#endif

namespace tracker {

void prepare_memory() {
#ifdef TRACKER_HAS_MIMALLOC
  mi_option_enable(mi_option_large_os_pages);
  mi_option_set(mi_option_eager_commit_delay, 0);  // in the memory of helping threads as well
#endif
}

}  // namespace tracker
