/* Loaded before the C library into a server or a database: a clock that is wrong, an fsync that fails, a full disk.
 *
 * FAULTS_CONTROL names a file of three ints, which may change at any time: seconds by which the clock is ahead, whether
 * fsync fails, whether the disk is full. The last two concern files in the folder FAULTS_UNDER.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { AHEAD, FSYNC_FAILS, DISK_FULL, FIELDS };

static const volatile int *control;
static const char *under;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("FAULTS_CONTROL");
    int fd = path ? open(path, O_RDONLY) : -1;
    under = getenv("FAULTS_UNDER");
    if (fd < 0)
        return;
    void *mapped = mmap(NULL, FIELDS * sizeof(int), PROT_READ, MAP_SHARED, fd, 0);
    close(fd);
    if (mapped != MAP_FAILED)
        control = mapped;
}

static void *found(void **known, const char *name) {
    if (!*known)
        *known = dlsym(RTLD_NEXT, name);
    return *known;
}

#define REAL(name) ((__typeof__(&name))found(&real_##name, #name))
#define DECLARE(name) static void *real_##name

static int concerns(int fd, int which) {
    char link[64], path[4096];
    ssize_t length;
    int error = errno;
    if (!control || !control[which] || !under)
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    length = readlink(link, path, sizeof path - 1);
    errno = error;
    return length > 0 && !strncmp(path, under, strlen(under));
}

/* Whether a write that ends at `end` would need more room than the file has. */
static int lacks_room(int fd, off_t end) {
    struct stat status;
    return concerns(fd, DISK_FULL) && !fstat(fd, &status) && end > status.st_size;
}

static off_t place(int fd) {
    struct stat status;
    if (fcntl(fd, F_GETFL) & O_APPEND)
        return fstat(fd, &status) ? 0 : status.st_size;
    off_t at = lseek(fd, 0, SEEK_CUR);
    return at < 0 ? 0 : at;
}

static size_t total(const struct iovec *parts, int count) {
    size_t sum = 0;
    for (int i = 0; i < count; i++)
        sum += parts[i].iov_len;
    return sum;
}

DECLARE(clock_gettime);
int clock_gettime(clockid_t clock, struct timespec *at) {
    int failed = REAL(clock_gettime)(clock, at);
    if (!failed && control && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        at->tv_sec += control[AHEAD];
    return failed;
}

DECLARE(gettimeofday);
int gettimeofday(struct timeval *restrict at, void *restrict zone) {
    int failed = REAL(gettimeofday)(at, zone);
    if (!failed && control)
        at->tv_sec += control[AHEAD];
    return failed;
}

DECLARE(time);
time_t time(time_t *at) {
    time_t now = REAL(time)(NULL) + (control ? control[AHEAD] : 0);
    if (at)
        *at = now;
    return now;
}

#define SYNC(name)                                                                                                     \
    DECLARE(name);                                                                                                     \
    int name(int fd) {                                                                                                 \
        if (concerns(fd, FSYNC_FAILS)) {                                                                               \
            errno = EIO;                                                                                               \
            return -1;                                                                                                 \
        }                                                                                                              \
        return REAL(name)(fd);                                                                                         \
    }
SYNC(fsync)
SYNC(fdatasync)

#define FULL(name, end, declared, given)                                                                               \
    DECLARE(name);                                                                                                     \
    ssize_t name declared {                                                                                            \
        if (control && control[DISK_FULL] && lacks_room(fd, end)) {                                                    \
            errno = ENOSPC;                                                                                            \
            return -1;                                                                                                 \
        }                                                                                                              \
        return REAL(name) given;                                                                                       \
    }
FULL(write, place(fd) + (off_t)size, (int fd, const void *data, size_t size), (fd, data, size))
FULL(pwrite, at + (off_t)size, (int fd, const void *data, size_t size, off_t at), (fd, data, size, at))
FULL(pwrite64, at + (off_t)size, (int fd, const void *data, size_t size, off64_t at), (fd, data, size, at))
FULL(writev, place(fd) + (off_t)total(parts, count), (int fd, const struct iovec *parts, int count), (fd, parts, count))
FULL(pwritev, at + (off_t)total(parts, count), (int fd, const struct iovec *parts, int count, off_t at),
     (fd, parts, count, at))
FULL(pwritev64, at + (off_t)total(parts, count), (int fd, const struct iovec *parts, int count, off64_t at),
     (fd, parts, count, at))

DECLARE(posix_fallocate);
int posix_fallocate(int fd, off_t at, off_t size) {
    return lacks_room(fd, at + size) ? ENOSPC : REAL(posix_fallocate)(fd, at, size);
}

DECLARE(posix_fallocate64);
int posix_fallocate64(int fd, off64_t at, off64_t size) {
    return lacks_room(fd, at + size) ? ENOSPC : REAL(posix_fallocate64)(fd, at, size);
}

DECLARE(fallocate);
int fallocate(int fd, int mode, off_t at, off_t size) {
    if (!lacks_room(fd, at + size))
        return REAL(fallocate)(fd, mode, at, size);
    errno = ENOSPC;
    return -1;
}
