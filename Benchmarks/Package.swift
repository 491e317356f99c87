// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the library's users never build it: `make bench`.
let package = Package(
  name: "benchmarks",
  dependencies: [.package(name: "notify-bridge", path: "..")],
  targets: [
    .systemLibrary(name: "CDBusClient", path: "Sources/CDBus", pkgConfig: "dbus-1"),
    .systemLibrary(name: "CGIO", path: "Sources/CGIO", pkgConfig: "gio-2.0"),
    .executableTarget(name: "measure"),
    .executableTarget(name: "responder", dependencies: ["CDBusClient"]),
    .executableTarget(name: "control", dependencies: ["CDBusClient"]),
    .executableTarget(name: "post-libdbus", dependencies: ["CDBusClient"]),
    .executableTarget(name: "post-gdbus", dependencies: ["CGIO"]),
    .executableTarget(
      name: "post-library", dependencies: [.product(name: "UserNotifications", package: "notify-bridge")]),
  ],
  swiftLanguageModes: [.v6]
)
