/* Has the k-th write below a folder fail with an error number, for benchmarks.faults. Loaded with LD_PRELOAD.
 *
 * Nothing happens before newscrawl_arm() is called. Writes and syncs of regular files below the folder are counted,
 * over all processes that are forked afterwards: the counter is in memory that they share.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static char folder[4096];
static size_t folder_length;
static long from, last;
static int number;
static _Atomic long *counter;

/* Counts writes into `where` and lets those from `first` to `final` fail with `error`; first 0: counts only. */
void newscrawl_arm(const char *where, long first, long final, int error, void *where_to_count) {
    snprintf(folder, sizeof folder, "%s/", where);
    folder_length = strlen(folder);
    from = first;
    last = final;
    number = error;
    counter = where_to_count;
}

/* 0: goes on; 1: fails; 2: the first one that fails, while more will fail: half of it is written */
static int falls(int file) {
    char link[64], path[4096];
    ssize_t length;
    int before = errno;
    if (!counter)
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    length = readlink(link, path, sizeof path - 1);
    errno = before;
    if (length < (ssize_t)folder_length || memcmp(path, folder, folder_length) != 0)
        return 0;
    long now = atomic_fetch_add(counter, 1) + 1;
    if (from == 0 || now < from || now > last)
        return 0;
    return now == from && last > from ? 2 : 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FAIL() do { errno = number; return -1; } while (0)

ssize_t write(int file, const void *data, size_t size) {
    switch (falls(file)) {
    case 1: FAIL();
    case 2: if (size < 2) FAIL(); size /= 2;
    }
    return REAL(write)(file, data, size);
}

ssize_t pwrite(int file, const void *data, size_t size, off_t at) {
    switch (falls(file)) {
    case 1: FAIL();
    case 2: if (size < 2) FAIL(); size /= 2;
    }
    return REAL(pwrite)(file, data, size, at);
}

ssize_t pwrite64(int file, const void *data, size_t size, off64_t at) {
    switch (falls(file)) {
    case 1: FAIL();
    case 2: if (size < 2) FAIL(); size /= 2;
    }
    return REAL(pwrite64)(file, data, size, at);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
    if (falls(file)) FAIL();
    return REAL(writev)(file, parts, count);
}

int fsync(int file) {
    if (falls(file)) FAIL();
    return REAL(fsync)(file);
}

int fdatasync(int file) {
    if (falls(file)) FAIL();
    return REAL(fdatasync)(file);
}
