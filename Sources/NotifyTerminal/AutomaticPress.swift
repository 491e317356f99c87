/// A button that the terminal daemon presses itself, for demonstrations and tests without a keyboard.
public struct AutomaticPress: Sendable, Hashable {
  /// The action's key, or the button's place from 1 on; a key that the notification has goes first. `default` is the
  /// click on the notification itself, which has no place.
  public var button: String
  /// How long after a notification is shown; 0 or more.
  public var after: Duration

  public init(_ button: String, after: Duration) {
    self.button = button
    self.after = max(.zero, after)
  }
}
