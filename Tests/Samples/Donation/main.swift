NotificationViewController.main()
