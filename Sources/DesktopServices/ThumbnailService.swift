internal import DBus
internal import Synchronization

/// The desktop's service that makes pictures of files, tumbler for example.
///
/// Source: the thumbnail managing D-Bus specification, org.freedesktop.thumbnails.Thumbnailer1.
struct ThumbnailService: Sendable {
  private static let name: BusName = "org.freedesktop.thumbnails.Thumbnailer1"
  private static let path: ObjectPath = "/org/freedesktop/thumbnails/Thumbnailer1"
  private static let interface: InterfaceName = "org.freedesktop.thumbnails.Thumbnailer1"

  let connection: BusConnection

  /// What came of a request.
  enum Outcome: Sendable, Hashable {
    /// It is done with the file; the cache has its picture, or there is none.
    case finished
    /// There is no such service.
    case absent
    /// Why there will be no picture.
    case failed(String)
  }

  private enum News: Sendable, Hashable {
    case accepted(UInt32)
    case refused(BusError.Code, isAbsent: Bool, String)
    case finished(UInt32)
    case failed(UInt32, String)
  }

  /// Has a picture made and put into the cache; returns when the service is done with it.
  nonisolated(nonsending) func make(
    uri: String, mimeType: String, flavor: String, within limit: Duration
  ) async -> Outcome {
    let answer = OneShot<Outcome>()
    let seen = Mutex<(handle: UInt32?, early: [News])>((nil, []))
    // Signals may come ahead of the answer that tells our number.
    let inbox = Inbox { item in
      guard let news = Self.news(item) else { return }
      let outcome: Outcome? = seen.withLock { state in
        if case .accepted(let handle) = news {
          state.handle = handle
          return state.early.lazy.compactMap { Self.outcome($0, of: handle) }.first
        }
        if case .refused(_, let isAbsent, let text) = news { return isAbsent ? .absent : .failed(text) }
        guard let handle = state.handle else {
          if state.early.count < 100 { state.early.append(news) }
          return nil
        }
        return Self.outcome(news, of: handle)
      }
      if let outcome { answer.finish(outcome) }
    }
    let subscriptions = (["Error", "Finished"] as [MemberName]).map {
      connection.subscribe(
        MatchRule(sender: Self.name, path: Self.path, interface: Self.interface, member: $0), to: inbox)
    }
    let call = MethodCall(
      to: Self.name, at: Self.path, Self.interface, "Queue",
      [.strings([uri]), .strings([mimeType]), .string(flavor), .string("default"), .uint32(0)])
    let outcome = await answer.value(within: limit) { connection.post(call, timeout: limit, to: inbox, token: 0) }
    extendLifetime(subscriptions)
    return outcome ?? .failed("the thumbnail service did not answer in time")
  }

  private static func outcome(_ news: News, of handle: UInt32) -> Outcome? {
    switch news {
    case .finished(handle): .finished
    case .failed(handle, let text): .failed(text)
    default: nil
    }
  }

  private static func news(_ item: Inbox.Item) -> News? {
    switch item {
    case .signal(let message):
      guard let handle = message.body.first?.asUInt32 else { return nil }
      if message.member == "Finished" { return .finished(handle) }
      return .failed(handle, "the thumbnail service says: \(message.body.last?.asString ?? "")")
    case .reply(_, .success(let message)): return message.body.first?.asUInt32.map { .accepted($0) }
    case .reply(_, .failure(let error)):
      let absent: [ErrorName] = [.serviceUnknown, .nameHasNoOwner, .unknownMethod, .unknownObject, .unknownInterface]
      return .refused(error.code, isAbsent: error.name.map(absent.contains) ?? false, "\(error)")
    case .disconnected(let error): return .refused(error.code, isAbsent: false, "\(error)")
    case .subscriptionFailed, .reconnected: return nil
    }
  }
}
