// What the standard library of g++ 12 asks of the C library, and a release's, glibc 2.31, does not have yet.
#include <cerrno>
#include <cstdint>
#include <cstdlib>

#include <sys/random.h>
#include <sys/single_threaded.h>

// Whether the program has one thread only, so that counting references need not be atomic (glibc 2.32). Not
// known here: counting is atomic.
char __libc_single_threaded = 0;  // NOLINT(bugprone-reserved-identifier): glibc's name

// A random number from the kernel (glibc 2.36), for std::random_device.
extern "C" std::uint32_t arc4random() noexcept {
  std::uint32_t value = 0;
  while (::getrandom(&value, sizeof value, 0) != sizeof value) {
    if (errno != EINTR) std::abort();  // no kernel without it runs glibc 2.31
  }
  return value;
}
