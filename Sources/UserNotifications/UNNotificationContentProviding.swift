/// What can enrich a content. On Apple's systems only objects of the system's own frameworks may, which Linux lacks.
///
/// Source: Apple, UNNotificationContentProviding.
public protocol UNNotificationContentProviding: NSObjectProtocol {}
