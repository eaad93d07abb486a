// Preloaded into a program, it lets one chosen call that changes files go wrong: the process is killed before
// it, or the disk is full from then on. Calls are counted over one process, as it makes them.
//   FAULT_IN       the program's name, as in "tracker"; others are left alone
//   FAULT_AT       which call, counted from 1
//   FAULT          kill or full
//   FAULT_COUNT    a file that gets a line with the number of calls of each process that ends by itself
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>
#include <utime.h>

static long calls = 0;

static int is_chosen(void) {
  static int chosen = -1;
  if (chosen < 0) {
    const char* name = getenv("FAULT_IN");
    chosen = name != NULL && strcmp(program_invocation_short_name, name) == 0;
  }
  return chosen;
}

// Whether this call finds the disk full. Output to the terminal's descriptors is no file.
static int goes_wrong(void) {
  const char* at = getenv("FAULT_AT");
  const char* fault = getenv("FAULT");
  if (!is_chosen()) return 0;
  ++calls;
  if (at == NULL || fault == NULL || calls < atol(at)) return 0;
  if (strcmp(fault, "full") == 0) return 1;
  if (calls == atol(at)) kill(getpid(), SIGKILL);
  return 0;
}

static int is_file(int descriptor) {
  struct stat status;
  return descriptor > 2 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

__attribute__((destructor)) static void tell(void) {
  const char* path = getenv("FAULT_COUNT");
  if (path == NULL || !is_chosen()) return;
  char text[32];
  const int length = snprintf(text, sizeof text, "%ld\n", calls);
  const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file >= 0) {
    if (write(file, text, (size_t)length) != length) abort();
    close(file);
  }
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FULL_UNLESS(condition, otherwise) \
  do {                                    \
    if ((condition) && goes_wrong()) {    \
      errno = ENOSPC;                     \
      return -1;                          \
    }                                     \
    return otherwise;                     \
  } while (0)

ssize_t write(int descriptor, const void* bytes, size_t count) {
  FULL_UNLESS(is_file(descriptor), NEXT(write)(descriptor, bytes, count));
}
ssize_t writev(int descriptor, const struct iovec* parts, int count) {
  FULL_UNLESS(is_file(descriptor), NEXT(writev)(descriptor, parts, count));
}
ssize_t pwrite(int descriptor, const void* bytes, size_t count, off_t at) {
  FULL_UNLESS(is_file(descriptor), NEXT(pwrite)(descriptor, bytes, count, at));
}
ssize_t pwrite64(int descriptor, const void* bytes, size_t count, off64_t at) {
  FULL_UNLESS(is_file(descriptor), NEXT(pwrite64)(descriptor, bytes, count, at));
}
int rename(const char* from, const char* to) {
  FULL_UNLESS(1, NEXT(rename)(from, to));
}
int link(const char* from, const char* to) {
  FULL_UNLESS(1, NEXT(link)(from, to));
}
int mkdir(const char* path, mode_t mode) {
  FULL_UNLESS(1, NEXT(mkdir)(path, mode));
}
int symlink(const char* to, const char* path) {
  FULL_UNLESS(1, NEXT(symlink)(to, path));
}
ssize_t sendfile(int to, int from, off_t* at, size_t count) {
  FULL_UNLESS(is_file(to), NEXT(sendfile)(to, from, at, count));
}
int fsync(int descriptor) {
  FULL_UNLESS(is_file(descriptor), NEXT(fsync)(descriptor));
}
int fdatasync(int descriptor) {
  FULL_UNLESS(is_file(descriptor), NEXT(fdatasync)(descriptor));
}
int ftruncate(int descriptor, off_t length) {
  FULL_UNLESS(is_file(descriptor), NEXT(ftruncate)(descriptor, length));
}

int ftruncate64(int descriptor, off64_t length) {
  FULL_UNLESS(is_file(descriptor), NEXT(ftruncate64)(descriptor, length));
}
int truncate(const char* path, off_t length) {
  FULL_UNLESS(1, NEXT(truncate)(path, length));
}
int sync_file_range(int descriptor, off64_t from, off64_t count, unsigned flags) {
  FULL_UNLESS(is_file(descriptor), NEXT(sync_file_range)(descriptor, from, count, flags));
}
int mkstemp(char* path) {
  FULL_UNLESS(1, NEXT(mkstemp)(path));
}
int mkstemp64(char* path) {
  FULL_UNLESS(1, NEXT(mkstemp64)(path));
}
char* mkdtemp(char* path) {
  if (goes_wrong()) {
    errno = ENOSPC;
    return NULL;
  }
  return NEXT(mkdtemp)(path);
}

// Removing, and changing rights and times, needs no room, but is a moment to be killed at.
static void may_be_killed(void) {
  if (getenv("FAULT") != NULL && strcmp(getenv("FAULT"), "kill") == 0) goes_wrong();
}
int unlink(const char* path) {
  may_be_killed();
  return NEXT(unlink)(path);
}
int unlinkat(int folder, const char* path, int flags) {
  may_be_killed();
  return NEXT(unlinkat)(folder, path, flags);
}

int remove(const char* path) {
  may_be_killed();
  return NEXT(remove)(path);
}
int rmdir(const char* path) {
  may_be_killed();
  return NEXT(rmdir)(path);
}
int chmod(const char* path, mode_t mode) {
  may_be_killed();
  return NEXT(chmod)(path, mode);
}
int fchmod(int descriptor, mode_t mode) {
  may_be_killed();
  return NEXT(fchmod)(descriptor, mode);
}
int fchmodat(int folder, const char* path, mode_t mode, int flags) {
  may_be_killed();
  return NEXT(fchmodat)(folder, path, mode, flags);
}
int fchown(int descriptor, uid_t owner, gid_t group) {
  may_be_killed();
  return NEXT(fchown)(descriptor, owner, group);
}
int utime(const char* path, const struct utimbuf* times) {
  may_be_killed();
  return NEXT(utime)(path, times);
}
int utimes(const char* path, const struct timeval times[2]) {
  may_be_killed();
  return NEXT(utimes)(path, times);
}
int utimensat(int folder, const char* path, const struct timespec times[2], int flags) {
  may_be_killed();
  return NEXT(utimensat)(folder, path, times, flags);
}

// Streams: what is written to one goes through the C library's own calls, but for its opening.
static FILE* fopen_it(FILE* (*next)(const char*, const char*), const char* path, const char* mode) {
  if (strpbrk(mode, "wa+") != NULL && goes_wrong()) {
    errno = ENOSPC;
    return NULL;
  }
  return next(path, mode);
}
FILE* fopen(const char* path, const char* mode) {
  return fopen_it(NEXT(fopen), path, mode);
}
FILE* fopen64(const char* path, const char* mode) {
  return fopen_it(NEXT(fopen64), path, mode);
}

static int open_it(int (*next)(const char*, int, ...), const char* path, int flags, mode_t mode) {
  FULL_UNLESS((flags & O_CREAT) != 0, next(path, flags, mode));
}
int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & (O_CREAT | __O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return open_it(NEXT(open), path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & (O_CREAT | __O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return open_it(NEXT(open64), path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & (O_CREAT | __O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  FULL_UNLESS((flags & O_CREAT) != 0, NEXT(openat)(folder, path, flags, mode));
}
