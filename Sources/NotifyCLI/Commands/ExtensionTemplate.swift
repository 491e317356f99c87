/// The files that `extension new` writes.
struct ExtensionTemplate {
  /// A file in the new folder.
  struct File {
    let path, text: String
    var isProgram = false
  }

  let name: String
  /// Nil: it is to be filled in.
  let application: String?
  let isContent: Bool
  let categories: [String]
  /// The folder of the Swift package; nil: by its address.
  let package: String?

  private var bundle: String { name + ".appex" }
  private var identifier: String { application ?? "org.example.App" }

  // MARK: Shell

  /// The bundle as it is installed, and a Makefile.
  var shellFiles: [File] {
    [
      File(path: "\(bundle)/Info.plist", text: list(principal: nil)),
      File(path: "\(bundle)/\(name)", text: isContent ? Self.shellContent : Self.shellService, isProgram: true),
      File(path: "Makefile", text: makefile(build: nil)),
    ]
  }

  private static let shellService = #"""
    #!/bin/sh
    # A service extension: it changes what is pushed before it is shown. See notify-bridge-extension(7).
    #
    # It is started for each notification and reads one line of JSON, its keys in the order of the alphabet:
    #   {"application":{…},"request":{"content":{…},"identifier":"…",…},"type":"request"}
    # Its answer is one line; what is not in this content is not shown:
    #   {"type":"content","content":{…}}
    # It has 30 seconds, and may then be told {"type":"expire"}. Without an answer the original is shown. What it writes
    # to standard error goes to the bridge's log.
    LC_ALL=C
    export LC_ALL
    IFS= read -r line || exit 1

    # The content as it came. A line of another form gives nothing, and so the original.
    content=$(printf '%s\n' "$line" |
        sed -n 's/^{"application":{[^{}]*},"request":{"content":\({.*}\),"identifier":.*$/\1/p')
    [ -n "$content" ] || exit 1

    # The change: a mark before the title. In text a quotation mark is written \", so this is found in keys alone.
    content=$(printf '%s\n' "$content" | sed 's/"title":"/"title":"[Changed] /')

    printf '{"type":"content","content":%s}\n' "$content"

    """#

  private static let shellContent = #"""
    #!/bin/sh
    # A content extension: it draws what is shown of its categories. See notify-bridge-extension(7).
    #
    # It is started with the first notification and reads lines of JSON, their keys in the order of the alphabet:
    #   {"actions":[…],"notification":{…},"type":"notification"}   a notification, or a further one of its thread
    #   {"response":{…},"type":"response"}                         what the user did
    #   {"identifier":"…","type":"control","value":…}              the user pressed one of its controls
    # It answers notifications and controls with an update, within 2 seconds, and responses with done. At the end of its
    # input it ends. What it writes to standard error goes to the bridge's log.
    details=false

    draw() {
        if [ $details = true ]; then text='Here are all the details.'; else text='There is more to say.'; fi
        printf '{"type":"update","content":{"body":"%s"},' "$text"
        printf '"controls":[{"identifier":"details","title":"Details","kind":"switch","isOn":%s}]}\n' $details
    }

    while IFS= read -r line; do
        case $line in
        *',"type":"notification"}') draw ;;
        '{"identifier":"details","type":"control","value":'*)
            case $line in *'"value":true}') details=true ;; *) details=false ;; esac
            draw
            ;;
        # doNotDismiss: it stays; dismiss: it goes; dismissAndForwardAction: the application has the response as well.
        *',"type":"response"}') echo '{"type":"done","option":"dismissAndForwardAction"}' ;;
        esac
    done

    """#

  // MARK: Swift

  /// A Swift package, and a Makefile that makes the bundle of it.
  var swiftFiles: [File] {
    let type = isContent ? "NotificationViewController" : "NotificationService"
    return [
      File(path: "Package.swift", text: manifest), File(path: "Info.plist", text: list(principal: type)),
      File(path: "Sources/\(name)/\(type).swift", text: isContent ? Self.swiftContent : Self.swiftService),
      File(path: "Sources/\(name)/main.swift", text: "\(type).main()\n"),
      File(
        path: "Makefile",
        text: makefile(
          build: """
            \tswift build -c release
            \trm -rf $(NAME).appex
            \tmkdir $(NAME).appex
            \tcp Info.plist "$$(swift build -c release --show-bin-path)/$(NAME)" $(NAME).appex

            """)), File(path: ".gitignore", text: ".build/\n\(bundle)/\n"),
    ]
  }

  private var manifest: String {
    let products = (isContent ? ["UserNotifications", "UserNotificationsUI"] : ["UserNotifications"])
      .map { "      .product(name: \"\($0)\", package: \"notify-bridge\"),\n" }.joined()
    let dependency =
      package.map { ".package(name: \"notify-bridge\", path: \(Self.quoted($0)))" }
      ?? ".package(url: \"https://example.org/notify-bridge.git\", from: \"\(Help.version)\")"
    return """
      // swift-tools-version: 6.2
      import PackageDescription

      let package = Package(
        name: "\(name)",
        dependencies: [
          \(dependency)
        ],
        targets: [
          .executableTarget(name: "\(name)", dependencies: [
      \(products)    ])
        ]
      )

      """
  }

  private static let swiftService = """
    import UserNotifications

    /// Changes what is pushed before it is shown.
    class NotificationService: UNNotificationServiceExtension {
      private var contentHandler: ((UNNotificationContent) -> Void)?
      private var bestAttempt: UNMutableNotificationContent?

      override func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
      ) {
        self.contentHandler = contentHandler
        bestAttempt = request.content.mutableCopy() as? UNMutableNotificationContent
        guard let bestAttempt else { return contentHandler(request.content) }
        bestAttempt.title = "[Changed] \\(bestAttempt.title)"
        contentHandler(bestAttempt)
      }

      /// The last chance, after 30 seconds; without an answer the original is shown.
      override func serviceExtensionTimeWillExpire() {
        if let contentHandler, let bestAttempt { contentHandler(bestAttempt) }
      }
    }

    """

  private static let swiftContent = """
    import UserNotifications
    import UserNotificationsUI

    /// Draws what is shown of its categories.
    class NotificationViewController: NSViewController, UNNotificationContentExtension {
      func didReceive(_ notification: UNNotification) {
        // What stands for the view: title, subtitle, body and attachments of this are shown.
        let content = UNMutableNotificationContent()
        content.body = "Drawn by an extension"
        extensionContext?.notificationContent = content
        extensionContext?.notificationActions = [
          UNNotificationAction(identifier: "later", title: "Later", options: [])
        ]
      }

      func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void
      ) {
        completion(response.actionIdentifier == "later" ? .dismiss : .dismissAndForwardAction)
      }
    }

    """

  /// Text as a Swift literal.
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\" + String(scalar)
      case _ where scalar.value < 0x20: result += "\\u{" + String(scalar.value, radix: 16) + "}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  // MARK: Both

  /// - Parameter build: the lines that make the bundle; nil: it is there.
  private func makefile(build: String?) -> String {
    let dependency = build == nil ? "" : " build"
    return """
      NAME = \(name)
      # The application that the extension belongs to: the name of its desktop entry without .desktop.
      APP = \(identifier)

      \(build.map { "build:\n\($0)\n" } ?? "")check:\(dependency)
      \tnotify-bridge extension check --app $(APP) $(NAME).appex

      install: check
      \tnotify-bridge extension install --replace --app $(APP) $(NAME).appex

      .PHONY: \(build == nil ? "" : "build ")check install

      """
  }

  private func list(principal: String?) -> String {
    let point = isContent ? "com.apple.usernotifications.content-extension" : "com.apple.usernotifications.service"
    var lines = ["\t\t<key>NSExtensionPointIdentifier</key>", "\t\t<string>\(point)</string>"]
    if let principal { lines += ["\t\t<key>NSExtensionPrincipalClass</key>", "\t\t<string>\(principal)</string>"] }
    if isContent {
      let texts = categories.map { "\t\t\t\t<string>\(Self.escaped($0))</string>" }
      lines += [
        "\t\t<key>NSExtensionAttributes</key>", "\t\t<dict>", "\t\t\t<key>UNNotificationExtensionCategory</key>",
      ]
      lines += ["\t\t\t<array>"] + texts + ["\t\t\t</array>"]
      lines += [
        "\t\t\t<!-- Height by width. -->", "\t\t\t<key>UNNotificationExtensionInitialContentSizeRatio</key>",
        "\t\t\t<real>0.5</real>", "\t\t\t<!-- True: the notification's own body and pictures are not shown. -->",
        "\t\t\t<key>UNNotificationExtensionDefaultContentHidden</key>", "\t\t\t<false/>", "\t\t</dict>",
      ]
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      \t<key>CFBundleExecutable</key>
      \t<string>\(name)</string>
      \t<key>CFBundleIdentifier</key>
      \t<string>\(identifier).\(name)</string>
      \t<key>CFBundleDisplayName</key>
      \t<string>\(name)</string>
      \t<key>NSExtension</key>
      \t<dict>
      \(lines.joined(separator: "\n"))
      \t</dict>
      </dict>
      </plist>

      """
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
