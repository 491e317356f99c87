internal import Glibc

/// What tells whether a file is still the one that was read.
public enum FileMark {
  /// Changes with every change of the file, its permissions too; `-` where there is none.
  public static func text(_ path: String) -> String {
    var status = stat()
    guard unsafe fstatat(AT_FDCWD, path, &status, 0) == 0 else { return "-" }
    return "\(status.st_ino) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec) "
      + "\(status.st_ctim.tv_sec).\(status.st_ctim.tv_nsec)"
  }
}
