#include <tactus/body_kind.h>

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <string.h>
#include "base/error.h"
#include "base/plugin.h"
#include "device/driver_file.h"
#include "kinds/body_kind.h"
#include "kinds/kinds.h"

static const char symbol[] = "tactus_body_kinds";
/* Key names that a kind must not define, because Tactus defines these keys itself. */
static const char *const common_keys[] = {"name",  "kind",    "position", "rotation", "surface", "points",
                                          "field", "free",    "velocity", "spin",     "gravity", "friction",
                                          "touch", "contact", "every",    "copies",   "live",    "analytic"};

/* Registered kinds follow the built-in kinds and are never removed. `kind_count` is increased only after the new
 * entries are stored, so readers need no lock. */
static const tacBodyKind *kinds[TAC_BODY_KIND_MOST];
static atomic_int kind_count;
static pthread_mutex_t adding = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t listed = PTHREAD_ONCE_INIT;

static void list_own(void) {
  int count = 0;
  for (; tac_own_kinds[count] != NULL; ++count) kinds[count] = tac_own_kinds[count];
  atomic_store_explicit(&kind_count, count, memory_order_release);
}

static bool is_name(const char *text) {
  static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
  size_t length = text != NULL ? strnlen(text, 65) : 0;
  return length > 0 && length <= 64 && strspn(text, allowed) == length && text[0] != '.';
}

/* ---- keys ---- */

static const struct {
  size_t size, alignment;
} stored[] = {
    [TAC_KEY_NUMBER] = {sizeof(double), alignof(double)}, [TAC_KEY_VECTOR] = {sizeof(double), alignof(double)},
    [TAC_KEY_COUNT] = {sizeof(int), alignof(int)},        [TAC_KEY_FLAG] = {sizeof(bool), alignof(bool)},
    [TAC_KEY_TEXT] = {sizeof(char *), alignof(char *)},   [TAC_KEY_PATH] = {sizeof(char *), alignof(char *)},
};

static const char *wrong_key(const tacBodyKind *kind, int index) {
  const tacBodyKey *key = &kind->keys[index];
  for (size_t i = 0; i < sizeof common_keys / sizeof *common_keys; ++i)
    if (strcmp(key->name, common_keys[i]) == 0) return "the name is reserved: every body has a key of this name";
  for (int i = 0; i < index; ++i)
    if (strcmp(kind->keys[i].name, key->name) == 0) return "the name is used twice";
  if ((unsigned)key->type >= sizeof stored / sizeof *stored) return "the type is not a value of tacKeyType";
  bool is_vector = key->type == TAC_KEY_VECTOR;
  if (is_vector && (key->count < 1 || key->count > TAC_BODY_KIND_MOST_VALUES))
    return "a vector must have 1 to 16 values";
  size_t size = stored[key->type].size * (is_vector ? (size_t)key->count : 1);
  if (key->offset > kind->record_size || size > kind->record_size - key->offset)
    return "the value lies outside the record";
  if (key->offset % stored[key->type].alignment != 0) return "the offset of its value is not aligned";
  if (!isfinite(key->least) || !isfinite(key->most) || key->least > key->most)
    return "least and most must be finite, and "
           "least must not exceed most";
  if (key->type == TAC_KEY_COUNT && (key->least == key->most || fabs(key->least) > 1e9 || fabs(key->most) > 1e9))
    return "a count needs least and most, which must differ and lie within -1e9 and 1e9";
  return NULL;
}

static tacStatus check_keys(const tacBodyKind *kind, tacError *error) {
  if (kind->key_count < 0 || kind->key_count > TAC_BODY_KIND_MOST_KEYS || (kind->key_count > 0 && kind->keys == NULL))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "kind %s: wrong number of keys (%d); use 0 to %d, and set `keys`",
                         kind->name, kind->key_count, TAC_BODY_KIND_MOST_KEYS);
  for (int i = 0; i < kind->key_count; ++i) {
    if (!is_name(kind->keys[i].name))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "kind %s: key %d has no valid name", kind->name, i);
    const char *wrong = wrong_key(kind, i);
    if (wrong != NULL)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "kind %s: key %s: %s", kind->name, kind->keys[i].name, wrong);
  }
  return TAC_OK;
}

/* ---- checks of a kind ---- */

static const char *lacks(const tacBodyKind *kind) {
  const tacBodyTable *table = kind->table;
  if (kind->summary == NULL) return "summary";
  if (kind->create == NULL) return "create";
  if (table == NULL) return "table";
  if (table->destroy == NULL) return "table->destroy";
  if (table->reset == NULL) return "table->reset";
  if (table->describe == NULL) return "table->describe";
  if (table->vertex == NULL) return "table->vertex";
  if (table->vertex_normal == NULL) return "table->vertex_normal";
  if (table->place == NULL) return "table->place";
  return NULL;
}

static tacStatus check_row(const tacBodyKind *kind, tacError *error) {
  if (kind->version != TAC_BODY_KIND_VERSION)
    return tac_error_set(error, TAC_ERR_VERSION,
                         "a kind was built for interface version %u, but this library has version %d; recompile the "
                         "kind",
                         (unsigned)kind->version, TAC_BODY_KIND_VERSION);
  if (!is_name(kind->name))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "a kind has no valid name; use up to 64 letters, digits, '-', '_' and '.'");
  if (kind->scene != NULL)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "kind %s: `scene` is reserved for kinds built into the library; it must be NULL", kind->name);
  const char *lacking = lacks(kind);
  if (lacking != NULL)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "kind %s: `%s` is NULL; it is required", kind->name, lacking);
  if (kind->table->version != TAC_BODY_TABLE_VERSION)
    return tac_error_set(error, TAC_ERR_VERSION,
                         "kind %s: its table was built for version %u, but this library has version %d; recompile "
                         "the kind",
                         kind->name, (unsigned)kind->table->version, TAC_BODY_TABLE_VERSION);
  if (kind->shown != TAC_SHOWN_VERTICES && kind->shown != TAC_SHOWN_RIGID)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "kind %s: unknown value of `shown`; use TAC_SHOWN_VERTICES or "
                         "TAC_SHOWN_RIGID",
                         kind->name);
  if (kind->record_size > TAC_BODY_KIND_MOST_RECORD)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "kind %s: the record is too large (%zu bytes); at most %d are "
                         "allowed",
                         kind->name, kind->record_size, TAC_BODY_KIND_MOST_RECORD);
  return check_keys(kind, error);
}

/* Adds all `rows`, or no row if an error occurs. Call with `adding` locked, after `check_row` of each row. */
static tacStatus add_rows(int count, const tacBodyKind *const *rows, tacError *error) {
  int after = tac_body_kind_count();
  for (int i = 0; i < count; ++i) {
    bool known = false;
    for (int k = 0; k < after; ++k) {
      known = known || kinds[k] == rows[i];
      if (kinds[k] != rows[i] && strcmp(kinds[k]->name, rows[i]->name) == 0)
        return tac_error_set(error, TAC_ERR_ARGUMENT, "kind %s: another kind already has this name", rows[i]->name);
    }
    if (known) continue;
    if (after == TAC_BODY_KIND_MOST)
      return tac_error_set(error, TAC_ERR_ARGUMENT,
                           "kind %s: too many kinds; %d are already registered, which is "
                           "the limit",
                           rows[i]->name, TAC_BODY_KIND_MOST);
    kinds[after++] = rows[i];
  }
  atomic_store_explicit(&kind_count, after, memory_order_release);
  return TAC_OK;
}

static tacStatus register_rows(int count, const tacBodyKind *const *rows, tacError *error) {
  for (int i = 0; i < count; ++i) TAC_TRY(check_row(rows[i], error));
  pthread_mutex_lock(&adding);
  tacStatus status = add_rows(count, rows, error);
  pthread_mutex_unlock(&adding);
  return status;
}

tacStatus tac_body_kind_register(const tacBodyKind *kind, tacError *error) {
  TAC_REQUIRE(error, kind);
  return register_rows(1, &kind, error);
}

static tacStatus load_rows(const char *path, const tacBodyKind *const **rows, int *count, tacError *error) {
  const tacBodyKind *const *(*entry)(void) = NULL;
  void *library = NULL;
  char installed[PATH_MAX];
  bool known = tac_driver_file_installed(path, installed);
  TAC_TRY(tac_plugin_open(path, "these kinds of bodies", known ? installed : NULL, &library, error));
  void *address = dlsym(library, symbol);
  if (address == NULL)
    return tac_error_set(error, TAC_ERR_FORMAT,
                         "%s: the file contains no kinds of bodies: the function `const tacBodyKind *const "
                         "*%s(void)` is missing",
                         path, symbol);
  memcpy(&entry, &address, sizeof entry); /* ISO C forbids a cast from an object pointer to a function pointer */
  *rows = entry();
  if (*rows == NULL) return tac_error_set(error, TAC_ERR_FORMAT, "%s: %s() returned NULL", path, symbol);
  for (*count = 0; (*rows)[*count] != NULL; ++*count)
    if (*count == TAC_BODY_KIND_MOST)
      return tac_error_set(error, TAC_ERR_FORMAT, "%s: %s() returned more than %d kinds; the list must end with NULL",
                           path, symbol, TAC_BODY_KIND_MOST);
  return TAC_OK;
}

tacStatus tac_body_kind_load(const char *path, tacError *error) {
  const tacBodyKind *const *rows = NULL;
  int count = 0;
  tacError reason = {0};
  TAC_REQUIRE(error, path);
  if (path[0] == 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "the path of the body kinds is empty; give the path of a shared "
                         "object");
  TAC_TRY(load_rows(path, &rows, &count, error));
  tacStatus status = register_rows(count, rows, &reason);
  return status == TAC_OK ? TAC_OK : tac_error_set(error, status, "%s: %.400s", path, reason.text);
}

int tac_body_kind_count(void) {
  pthread_once(&listed, list_own);
  return atomic_load_explicit(&kind_count, memory_order_acquire);
}

const tacBodyKind *tac_body_kind_at(int index) {
  return index >= 0 && index < tac_body_kind_count() ? kinds[index] : NULL;
}

const tacBodyKind *tac_body_kind_find(const char *name) {
  int count = tac_body_kind_count();
  for (int i = 0; name != NULL && i < count; ++i)
    if (strcmp(kinds[i]->name, name) == 0) return kinds[i];
  return NULL;
}
