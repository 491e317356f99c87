import NotificationBridge

/// Option of an attachment: its uniform type identifier (a string), which beats the file's extension.
public let UNNotificationAttachmentOptionsTypeHintKey: String = "UNNotificationAttachmentOptionsTypeHintKey"

/// Option of an attachment: whether no thumbnail of it is shown (a Boolean; false by default).
public let UNNotificationAttachmentOptionsThumbnailHiddenKey: String =
  "UNNotificationAttachmentOptionsThumbnailHiddenKey"

/// Option of an attachment: the part of the picture to show, in 0…1 of its sides, as a dictionary with the keys `X`,
/// `Y`, `Width` and `Height` (or a `CGRect`); the whole picture by default.
public let UNNotificationAttachmentOptionsThumbnailClippingRectKey: String =
  "UNNotificationAttachmentOptionsThumbnailClippingRectKey"

/// Option of an attachment: the frame of an animation (a number, from 0), or the time in a film (a number of seconds); of
/// both the time as a dictionary with the keys `value` and `timescale`, as a `CMTime` makes it.
public let UNNotificationAttachmentOptionsThumbnailTimeKey: String = "UNNotificationAttachmentOptionsThumbnailTimeKey"

/// The options of an attachment, read.
struct AttachmentOptions {
  var typeHint: String?
  var thumbnailHidden = false
  var clippingRect: AttachmentRecord.Rect?
  var thumbnailTime: Double?
  /// It was given as a time, not as a number.
  var thumbnailTimeIsSeconds = false
  /// What is wrong, a sentence each that names the option. What is wrong counts as not given.
  private(set) var problems: [String] = []

  /// - Throws: ``UNError`` with code 101 for a type hint that is no text.
  init(_ options: [AnyHashable: Any], of url: URL) throws(UNError) {
    let hint = options[UNNotificationAttachmentOptionsTypeHintKey]
    typeHint = hint as? String
    if let hint, typeHint == nil {
      throw UNError(
        .attachmentUnrecognizedType,
        "attachment \(url.path): \(UNNotificationAttachmentOptionsTypeHintKey) is \(Self.shown(hint)), and must be a "
          + "uniform type identifier such as public.png")
    }
    func read<Value>(_ key: String, _ expected: String, _ reader: (Any) -> Value?) -> Value? {
      guard let given = options[key] else { return nil }
      if let value = reader(given) { return value }
      problems.append(
        "attachment \(url.path): \(key) is \(Self.shown(given)) and counts as not given: \(expected) is expected")
      return nil
    }
    let hidden = read(UNNotificationAttachmentOptionsThumbnailHiddenKey, "true or false") {
      ($0 as? NSNumber)?.boolValue
    }
    thumbnailHidden = hidden ?? false
    clippingRect = read(
      UNNotificationAttachmentOptionsThumbnailClippingRectKey,
      "a dictionary with X, Y, Width and Height, from 0 to 1, that covers some of the picture", Self.rect)
    let time = read(
      UNNotificationAttachmentOptionsThumbnailTimeKey,
      "a number from 0 on, or a dictionary with value and timescale,", Self.time)
    thumbnailTime = time?.number
    thumbnailTimeIsSeconds = time?.isSeconds ?? false
    for key in options.keys where !((key.base as? String).map(Self.keys.contains) ?? false) {
      problems.append("attachment \(url.path): there is no option \(Self.shown(key.base)); it is ignored")
    }
  }

  private static let keys: Set<String> = [
    UNNotificationAttachmentOptionsTypeHintKey, UNNotificationAttachmentOptionsThumbnailHiddenKey,
    UNNotificationAttachmentOptionsThumbnailClippingRectKey, UNNotificationAttachmentOptionsThumbnailTimeKey,
  ]

  /// A value for people, on one line.
  private static func shown(_ value: Any) -> String { "\(value)".quotedForPeople }

  /// What lies inside the picture; nil when nothing does.
  private static func rect(_ value: Any) -> AttachmentRecord.Rect? {
    var sides: [Double]?
    if let rect = value as? CGRect {
      sides = [rect.origin.x, rect.origin.y, rect.size.width, rect.size.height].map(Double.init)
    } else if let dictionary = value as? [AnyHashable: Any] {
      let numbers = ["X", "Y", "Width", "Height"].compactMap { (dictionary[$0] as? NSNumber)?.doubleValue }
      if numbers.count == 4 { sides = numbers }
    }
    guard let sides, sides.allSatisfy(\.isFinite) else { return nil }
    // As a CGRect is meant: a negative side goes the other way.
    let (x, y) = (sides[0] + min(sides[2], 0), sides[1] + min(sides[3], 0))
    let (left, top) = (min(1, max(0, x)), min(1, max(0, y)))
    let (right, bottom) = (min(1, x + abs(sides[2])), min(1, y + abs(sides[3])))
    guard right > left, bottom > top else { return nil }
    return AttachmentRecord.Rect(x: left, y: top, width: right - left, height: bottom - top)
  }

  private static func time(_ value: Any) -> (number: Double, isSeconds: Bool)? {
    var time: (number: Double, isSeconds: Bool)?
    if let number = value as? NSNumber {
      time = (number.doubleValue, false)
    } else if let dictionary = value as? [AnyHashable: Any], let value = dictionary["value"] as? NSNumber,
      let scale = dictionary["timescale"] as? NSNumber, scale.doubleValue > 0
    {
      time = (value.doubleValue / scale.doubleValue, true)
    }
    guard let time, time.number.isFinite, time.number >= 0 else { return nil }
    return time
  }
}
