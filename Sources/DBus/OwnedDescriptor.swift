internal import CLinux
internal import Glibc

/// An open file descriptor that is closed when the last reference to this object goes.
public final class OwnedDescriptor: Sendable, Hashable {
  /// The number; valid as long as this object lives.
  public let rawValue: Int32

  /// Takes over `descriptor`; the caller must not close it.
  public init(adopting descriptor: Int32) { rawValue = descriptor }

  /// Duplicates `descriptor`, which stays the caller's.
  /// - Throws: ``BusError`` with code `invalidValue` when it is not open or no more can be opened.
  public convenience init(duplicating descriptor: Int32) throws(BusError) {
    let copy = clinux_duplicate(descriptor)
    if copy < 0 { throw BusError(.invalidValue, "descriptor \(descriptor) cannot be duplicated (error \(errno))") }
    self.init(adopting: copy)
  }

  deinit { close(rawValue) }

  /// The same object.
  public static func == (left: OwnedDescriptor, right: OwnedDescriptor) -> Bool { left === right }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
