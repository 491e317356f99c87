#ifndef CGLIB_SHIM_H
#define CGLIB_SHIM_H

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <gio/gio.h>
#include <glib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* g_signal_connect is a macro, and what it connects is untyped. These have the handler's type checked. The handler is
   called until the loader is released; `data` must live as long. */

static inline void cglib_on_size_prepared(GdkPixbufLoader *loader,
                                          void (*handler)(GdkPixbufLoader *loader, int width, int height, void *data),
                                          void *data)
{
  g_signal_connect(loader, "size-prepared", G_CALLBACK(handler), data);
}

static inline void cglib_on_area_updated(GdkPixbufLoader *loader,
                                         void (*handler)(GdkPixbufLoader *loader, int x, int y, int width, int height,
                                                         void *data),
                                         void *data)
{
  g_signal_connect(loader, "area-updated", G_CALLBACK(handler), data);
}

/* What an animation shows after a day: the last frame of one that plays once. The caller owns it; NULL when there is
   none. Here since times are given as a GTimeVal, which is deprecated and yet all that the library takes. */
static inline GdkPixbuf *cglib_last_frame(GdkPixbufAnimation *animation)
{
  G_GNUC_BEGIN_IGNORE_DEPRECATIONS
  GTimeVal start = {0, 0};
  GTimeVal end = {86400, 0};
  GdkPixbufAnimationIter *place = gdk_pixbuf_animation_get_iter(animation, &start);
  GdkPixbuf *picture = NULL;
  if (place != NULL) {
    gdk_pixbuf_animation_iter_advance(place, &end);
    GdkPixbuf *shown = gdk_pixbuf_animation_iter_get_pixbuf(place);
    picture = shown == NULL ? NULL : gdk_pixbuf_copy(shown);
    g_object_unref(place);
  }
  return picture;
  G_GNUC_END_IGNORE_DEPRECATIONS
}

/* A new file in memory, closed on exec; -1: errno says why. Swift does not import memfd_create. */
static inline int cglib_memory_file(const char *name)
{
  return (int)syscall(SYS_memfd_create, name, 1U /* MFD_CLOEXEC */);
}

#endif
