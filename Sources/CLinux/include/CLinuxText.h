/* Texts in the user's language, by glibc's gettext, without a change to the locale of the process. */
#ifndef CLINUX_TEXT_H
#define CLINUX_TEXT_H

#include <libintl.h>
#include <locale.h>

/* The language that the environment names, or NULL when this system has no such locale. Belongs to the caller. */
static inline locale_t clinux_message_locale(void) { return newlocale(LC_MESSAGES_MASK, "", (locale_t)0); }

/* Has the domain's catalogues read from a folder, as UTF-8. 0, or -1 without memory. */
static inline int clinux_bind_catalogue(const char *domain, const char *folder) {
  return bindtextdomain(domain, folder) && bind_textdomain_codeset(domain, "UTF-8") ? 0 : -1;
}

/* A text in the language of a locale that clinux_message_locale gave: a text of the catalogue, which stays, or the
   argument itself. Only the calling thread's locale changes, and for that long. */
static inline const char *clinux_translate(locale_t locale, const char *domain, const char *text) {
  locale_t before = uselocale(locale);
  const char *found = dgettext(domain, text);
  uselocale(before);
  return found;
}

/* The same for a text that depends on a number. */
static inline const char *clinux_translate_plural(
    locale_t locale, const char *domain, const char *one, const char *many, unsigned long count) {
  locale_t before = uselocale(locale);
  const char *found = dngettext(domain, one, many, count);
  uselocale(before);
  return found;
}

#endif
