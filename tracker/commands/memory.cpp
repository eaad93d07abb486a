#include "tracker/commands/memory.hpp"

#include <new>
#include <string_view>

#include <unistd.h>

#ifdef TRACKER_HAS_MIMALLOC
#include <cstdint>

#include <mimalloc.h>
#include <sys/mman.h>
#endif

#include "tracker/base/error.hpp"

namespace tracker {
namespace {

// mimalloc's operator new cannot throw: without this the process would be aborted without a word. What is
// half done stays as after a kill, which the next command expects.
[[noreturn]] void end_without_memory() {
  constexpr std::string_view kMessage =
      "tracker: error: out of memory\n"
      "  next: give it less at once (fewer files, --filter), or more memory (ulimit -v, the container's "
      "limit)\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kMessage.data(), kMessage.size());
  ::_exit(static_cast<int>(ExitCode::kEnvironment));
}

}  // namespace

void prepare_memory() {
  std::set_new_handler(end_without_memory);
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
