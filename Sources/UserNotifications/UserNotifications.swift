// Target UserNotifications
