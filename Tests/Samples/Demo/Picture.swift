import UserNotifications

/// A sunset over the sea, as a PNG file.
enum Picture {
  static func write(to url: URL) throws {
    guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else { return }
    try data.write(to: url)
  }

  private static let text = """
    iVBORw0KGgoAAAANSUhEUgAAAKAAAACgCAMAAAC8EZcfAAAAIVBMVEUYIk40NHhoRoyoXIjgeHD4pGD80Hj/8L4cTm4obIr6uniz1gNvAAAB
    LklEQVR42u3VSxICMQhFUfwi7n/BlgMHlt+QhqaTexeQnAn1RIiIiIgosl3xAAIECBAgQIAANw7cFw8gQIAAAQIECHDjwEPxAAIECBAgQIAA
    Nw48Fg8gQIAAH+lzxYD6rjJA/VwJoGqkUEJ5CxAl2tcrlGheL1ESfF1COfnT//N/Iim+DqHk+PzCcYGqOULJ8nmFowJVs4SS5/MJAa4CVM0T
    AlwDqJoolHN7HcD2zwACBAgQIECAAL8Drb2rv/bP5FI8gABXB5qrpBO+X/GgQMvyjQu0JB9LAhBg0JK0HrL/k6GBluAbHGjxPpYEIMDIJfnv
    kDvfHx9osb4ZgBbqY0kAAgxfkm+HvMTTkwAtzDcN0KJ8LAlAgDlL8nrIi706E9AifHMBLcDHkgAE+KsbX2z44IQpg4UAAAAASUVORK5CYII=
    """
}
