// As on Apple's systems: who imports UserNotificationsUI has UserNotifications.
@_exported public import UserNotifications
