internal import CLinux
internal import Glibc

/// Hears of a child's end without waiting for it.
enum ExitWatch {
  /// Calls `ended` on the service thread once `child` has ended; it is then still to be reaped, and its number its own.
  static func watch(_ child: pid_t, _ ended: @escaping @Sendable () -> Void) {
    let thread = ServiceThread.shared
    let descriptor = clinux_pidfd_open(child)
    guard descriptor >= 0 else { return watchByThread(child, ended) }
    let token = thread.newToken()
    let isWatched = thread.perform {
      thread.watch(descriptor, for: POLLIN, as: token) { _ in
        thread.forget(token)
        close(descriptor)
        ended()
      }
    }
    if !isWatched {
      close(descriptor)
      watchByThread(child, ended)
    }
  }

  /// For kernels before 5.3 and for seccomp filters that know no pidfd.
  private static func watchByThread(_ child: pid_t, _ ended: @escaping @Sendable () -> Void) {
    _ = DetachedThread.start(name: "nb-child") {
      var information = unsafe siginfo_t()
      while unsafe waitid(P_PID, id_t(child), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
      ServiceThread.shared.perform(ended)
    }
  }

  /// How a child ended that has. Its number is free afterwards.
  static func reap(_ child: pid_t) -> CommandEnding? {
    var status: Int32 = 0
    while unsafe waitpid(child, &status, 0) < 0 {
      if errno != EINTR { return nil }
    }
    return status & 0x7f == 0 ? .exited(status >> 8 & 0xff) : .signalled(status & 0x7f)
  }
}
