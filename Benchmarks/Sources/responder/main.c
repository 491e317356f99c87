/* responder [FILE]: a notification daemon that answers at once and shows nothing. Ends with its bus. Writes a line for
   each notification to FILE: the time, in seconds since 1970, and the summary. */
#include <dbus/dbus.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static FILE *record;

static void note(DBusMessage *call) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  const char *text[3] = {"", "", ""};
  dbus_uint32_t replaces;
  dbus_message_get_args(call, NULL, DBUS_TYPE_STRING, &text[0], DBUS_TYPE_UINT32, &replaces, DBUS_TYPE_STRING, &text[1],
                        DBUS_TYPE_STRING, &text[2], DBUS_TYPE_INVALID);
  fprintf(record, "%lld.%06ld %s\n", (long long)time.tv_sec, time.tv_nsec / 1000, text[2]);
  fflush(record);
}

static void answer(DBusConnection *connection, DBusMessage *call) {
  static dbus_uint32_t last;
  DBusMessage *reply = dbus_message_new_method_return(call);
  if (dbus_message_has_member(call, "Notify")) {
    last++;
    if (record) note(call);
    dbus_message_append_args(reply, DBUS_TYPE_UINT32, &last, DBUS_TYPE_INVALID);
  } else if (dbus_message_has_member(call, "GetServerInformation")) {
    const char *name = "responder", *vendor = "notify-bridge", *version = "1", *specification = "1.2";
    dbus_message_append_args(reply, DBUS_TYPE_STRING, &name, DBUS_TYPE_STRING, &vendor, DBUS_TYPE_STRING, &version,
                             DBUS_TYPE_STRING, &specification, DBUS_TYPE_INVALID);
  } else if (dbus_message_has_member(call, "GetCapabilities")) {
    const char *words[] = {"actions", "body", "body-markup"}, **list = words;
    dbus_message_append_args(reply, DBUS_TYPE_ARRAY, DBUS_TYPE_STRING, &list, 3, DBUS_TYPE_INVALID);
  }
  if (!dbus_message_get_no_reply(call)) dbus_connection_send(connection, reply, NULL);
  dbus_message_unref(reply);
}

int main(int argc, char **argv) {
  if (argc > 1) record = fopen(argv[1], "w");
  DBusError error = DBUS_ERROR_INIT;
  DBusConnection *connection = dbus_bus_get(DBUS_BUS_SESSION, &error);
  if (!connection || dbus_bus_request_name(connection, "org.freedesktop.Notifications", 0, &error) != 1) {
    fprintf(stderr, "responder: %s\n", dbus_error_is_set(&error) ? error.message : "the name is taken");
    return 1;
  }
  puts("ready");
  fflush(stdout);
  while (dbus_connection_read_write(connection, -1)) {
    DBusMessage *message;
    while ((message = dbus_connection_pop_message(connection))) {
      if (dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_METHOD_CALL) answer(connection, message);
      dbus_message_unref(message);
    }
  }
  return 0;
}
