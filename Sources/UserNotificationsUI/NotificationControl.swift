/// Something in a content extension's interface that the user can use. On Linux it is a button of the notification's,
/// whose label tells the state; each press changes that, and the notification is shown anew in place.
///
/// Apple's systems have views for this.
public struct NotificationControl: Sendable {
  /// What it is, and its state.
  public enum Kind: Sendable, Hashable {
    case button
    case `switch`(isOn: Bool)
    /// One of several texts, by its number from 0; each press goes on to the next, and after the last to the first.
    case choice(options: [String], selected: Int)
  }

  /// Unique among the controls and actions that are shown together.
  public var identifier: String
  /// The button's text, ahead of the state.
  public var title: String
  public var kind: Kind
  /// Called on the main actor when the user has used it, with what it is by then.
  public var action: @MainActor @Sendable (NotificationControl) -> Void

  public init(
    identifier: String, title: String, kind: Kind = .button,
    action: @escaping @MainActor @Sendable (NotificationControl) -> Void = { _ in }
  ) {
    self.identifier = identifier
    self.title = title
    self.kind = kind
    self.action = action
  }
}
