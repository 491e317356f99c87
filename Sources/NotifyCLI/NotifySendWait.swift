internal import DBus
internal import Dispatch
internal import FreedesktopNotifications
internal import Glibc

extension NotifySendDialogue {
  /// What the signals of a shown notification mean.
  struct Wait {
    let serverID: UInt32
    /// Signals count from the daemon that shows it alone.
    let owner: BusName?
    let actions: [Action]
    let options: NotifySendOptions
    private var activationToken: String?

    init(serverID: UInt32, owner: BusName?, actions: [Action], options: NotifySendOptions) {
      self.serverID = serverID
      self.owner = owner
      self.actions = actions
      self.options = options
    }

    /// What follows from a signal.
    enum Step: Sendable, Hashable {
      case goOn
      /// An action was printed.
      case acted
      /// The notification is closed.
      case ended
      /// The daemon is gone, and with it whatever it could have said.
      case lost
    }

    /// Takes one signal. Every press of an offered button is printed; the real program, too, ends at the closing alone.
    mutating func receive(_ message: Message) -> Step {
      if message.sender == .bus, message.member == "NameOwnerChanged" {
        return message.body.count == 3 && message.body[2].asString != owner?.text ? .lost : .goOn
      }
      guard message.sender == owner, message.interface == NotificationService.interface, message.body.count == 2,
        message.body[0].asUInt32 == serverID
      else { return .goOn }
      switch (message.member?.text, message.body[1]) {
      case ("NotificationClosed", .uint32): return .ended
      case ("ActivationToken", .string(let token)): activationToken = token
      case ("ActionInvoked", .string(let key)):
        if actions.contains(where: { $0.key.utf8.elementsEqual(key.utf8) }) {
          tell(key)
          return .acted
        }
        if NotifySendWords.lowercased(key.utf8) != Action.defaultKey {
          NotifySendOutput.message("the daemon named an action that was not offered: \(key)")
        }
      default: break
      }
      return .goOn
    }

    private mutating func tell(_ key: String) {
      NotifySendOutput.line(key)
      NotifySendOutput.line(key, to: options.selectedActionDescriptor)
      if let activationToken { NotifySendOutput.line(activationToken, to: options.activationTokenDescriptor) }
      activationToken = nil
    }
  }
}

/// Ctrl-C as an item of the mailbox, until it is cancelled. (Here libdispatch sets a signal handler itself.)
struct NotifySendInterrupt {
  private let source: any DispatchSourceSignal

  init(_ mailbox: NotifySendMailbox) {
    source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    source.setEventHandler { mailbox.put(.interrupted) }
    source.resume()
  }

  func cancel() { source.cancel() }
}
