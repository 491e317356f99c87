NotificationService.main()
