import BridgeControl
import DBus
import Glibc
import NotificationBridge

/// The resident bridge: what it keeps outlives this process.
final class BridgeBackend: CenterBackend {
  private let channel: ControlChannel
  private let application: ApplicationRecord
  private let log: any BridgeLog

  init(_ channel: ControlChannel, application: ApplicationRecord, log: any BridgeLog) {
    self.channel = channel
    self.application = application
    self.log = log
  }

  func setCaller(_ caller: DelegateCaller, asks: Bool) {
    var registration = ControlChannel.Registration(
      application: application.identifier, presents: asks, receive: { caller.receive($0) },
      present: { caller.present($0, $1) })
    registration.push = { RemoteNotifications.take($0) }
    registration.openSettings = { caller.openSettings() }
    channel.register(registration)
  }

  func authorize(
    _ options: AuthorizationRecord.Options,
    _ answer: @escaping @Sendable (Result<AuthorizationRecord, BridgeError>) -> Void
  ) {
    channel.authorize(options, application: application.identifier, answer)
  }

  func settings(_ answer: @escaping @Sendable (SettingsRecord) -> Void) {
    channel.settings(application.identifier) { [log] result in
      switch result {
      case .success(let settings): answer(settings)
      case .failure(let error):
        log.write(.warning, "the settings are not known: \(error)")
        answer(SettingsRecord())
      }
    }
  }

  func setBadge(_ count: Int, _ answer: @escaping @Sendable (BridgeError?) -> Void) {
    channel.setBadge(count, of: application.identifier) { result in
      if case .failure(let error) = result { answer(error) } else { answer(nil) }
    }
  }

  func setCategories(_ records: [CategoryRecord]) { channel.setCategories(records, of: application.identifier) }

  func add(
    _ record: RequestRecord, taken: @escaping @Sendable () -> Void,
    _ answer: @escaping @Sendable (BridgeError?) -> Void, ended: @escaping @Sendable () -> Void
  ) {
    var files: [OwnedDescriptor] = []
    for attachment in record.content.attachments {
      let descriptor = unsafe open(attachment.path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
      guard descriptor >= 0 else {
        let error = BridgeError(
          .attachmentUnreadable, "attachment \(attachment.path) cannot be opened (error \(errno))")
        return channel.later { answer(error) }
      }
      files.append(OwnedDescriptor(adopting: descriptor))
    }
    var options = ControlClient.PostOptions()
    if case .keepSoonest(let limit) = PendingLimit.standard { options.keepSoonest = limit }
    channel.add(record, from: application, files: files, options: options) { result in
      switch result {
      case .success:
        // The bridge has copies of its own.
        taken()
        answer(nil)
        ended()
      case .failure(let error): answer(error)
      }
    }
  }

  func pending(_ answer: @escaping @Sendable ([(RequestRecord, Date)]) -> Void) {
    channel.pending(application.identifier) { [log] result in
      switch result {
      case .success(let list): answer(list.map { ($0.request, Date(timeIntervalSince1970: $0.due)) })
      case .failure(let error):
        log.write(.warning, "the pending requests are not known: \(error)")
        answer([])
      }
    }
  }

  func delivered(_ answer: @escaping @Sendable ([NotificationRecord]) -> Void) {
    channel.delivered(application.identifier) { [log] result in
      switch result {
      case .success(let list): answer(list)
      case .failure(let error):
        log.write(.warning, "the delivered notifications are not known: \(error)")
        answer([])
      }
    }
  }

  func removePending(_ identifiers: [String]?) { remove(identifiers, pending: true, delivered: false) }
  func removeDelivered(_ identifiers: [String]?) { remove(identifiers, pending: false, delivered: true) }

  private func remove(_ identifiers: [String]?, pending: Bool, delivered: Bool) {
    if identifiers?.isEmpty == true { return }
    channel.remove(
      identifiers.map { .identifiers($0) } ?? .all, of: application.identifier, pending: pending,
      delivered: delivered)
  }

  func acknowledge(_ response: ResponseRecord, sent: @escaping @Sendable () -> Void) {
    channel.acknowledge(response.id, of: application.identifier)
    // Behind it, on the connection's thread.
    channel.later(sent)
  }

  func attachmentPaths(_ answer: @escaping @Sendable (Set<String>) -> Void) { answer([]) }
}
