internal import NotificationBridge
internal import Synchronization

/// Changes what a push service delivers, before it is shown.
///
/// A subclass overrides ``didReceive(_:withContentHandler:)``. It is the whole of a program of its own, which the
/// resident bridge runs for remote notifications that say `mutable-content: 1` and have an alert; see ``main()``.
///
/// Source: Apple, UNNotificationServiceExtension.
open class UNNotificationServiceExtension: NSObject {
  /// Required, as ``main()`` makes the object.
  public required override init() { super.init() }

  /// Changes a notification. Called once, on the main queue, which it should not block for long.
  /// - Parameters:
  ///   - request: what was pushed; its trigger is a ``UNPushNotificationTrigger``.
  ///   - contentHandler: takes what is to be shown, from any thread. The first call counts; a content without title,
  ///     subtitle and body is ignored, and the original shown. By default it is given the original.
  ///
  /// After 30 seconds ``serviceExtensionTimeWillExpire()`` is called; without an answer the original is shown soon after.
  open func didReceive(
    _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    contentHandler(request.content)
  }

  /// The last chance to call the content handler; by default nothing is done. Called on another thread.
  open func serviceExtensionTimeWillExpire() {}

  /// Runs the extension as the program that it is, and does not return: a `main.swift` with
  /// `NotificationService.main()` is all that it needs beside the subclass; or mark the subclass `@main`.
  public static func main() {
    let service = ServiceObject(Self.init())
    ExtensionProgram.run(expire: { _ in service.expire() }) { message, output in service.take(message, output) }
  }
}

/// Holds the extension's object, which its own program alone can know the threads of.
///
/// Unchecked: as on Apple's systems the object is called on the main queue, and once, at the end, on another.
private final class ServiceObject: @unchecked Sendable {
  private let object: UNNotificationServiceExtension
  private let isAnswered = Atomic(false)

  init(_ object: UNNotificationServiceExtension) { self.object = object }

  func take(_ message: ExtensionMessage, _ output: ExtensionProgram.Output) {
    switch message {
    case .request(let record, _):
      let request = UNNotificationRequest(record)
      object.didReceive(request) { [self] content in answer(content, output) }
    default:
      ExtensionProgram.complain("this is a service extension: \(message.kind.quotedForPeople) means nothing to it")
    }
  }

  func expire() { object.serviceExtensionTimeWillExpire() }

  private func answer(_ content: UNNotificationContent, _ output: ExtensionProgram.Output) {
    guard !isAnswered.exchange(true, ordering: .relaxed) else { return }
    do throws(BridgeError) {
      output.send(.content(try ContentRecord(content.fields)))
    } catch {
      // Without an answer the original is shown.
      ExtensionProgram.complain("what the extension made of the notification cannot be handed over: \(error)")
      exit(1)
    }
  }
}
