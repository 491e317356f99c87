/* post-gdbus sequential|pipelined COUNT: posts by GDBus; prints the seconds that it took. */
#include <gio/gio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static GVariant *notify(int number) {
  char text[32];
  GVariantBuilder actions, hints;
  snprintf(text, sizeof text, "Notification %d", number);
  g_variant_builder_init(&actions, G_VARIANT_TYPE("as"));
  g_variant_builder_add(&actions, "s", "default");
  g_variant_builder_add(&actions, "s", "Open");
  g_variant_builder_init(&hints, G_VARIANT_TYPE("a{sv}"));
  g_variant_builder_add(&hints, "{sv}", "urgency", g_variant_new_byte(1));
  return g_variant_new("(susssasa{sv}i)", "benchmark", 0, "", text, "with a body", &actions, &hints, -1);
}

static int left;

static void answered(GObject *source, GAsyncResult *result, gpointer loop) {
  GVariant *reply = g_dbus_connection_call_finish(G_DBUS_CONNECTION(source), result, NULL);
  if (!reply) exit(1);
  g_variant_unref(reply);
  if (--left == 0) g_main_loop_quit(loop);
}

#define ADDRESS "org.freedesktop.Notifications", "/org/freedesktop/Notifications", "org.freedesktop.Notifications", "Notify"

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  int count = atoi(argv[2]);
  GError *error = NULL;
  GDBusConnection *connection = g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, &error);
  if (!connection) return fprintf(stderr, "post-gdbus: %s\n", error->message), 1;
  gint64 started = g_get_monotonic_time();
  if (!strcmp(argv[1], "sequential")) {
    for (int i = 0; i < count; i++) {
      GVariant *reply = g_dbus_connection_call_sync(connection, ADDRESS, notify(i), G_VARIANT_TYPE("(u)"), 0, 5000, NULL, &error);
      if (!reply) return fprintf(stderr, "post-gdbus: %s\n", error->message), 1;
      g_variant_unref(reply);
    }
  } else {
    GMainLoop *loop = g_main_loop_new(NULL, FALSE);
    left = count;
    for (int i = 0; i < count; i++)
      g_dbus_connection_call(connection, ADDRESS, notify(i), G_VARIANT_TYPE("(u)"), 0, 60000, NULL, answered, loop);
    g_main_loop_run(loop);
  }
  printf("%.9f\n", (g_get_monotonic_time() - started) / 1e6);
  return 0;
}
