internal import NotificationBridge
internal import Synchronization
public import UserNotifications

/// A content extension's way to the notification that it draws: what Linux lacks of Apple's class, as far as
/// notifications use it, and what stands for a view there. Usable from any thread.
///
/// What is set together is shown together: within a call by the bridge when that returns, else a moment later.
///
/// Source: Apple, NSExtensionContext, "User Notifications UI".
open class NSExtensionContext: NSObject,
  // Unchecked: subclasses are the caller's matter; the state is in a lock.
  @unchecked Sendable
{
  private struct State: Sendable {
    var update = ContentUpdate()
    var hasChanged = false
    var isFlushPlanned = false
    /// The bridge's call is not over: what is set belongs to its answer.
    var isAnswering = false
    var content: UNNotificationContent?
    var actions: [UNNotificationAction] = []
    var controls: [NotificationControl] = []
    var send: @Sendable (ExtensionMessage) -> Void = { _ in }
  }
  private let state = Mutex(State())

  /// The buttons that are shown: at first those of the notification's category; what is set takes their place at once.
  open var notificationActions: [UNNotificationAction] {
    get { state.withLock { $0.actions } }
    set {
      change { state in
        state.actions = newValue
        state.update.actions = newValue.map(\.record)
      }
    }
  }

  /// Has the notification treated as if the user had clicked on it: it goes, and the application opens.
  open func performNotificationDefaultAction() { send(.performDefaultAction) }

  /// Takes the notification away.
  open func dismissNotificationContentExtension() { send(.dismiss) }

  /// Says that the media play by now: the button offers a pause.
  open func mediaPlayingStarted() { setPlaying(true) }

  /// Says that the media do not play any more.
  open func mediaPlayingPaused() { setPlaying(false) }

  private func setPlaying(_ isPlaying: Bool) {
    change { state in
      var media = state.update.media ?? ContentUpdate.MediaButton(kind: .none, isPlaying: false)
      media.isPlaying = isPlaying
      state.update.media = media
    }
  }

  // MARK: In place of a view

  /// Linux alone: what is shown, as Apple's systems show the extension's view. Title, subtitle, body and attachments
  /// count; the title only where the bundle says `UNNotificationExtensionOverridesDefaultTitle` or hides the default
  /// content. Nil until it is set: the notification as it is.
  open var notificationContent: UNNotificationContent? {
    get { state.withLock { $0.content } }
    set {
      let copy = newValue?.copy() as? UNNotificationContent
      change { $0.content = copy }
    }
  }

  /// Linux alone: what the user can use of the extension's interface; empty at first.
  open var notificationControls: [NotificationControl] {
    get { state.withLock { $0.controls } }
    set {
      change { state in
        state.controls = newValue
        state.update.controls = newValue.map(\.record)
      }
    }
  }
}

// MARK: The extension's program

extension NSExtensionContext {
  private func change(_ body: (inout State) -> Void) {
    let plans = state.withLock { state in
      body(&state)
      state.hasChanged = true
      if state.isAnswering || state.isFlushPlanned { return false }
      state.isFlushPlanned = true
      return true
    }
    if plans { DispatchQueue.main.async { MainActor.assumeIsolated { [self] in flush(isAnswer: false) } } }
  }

  private func send(_ message: ExtensionMessage) { state.withLock { $0.send }(message) }

  func connect(_ send: @escaping @Sendable (ExtensionMessage) -> Void) { state.withLock { $0.send = send } }

  /// What is set from now on belongs to the answer to the bridge's call.
  func beginAnswer() { state.withLock { $0.isAnswering = true } }

  /// The call is over; what was set is sent, if anything was.
  func endAnswer() {
    state.withLock { $0.isAnswering = false }
    flush(isAnswer: false)
  }

  /// What the notification's category offers; not what the extension sets.
  func offer(_ actions: [ActionRecord]) {
    state.withLock { state in
      if state.update.actions == nil { state.actions = actions.map(UNNotificationAction.make) }
    }
  }

  /// The view controller that this context belongs to says what it shows beside that.
  func show(title: String?, size: CGSize, mediaButton: ContentUpdate.MediaButton.Kind) {
    state.withLock { state in
      if let title, !title.isEmpty, state.content?.title.isEmpty != false {
        let content = UNMutableNotificationContent(copying: state.content)
        content.title = title
        state.content = content.copy() as? UNNotificationContent
        state.hasChanged = true
      }
      if size.width > 0, size.height > 0 { state.update.preferredSize = .init(width: size.width, height: size.height) }
      if mediaButton != .none || state.update.media != nil {
        state.update.media = .init(kind: mediaButton, isPlaying: state.update.media?.isPlaying ?? false)
      }
    }
  }

  /// Sends what is set by now.
  /// - Parameter isAnswer: sent in any case.
  func flush(isAnswer: Bool) {
    let (update, content, send, isDue) = state.withLock { state in
      let isDue = isAnswer || state.hasChanged
      state.hasChanged = false
      state.isFlushPlanned = false
      if isAnswer { state.isAnswering = false }
      return (state.update, state.content, state.send, isDue)
    }
    guard isDue else { return }
    var message = update
    do throws(BridgeError) {
      message.content = try content.map { content throws(BridgeError) in try content.shownRecord() }
    } catch {
      ExtensionProgram.complain("the content cannot be shown: \(error)")
    }
    send(.update(message))
  }

  /// The user has used a control.
  @MainActor func use(_ change: ContentControl.Change) {
    let control = state.withLock { state -> NotificationControl? in
      guard let index = state.controls.firstIndex(where: { $0.identifier == change.identifier }) else { return nil }
      switch (state.controls[index].kind, change.value) {
      case (.switch, .boolean(let isOn)?): state.controls[index].kind = .switch(isOn: isOn)
      case (.choice(let options, _), .integer(let selected)?):
        guard let selected = Int(exactly: selected), options.indices.contains(selected) else { return nil }
        state.controls[index].kind = .choice(options: options, selected: selected)
      default: break
      }
      state.update.controls = state.controls.map(\.record)
      return state.controls[index]
    }
    if let control { control.action(control) }
  }
}

extension NotificationControl {
  fileprivate var record: ContentControl {
    let kind: ContentControl.Kind =
      switch kind {
      case .button: .button
      case .switch(let isOn): .switch(isOn: isOn)
      case .choice(let options, let selected):
        // A number of none of them is that of the first.
        .choice(options: options, selected: options.indices.contains(selected) ? selected : 0)
      }
    return ContentControl(identifier: identifier, title: title, kind: kind)
  }
}
