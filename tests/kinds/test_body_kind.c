#include <tactus/body_kind.h>

#include <pthread.h>
#include <stdint.h>
#include "kinds/body_kind.h"
#include "kinds/empty_kind.h"
#include "kinds/kinds.h"
#include "test.h"

typedef struct Keys {
  double weight, sides[3];
  int count;
  bool hollow;
  const char *label, *file;
} Keys;

static const tacBodyKey good_keys[] = {
    {.name = "weight", .type = TAC_KEY_NUMBER, .offset = offsetof(Keys, weight), .unit = "kg"},
    {.name = "sides", .type = TAC_KEY_VECTOR, .offset = offsetof(Keys, sides), .unit = "m", .count = 3},
    {.name = "count", .type = TAC_KEY_COUNT, .offset = offsetof(Keys, count), .least = 1, .most = 9},
    {.name = "hollow", .type = TAC_KEY_FLAG, .offset = offsetof(Keys, hollow)},
    {.name = "label", .type = TAC_KEY_TEXT, .offset = offsetof(Keys, label)},
    {.name = "file", .type = TAC_KEY_PATH, .offset = offsetof(Keys, file)},
};
enum { KEYS = sizeof good_keys / sizeof *good_keys };

static tacBodyKind good_kind(const char *name) {
  return (tacBodyKind){.version = TAC_BODY_KIND_VERSION,
                       .name = name,
                       .summary = "of a test",
                       .key_count = KEYS,
                       .keys = good_keys,
                       .record_size = sizeof(Keys),
                       .create = create,
                       .table = &empty_table,
                       .shown = TAC_SHOWN_VERTICES};
}

/* Tests may share a process: rows stay. */
static void refused(const tacBodyKind *kind, tacStatus status, const char *text) {
  error = (tacError){0};
  int before = tac_body_kind_count();
  ck_assert_int_eq(tac_body_kind_register(kind, &error), status);
  ck_assert_msg(strstr(error.text, text) != NULL, "'%s' is not in '%s'", text, error.text);
  ck_assert_int_eq(tac_body_kind_count(), before);
  ck_assert_int_eq(tac_body_kind_register(kind, NULL), status);
}

TAC_TEST(a_row_is_found_by_its_name) {
  static tacBodyKind kind;
  error = (tacError){0};
  kind = good_kind("puppet");
  ck_assert_ptr_null(tac_body_kind_find("puppet"));
  int before = tac_body_kind_count();
  tac_test_ok(tac_body_kind_register(&kind, &error), error);
  tac_test_ok(tac_body_kind_register(&kind, &error), error); /* the same again */
  ck_assert_int_eq(tac_body_kind_count(), before + 1);
  ck_assert_ptr_eq(tac_body_kind_find("puppet"), &kind);
  ck_assert_ptr_eq(tac_body_kind_at(before), &kind);
  ck_assert_ptr_null(tac_body_kind_at(before + 1));
  ck_assert_ptr_null(tac_body_kind_at(-1));
  ck_assert_ptr_null(tac_body_kind_find(NULL));
  ck_assert_ptr_null(tac_body_kind_find("puppe"));
  tacBodyKind other = good_kind("puppet");
  refused(&other, TAC_ERR_ARGUMENT, "kind puppet: another kind already has this name");
}

/* Each of our own names is taken, and stays ours. */
TAC_TEST(builtin_names_are_rejected) {
  static const char *const ours[] = {"green", "reduced", "rigid", "corotational", "hyperelastic", "vademecum"};
  for (size_t i = 0; i < sizeof ours / sizeof *ours; ++i) {
    const tacBodyKind *own = tac_body_kind_find(ours[i]);
    ck_assert_msg(own != NULL, "%s is not in the list", ours[i]);
    tacBodyKind kind = good_kind(ours[i]);
    char text[128];
    snprintf(text, sizeof text, "kind %s: another kind already has this name", ours[i]);
    refused(&kind, TAC_ERR_ARGUMENT, text);
    ck_assert_ptr_eq(tac_body_kind_find(ours[i]), own);
  }
  int count = 0;
  while (tac_own_kinds[count] != NULL) ++count;
  ck_assert_int_eq(count, (int)(sizeof ours / sizeof *ours));
}

TAC_TEST(invalid_rows_are_rejected) {
  static char long_name[66];
  memset(long_name, 'x', 65);
  const char *const names[] = {NULL, "", ".hidden", "two words", "a|b", long_name};
  refused(NULL, TAC_ERR_ARGUMENT, "`kind` is NULL");
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    tacBodyKind kind = good_kind(names[i]);
    refused(&kind, TAC_ERR_ARGUMENT, "a kind has no valid name");
  }
  static const char *const texts[] = {"version 99",         "`summary` is NULL",        "`create` is NULL",
                                      "`table` is NULL",    "unknown value of `shown`", "at most 1024",
                                      "number of keys (6)", "number of keys (-1)"};
  for (int i = 0; i < (int)(sizeof texts / sizeof *texts); ++i) {
    tacBodyKind kind = good_kind("bad");
    if (i == 0) kind.version = 99;
    if (i == 1) kind.summary = NULL;
    if (i == 2) kind.create = NULL;
    if (i == 3) kind.table = NULL;
    if (i == 4) kind.shown = TAC_SHOWN_COORDINATES;
    if (i == 5) kind.record_size = TAC_BODY_KIND_MOST_RECORD + 1;
    if (i == 6) kind.keys = NULL;
    if (i == 7) kind.key_count = -1;
    refused(&kind, i == 0 ? TAC_ERR_VERSION : TAC_ERR_ARGUMENT, texts[i]);
  }
  ck_assert_ptr_null(tac_body_kind_find("bad"));
}

TAC_TEST(tables_without_a_required_function_are_rejected) {
  static const struct {
    size_t offset;
    const char *name;
  } needed[] = {{offsetof(tacBodyTable, destroy), "destroy"},
                {offsetof(tacBodyTable, reset), "reset"},
                {offsetof(tacBodyTable, describe), "describe"},
                {offsetof(tacBodyTable, vertex), "vertex"},
                {offsetof(tacBodyTable, vertex_normal), "vertex_normal"},
                {offsetof(tacBodyTable, place), "place"}};
  for (size_t i = 0; i < sizeof needed / sizeof *needed; ++i) {
    tacBodyTable table = empty_table;
    tacBodyKind kind = good_kind("bad");
    char text[80];
    memset((char *)&table + needed[i].offset, 0, sizeof table.destroy);
    kind.table = &table;
    snprintf(text, sizeof text, "kind bad: `table->%s` is NULL; it is required", needed[i].name);
    refused(&kind, TAC_ERR_ARGUMENT, text);
  }
  char text[80];
  tacBodyTable table = empty_table;
  tacBodyKind kind = good_kind("bad");
  table.version = TAC_BODY_TABLE_VERSION + 1;
  kind.table = &table;
  snprintf(text, sizeof text, "its table was built for version %d", TAC_BODY_TABLE_VERSION + 1);
  refused(&kind, TAC_ERR_VERSION, text);
}

TAC_TEST(invalid_keys_are_rejected) {
  const struct {
    int key;
    tacBodyKey with;
    const char *text;
  } cases[] = {
      {0, {.name = NULL}, "key 0 has no valid name"},
      {0, {.name = "a b"}, "key 0 has no valid name"},
      {0, {.name = "position"}, "key position: the name is reserved: every body has a key of this name"},
      {1, {.name = "weight"}, "key weight: the name is used twice"},
      {0, {.name = "k", .type = (tacKeyType)6}, "key k: the type is not a value of tacKeyType"},
      {0, {.name = "k", .type = (tacKeyType)-1}, "key k: the type is not a value of tacKeyType"},
      {0, {.name = "k", .type = TAC_KEY_VECTOR, .count = 0}, "key k: a vector must have 1 to 16 values"},
      {0, {.name = "k", .type = TAC_KEY_VECTOR, .count = 17}, "key k: a vector must have 1 to 16 values"},
      {0, {.name = "k", .offset = sizeof(Keys)}, "key k: the value lies outside the record"},
      {0, {.name = "k", .offset = SIZE_MAX}, "key k: the value lies outside the record"},
      {0, {.name = "k", .offset = 4}, "key k: the offset of its value is not aligned"},
      {0,
       {.name = "k", .least = 2.0, .most = 1.0},
       "key k: least and most must be finite, and least must not exceed "
       "most"},
      {0,
       {.name = "k", .least = -1.0, .most = (double)INFINITY},
       "key k: least and most must be finite, and least "
       "must not exceed most"},
      {0,
       {.name = "k", .type = TAC_KEY_COUNT},
       "key k: a count needs least and most, which must differ and lie "
       "within -1e9 and 1e9"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    tacBodyKey keys[KEYS];
    memcpy(keys, good_keys, sizeof keys);
    keys[cases[i].key] = cases[i].with;
    tacBodyKind kind = good_kind("bad");
    kind.keys = keys;
    refused(&kind, TAC_ERR_ARGUMENT, cases[i].text);
  }
}

enum { THREADS = 4, EACH = 5 };
static tacBodyKind many[EACH];
static char many_names[EACH][16];

static void *register_many(void *user) {
  (void)user;
  for (int i = 0; i < EACH; ++i) {
    error = (tacError){0};
    if (tac_body_kind_register(&many[i], &error) != TAC_OK) return &many[i];
    if (tac_body_kind_find(many[i].name) != &many[i]) return &many[i];
  }
  return NULL;
}

TAC_TEST(threads_can_register_concurrently) {
  pthread_t threads[THREADS];
  int before = tac_body_kind_count();
  for (int i = 0; i < EACH; ++i) {
    snprintf(many_names[i], sizeof many_names[i], "many-%d", i);
    many[i] = good_kind(many_names[i]);
  }
  for (int t = 0; t < THREADS; ++t) ck_assert_int_eq(pthread_create(&threads[t], NULL, register_many, NULL), 0);
  for (int t = 0; t < THREADS; ++t) {
    void *failed;
    ck_assert_int_eq(pthread_join(threads[t], &failed), 0);
    ck_assert_ptr_null(failed);
  }
  ck_assert_int_eq(tac_body_kind_count(), before + EACH);
}

/* Last: afterwards there is no room. */
TAC_TEST(kinds_beyond_the_limit_are_rejected) {
  static tacBodyKind kinds[TAC_BODY_KIND_MOST + 1];
  static char names[TAC_BODY_KIND_MOST + 1][16];
  error = (tacError){0};
  int count = 0;
  for (; tac_body_kind_count() < TAC_BODY_KIND_MOST; ++count) {
    snprintf(names[count], sizeof names[count], "full-%d", count);
    kinds[count] = good_kind(names[count]);
    tac_test_ok(tac_body_kind_register(&kinds[count], &error), error);
  }
  kinds[count] = good_kind("one-more");
  refused(&kinds[count], TAC_ERR_ARGUMENT, "too many kinds; 64 are already registered");
}

TAC_TEST(shared_objects_without_kinds_are_rejected) {
  error = (tacError){0};
  ck_assert_int_eq(tac_body_kind_load(NULL, &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_body_kind_load("", &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_body_kind_load("/nowhere/kinds.so", &error), TAC_ERR_FILE);
  ck_assert_ptr_nonnull(strstr(error.text, "/nowhere/kinds.so: cannot load these kinds of bodies"));
  static const struct {
    const char *file;
    tacStatus status;
    const char *text;
  } broken[] = {
      {"broken_kind_symbol.so", TAC_ERR_FORMAT,
       "the function `const tacBodyKind *const *tactus_body_kinds(void)` is missing"},
      {"broken_kind_null.so", TAC_ERR_FORMAT, "tactus_body_kinds() returned NULL"},
      {"broken_kind_version.so", TAC_ERR_VERSION,
       "a kind was built for interface version 7, but this library has "
       "version 3"},
      {"broken_kind_second.so", TAC_ERR_ARGUMENT, "kind second: `create` is NULL; it is required"},
  };
  int before = tac_body_kind_count();
  for (size_t i = 0; i < sizeof broken / sizeof *broken; ++i) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", TAC_TEST_MODULES, broken[i].file);
    ck_assert_int_eq(tac_body_kind_load(path, &error), broken[i].status);
    ck_assert_msg(strncmp(error.text, path, strlen(path)) == 0, "%s", error.text);
    ck_assert_msg(strstr(error.text, broken[i].text) != NULL, "%s", error.text);
    ck_assert_int_eq(tac_body_kind_count(), before); /* all or none */
  }
}
