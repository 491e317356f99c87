extension ConnectionCore {
  func export(_ interface: ExportedInterface, at path: ObjectPath, number: UInt64) {
    executor.assertCurrent()
    if stage == .closed { return }
    objects.add(interface, at: path, number: number)
  }

  func unexport(_ number: UInt64) {
    executor.assertCurrent()
    let removed = objects.remove(number)
    withExtendedLifetime(removed) {}
  }

  /// A peer calls: to the handler, or answered here.
  func receiveCall(_ received: ReceivedMessage) {
    var message = received.head(.methodCall, sequence: sequence)
    guard let path = message.path, let member = message.member else { return }
    guard stage == .connected else { return }
    let signature = received.signature
    do throws(BusError) {
      if let method = try method(member, message.interface, at: path) {
        guard method.signature == signature else {
          throw BusError(
            .invalidValue, "\(member) takes '\(method.signature)', not '\(signature)'", name: .invalidArguments)
        }
        message.body = try received.body()
        let call = IncomingCall(message: message, core: self, epoch: epoch)
        callBack { method.method.handler(call) }
      } else {
        message.body = try received.body()
        let call = IncomingCall(message: message, core: self, epoch: epoch)
        answer(call, member, path)
      }
    } catch {
      IncomingCall(message: message, core: self, epoch: epoch)
        .fail(error.name ?? .limitsExceeded, error.message)
    }
  }

  /// The exported method that is meant; nil if it is one of the standard interfaces'.
  private func method(
    _ member: MemberName, _ interface: InterfaceName?, at path: ObjectPath
  ) throws(BusError) -> (method: ExportedInterface.Method, signature: String)? {
    if let interface {
      if let exported = objects.interface(interface, at: path) {
        if let method = exported.methods[member] { return method }
        throw BusError(.remote, "\(interface) has no method \(member)", name: .unknownMethod)
      }
    } else {
      for exported in objects.interfaces(at: path) {
        if let method = exported.methods[member] { return method }
      }
    }
    guard objects.knows(path) else {
      throw BusError(.remote, "there is no object \(path)", name: .unknownObject)
    }
    if StandardInterface.has(member, interface) { return nil }
    if let interface, !StandardInterface.names.contains(interface) {
      throw BusError(.remote, "\(path) has no interface \(interface)", name: .unknownInterface)
    }
    throw BusError(.remote, "\(path) has no method \(member)", name: .unknownMethod)
  }

  /// Answers a call of a standard interface.
  private func answer(_ call: IncomingCall, _ member: MemberName, _ path: ObjectPath) {
    let body = call.message.body
    switch (member.text, call.message.signature.text) {
    case ("Introspect", ""):
      call.reply([.string(Introspection.xml(objects.interfaces(at: path), children: objects.children(of: path)))])
    case ("Get", "ss"):
      guard let property = property(body[1], of: body[0], at: path, call) else { return }
      callBack { call.reply([.variant(property.read())]) }
    case ("GetAll", "s"):
      guard let properties = properties(of: body[0], at: path, call) else { return }
      callBack { call.reply([.properties(properties.map { ($0.name.text, $0.read()) })]) }
    case ("Set", "ssv"):
      guard let property = property(body[1], of: body[0], at: path, call) else { return }
      call.fail(.propertyReadOnly, "\(property.name) can only be read")
    default: call.fail(.invalidArguments, "\(member) does not take '\(call.message.signature)'")
    }
  }

  /// The properties of an interface; of all interfaces if its name is empty. Nil if it answered with an error.
  private func properties(
    of interface: Value, at path: ObjectPath, _ call: IncomingCall
  ) -> [ExportedInterface.Property]? {
    let name = interface.asString ?? ""
    let exported = objects.interfaces(at: path)
    if name.isEmpty { return exported.flatMap(\.table.properties) }
    if let found = exported.first(where: { $0.table.name.text == name }) { return found.table.properties }
    if StandardInterface.names.contains(where: { $0.text == name }) { return [] }
    call.fail(.unknownInterface, "\(path) has no such interface")
    return nil
  }

  private func property(
    _ property: Value, of interface: Value, at path: ObjectPath, _ call: IncomingCall
  ) -> ExportedInterface.Property? {
    guard let properties = properties(of: interface, at: path, call) else { return nil }
    if let found = properties.first(where: { $0.name.text == property.asString }) { return found }
    call.fail(.unknownProperty, "\(path) has no such property")
    return nil
  }
}

/// The interfaces that every object has.
enum StandardInterface {
  static let introspectable: InterfaceName = "org.freedesktop.DBus.Introspectable"
  static let properties: InterfaceName = "org.freedesktop.DBus.Properties"
  /// libdbus answers it itself.
  static let peer: InterfaceName = "org.freedesktop.DBus.Peer"
  static let names = [introspectable, properties, peer]

  static func has(_ member: MemberName, _ interface: InterfaceName?) -> Bool {
    switch member.text {
    case "Introspect": interface == nil || interface == introspectable
    case "Get", "GetAll", "Set": interface == nil || interface == properties
    default: false
    }
  }
}
