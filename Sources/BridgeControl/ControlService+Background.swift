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

  /// Hands a payload to each process of an application that has registered; tells how many took it. Who does not answer
  /// in time has not.
  func tell(
    _ application: String, _ payload: [String: PropertyValue], _ answer: @escaping @Sendable (Int) -> Void
  ) {
    let list = clients[application] ?? []
    if list.isEmpty { return answer(0) }
    let takers = Takers(list.count, answer)
    for client in list {
      let call = MethodCall(
        to: client.sender, at: ControlInterface.clientPath, ControlInterface.clientInterface, "Push",
        [RecordCoding.value(payload)], startsService: false)
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
