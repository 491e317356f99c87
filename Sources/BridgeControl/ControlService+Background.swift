internal import DBus
internal import NotificationBridge

/// Pushes that tell an application something without showing it.
extension ControlService {
  /// Tells the application's connected processes, and reports how many took it.
  func reportBackground(
    of payload: PushPayload, to application: String, _ identifier: String, _ report: [String: PropertyValue],
    _ call: IncomingCall
  ) {
    tell(application, payload.userInfo) { count in
      var report = report
      report["identifier"] = .string(identifier)
      report["delivered"] = .boolean(false)
      report["background"] = .boolean(true)
      report["processes"] = .integer(Int64(count))
      call.reply([RecordCoding.value(report)])
    }
  }

  /// Has the application's connected processes show their notification settings; tells how many did.
  func openSettings(_ call: IncomingCall, _ caller: Caller) throws(BridgeError) {
    let name = try application(call.text(0), caller)
    // Who did not say so has none.
    guard engine.assumeIsolated({ $0.authorization(of: name).options.contains(.providesAppNotificationSettings) })
    else {
      return call.reply([.uint32(0)])
    }
    ask(name, "OpenSettings", []) { call.reply([.uint32(UInt32(clamping: $0))]) }
  }

  /// Hands a payload to each process of an application that has registered; tells how many took it. Who does not answer
  /// in time has not.
  func tell(
    _ application: String, _ payload: [String: PropertyValue], _ answer: @escaping @Sendable (Int) -> Void
  ) {
    ask(application, "Push", [RecordCoding.value(payload)], answer)
  }

  /// Calls a method that answers whether it did anything on each process of an application.
  private func ask(
    _ application: String, _ member: MemberName, _ body: [Value], _ answer: @escaping @Sendable (Int) -> Void
  ) {
    let list = clients[application] ?? []
    if list.isEmpty { return answer(0) }
    let takers = Takers(list.count, answer)
    for client in list {
      let call = MethodCall(
        to: client.sender, at: ControlInterface.clientPath, ControlInterface.clientInterface, member,
        body, startsService: false)
      self.call(call, timeout: .seconds(10)) { result in
        if case .success(let message) = result {
          takers.take(message.body.first == .boolean(true))
        } else {
          takers.take(false)
        }
      }
    }
  }
}
