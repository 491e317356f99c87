/// What is sent to the daemon of a notification that a content extension draws. Pure.
public struct DrawnRequest {
  private let bundle: ContentExtension
  private let update: ContentUpdate

  public init(_ bundle: ContentExtension, _ update: ContentUpdate) {
    self.bundle = bundle
    self.update = update
  }

  /// - Parameter category: has the actions where neither the extension nor the request has any.
  public func apply(to request: RequestRecord, category: CategoryRecord?) -> RequestRecord {
    var request = request
    if let drawn = update.content { request.content = content(request.content, drawn) }
    var actions = update.actions ?? request.desktop.actions ?? category?.actions ?? []
    actions += (update.controls ?? []).map(Self.button)
    if let media = update.media, media.kind != .none { actions.append(Self.button(media)) }
    if update.actions != nil || update.controls?.isEmpty == false || update.media != nil {
      request.desktop.actions = actions
    }
    // The extension decides when it goes. What its sender typed is the sender's word.
    if !request.desktop.hints.contains(where: { $0.name == "resident" }) {
      request.desktop.hints.append(HintRecord(name: "resident", value: .boolean(true)))
    }
    return request
  }

  private func content(_ own: ContentRecord, _ drawn: ContentRecord) -> ContentRecord {
    var content = own
    // One that has drawn no text and no picture has not drawn: nothing at all is never shown.
    let hides =
      bundle.hidesDefaultContent && !(drawn.subtitle.isEmpty && drawn.body.isEmpty && drawn.attachments.isEmpty)
    if bundle.overridesTitle || hides, !drawn.title.isEmpty || hides { content.title = drawn.title }
    if !drawn.subtitle.isEmpty || hides { content.subtitle = drawn.subtitle }
    if hides || own.body.isEmpty || own.body == drawn.body {
      content.body = drawn.body
    } else if !drawn.body.isEmpty {
      content.body = drawn.body + "\n" + own.body
    }
    if !drawn.attachments.isEmpty || hides { content.attachments = drawn.attachments }
    return content
  }

  // MARK: Controls as buttons

  private static func button(_ control: ContentControl) -> ActionRecord {
    let title =
      switch control.kind {
      case .button: control.title
      case .switch(let isOn): Words.state(control.title, isOn ? Words.on : Words.off)
      case .choice(let options, let selected):
        Words.state(control.title, options.indices.contains(selected) ? options[selected] : "")
      }
    return ActionRecord(identifier: control.identifier, title: title)
  }

  /// No action's identifier that a sender can choose: control characters are not.
  private static let mediaIdentifier = "\u{1}media"

  private static func button(_ media: ContentUpdate.MediaButton) -> ActionRecord {
    ActionRecord(identifier: mediaIdentifier, title: media.isPlaying ? Words.pause : Words.play)
  }

  /// What the use of a control means.
  struct Use {
    enum Change {
      case control(ContentControl.Change)
      case playing(Bool)
    }

    let change: Change
    /// What is shown from then on, until the extension says something else.
    let after: ContentUpdate
  }

  /// - Returns: nil: it is no control, but an action.
  static func use(_ identifier: String, in update: ContentUpdate) -> Use? {
    var after = update
    if identifier == mediaIdentifier, var media = update.media {
      media.isPlaying.toggle()
      after.media = media
      return Use(change: .playing(media.isPlaying), after: after)
    }
    guard let index = update.controls?.firstIndex(where: { $0.identifier == identifier }),
      var control = update.controls?[index]
    else { return nil }
    var value: PropertyValue?
    switch control.kind {
    case .button: break
    case .switch(let isOn):
      control.kind = .switch(isOn: !isOn)
      value = .boolean(!isOn)
    case .choice(let options, let selected):
      let next = options.isEmpty ? 0 : (selected + 1) % options.count
      control.kind = .choice(options: options, selected: next)
      value = .integer(Int64(next))
    }
    after.controls?[index] = control
    return Use(change: .control(.init(identifier: identifier, value: value)), after: after)
  }
}
