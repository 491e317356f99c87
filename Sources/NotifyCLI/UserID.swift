internal import Glibc

/// The user this process runs as.
enum UserID {
  static var current: UInt32 { getuid() }

  /// The home that the system knows of; nil for a user it does not know.
  static var home: String? {
    guard let entry = unsafe getpwuid(getuid()), let path = unsafe entry.pointee.pw_dir else { return nil }
    return unsafe String(cString: path)
  }
}
