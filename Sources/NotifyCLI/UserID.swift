internal import Glibc

/// The user this process runs as.
enum UserID {
  static var current: UInt32 { getuid() }
}
