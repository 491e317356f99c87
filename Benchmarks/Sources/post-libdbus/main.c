/* post-libdbus sequential|pipelined COUNT: posts by libdbus; prints the seconds that it took. */
#include <dbus/dbus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void append_pair(DBusMessageIter *hints, const char *name, int type, const char *signature, const void *value) {
  DBusMessageIter entry, variant;
  dbus_message_iter_open_container(hints, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
  dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &name);
  dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, signature, &variant);
  dbus_message_iter_append_basic(&variant, type, value);
  dbus_message_iter_close_container(&entry, &variant);
  dbus_message_iter_close_container(hints, &entry);
}

/* The same call as the library makes for the same content. */
static DBusMessage *notify(int number) {
  char text[32];
  snprintf(text, sizeof text, "Notification %d", number);
  const char *app = "benchmark", *icon = "", *summary = text, *body = "with a body", *actions[] = {"default", "Open"};
  dbus_uint32_t replaces = 0;
  dbus_int32_t timeout = -1;
  unsigned char urgency = 1;
  DBusMessage *call = dbus_message_new_method_call(
      "org.freedesktop.Notifications", "/org/freedesktop/Notifications", "org.freedesktop.Notifications", "Notify");
  DBusMessageIter arguments, list, hints;
  dbus_message_iter_init_append(call, &arguments);
  dbus_message_iter_append_basic(&arguments, DBUS_TYPE_STRING, &app);
  dbus_message_iter_append_basic(&arguments, DBUS_TYPE_UINT32, &replaces);
  dbus_message_iter_append_basic(&arguments, DBUS_TYPE_STRING, &icon);
  dbus_message_iter_append_basic(&arguments, DBUS_TYPE_STRING, &summary);
  dbus_message_iter_append_basic(&arguments, DBUS_TYPE_STRING, &body);
  dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "s", &list);
  for (int i = 0; i < 2; i++) dbus_message_iter_append_basic(&list, DBUS_TYPE_STRING, &actions[i]);
  dbus_message_iter_close_container(&arguments, &list);
  dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{sv}", &hints);
  append_pair(&hints, "urgency", DBUS_TYPE_BYTE, "y", &urgency);
  dbus_message_iter_close_container(&arguments, &hints);
  dbus_message_iter_append_basic(&arguments, DBUS_TYPE_INT32, &timeout);
  return call;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  int count = atoi(argv[2]);
  DBusError error = DBUS_ERROR_INIT;
  DBusConnection *connection = dbus_bus_get_private(DBUS_BUS_SESSION, &error);
  if (!connection) return fprintf(stderr, "post-libdbus: %s\n", error.message), 1;
  double started = now();
  if (!strcmp(argv[1], "sequential")) {
    for (int i = 0; i < count; i++) {
      DBusMessage *call = notify(i), *reply = dbus_connection_send_with_reply_and_block(connection, call, 5000, &error);
      if (!reply) return fprintf(stderr, "post-libdbus: %s\n", error.message), 1;
      dbus_message_unref(reply);
      dbus_message_unref(call);
    }
  } else {
    DBusPendingCall **calls = calloc(count, sizeof *calls);
    for (int i = 0; i < count; i++) {
      DBusMessage *call = notify(i);
      dbus_connection_send_with_reply(connection, call, &calls[i], 60000);
      dbus_message_unref(call);
    }
    for (int i = 0; i < count; i++) {
      dbus_pending_call_block(calls[i]);
      DBusMessage *reply = dbus_pending_call_steal_reply(calls[i]);
      if (dbus_message_get_type(reply) == DBUS_MESSAGE_TYPE_ERROR) return fputs("post-libdbus: refused\n", stderr), 1;
      dbus_message_unref(reply);
      dbus_pending_call_unref(calls[i]);
    }
    free(calls);
  }
  printf("%.9f\n", now() - started);
  return 0;
}
