#define _GNU_SOURCE /* pipe2, ppoll, pthread_setname_np, renameat2 */
#include "CLinux.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

int clinux_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int clinux_poll(void *list, unsigned count, int64_t nanoseconds) {
  struct timespec time = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
  return ppoll(list, count, nanoseconds < 0 ? NULL : &time, NULL);
}

uint64_t clinux_monotonic_time(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

int clinux_start_thread(const char *name, void *(*body)(void *), void *argument) {
  sigset_t all, previous;
  pthread_t thread;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &previous);
  int error = pthread_create(&thread, NULL, body, argument);
  pthread_sigmask(SIG_SETMASK, &previous, NULL);
  if (error) return error;
  (void)pthread_setname_np(thread, name);
  pthread_detach(thread);
  return 0;
}

int clinux_exchange(const char *one, const char *other) {
  return renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);
}
