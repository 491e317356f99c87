/// The options of `send`, and of `explain`, which takes the same.
enum SendOptions {
  static let content: [OptionSpec] = [
    OptionSpec("title", value: "TEXT", "the title; takes any text, also one that begins with a dash"),
    OptionSpec("body", value: "TEXT", "the body, as plain text"),
    OptionSpec("subtitle", value: "TEXT", "a second line below the title"),
    OptionSpec("body-file", value: "FILE|-", completes: .file, "read the body from a file or standard input"),
    OptionSpec(
      "request", value: "FILE|-", completes: .file, "read the whole request as JSON; other options win over it"),
    OptionSpec(
      "app", short: "a", value: "ID|NAME", "the application: the name of its desktop entry, or a name for people"),
    OptionSpec("icon", short: "i", value: "NAME|FILE", completes: .file, "an icon of the theme, or a picture file"),
    OptionSpec(
      "image", value: "FILE", repeats: true, completes: .file, "a picture: PNG, JPEG or GIF of at most 10 MB"),
    OptionSpec("action", short: "A", value: "KEY=LABEL", repeats: true, "a button; KEY is printed when it is pressed"),
    OptionSpec(
      "reply", value: "KEY=LABEL[=PLACEHOLDER]", repeats: true,
      "a button that opens a text field; KEY, a tab and the text are printed"),
    OptionSpec(
      "level", value: "LEVEL", completes: .words(["passive", "active", "time-sensitive", "critical"]),
      "passive, active (the default), time-sensitive or critical"),
    OptionSpec(
      "urgency", short: "u", value: "URGENCY", completes: .words(["low", "normal", "critical"]),
      "low, normal or critical; wins over --level"),
    OptionSpec("category", short: "c", value: "CLASS", "a class such as im.received or transfer.complete"),
    OptionSpec("thread", value: "NAME", "what the notification belongs to"),
    OptionSpec(
      "sound", value: "SOUND", completes: .words(["default", "none"]),
      "default, none (if not given), a name of the sound theme, or a file by its path"),
    OptionSpec("progress", value: "0…100", "a progress bar, in percent"),
    OptionSpec(
      "expire-time", short: "t", value: "TIME", completes: .words(["default", "never"]),
      "the notification's life: milliseconds, or with ms, s, m, h; default (-1), never (0)"),
    OptionSpec("transient", short: "e", "do not keep it once it has left the screen"),
    OptionSpec(
      "hint", short: "h", value: "TYPE:NAME:VALUE", repeats: true,
      "a hint; TYPE is boolean, int, double, string or byte"),
    OptionSpec("user-info", value: "KEY=VALUE|JSON", repeats: true, "data that comes back with the response in --json"),
    OptionSpec("id", value: "IDENTIFIER", "its name; the same name again replaces it"),
  ]

  static let schedule: [OptionSpec] = [
    OptionSpec("in", value: "TIME", "show it then: 10m, 1h30m, 2d; s, m, h, d and w are units"),
    OptionSpec("at", value: "WHEN", "show it at '2026-12-24 18:00' or at the next 18:00"),
    OptionSpec("every", value: "TIME", "show it again and again, at least 60 s apart"),
    OptionSpec(
      "on", value: "UNITS", "show it whenever these match: 'weekday=mon hour=9', 'day=1 hour=8 minute=30'"),
    OptionSpec("zone", value: "ZONE", "the time zone of --at and --on, Europe/Berlin for example; else the system's"),
  ]

  static let waiting: [OptionSpec] = [
    OptionSpec("wait", short: "w", "wait until it is acted on, dismissed, expired or closed"),
    OptionSpec("detach", short: "d", "do not wait, although there are buttons"),
    OptionSpec("timeout", value: "TIME", "wait no longer than that (status 15); the notification stays"),
    OptionSpec("print-id", short: "p", "print its identifier first"),
    OptionSpec("json", "print results as JSON, one object a line"),
    OptionSpec("direct", "do without the resident bridge: what comes later ends with this command"),
  ]

  static let help = OptionSpec("help", "show this help")

  static let send = CommandSpec(
    name: "send", summary: "Show a notification; with buttons, wait for what the user does.",
    operands: "[--] TITLE [BODY]", options: content + schedule + waiting + [help],
    details: """
      --action and --reply imply --wait unless --detach is given. Then the action's key is printed alone on a line:
      'default' for the click on the notification itself, the text of a reply behind a tab. Status: 0 acted upon
      (without waiting: accepted), 1 failure, 2 wrong usage, 3 no bus or daemon, 10 dismissed, 11 expired, 12 closed,
      13 replaced, 14 daemon lost, 15 own time limit, 16 refused by the daemon.

      With the resident bridge notify-bridged, which the bus starts, the notification outlives this command: 'wait'
      hears of it later, handlers ('on') run for it, the same --id replaces it from anywhere, and it can be scheduled.
      """)

  static let explain = CommandSpec(
    name: "explain", summary: "Print the call that send would make on the present daemon, and what is dropped.",
    operands: "[--] TITLE [BODY]",
    options: send.options.dropLast() + [
      OptionSpec(
        "payload", value: "FILE|-", completes: .file,
        "explain the payload of a remote notification instead, for the application of --app"),
      help,
    ],
    details: "Takes the options of send. Nothing is shown.")
}
