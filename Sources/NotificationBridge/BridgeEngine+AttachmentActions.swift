internal import FreedesktopNotifications

/// Buttons that play or open attachments, and the one for the application's notification settings. A press ends nothing:
/// the notification goes on.
extension BridgeEngine {
  /// What a daemon sends within this time of such a press belongs to it: that it has closed the notification.
  private static let pressLimit = Duration.milliseconds(500)

  /// Plays or opens an attachment.
  /// - Returns: false: the action is another one.
  func takesAttachmentPress(_ meaning: Translator.ActionMeaning, _ key: NotificationKey, _ entry: Ledger.Entry) -> Bool
  {
    if case .attachment(let index) = meaning {
      ledger.update(key) {
        $0.attachmentPressedAt = monotonic.now
        $0.activationToken = nil
      }
      use(index, key, entry)
      return true
    }
    if meaning == .settings {
      // That is about the application, and the notification goes on too.
      ledger.update(key) {
        $0.attachmentPressedAt = monotonic.now
        $0.activationToken = nil
      }
      route(
        ResponseRecord(notification: entry.record, action: .settings, activationToken: entry.activationToken))
      return true
    }
    // Budgie says of each action that the notification was clicked too.
    return meaning == .default && profile?.quirks.sendsStrayDefault == true && wasJustPressed(entry)
  }

  /// Shows a notification again that the daemon closed since an attachment's button was pressed.
  /// - Returns: false: it was closed for another reason.
  func staysAfterAttachmentPress(_ key: NotificationKey, _ entry: Ledger.Entry) -> Bool {
    guard wasJustPressed(entry) else { return false }
    ledger.update(key) {
      $0.isOpen = false
      $0.attachmentPressedAt = nil
    }
    showAgain(entry)
    return true
  }

  private func wasJustPressed(_ entry: Ledger.Entry) -> Bool {
    entry.attachmentPressedAt.map { $0.duration(to: monotonic.now) < Self.pressLimit } ?? false
  }

  private func use(_ index: Int, _ key: NotificationKey, _ entry: Ledger.Entry) {
    let attachments = presented(entry.record.request, of: key.application).content.attachments
    guard let opener = surroundings.opener, attachments.indices.contains(index),
      let type = AttachmentType(identifier: attachments[index].type)
    else {
      surroundings.log.write(
        .warning, "the attachment \(index + 1) of \(key.identifier.quotedForPeople) cannot be opened here")
      return
    }
    let (file, token) = (attachments[index].path, entry.activationToken)
    let application = entry.record.application.identifier
    if type.kind == .audio {
      opener.play(file, mimeType: type.mimeType, application: application, activationToken: token)
    } else {
      opener.open(file, mimeType: type.mimeType, application: application, activationToken: token)
    }
  }
}
