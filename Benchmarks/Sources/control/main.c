/* control MODE ...: calls the resident bridge as any program could; prints the seconds that it took.

   control first                    its first answered call; the bus starts it
   control add COUNT APPLICATIONS [STEP]
                                    hands over requests without waiting for answers, as many to each application; they are
                                    due in a year, or STEP seconds after each other from in two seconds on
   control list APPLICATION         asks for what one application has scheduled */
#include <dbus/dbus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *bridge = "org.notifybridge.Bridge1", *path = "/org/notifybridge/Bridge1";

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static void fail(const char *what) {
  fprintf(stderr, "control: %s\n", what);
  exit(1);
}

static DBusMessage *call(const char *member) { return dbus_message_new_method_call(bridge, path, bridge, member); }

static void open_entry(DBusMessageIter *entries, const char *key, const char *type, DBusMessageIter *entry,
                       DBusMessageIter *value) {
  dbus_message_iter_open_container(entries, DBUS_TYPE_DICT_ENTRY, NULL, entry);
  dbus_message_iter_append_basic(entry, DBUS_TYPE_STRING, &key);
  dbus_message_iter_open_container(entry, DBUS_TYPE_VARIANT, type, value);
}

static void close_entry(DBusMessageIter *entries, DBusMessageIter *entry, DBusMessageIter *value) {
  dbus_message_iter_close_container(entry, value);
  dbus_message_iter_close_container(entries, entry);
}

static void basic(DBusMessageIter *entries, const char *key, const char *type, const void *content) {
  DBusMessageIter entry, value;
  open_entry(entries, key, type, &entry, &value);
  dbus_message_iter_append_basic(&value, *type, content);
  close_entry(entries, &entry, &value);
}

/* A request with a title, a body and a trigger. */
static DBusMessage *post(const char *application, int number, double interval) {
  DBusMessage *message = call("Post");
  char name[32], title[64];
  const char *texts[] = {name, title, "with a body"};
  snprintf(name, sizeof name, "n%d", number);
  snprintf(title, sizeof title, "Notification %d", number);
  DBusMessageIter arguments, request, entry, value, inner, none;
  dbus_message_iter_init_append(message, &arguments);
  dbus_message_iter_append_basic(&arguments, DBUS_TYPE_STRING, &application);
  dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{sv}", &request);
  basic(&request, "identifier", "s", &texts[0]);
  open_entry(&request, "content", "a{sv}", &entry, &value);
  dbus_message_iter_open_container(&value, DBUS_TYPE_ARRAY, "{sv}", &inner);
  basic(&inner, "title", "s", &texts[1]);
  basic(&inner, "body", "s", &texts[2]);
  dbus_message_iter_close_container(&value, &inner);
  close_entry(&request, &entry, &value);
  open_entry(&request, "trigger", "a{sv}", &entry, &value);
  dbus_message_iter_open_container(&value, DBUS_TYPE_ARRAY, "{sv}", &inner);
  basic(&inner, "interval", "d", &interval);
  dbus_message_iter_close_container(&value, &inner);
  close_entry(&request, &entry, &value);
  dbus_message_iter_close_container(&arguments, &request);
  dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "h", &none);
  dbus_message_iter_close_container(&arguments, &none);
  dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{sv}", &none);
  dbus_message_iter_close_container(&arguments, &none);
  return message;
}

/* Sends them, and waits for all answers; every one must be a report. */
static void add(DBusConnection *connection, int count, int applications, double step) {
  int sent = 0, answered = 0;
  while (answered < count) {
    /* As many as a bus lets wait. */
    while (sent < count && sent - answered < 1000) {
      char application[32];
      snprintf(application, sizeof application, "org.example.App%d", sent % applications);
      DBusMessage *message = post(application, sent, step > 0 ? 2 + step * sent : 365 * 86400.0 + sent);
      if (!dbus_connection_send(connection, message, NULL)) fail("out of memory");
      dbus_message_unref(message);
      sent++;
    }
    if (!dbus_connection_read_write(connection, -1)) fail("the bus is gone");
    DBusMessage *message;
    while ((message = dbus_connection_pop_message(connection))) {
      if (dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_ERROR) {
        const char *text = "";
        dbus_message_get_args(message, NULL, DBUS_TYPE_STRING, &text, DBUS_TYPE_INVALID);
        fail(text);
      }
      answered += dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_METHOD_RETURN;
      dbus_message_unref(message);
    }
  }
}

static void ask(DBusConnection *connection, DBusMessage *message) {
  DBusError error = DBUS_ERROR_INIT;
  if (!dbus_connection_send_with_reply_and_block(connection, message, 60000, &error)) fail(error.message);
}

int main(int argc, char **argv) {
  DBusError error = DBUS_ERROR_INIT;
  const char *mode = argc > 1 ? argv[1] : "";
  DBusConnection *connection = dbus_bus_get(DBUS_BUS_SESSION, &error);
  if (!connection) fail(error.message);
  double started = now();
  if (!strcmp(mode, "first") && argc == 2) {
    ask(connection, call("Status"));
  } else if (!strcmp(mode, "add") && (argc == 4 || argc == 5)) {
    add(connection, atoi(argv[2]), atoi(argv[3]), argc == 5 ? atof(argv[4]) : 0);
  } else if (!strcmp(mode, "list") && argc == 3) {
    DBusMessage *message = call("List");
    const char *kind = "pending";
    dbus_message_append_args(message, DBUS_TYPE_STRING, &argv[2], DBUS_TYPE_STRING, &kind, DBUS_TYPE_INVALID);
    ask(connection, message);
  } else {
    fail("see the beginning of its source");
  }
  printf("%.9f\n", now() - started);
  return 0;
}
