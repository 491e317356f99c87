import DBus
import Foundation
import Glibc
import Synchronization

/// A listener that plays a bus byte by byte, to misbehave as no true bus does.
final class RawBus: Sendable {
  /// What a client's connection is given, on a thread of its own.
  typealias Behaviour = @Sendable (RawPeer) -> Void

  let address: BusAddress
  private let path: String
  private let listener: OwnedDescriptor
  private let accepted = Mutex(0)

  /// How many clients came.
  var clients: Int { accepted.withLock { $0 } }

  init(_ behaviour: @escaping Behaviour) throws {
    path = "/tmp/notify-bridge-raw-\(UUID().uuidString)"
    address = BusAddress("unix:path=" + path)
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    listener = OwnedDescriptor(adopting: descriptor)
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &name.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let bound = unsafe withUnsafePointer(to: &name) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(descriptor, $0, size) }
    }
    guard bound == 0, listen(descriptor, 64) == 0 else { throw BusError(.notConnected, "errno \(errno)") }
    let thread = Thread { [weak self] in
      while true {
        let client = accept(descriptor, nil, nil)
        if client < 0 { return }
        self?.accepted.withLock { $0 += 1 }
        let peer = RawPeer(OwnedDescriptor(adopting: client))
        Thread.detachNewThread { behaviour(peer) }
      }
    }
    thread.start()
  }

  deinit {
    // Wakes the accepting thread, which then ends.
    shutdown(listener.rawValue, Int32(SHUT_RDWR))
    _ = unsafe unlink(path)
  }
}

/// One client of a ``RawBus``.
final class RawPeer: Sendable {
  private let descriptor: OwnedDescriptor

  init(_ descriptor: OwnedDescriptor) {
    self.descriptor = descriptor
    // No read or write of a test waits for ever.
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    unsafe setsockopt(descriptor.rawValue, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    unsafe setsockopt(descriptor.rawValue, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
  }

  func write(_ bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes)
    _ = unsafe Glibc.send(descriptor.rawValue, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// Reads once; empty at the end or after ten seconds.
  func read() -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = unsafe Glibc.read(descriptor.rawValue, &buffer, buffer.count)
    return Array(buffer.prefix(max(0, count)))
  }

  /// Reads until `text` has come; false if the client left before.
  func read(until text: String) -> Bool {
    var seen = ""
    while !seen.contains(text) {
      let bytes = read()
      if bytes.isEmpty { return false }
      seen += String(decoding: bytes.filter { $0 < 128 }, as: UTF8.self)
    }
    return true
  }

  /// Says that nothing more comes.
  func hangUp() { shutdown(descriptor.rawValue, Int32(SHUT_RDWR)) }

  /// Reads until the client leaves.
  func waitForEnd() { while !read().isEmpty {} }

  /// Goes through authentication as a bus does and answers `Hello` with `name`; false if the client left.
  func welcome(as name: String = ":1.1") -> Bool {
    var seen = ""
    while true {
      let bytes = read()
      if bytes.isEmpty { return false }
      seen += String(decoding: bytes.filter { $0 != 0 && $0 < 128 }, as: UTF8.self)
      if seen.contains("BEGIN") { break }
      if seen.hasSuffix("NEGOTIATE_UNIX_FD\r\n") {
        write("AGREE_UNIX_FD\r\n".utf8)
      } else if seen.hasSuffix("\r\n") {
        write("OK 0123456789abcdef0123456789abcdef\r\n".utf8)
      }
    }
    while !seen.contains("Hello") {
      let bytes = read()
      if bytes.isEmpty { return false }
      seen += String(decoding: bytes.filter { $0 != 0 && $0 < 128 }, as: UTF8.self)
    }
    write(RawMessage.reply(to: 1, name))
    return true
  }
}

/// Messages put together by hand, little-endian.
enum RawMessage {
  /// An answer to the call `serial` with one text, from the bus.
  static func reply(to serial: UInt32, _ text: String) -> [UInt8] {
    var fields = Bytes()
    fields.field(5, "u") { $0.number(serial) }
    fields.field(7, "s") { $0.text("org.freedesktop.DBus") }
    fields.field(8, "g") { $0.signature("s") }
    var body = Bytes()
    body.text(text)
    return message(type: 2, serial: 1, fields, body)
  }

  /// A signal `org.example.Raw.Said` with one text.
  static func signal(_ text: String, type: UInt8 = 4) -> [UInt8] {
    var fields = Bytes()
    fields.field(1, "o") { $0.text("/raw") }
    fields.field(2, "s") { $0.text("org.example.Raw") }
    fields.field(3, "s") { $0.text("Said") }
    fields.field(7, "s") { $0.text(":1.7") }
    fields.field(8, "g") { $0.signature("s") }
    var body = Bytes()
    body.text(text)
    return message(type: type, serial: 2, fields, body)
  }

  private static func message(type: UInt8, serial: UInt32, _ fields: Bytes, _ body: Bytes) -> [UInt8] {
    var all = Bytes()
    all.bytes = [UInt8(ascii: "l"), type, 1, 1]
    all.number(UInt32(body.bytes.count))
    all.number(serial)
    all.number(UInt32(fields.bytes.count))
    all.bytes += fields.bytes
    all.align(8)
    return all.bytes + body.bytes
  }

  private struct Bytes {
    var bytes: [UInt8] = []
    mutating func align(_ size: Int) { while bytes.count % size != 0 { bytes.append(0) } }
    mutating func number(_ number: UInt32) {
      align(4)
      for shift in [0, 8, 16, 24] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
    mutating func text(_ text: String) {
      number(UInt32(text.utf8.count))
      bytes += Array(text.utf8) + [0]
    }
    mutating func signature(_ text: String) { bytes += [UInt8(text.utf8.count)] + Array(text.utf8) + [0] }
    /// A header field: an entry of an array of structs, aligned as the header, which begins at a multiple of eight.
    mutating func field(_ code: UInt8, _ type: String, _ value: (inout Bytes) -> Void) {
      align(8)
      bytes.append(code)
      signature(type)
      value(&self)
    }
  }
}
