// Target DesktopServices
