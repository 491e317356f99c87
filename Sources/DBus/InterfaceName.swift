/// The name of an interface: `org.freedesktop.Notifications`.
///
/// Not valid: `Notifications`, `org.free-desktop.Notifications`, `org.7z`.
/// Source: D-Bus Specification, "Interface names".
public struct InterfaceName: CheckedName {
  public let text: String

  public init(unchecked text: String) { self.text = text }

  public static func fault(in text: String) -> String? {
    text.utf8.count > 255 ? "it is longer than 255 bytes" : DottedGrammar().fault(in: text[...].utf8)
  }
}

/// The name of an error; its grammar is that of an interface.
///
/// Source: D-Bus Specification, "Error names".
public struct ErrorName: CheckedName {
  public let text: String

  public init(unchecked text: String) { self.text = text }

  public static func fault(in text: String) -> String? { InterfaceName.fault(in: text) }

  /// A generic failure.
  public static let failed: ErrorName = "org.freedesktop.DBus.Error.Failed"
  /// The destination does not exist and cannot be started.
  public static let serviceUnknown: ErrorName = "org.freedesktop.DBus.Error.ServiceUnknown"
  /// The name has no owner.
  public static let nameHasNoOwner: ErrorName = "org.freedesktop.DBus.Error.NameHasNoOwner"
  /// No answer came in time.
  public static let noReply: ErrorName = "org.freedesktop.DBus.Error.NoReply"
  /// A pending call outlived the connection.
  public static let disconnected: ErrorName = "org.freedesktop.DBus.Error.Disconnected"
  /// The object has no such method.
  public static let unknownMethod: ErrorName = "org.freedesktop.DBus.Error.UnknownMethod"
  /// There is no such object.
  public static let unknownObject: ErrorName = "org.freedesktop.DBus.Error.UnknownObject"
  /// The object has no such interface.
  public static let unknownInterface: ErrorName = "org.freedesktop.DBus.Error.UnknownInterface"
  /// The interface has no such property.
  public static let unknownProperty: ErrorName = "org.freedesktop.DBus.Error.UnknownProperty"
  /// The property can only be read.
  public static let propertyReadOnly: ErrorName = "org.freedesktop.DBus.Error.PropertyReadOnly"
  /// The arguments do not fit the method.
  public static let invalidArguments: ErrorName = "org.freedesktop.DBus.Error.InvalidArgs"
  /// The sender may not do this.
  public static let accessDenied: ErrorName = "org.freedesktop.DBus.Error.AccessDenied"
  /// Too many calls or too much data in flight.
  public static let limitsExceeded: ErrorName = "org.freedesktop.DBus.Error.LimitsExceeded"
}
