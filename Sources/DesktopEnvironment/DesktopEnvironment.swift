// Target DesktopEnvironment
