#ifndef CGLIB_SHIM_H
#define CGLIB_SHIM_H

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <gio/gio.h>
#include <glib.h>

#endif
