/* What `import Glibc` leaves out or cannot import. */
#ifndef CLINUX_H
#define CLINUX_H

#include <fcntl.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <termios.h>
#include <unistd.h>

#include "CLinuxProcess.h"
#include "CLinuxText.h"

/* fcntl and ioctl are variadic, which Swift does not import. */
static inline int clinux_duplicate(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, 3); }
static inline int clinux_window_size(int descriptor, struct winsize *size) { return ioctl(descriptor, TIOCGWINSZ, size); }

/* pipe2 needs _GNU_SOURCE, under which other declarations would differ from those of Swift's Glibc module. */
int clinux_pipe(int ends[2]);
/* Each takes the other's place at once; -1 with EINVAL where the file system cannot do that. */
int clinux_exchange(const char *one, const char *other);
/* ppoll on a list of struct pollfd: waits at most that many nanoseconds, without limit if they are negative. */
int clinux_poll(void *list, unsigned count, int64_t nanoseconds);
/* Nanoseconds of the monotonic clock. */
uint64_t clinux_monotonic_time(void);
/* Runs body on a new thread of that name, 15 bytes at most, that takes none of the process's signals and that nobody
   joins. Returns 0, or an error number. */
int clinux_start_thread(const char *name, void *(*body)(void *), void *argument);

#endif
