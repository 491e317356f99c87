internal import CLinux
internal import Glibc
internal import Synchronization

/// libcanberra, loaded when it is needed.
///
/// Each sound has a context and a thread of its own, and both go with it: a context that is kept would keep a
/// connection to the sound server, and that wakes the process up.
enum Canberra {
  enum Outcome: Sendable {
    case played
    /// There is no library, or it cannot play: something else may.
    case unable
    case failed(String)
  }

  /// So many sounds at once are enough.
  private static let limit = 8
  private static let playing = Atomic(0)

  /// - Parameter properties: as in canberra.h, `media.filename` for example.
  nonisolated(nonsending) static func play(
    _ properties: [(String, String)], library: String, timeLimit: Duration
  ) async -> Outcome {
    let answer = OneShot<Outcome>()
    // The thread itself ends the sound in time; this is for a sound server that hangs.
    let outcome = await answer.value(within: timeLimit + .seconds(10)) {
      guard playing.add(1, ordering: .relaxed).newValue <= limit else {
        playing.subtract(1, ordering: .relaxed)
        return answer.finish(.failed("\(limit) sounds are playing already"))
      }
      let isStarted = DetachedThread.start(name: "nb-sound") {
        answer.finish(CanberraLibrary.loaded(library)?.play(properties, timeLimit) ?? .unable)
        playing.subtract(1, ordering: .relaxed)
      }
      if !isStarted {
        playing.subtract(1, ordering: .relaxed)
        answer.finish(.unable)
      }
    }
    return outcome ?? .failed("the sound server does not answer")
  }
}

/// The library's functions. Source: canberra.h of libcanberra 0.30.
@safe private struct CanberraLibrary: @unchecked Sendable {
  // Unchecked since functions of a library that is never unloaded are constants.
  private typealias Create = @convention(c) (UnsafeMutablePointer<OpaquePointer?>) -> Int32
  private typealias End = @convention(c) (OpaquePointer) -> Int32
  private typealias SetText =
    @convention(c) (
      OpaquePointer, UnsafePointer<CChar>, UnsafePointer<CChar>
    ) -> Int32
  private typealias Finished = @convention(c) (OpaquePointer?, UInt32, Int32, UnsafeMutableRawPointer?) -> Void
  private typealias PlayFull =
    @convention(c) (
      OpaquePointer, UInt32, OpaquePointer, Finished, UnsafeMutableRawPointer
    ) -> Int32
  private typealias Cancel = @convention(c) (OpaquePointer, UInt32) -> Int32

  private let createContext: Create
  private let destroyContext: End
  private let createProperties: Create
  private let destroyProperties: End
  private let set: SetText
  private let playFull: PlayFull
  private let cancel: Cancel

  private static let known = Mutex<[String: CanberraLibrary?]>([:])

  /// The library; nil if it is not there or is not what it should be. Asked for once per file.
  static func loaded(_ file: String) -> CanberraLibrary? {
    known.withLock { known in
      if let library = known[file] { return library }
      let library = CanberraLibrary(file)
      known[file] = .some(library)
      return library
    }
  }

  private init?(_ file: String) {
    guard let handle = unsafe dlopen(file, RTLD_NOW | RTLD_LOCAL) else { return nil }
    func function<Type>(_ name: String, as type: Type.Type) -> Type? {
      guard let symbol = unsafe dlsym(handle, name) else { return nil }
      return unsafe unsafeBitCast(symbol, to: type)
    }
    guard let createContext = unsafe function("ca_context_create", as: Create.self),
      let destroyContext = unsafe function("ca_context_destroy", as: End.self),
      let createProperties = unsafe function("ca_proplist_create", as: Create.self),
      let destroyProperties = unsafe function("ca_proplist_destroy", as: End.self),
      let set = unsafe function("ca_proplist_sets", as: SetText.self),
      let playFull = unsafe function("ca_context_play_full", as: PlayFull.self),
      let cancel = unsafe function("ca_context_cancel", as: Cancel.self)
    else { return nil }
    unsafe self.createContext = unsafe createContext
    unsafe self.destroyContext = unsafe destroyContext
    unsafe self.createProperties = unsafe createProperties
    unsafe self.destroyProperties = unsafe destroyProperties
    unsafe self.set = unsafe set
    unsafe self.playFull = unsafe playFull
    unsafe self.cancel = unsafe cancel
  }

  /// Tells the thread that waits what the library's thread says.
  private final class Bell: Sendable {
    let descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    let error = Mutex<Int32?>(nil)

    func ring(_ error: Int32) {
      self.error.withLock { $0 = error }
      eventfd_write(descriptor, 1)
    }

    /// Nil when it was not rung in time.
    func wait(_ limit: Duration) -> Int32? {
      var list = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
      _ = unsafe list.withUnsafeMutableBufferPointer { buffer in
        unsafe clinux_poll(buffer.baseAddress, 1, Int64(min(max(limit / .nanoseconds(1), 0), 1e15)))
      }
      return error.withLock { $0 }
    }

    deinit { close(descriptor) }
  }

  /// Plays to the end. Blocks.
  func play(_ properties: [(String, String)], _ limit: Duration) -> Canberra.Outcome {
    var context: OpaquePointer?
    guard unsafe createContext(&context) == 0, let context = unsafe context else { return .unable }
    let bell = Bell()
    // The library lets go of it when the context is destroyed, which waits for its thread.
    let kept = unsafe Unmanaged.passRetained(bell)
    defer {
      _ = unsafe destroyContext(context)
      unsafe kept.release()
    }
    var list: OpaquePointer?
    guard unsafe createProperties(&list) == 0, let list = unsafe list else { return .unable }
    defer { _ = unsafe destroyProperties(list) }
    for (name, value) in properties where !value.utf8.contains(0) { _ = unsafe set(list, name, value) }
    let error = unsafe playFull(
      context, 1, list,
      { _, _, error, data in
        guard let data = unsafe data else { return }
        unsafe Unmanaged<Bell>.fromOpaque(data).takeUnretainedValue().ring(error)
      }, kept.toOpaque())
    if error != 0 { return .unable }
    switch bell.wait(limit) {
    case 0: return .played
    case nil:
      _ = unsafe cancel(context, 1)
      return .failed("the sound did not end in time and was ended")
    case .some(let error): return .failed("libcanberra ended the sound with error \(error)")
    }
  }
}
