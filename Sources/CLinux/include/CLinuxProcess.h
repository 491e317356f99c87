/* Starting and watching processes: what glibc shows only to GNU sources, or has no prototype for. */
#ifndef CLINUX_PROCESS_H
#define CLINUX_PROCESS_H

#include <spawn.h>
#include <sys/syscall.h>
#include <unistd.h>

int pipe2(int ends[2], int flags);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
/* glibc's POSIX_SPAWN_SETSID. */
enum { CLINUX_SPAWN_SETSID = 0x80 };
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);

/* syscall is variadic, which Swift does not import; glibc's own pidfd_open is younger than some systems we run on. */
static inline int clinux_pidfd_open(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

#endif
