/* A disk that fails on demand: preloaded (LD_PRELOAD) it stands between a program and its writes.
 *
 * FAULTY_FOLDER    the files under this folder are on the disk; all others are left alone
 * FAULTY_CONTROL   a file of one line that says what the disk does now: "WHAT PERCENT", where WHAT is
 *                  EIO, ENOSPC or EROFS (the call fails so), torn (half is written, then EIO), slow (it takes
 *                  a second) or hang (it takes until the file says something else); an empty or missing file
 *                  means a sound disk
 * FAULTY_SEED      which of the calls are the unlucky PERCENT
 *
 * Everything is looked up at each call, so that a test may change its mind while the program runs.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

enum what { SOUND, FAILS, TORN };

static ssize_t (*next_write)(int, const void *, size_t);
static ssize_t (*next_pwrite)(int, const void *, size_t, off_t);
static ssize_t (*next_pwrite64)(int, const void *, size_t, off64_t);
static int (*next_fsync)(int);
static int (*next_fdatasync)(int);
static int (*next_ftruncate)(int, off_t);
static int (*next_ftruncate64)(int, off64_t);
static int (*next_fallocate)(int, off_t, off_t);
static const char *folder, *control;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long long luck;

__attribute__((constructor)) static void find_next(void) {
    const char *seed = getenv("FAULTY_SEED");
    next_write = dlsym(RTLD_NEXT, "write");
    next_pwrite = dlsym(RTLD_NEXT, "pwrite");
    next_pwrite64 = dlsym(RTLD_NEXT, "pwrite64");
    next_fsync = dlsym(RTLD_NEXT, "fsync");
    next_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
    next_ftruncate = dlsym(RTLD_NEXT, "ftruncate");
    next_ftruncate64 = dlsym(RTLD_NEXT, "ftruncate64");
    next_fallocate = dlsym(RTLD_NEXT, "posix_fallocate");
    folder = getenv("FAULTY_FOLDER");
    control = getenv("FAULTY_CONTROL");
    luck = seed != NULL ? strtoull(seed, NULL, 10) : 1;
}

/* The high bits of a linear congruential generator (Knuth's MMIX constants). */
static unsigned draw(void) {
    pthread_mutex_lock(&lock);
    luck = luck * 6364136223846793005ULL + 1442695040888963407ULL;
    unsigned drawn = (unsigned)(luck >> 33) % 100;
    pthread_mutex_unlock(&lock);
    return drawn;
}

static int is_on_disk(int file) {
    char link[40], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    size_t prefix = folder != NULL ? strlen(folder) : 0;
    if (length < 0 || prefix == 0)
        return 0;
    path[length] = '\0';
    return strncmp(path, folder, prefix) == 0 && path[prefix] == '/';
}

/* What the control file says now; 0 for a sound disk. */
static int ordered(char word[16], unsigned *percent) {
    char line[40] = "";
    int saved = errno, file = control != NULL ? open(control, O_RDONLY | O_CLOEXEC) : -1;
    if (file >= 0) {
        ssize_t length = read(file, line, sizeof line - 1);
        line[length > 0 ? length : 0] = '\0';
        close(file);
    }
    errno = saved;
    return sscanf(line, "%15s %u", word, percent) == 2;
}

/* What the disk does with this call; on FAILS and TORN errno says why, on slow and hang the time has passed. */
static enum what fate(int file) {
    char word[16] = "";
    unsigned percent = 0;
    if (!ordered(word, &percent) || !is_on_disk(file) || draw() >= percent)
        return SOUND;
    if (strcmp(word, "hang") == 0) {
        struct timespec moment = {0, 20000000};
        while (ordered(word, &percent) && strcmp(word, "hang") == 0)
            nanosleep(&moment, NULL);
        return SOUND;
    }
    if (strcmp(word, "slow") == 0) {
        struct timespec second = {1, 0};
        nanosleep(&second, NULL);
        return SOUND;
    }
    errno = strcmp(word, "ENOSPC") == 0 ? ENOSPC : strcmp(word, "EROFS") == 0 ? EROFS : EIO;
    return strcmp(word, "torn") == 0 ? TORN : FAILS;
}

ssize_t write(int file, const void *data, size_t size) {
    enum what does = fate(file);
    if (does == TORN && size > 1)
        next_write(file, data, size / 2);
    if (does != SOUND) {
        errno = does == TORN ? EIO : errno;
        return -1;
    }
    return next_write(file, data, size);
}

ssize_t pwrite(int file, const void *data, size_t size, off_t at) {
    enum what does = fate(file);
    if (does == TORN && size > 1)
        next_pwrite(file, data, size / 2, at);
    if (does != SOUND) {
        errno = does == TORN ? EIO : errno;
        return -1;
    }
    return next_pwrite(file, data, size, at);
}

ssize_t pwrite64(int file, const void *data, size_t size, off64_t at) {
    enum what does = fate(file);
    if (does == TORN && size > 1)
        next_pwrite64(file, data, size / 2, at);
    if (does != SOUND) {
        errno = does == TORN ? EIO : errno;
        return -1;
    }
    return next_pwrite64(file, data, size, at);
}

int fsync(int file) { return fate(file) == SOUND ? next_fsync(file) : -1; }

int fdatasync(int file) { return fate(file) == SOUND ? next_fdatasync(file) : -1; }

int ftruncate(int file, off_t size) { return fate(file) == SOUND ? next_ftruncate(file, size) : -1; }

int ftruncate64(int file, off64_t size) { return fate(file) == SOUND ? next_ftruncate64(file, size) : -1; }

/* The one that returns its error instead of setting errno. */
int posix_fallocate(int file, off_t at, off_t size) {
    return fate(file) == SOUND ? next_fallocate(file, at, size) : errno;
}
