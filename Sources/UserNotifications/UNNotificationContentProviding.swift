/// What can enrich a content: an ``INSendMessageIntent`` or a ``UNNotificationAttributedMessageContext``.
///
/// Objects of the program's own may conform; ``UNNotificationContent/updating(from:)`` refuses them.
///
/// Source: Apple, UNNotificationContentProviding.
public protocol UNNotificationContentProviding: NSObjectProtocol {}
