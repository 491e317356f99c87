// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// Samples and compatibility sources are written as for Apple's systems: their deprecated names stay warnings,
// and their imports are public by default as there.
let asOnApple: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .treatWarning("DeprecatedDeclaration", as: .warning),
]

/// What each target may import; Tests/Tools/check-imports reads the sources against the same table.
let package = Package(
  name: "notify-bridge",
  products: [
    .library(name: "UserNotifications", targets: ["UserNotifications"]),
    .library(name: "UserNotificationsUI", targets: ["UserNotificationsUI"]),
    .executable(name: "notify-bridge", targets: ["NotifyCLI"]),
    .executable(name: "notify-bridged", targets: ["NotifyDaemon"]),
  ],
  traits: [
    .default(enabledTraits: ["Networking"]),
    .trait(
      name: "Networking",
      description: "import UserNotifications brings FoundationNetworking (needs libcurl when linked statically)"),
  ],
  targets: [
    .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
    .systemLibrary(
      name: "CGLib", pkgConfig: "gdk-pixbuf-2.0",
      providers: [.apt(["libglib2.0-dev", "libgdk-pixbuf-2.0-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "CLinux"),
    .target(name: "DBus", dependencies: ["CDBus", "CLinux"], swiftSettings: strict),
    .target(name: "FreedesktopNotifications", dependencies: ["DBus", "CLinux"], swiftSettings: strict),
    .target(name: "NotificationBridge", dependencies: ["FreedesktopNotifications", "CLinux"], swiftSettings: strict),
    .target(
      name: "DesktopEnvironment", dependencies: ["CGLib", "NotificationBridge", "FreedesktopNotifications"],
      swiftSettings: strict),
    .target(name: "DesktopServices", dependencies: ["CLinux", "DBus", "NotificationBridge"], swiftSettings: strict),
    .target(name: "ExtensionHost", dependencies: ["DesktopServices", "NotificationBridge"], swiftSettings: strict),
    .target(name: "BridgeControl", dependencies: ["DBus", "NotificationBridge"], swiftSettings: strict),
    .target(name: "BridgeStore", dependencies: ["CSQLite", "NotificationBridge"], swiftSettings: strict),
    .target(
      name: "UserNotifications",
      dependencies: [
        "NotificationBridge", "FreedesktopNotifications", "DBus", "DesktopEnvironment", "DesktopServices",
        "BridgeControl",
      ], swiftSettings: strict),
    .target(
      name: "UserNotificationsUI", dependencies: ["UserNotifications", "NotificationBridge"], swiftSettings: strict),
    .target(
      name: "NotifyTerminal", dependencies: ["FreedesktopNotifications", "DBus", "CLinux"], swiftSettings: strict),
    .executableTarget(
      name: "NotifyCLI",
      dependencies: [
        "NotificationBridge", "FreedesktopNotifications", "BridgeControl", "DesktopServices", "ExtensionHost",
        "NotifyTerminal", "DBus",
      ], swiftSettings: strict),

    .executableTarget(
      name: "NotifyDaemon",
      dependencies: [
        "NotificationBridge", "FreedesktopNotifications", "BridgeControl", "BridgeStore", "DesktopEnvironment",
        "DesktopServices", "ExtensionHost", "DBus", "CLinux",
      ], swiftSettings: strict),

    // Tests. TestSupport is no product; samples are programs as written for Apple's systems.
    .target(
      name: "TestSupport", dependencies: ["FreedesktopNotifications", "NotificationBridge", "DBus", "CLinux"],
      path: "Tests/TestSupport", swiftSettings: strict),
    .testTarget(name: "DBusTests", dependencies: ["DBus", "TestSupport"], swiftSettings: strict),
    .testTarget(name: "DBusIntegrationTests", dependencies: ["DBus", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "FreedesktopNotificationsTests", dependencies: ["FreedesktopNotifications", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "NotificationBridgeTests", dependencies: ["NotificationBridge", "DesktopEnvironment", "TestSupport"],
      resources: [.copy("Data")], swiftSettings: strict),
    .testTarget(
      name: "DesktopEnvironmentTests", dependencies: ["DesktopEnvironment", "CGLib", "TestSupport"],
      resources: [.copy("Data")], swiftSettings: strict),
    .testTarget(
      name: "BridgeStoreTests", dependencies: ["BridgeStore", "CSQLite", "NotificationBridge", "TestSupport"],
      resources: [.copy("Data")], swiftSettings: strict),
    .testTarget(
      name: "DesktopServicesTests", dependencies: ["DesktopServices", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "ExtensionHostTests", dependencies: ["ExtensionHost", "DesktopServices", "DBus", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "UserNotificationsTests", dependencies: ["UserNotifications", "BridgeControl", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "AppleSourceCompatibility", dependencies: ["UserNotifications", "FreedesktopNotifications", "TestSupport"],
      path: "Tests/AppleSourceCompatibility/Swift6", swiftSettings: asOnApple),
    .testTarget(
      name: "AppleSourceCompatibilitySwift5",
      dependencies: ["UserNotifications", "FreedesktopNotifications", "TestSupport"],
      // Of old programs the compiler complains; that they compile is what counts.
      path: "Tests/AppleSourceCompatibility/Swift5", swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(name: "NotifyCLITests", dependencies: ["NotifyCLI", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "NotifyTerminalTests", dependencies: ["NotifyTerminal", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "BridgeIntegrationTests", dependencies: ["NotificationBridge", "UserNotifications", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "EndToEndTests", dependencies: ["FreedesktopNotifications", "DBus", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "BridgeEndToEndTests",
      dependencies: [
        "BridgeControl", "BridgeStore", "DesktopEnvironment", "NotificationBridge", "FreedesktopNotifications", "DBus",
        "TestSupport",
      ], swiftSettings: strict),
    .testTarget(name: "RealDaemonTests", dependencies: ["TestSupport"], swiftSettings: strict),
    // The examples are as a reader types them.
    .testTarget(
      name: "DocumentationTests", dependencies: ["UserNotificationsUI", "FreedesktopNotifications", "TestSupport"],
      swiftSettings: asOnApple),
    .testTarget(
      name: "RegressionTests",
      dependencies: ["NotificationBridge", "FreedesktopNotifications", "UserNotifications", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "UserNotificationsUITests", dependencies: ["UserNotificationsUI", "NotificationBridge", "TestSupport"],
      swiftSettings: strict),
    .executableTarget(
      name: "test-service-extension", dependencies: ["UserNotifications"], path: "Tests/Helpers/ServiceProgram",
      swiftSettings: asOnApple),
    .executableTarget(
      name: "test-content-extension", dependencies: ["UserNotificationsUI"], path: "Tests/Helpers/ContentProgram",
      swiftSettings: asOnApple),
    .executableTarget(
      name: "store-writer", dependencies: ["BridgeStore", "NotificationBridge"], path: "Tests/Helpers/StoreWriter",
      swiftSettings: strict),
    .executableTarget(
      name: "sample-follow-up", dependencies: ["UserNotifications"], path: "Tests/Samples/FollowUp",
      swiftSettings: asOnApple),
    .executableTarget(
      name: "sample-two-categories", dependencies: ["UserNotifications"], path: "Tests/Samples/TwoCategories",
      swiftSettings: asOnApple),
    .executableTarget(
      name: "sample-conversations", dependencies: ["UserNotifications"], path: "Tests/Samples/Conversations",
      swiftSettings: asOnApple),
    .executableTarget(
      name: "sample-picture-service", dependencies: ["UserNotifications"], path: "Tests/Samples/PictureService",
      exclude: ["Info.plist"],
      // As most are: an object that is no Sendable goes along into a download's handler.
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .executableTarget(
      name: "sample-rotating-image", dependencies: ["UserNotificationsUI"], path: "Tests/Samples/RotatingImage",
      exclude: ["Info.plist", "arrow-0.png", "arrow-90.png", "arrow-180.png", "arrow-270.png"],
      swiftSettings: asOnApple),
    .executableTarget(
      name: "sample-invitation", dependencies: ["UserNotificationsUI"], path: "Tests/Samples/Invitation",
      exclude: ["Info.plist"], swiftSettings: asOnApple),
    .executableTarget(
      name: "sample-donation", dependencies: ["UserNotificationsUI"], path: "Tests/Samples/Donation",
      exclude: ["Info.plist"], swiftSettings: asOnApple),
    .executableTarget(
      name: "sample-demo", dependencies: ["UserNotifications"], path: "Tests/Samples/Demo",
      swiftSettings: asOnApple),
  ],
  swiftLanguageModes: [.v6]
)
