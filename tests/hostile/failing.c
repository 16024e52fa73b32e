/* A shim for LD_PRELOAD: the n-th write, rename or fsync from now on fails once, as on a full or broken disk. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static long left = -1;

/* Let the call after n others fail. */
void fail_after(long n) { left = n; }
/* True when a call was let fail since then. */
int has_failed(void) { return left < 0; }

static int fails(int fd) {
    if (left < 0 || fd < 3 || left-- > 0) return 0;
    errno = ENOSPC;
    return 1;
}

#define SHIM(type, name, fd, params, names)                          \
    type name params {                                               \
        static type(*real) params;                                   \
        if (!real) real = (type(*) params)dlsym(RTLD_NEXT, #name);   \
        return fails(fd) ? -1 : real names;                          \
    }

SHIM(ssize_t, write, fd, (int fd, const void *data, size_t n), (fd, data, n))
SHIM(ssize_t, pwrite, fd, (int fd, const void *data, size_t n, off_t at), (fd, data, n, at))
SHIM(ssize_t, pwrite64, fd, (int fd, const void *data, size_t n, off_t at), (fd, data, n, at))
SHIM(ssize_t, writev, fd, (int fd, const struct iovec *parts, int n), (fd, parts, n))
SHIM(int, fsync, fd, (int fd), (fd))
SHIM(int, fdatasync, fd, (int fd), (fd))
SHIM(int, ftruncate, fd, (int fd, off_t n), (fd, n))
SHIM(int, rename, 3, (const char *from, const char *to), (from, to))
SHIM(int, renameat, 3, (int d, const char *from, int e, const char *to), (d, from, e, to))
SHIM(int, renameat2, 3, (int d, const char *from, int e, const char *to, unsigned how), (d, from, e, to, how))
