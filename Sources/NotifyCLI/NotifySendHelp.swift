/// What `notify-send --help` prints.
enum NotifySendHelp {
  /// The version that this mode behaves as, in the form of the real program's output.
  static let version = "0.8.1"

  static let text = """
    Usage: notify-send [OPTION]... [--] SUMMARY [BODY]

    Shows a notification. This is notify-bridge under the name notify-send: it behaves as
    notify-send \(version) does, with the descriptors of 0.8.7. `notify-bridge send` can do more.

      -u, --urgency=LEVEL           low, normal or critical
      -t, --expire-time=MS          how long it is shown, in milliseconds; 0: until it is closed
      -a, --app-name=NAME           the application's name
      -i, --icon=ICON               an icon name or a file
      -c, --category=TYPE[,TYPE]    the kind of notification, for example im.received
      -e, --transient               do not keep it
      -h, --hint=TYPE:NAME:VALUE    more data; TYPE is boolean, int, double, string, byte or variant
      -p, --print-id                print the notification's number
      -r, --replace-id=NUMBER       replace the notification that has this number
      -w, --wait                    wait until it is closed
      -A, --action=[KEY=]LABEL      a button (repeatable); waits, and prints the key of the one that
                                    is pressed; without KEY it is the option's place, counted from 0
          --id-fd=FD                write the number to this file descriptor
          --selected-action-fd=FD   write the key of the pressed button to this file descriptor
          --activation-token-fd=FD  write the activation token to this file descriptor, if there is one
      -v, --version                 print the version
      -?, --help                    print this

    In BODY, \\n is a new line, \\t a tab, \\\\ a backslash and \\ooo the byte with that octal number.
    Exit status: 0 shown (and with --wait: closed), 1 not shown.

    """
}
