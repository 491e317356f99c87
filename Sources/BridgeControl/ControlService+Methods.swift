internal import DBus
internal import FoundationEssentials
internal import NotificationBridge
internal import Synchronization

extension ControlService {
  typealias Body = @Sendable (isolated ControlService, IncomingCall, Caller) throws(BridgeError) -> Void

  func makeInterface() -> ExportedInterface {
    ExportedInterface(
      ControlInterface.interface,
      methods: [
        method(
          "Post", [("application", "s"), ("request", "a{sv}"), ("files", "ah"), ("options", "a{sv}")],
          [("report", "a{sv}")]
        ) { (service, call, caller) throws(BridgeError) in try service.post(call, caller) },
        method(
          "Push", [("application", "s"), ("payload", "ay"), ("options", "a{sv}")],
          [("report", "a{sv}")]
        ) { (service, call, caller) throws(BridgeError) in try service.push(call, caller) },
        method("Wait", [("application", "s"), ("identifier", "s")], [("outcome", "s"), ("response", "a{sv}")]) {
          (service, call, caller) throws(BridgeError) in try service.wait(call, caller)
        },
        method("Acknowledge", [("application", "s"), ("response", "s")], []) {
          (service, call, caller) throws(BridgeError) in try service.acknowledge(call, caller)
        },
        method("Act", [("application", "s"), ("identifier", "s"), ("options", "a{sv}")], []) {
          (service, call, caller) throws(BridgeError) in try service.act(call, caller)
        },
        method("Show", [("application", "s"), ("identifier", "s")], []) {
          (service, call, caller) throws(BridgeError) in
          let key = NotificationKey(
            application: try service.application(call.text(0), caller), identifier: call.text(1))
          let result: Result<Void, BridgeError> = service.engine.assumeIsolated { engine in
            do throws(BridgeError) {
              return .success(try engine.show(key))
            } catch {
              return .failure(error)
            }
          }
          try result.get()
          call.reply()
        },
        method("Remove", [("application", "s"), ("identifiers", "as"), ("options", "a{sv}")], []) {
          (service, call, caller) throws(BridgeError) in try service.remove(call, caller)
        },
        method("List", [("application", "s"), ("kind", "s")], [("entries", "aa{sv}")]) {
          (service, call, caller) throws(BridgeError) in try service.list(call, caller)
        },
        method("NextDate", [("trigger", "a{sv}"), ("after", "d")], [("due", "d")]) {
          (service, call, _) throws(BridgeError) in
          guard let document = RecordCoding.document(call.message.body[0]),
            case .double(let seconds) = call.message.body[1], seconds.isFinite
          else { throw BridgeError(.invalidRequest, "a trigger and a date are needed") }
          let trigger = try TriggerRecord(document: document, named: "trigger")
          let date = Date(timeIntervalSince1970: seconds)
          guard let due = service.engine.assumeIsolated({ $0.nextDate(of: trigger, after: date) }) else {
            throw BridgeError(.noDate, "the trigger never fires")
          }
          call.reply([.double(due.timeIntervalSince1970)])
        },
        method("History", [("after", "x"), ("application", "s"), ("limit", "u")], [("events", "aa{sv}")]) {
          (service, call, caller) throws(BridgeError) in try service.history(call, caller)
        },
        method("Events", [("after", "x"), ("application", "s"), ("limit", "u")], [("events", "aa{sv}")]) {
          (service, call, caller) throws(BridgeError) in try service.events(call, caller)
        },
        method("SetCategories", [("application", "s"), ("categories", "aa{sv}")], []) {
          (service, call, caller) throws(BridgeError) in try service.setCategories(call, caller)
        },
        method("Categories", [("application", "s")], [("categories", "aa{sv}")]) {
          (service, call, caller) throws(BridgeError) in
          let application = try service.application(call.text(0), caller)
          let records = service.engine.assumeIsolated { $0.categories(of: application) }
          call.reply([RecordCoding.values(records.map(\.document))])
        },
        method("SetBadge", [("application", "s"), ("count", "u")], []) {
          (service, call, caller) throws(BridgeError) in
          let application = try service.application(call.text(0), caller)
          let count = Int(call.message.body[1].asUInt32 ?? 0)
          let authorization = service.engine.assumeIsolated { $0.authorization(of: application) }
          guard authorization.status != .denied else {
            throw BridgeError(.notAllowed, "\(application.quotedForPeople) is not allowed to show a badge")
          }
          service.engine.assumeIsolated { engine in
            engine.setBadge(count, for: application)
            engine.answer(durably: false) { call.finish($0) }
          }
        },
        method("Badge", [("application", "s")], [("count", "i")]) { (service, call, caller) throws(BridgeError) in
          let application = try service.application(call.text(0), caller)
          let count = service.engine.assumeIsolated { $0.badge(of: application) }
          call.reply([.int32(Int32(clamping: count ?? -1))])
        },
        method("RequestAuthorization", [("application", "s"), ("options", "t")], [("authorization", "a{sv}")]) {
          (service, call, caller) throws(BridgeError) in try service.authorize(call, caller)
        },
        method("Settings", [("application", "s")], [("settings", "a{sv}")]) {
          (service, call, caller) throws(BridgeError) in
          let application = try service.application(call.text(0), caller)
          Task(executorPreference: service.executor) {
            call.reply([RecordCoding.value(await service.engine.settings(of: application).document)])
          }
        },
        method("OpenSettings", [("application", "s")], [("processes", "u")]) {
          (service, call, caller) throws(BridgeError) in try service.openSettings(call, caller)
        },
        method("Register", [("application", "s"), ("options", "a{sv}")], []) {
          (service, call, caller) throws(BridgeError) in try service.register(call, caller)
        },
        method("Unregister", [("application", "s")], []) { (service, call, caller) throws(BridgeError) in
          service.unregister(try service.application(call.text(0), caller), call.message.sender)
          call.reply()
        },
        method("Status", [], [("status", "a{sv}")]) { (service, call, _) throws(BridgeError) in
          call.reply([RecordCoding.value(service.statusDocument())])
        },
      ],
      properties: [
        .init("Version", "s") { [version = surroundings.version] in .string(version) },
        .init("InterfaceVersion", "u") { .uint32(ControlInterface.version) },
      ])
  }

  private func method(
    _ name: MemberName, _ inputs: [(String, Signature)], _ outputs: [(String, Signature)], _ body: @escaping Body
  ) -> ExportedInterface.Method {
    ExportedInterface.Method(
      name, takes: inputs.map { .init($0.0, $0.1) }, returns: outputs.map { .init($0.0, $0.1) }
    ) { [weak self] call in
      guard let self else { return }
      let run = busRun.withLock { $0 }
      later { service in
        guard service.busRun.withLock({ $0 == run }) else { return }
        service.enter(call) { service, caller in
          do throws(BridgeError) {
            try body(service, call, caller)
          } catch {
            call.fail(error)
          }
        }
      }
    }
  }

  func statusDocument() -> [String: PropertyValue] {
    var document = surroundings.status()
    document["version"] = .string(surroundings.version)
    document["problems"] = .array(surroundings.problems().map { .string($0) })
    let counts = engine.assumeIsolated { ($0.queuedCount, $0.pendingCount, $0.lastSequence) }
    document["queued"] = .integer(Int64(counts.0))
    document["pending"] = .integer(Int64(counts.1))
    document["lastEvent"] = .integer(counts.2)
    if let server = engine.assumeIsolated({ $0.presentServer }) { document["daemon"] = .string(server) }
    return document
  }

  // MARK: Requests

  private func post(_ call: IncomingCall, _ caller: Caller) throws(BridgeError) {
    guard let sender = call.message.sender, call.message.body.count == 4 else { return }
    let name = try application(call.text(0), caller)
    guard var document = RecordCoding.document(call.message.body[1]),
      let options = RecordCoding.document(call.message.body[3])
    else { throw BridgeError(.invalidRequest, "the request has values of a type that no request has") }
    let reader = DocumentReader(options, path: "options")
    let record = ApplicationRecord(
      identifier: name, name: try reader.text("name") ?? name, isKnown: try reader.flag("known") ?? false,
      icon: try reader.text("icon") ?? "")
    let limit: PendingLimit =
      try reader.integer("keepSoonest").map { .keepSoonest(max($0, 0)) } ?? .refuse(surroundings.pendingLimit)
    let waits = try reader.flag("wait") ?? false
    // The caller's own paths mean nothing here: files come as descriptors.
    let descriptors = try Self.takeFiles(&document, call.message.body[2])
    let size = PropertyValue.dictionary(document).size
    guard size <= ControlInterface.requestLimit else {
      throw BridgeError(
        .invalidRequest,
        "the request has \(size) bytes, and the bridge keeps up to \(ControlInterface.requestLimit): shorten its text, "
          + "or name in userInfo where the data lies")
    }
    let request = try RequestRecord(document: document, named: "request")
    guard !request.content.userInfo.values.contains(where: \.isTooDeep) else {
      throw BridgeError(
        .invalidRequest,
        "request.content.userInfo is nested too deep: \(PropertyValue.depthLimit) levels at most come back on the bus")
    }
    guard !request.identifier.utf8.contains(where: { $0 < 32 }), request.identifier.utf8.count <= 1024 else {
      throw BridgeError(.invalidRequest, "request.identifier has control characters, or over 1024 bytes")
    }
    if case .file? = request.content.sound?.source, caller != .free {
      throw BridgeError(.notAllowed, "a sandboxed application's sounds are named, and no files")
    }
    if request.content.attachments.isEmpty {
      return submit(request, record, limit, waits, call)
    }
    hold(sender)
    surroundings.stage(request.content.attachments, descriptors) { [weak self] result in
      self?.later { service in
        switch result {
        case .success(let staged):
          var request = request
          request.content.attachments = staged
          service.submit(request, record, limit, waits, call)
        case .failure(let error): call.fail(error)
        }
        service.release(sender)
      }
    }
  }

  /// Shows the payload of a remote notification. What is wrong in it comes back with the report.
  private func push(_ call: IncomingCall, _ caller: Caller) throws(BridgeError) {
    let payload = try PushPayload(call.message.body[1].asBytes ?? []) { target in
      let claimed = call.text(0).isEmpty ? target ?? "" : call.text(0)
      return (try? application(claimed, caller)).flatMap { surroundings.strings($0) }
    }
    let options = DocumentReader(RecordCoding.document(call.message.body[2]) ?? [:], path: "options")
    let claimed = call.text(0).isEmpty ? payload.targetBundle ?? "" : call.text(0)
    let name = try application(claimed, caller)
    let identifier = try options.text("collapseIdentifier") ?? UUID().uuidString
    guard !identifier.isEmpty, identifier.utf8.count <= 64, !identifier.utf8.contains(where: { $0 < 32 }) else {
      throw BridgeError(.invalidRequest, "options.collapseIdentifier must have 1 to 64 bytes")
    }
    var notes: [String: PropertyValue] = [:]
    if !payload.notes.isEmpty { notes["notes"] = .array(payload.notes.map { .string($0) }) }
    guard let content = payload.content else {
      return reportBackground(of: payload, to: name, identifier, notes, call)
    }
    if payload.tellsApplication { tell(name, payload.userInfo) { _ in } }
    let record = ApplicationRecord(
      identifier: name, name: try options.text("name") ?? name, isKnown: try options.flag("known") ?? false,
      icon: try options.text("icon") ?? "")
    let request = RequestRecord(identifier: identifier, content: content, trigger: .push)
    let submission = Submission(request, from: record) { [notes] result in
      switch result {
      case .success(let report): call.reply([RecordCoding.value(report.document.merging(notes) { $1 })])
      case .failure(let error): call.fail(error)
      }
    }
    submitPushed(submission, isMutable: payload.isMutable)
  }

  /// Takes the descriptors that a request's attachments name by their index; a path that the caller named stays, for
  /// messages alone.
  private static func takeFiles(
    _ document: inout [String: PropertyValue], _ files: Value
  ) throws(BridgeError) -> [OwnedDescriptor?] {
    guard case .dictionary(var content)? = document["content"], case .array(let list)? = content["attachments"] else {
      return []
    }
    let handles = (files.asArray ?? []).map { value -> OwnedDescriptor? in
      if case .unixFD(let handle) = value { handle } else { nil }
    }
    var result: [OwnedDescriptor?] = []
    var attachments: [PropertyValue] = []
    for element in list {
      guard case .dictionary(var attachment) = element else {
        throw BridgeError(.invalidRequest, "request.content.attachments must be an array of dictionaries")
      }
      guard case .integer(let index)? = attachment.removeValue(forKey: "file"), handles.indices.contains(Int(index))
      else {
        throw BridgeError(
          .invalidRequest, "request.content.attachments: 'file' must be the index of a descriptor in 'files'")
      }
      if attachment["path"] == nil { attachment["path"] = .string("file \(index)") }
      if attachment["type"] == nil { attachment["type"] = .string("") }
      result.append(handles[Int(index)])
      attachments.append(.dictionary(attachment))
    }
    content["attachments"] = .array(attachments)
    document["content"] = .dictionary(content)
    return result
  }

  private func submit(
    _ request: RequestRecord, _ application: ApplicationRecord, _ limit: PendingLimit, _ waits: Bool,
    _ call: IncomingCall
  ) {
    let key = NotificationKey(application: application.identifier, identifier: request.identifier)
    // There may be thousands that wait for the daemon.
    let call = call.withoutArguments()
    let reservation = waits ? reserve(key, for: call) : nil
    let submission = Submission(request, from: application, limit: limit) { [weak self] result in
      switch result {
      case .success(let report): call.reply([RecordCoding.value(report.document)])
      case .failure(let error):
        if let reservation { self?.later { $0.drop(reservation) } }
        call.fail(error)
      }
    }
    engine.assumeIsolated { $0.submit(submission) }
  }

  private func remove(_ call: IncomingCall, _ caller: Caller) throws(BridgeError) {
    let application = try application(call.text(0), caller)
    let identifiers = call.message.body[1].asStrings ?? []
    let reader = DocumentReader(RecordCoding.document(call.message.body[2]) ?? [:], path: "options")
    let all = try reader.flag("all") ?? false
    let thread = try reader.text("thread")
    let pending = try reader.flag("pending") ?? true
    let delivered = try reader.flag("delivered") ?? true
    whenSettled(call) { engine in
      if let thread {
        _ = engine.removeThread(thread, of: application)
      } else if all || !identifiers.isEmpty {
        if pending { engine.removePending(all ? nil : identifiers, of: application) }
        if delivered { engine.removeDelivered(all ? nil : identifiers, of: application) }
      }
      engine.answer(durably: true) { call.finish($0) }
    }
  }

  /// Does what closes notifications. Right after its start the bridge may not know yet which of its former life's are
  /// still there; then the caller's later calls wait too.
  private func whenSettled(_ call: IncomingCall, _ body: @escaping @Sendable (isolated BridgeEngine) -> Void) {
    guard let sender = call.message.sender else { return }
    let isHeld = engine.assumeIsolated { engine in
      engine.whenSettled(body) { [weak self] in self?.later { $0.release(sender) } }
    }
    if isHeld { hold(sender) }
  }

  private func act(_ call: IncomingCall, _ caller: Caller) throws(BridgeError) {
    let key = NotificationKey(application: try application(call.text(0), caller), identifier: call.text(1))
    let reader = DocumentReader(RecordCoding.document(call.message.body[2]) ?? [:], path: "options")
    let (action, text) = (try reader.text("action"), try reader.text("text"))
    whenSettled(call) { engine in
      do throws(BridgeError) {
        try engine.act(on: key, action: action, text: text)
        engine.answer(durably: true) { call.finish($0) }
      } catch {
        call.fail(error)
      }
    }
  }

  // MARK: Lists

  private func list(_ call: IncomingCall, _ caller: Caller) throws(BridgeError) {
    let application = try applications(call.text(0), caller)
    let kind = call.text(1)
    let entries: [[String: PropertyValue]] = engine.assumeIsolated { engine in
      let names = application.map { [$0] } ?? engine.activeApplications
      return names.flatMap { name -> [[String: PropertyValue]] in
        switch kind {
        case "pending":
          engine.pendingRequests(of: name).map {
            [
              "application": .string(name), "request": .dictionary($0.request.document),
              "due": .double($0.due.timeIntervalSince1970),
            ]
          }
        case "delivered": engine.deliveredNotifications(of: name).map(\.document)
        default: []
        }
      }
    }
    guard kind == "pending" || kind == "delivered" else {
      throw BridgeError(.invalidRequest, "the kind must be 'pending' or 'delivered', not \(kind.quotedForPeople)")
    }
    call.reply([RecordCoding.values(entries)])
  }

  private func setCategories(_ call: IncomingCall, _ caller: Caller) throws(BridgeError) {
    let application = try application(call.text(0), caller)
    guard let documents = RecordCoding.documents(call.message.body[1]) else {
      throw BridgeError(.invalidRequest, "the categories have values of a type that none has")
    }
    var records: [CategoryRecord] = []
    for (index, document) in documents.enumerated() {
      records.append(try CategoryRecord(document: document, named: "categories[\(index)]"))
    }
    engine.assumeIsolated { [records] engine in
      engine.setCategories(records, for: application)
      engine.answer(durably: true) { call.finish($0) }
    }
  }

  private func authorize(_ call: IncomingCall, _ caller: Caller) throws(BridgeError) {
    let name = try application(call.text(0), caller)
    let options = AuthorizationRecord.Options(rawValue: UInt(clamping: call.message.body[1].asInteger ?? 0))
    engine.assumeIsolated { engine in
      engine.authorize(options, application: ApplicationRecord(identifier: name, name: name)) { record in
        call.reply([RecordCoding.value(record.document)])
      }
    }
  }
}
