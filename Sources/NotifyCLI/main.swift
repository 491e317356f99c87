print("notify-bridge")
