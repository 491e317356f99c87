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

/// Option of an attachment: the frame of an animation (a number), or the time in a film (a number of seconds, or a
/// dictionary with the keys `value` and `timescale`).
public let UNNotificationAttachmentOptionsThumbnailTimeKey: String = "UNNotificationAttachmentOptionsThumbnailTimeKey"

/// The options of an attachment, read. What has the wrong form counts as not given.
struct AttachmentOptions {
  var typeHint: String?
  var thumbnailHidden = false
  var clippingRect: AttachmentRecord.Rect?
  var thumbnailTime: Double?

  init(_ options: [AnyHashable: Any]) {
    typeHint = options[UNNotificationAttachmentOptionsTypeHintKey] as? String
    thumbnailHidden = (options[UNNotificationAttachmentOptionsThumbnailHiddenKey] as? NSNumber)?.boolValue ?? false
    clippingRect = options[UNNotificationAttachmentOptionsThumbnailClippingRectKey].flatMap(Self.rect)
    thumbnailTime = options[UNNotificationAttachmentOptionsThumbnailTimeKey].flatMap(Self.time)
  }

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
    let (left, top) = (min(1, max(0, sides[0])), min(1, max(0, sides[1])))
    let (right, bottom) = (min(1, sides[0] + sides[2]), min(1, sides[1] + sides[3]))
    guard right > left, bottom > top else { return nil }
    return AttachmentRecord.Rect(x: left, y: top, width: right - left, height: bottom - top)
  }

  private static func time(_ value: Any) -> Double? {
    var seconds: Double?
    if let number = value as? NSNumber {
      seconds = number.doubleValue
    } else if let dictionary = value as? [AnyHashable: Any], let value = dictionary["value"] as? NSNumber,
      let scale = dictionary["timescale"] as? NSNumber, scale.doubleValue > 0
    {
      seconds = value.doubleValue / scale.doubleValue
    }
    guard let seconds, seconds.isFinite, seconds >= 0 else { return nil }
    return seconds
  }
}
