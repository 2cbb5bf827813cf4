/* Loaded before the C library: syncs fail while the file that EGTP_TEST_SYNCS_FAIL names is there. */

#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static int failing(void) {
    const char *path = getenv("EGTP_TEST_SYNCS_FAIL");
    return path && access(path, F_OK) == 0;
}

static int sync_file(long call, int file) {
    if (failing()) {
        errno = EIO;
        return -1;
    }
    return syscall(call, file);
}

int fsync(int file) { return sync_file(SYS_fsync, file); }

int fdatasync(int file) { return sync_file(SYS_fdatasync, file); }
