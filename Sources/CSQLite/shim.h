#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

/* SQLITE_TRANSIENT is a cast macro, which Swift does not import: SQLite copies the text. */
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const void *text, sqlite3_uint64 length)
{
  return sqlite3_bind_text64(statement, index, (const char *)text, length, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/* sqlite3_db_config is variadic, which Swift does not import. For the options SQLITE_DBCONFIG_* that are on or off. */
static inline int csqlite_configure(sqlite3 *database, int option, int on)
{
  return sqlite3_db_config(database, option, on, (int *)0);
}

#endif
