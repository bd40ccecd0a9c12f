#include "spec/text/schema.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/nearest.h"

typedef struct {
  tacYamlTree *tree;
  tacError *error;
} Reader;

static tacStatus read_map(const Reader *r, const tacYamlNode *node, const tacRecord *record, char *target);

static const char *kind_noun(tacYamlKind kind) {
  return kind == TAC_YAML_TEXT ? "a single value" : kind == TAC_YAML_LIST ? "a list" : "a map";
}

/* The word of number `index` in "a|b|c"; false where there is none. */
static bool nth_word(const char *words, int index, char *word, size_t size) {
  for (; index > 0; --index) {
    words += strcspn(words, "|");
    if (*words == '\0') return false;
    ++words;
  }
  snprintf(word, size, "%.*s", (int)strcspn(words, "|"), words);
  return true;
}

static int find_word(const char *words, const char *text) {
  char word[80];
  for (int i = 0; nth_word(words, i, word, sizeof word); ++i)
    if (strcmp(word, text) == 0) return i;
  return -1;
}

static tacStatus refuse_word(const Reader *r, const tacYamlNode *node, const char *words, const char *text) {
  char all[200] = "", word[80];
  for (int i = 0; nth_word(words, i, word, sizeof word); ++i)
    snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i > 0 ? ", " : "", word);
  return tac_yaml_error(r->tree, node, TAC_ERR_FORMAT, r->error, "%.40s is not one of the allowed values: %s",
                        *text != '\0' ? text : "nothing", all);
}

static tacYamlKind node_kind(tacFieldKind kind) {
  switch (kind) {
    case TAC_FIELD_RECORD:
    case TAC_FIELD_MAP: return TAC_YAML_MAP;
    case TAC_FIELD_LIST:
    case TAC_FIELD_TEXTS:
    case TAC_FIELD_QUANTITIES:
    case TAC_FIELD_CHOICES: return TAC_YAML_LIST;
    default: return TAC_YAML_TEXT;
  }
}

/* How a value of it is written. */
static const char *example_of(const tacField *field, char *room, size_t size) {
  if (field->unit == NULL) return tac_quantity_example(field->quantity);
  snprintf(room, size, "1 %s", field->unit);
  return room;
}

/* What to write where a value has the wrong form. */
static void describe(const tacField *field, char *text, size_t size) {
  char room[40];
  switch (field->kind) {
    case TAC_FIELD_QUANTITY: snprintf(text, size, "%s: %s", field->key, example_of(field, room, sizeof room)); break;
    case TAC_FIELD_QUANTITIES: {
      const char *example = example_of(field, room, sizeof room);
      if (field->count == 3)
        snprintf(text, size, "%s: [%s, %s, %s]", field->key, example, example, example);
      else
        snprintf(text, size, "%s: [%s, ...] with %d values", field->key, example, field->count);
      break;
    }
    case TAC_FIELD_COUNT: snprintf(text, size, "%s: %g", field->key, field->lower); break;
    case TAC_FIELD_FLAG: snprintf(text, size, "%s: true", field->key); break;
    case TAC_FIELD_TEXT:
    case TAC_FIELD_NAME: snprintf(text, size, "%s: some-text", field->key); break;
    case TAC_FIELD_CHOICE:
      snprintf(text, size, "%s: %.*s", field->key, (int)strcspn(field->words, "|"), field->words);
      break;
    case TAC_FIELD_CHOICES:
      snprintf(text, size, "%s: [%.*s]", field->key, (int)strcspn(field->words, "|"), field->words);
      break;
    case TAC_FIELD_RECORD: snprintf(text, size, "%s: {%s: ...}", field->key, field->record->fields[0].key); break;
    case TAC_FIELD_LIST: snprintf(text, size, "%s: [{%s: ...}]", field->key, field->record->fields[0].key); break;
    case TAC_FIELD_TEXTS: snprintf(text, size, "%s: [some-text]", field->key); break;
    case TAC_FIELD_MAP: snprintf(text, size, "%s: {name: value}", field->key); break;
  }
}

static tacStatus read_quantity(const Reader *r, const tacYamlNode *node, const tacField *field, double *target) {
  tacError reason;
  char room[40];
  if (node->kind != TAC_YAML_TEXT)
    return tac_yaml_error(r->tree, node, TAC_ERR_FORMAT, r->error,
                          "a single value is needed, but this is %s; write "
                          "%s like %s",
                          kind_noun(node->kind), field->unit == NULL ? tac_quantity_noun(field->quantity) : "it",
                          example_of(field, room, sizeof room));
  if (field->words != NULL && strcmp(node->text, field->words) == 0) {
    *target = 0.0;
    return TAC_OK;
  }
  tacStatus status = field->unit == NULL ? tac_quantity_read(node->text, field->quantity, target, &reason)
                                         : tac_quantity_read_in(node->text, field->unit, target, &reason);
  if (status != TAC_OK)
    return tac_yaml_error(r->tree, node, TAC_ERR_FORMAT, r->error, "%s%s%s", reason.text,
                          field->words != NULL ? ", or " : "", field->words != NULL ? field->words : "");
  if ((field->lower != 0.0 || field->upper != 0.0) && !(*target >= field->lower && *target <= field->upper)) {
    const char *unit = field->unit != NULL ? field->unit : tac_quantity_unit(field->quantity);
    return tac_yaml_error(r->tree, node, TAC_ERR_FORMAT, r->error,
                          "%.40s is out of range; the allowed range is %g "
                          "to %g%s%s",
                          node->text, field->lower, field->upper, *unit != '\0' ? " " : "", unit);
  }
  return TAC_OK;
}

static tacStatus read_quantities(const Reader *r, const tacYamlNode *node, const tacField *field, double *target) {
  if (node->count != field->count)
    return tac_yaml_error(r->tree, node, TAC_ERR_FORMAT, r->error, "the list has %d values, but %d are needed",
                          node->count, field->count);
  for (const tacYamlNode *item = node->first; item != NULL; item = item->next)
    TAC_TRY(read_quantity(r, item, field, &target[item->index]));
  return TAC_OK;
}

static tacStatus read_count(const Reader *r, const tacYamlNode *node, const tacField *field, int *target) {
  double value = 0.0;
  tacError reason;
  if (tac_quantity_read(node->text, TAC_QUANTITY_NUMBER, &value, &reason) != TAC_OK || value != floor(value) ||
      !(value >= field->lower && value <= field->upper))
    return tac_yaml_error(r->tree, node, TAC_ERR_FORMAT, r->error, "%.40s is not a whole number from %.10g to %.10g",
                          *node->text != '\0' ? node->text : "nothing", field->lower, field->upper);
  *target = (int)value;
  return TAC_OK;
}

static tacStatus read_name(const Reader *r, const tacYamlNode *node, const char **target) {
  static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
  size_t length = strlen(node->text);
  if (length == 0 || length > 64 || strspn(node->text, allowed) != length || node->text[0] == '.')
    return tac_yaml_error(r->tree, node, TAC_ERR_FORMAT, r->error,
                          "'%.64s' is not a valid name; use up to 64 letters, digits, '-', '_' and '.', and do not "
                          "start with '.'",
                          node->text);
  *target = node->text;
  return TAC_OK;
}

static tacStatus read_choices(const Reader *r, const tacYamlNode *node, const tacField *field, uint32_t *target) {
  for (const tacYamlNode *item = node->first; item != NULL; item = item->next) {
    int word = item->kind == TAC_YAML_TEXT ? find_word(field->words, item->text) : -1;
    if (word < 0)
      return refuse_word(r, item, field->words, item->kind == TAC_YAML_TEXT ? item->text : kind_noun(item->kind));
    *target |= 1u << word;
  }
  return TAC_OK;
}

/* Room for the items of a list, which must have one. */
static tacStatus make_list(const Reader *r, const tacYamlNode *node, size_t size, tacSchemaList *target) {
  if (node->count == 0)
    return tac_yaml_error(r->tree, node, TAC_ERR_FORMAT, r->error,
                          "the list is empty; give it at least one entry or "
                          "leave the key out");
  *target = (tacSchemaList){tac_yaml_tree_allocate(r->tree, (size_t)node->count, size, r->error), node->count};
  return target->items != NULL ? TAC_OK : TAC_ERR_MEMORY;
}

static tacStatus read_list(const Reader *r, const tacYamlNode *node, const tacField *field, tacSchemaList *target) {
  size_t size = field->record->size;
  TAC_TRY(make_list(r, node, size, target));
  for (const tacYamlNode *item = node->first; item != NULL; item = item->next)
    TAC_TRY(read_map(r, item, field->record, (char *)target->items + (size_t)item->index * size));
  return TAC_OK;
}

static tacStatus read_texts(const Reader *r, const tacYamlNode *node, tacSchemaList *target) {
  TAC_TRY(make_list(r, node, sizeof(const char *), target));
  for (const tacYamlNode *item = node->first; item != NULL; item = item->next) {
    if (item->kind != TAC_YAML_TEXT || *item->text == '\0')
      return tac_yaml_error(r->tree, item, TAC_ERR_FORMAT, r->error, "this entry is %s, but a text is needed",
                            item->kind == TAC_YAML_TEXT ? "nothing" : kind_noun(item->kind));
    ((const char **)target->items)[item->index] = item->text;
  }
  return TAC_OK;
}

static bool is_short(const tacYamlNode *node, const tacField *field) {
  return node->kind == TAC_YAML_TEXT && *node->text != '\0' && field->kind == TAC_FIELD_RECORD &&
         field->record->short_for != NULL;
}

/* "liver" as {tissue: liver}. */
static tacStatus read_short(const Reader *r, const tacYamlNode *node, const tacRecord *record, char *target) {
  tacYamlNode *map = tac_yaml_tree_allocate(r->tree, 1, sizeof *map, r->error);
  tacYamlNode *only = tac_yaml_tree_allocate(r->tree, 1, sizeof *only, r->error);
  if (map == NULL || only == NULL) return TAC_ERR_MEMORY;
  *map = *node;
  map->kind = TAC_YAML_MAP;
  map->text = NULL;
  map->count = 1;
  map->first = only;
  *only = (tacYamlNode){
      .kind = TAC_YAML_TEXT, .line = node->line, .key = record->short_for, .text = node->text, .parent = map};
  return read_map(r, map, record, target);
}

static tacStatus read_field(const Reader *r, const tacYamlNode *node, const tacField *field, char *record) {
  void *target = record + field->offset;
  if (node->kind != node_kind(field->kind) && !is_short(node, field)) {
    char example[160];
    describe(field, example, sizeof example);
    return tac_yaml_error(r->tree, node, TAC_ERR_FORMAT, r->error,
                          "this is %s, but %s is needed; write it like "
                          "%s",
                          node->kind == TAC_YAML_TEXT && *node->text == '\0' ? "nothing" : kind_noun(node->kind),
                          kind_noun(node_kind(field->kind)), example);
  }
  if (field->given != 0) *(bool *)(record + field->given) = true;
  switch (field->kind) {
    case TAC_FIELD_QUANTITY: return read_quantity(r, node, field, target);
    case TAC_FIELD_QUANTITIES: return read_quantities(r, node, field, target);
    case TAC_FIELD_COUNT: return read_count(r, node, field, target);
    case TAC_FIELD_FLAG: {
      int word = find_word("false|true", node->text);
      if (word < 0) return refuse_word(r, node, "true|false", node->text);
      *(bool *)target = word == 1;
      return TAC_OK;
    }
    case TAC_FIELD_TEXT:
      if (*node->text == '\0')
        return tac_yaml_error(r->tree, node, TAC_ERR_FORMAT, r->error,
                              "the text is empty; write a text or "
                              "leave the key out");
      *(const char **)target = node->text;
      return TAC_OK;
    case TAC_FIELD_NAME: return read_name(r, node, target);
    case TAC_FIELD_CHOICE: {
      int word = find_word(field->words, node->text);
      if (word < 0) return refuse_word(r, node, field->words, node->text);
      *(int *)target = word;
      return TAC_OK;
    }
    case TAC_FIELD_CHOICES: return read_choices(r, node, field, target);
    case TAC_FIELD_RECORD: return (is_short(node, field) ? read_short : read_map)(r, node, field->record, target);
    case TAC_FIELD_LIST: return read_list(r, node, field, target);
    case TAC_FIELD_TEXTS: return read_texts(r, node, target);
    case TAC_FIELD_MAP: *(const tacYamlNode **)target = node; return TAC_OK;
  }
  return TAC_OK;
}

static bool has_meaning(const tacField *field, uint64_t variant) {
  return field->variants == 0 || (field->variants & variant) != 0;
}

/* The field of a node's key; of several with one key, one that has a meaning, and of those the one of the node's form. */
static const tacField *find_field(const tacRecord *record, const tacYamlNode *node, uint64_t variant) {
  const tacField *found = NULL;
  int best = -1;
  for (int i = 0; i < record->field_count; ++i) {
    const tacField *field = &record->fields[i];
    int fit = 2 * has_meaning(field, variant) + (node_kind(field->kind) == node->kind);
    if (strcmp(field->key, node->key) != 0 || fit <= best) continue;
    found = field;
    best = fit;
  }
  return found;
}

static tacStatus refuse_key(const Reader *r, const tacYamlNode *node, const tacRecord *record, uint64_t variant) {
  for (const tacRemovedKey *removed = record->removed; removed != NULL && removed->key != NULL; ++removed)
    if (strcmp(removed->key, node->key) == 0)
      return tac_yaml_error(r->tree, node, TAC_ERR_FORMAT, r->error, "this key was removed; %s", removed->remedy);
  tacNearest nearest = {.given = node->key};
  for (int i = 0; i < record->field_count; ++i)
    if (has_meaning(&record->fields[i], variant)) tac_nearest_offer(&nearest, record->fields[i].key);
  return tac_yaml_error(r->tree, node, TAC_ERR_FORMAT, r->error, "unknown key; did you mean %s?", nearest.best);
}

static tacStatus read_entries(const Reader *r, const tacYamlNode *node, const tacRecord *record, uint64_t variant,
                              char *target) {
  for (const tacYamlNode *entry = node->first; entry != NULL; entry = entry->next) {
    const tacField *field = find_field(record, entry, variant);
    if (field == NULL && record->open) continue;
    if (field == NULL) return refuse_key(r, entry, record, variant);
    if (field == record->variant) continue;
    if (!has_meaning(field, variant)) {
      char word[80] = "";
      nth_word(record->variant->words, *(int *)(target + record->variant->offset), word, sizeof word);
      return tac_yaml_error(r->tree, entry, TAC_ERR_FORMAT, r->error,
                            "this key does not apply if %s is %s; leave it "
                            "out",
                            record->variant->key, word);
    }
    TAC_TRY(read_field(r, entry, field, target));
  }
  return TAC_OK;
}

static tacStatus require_fields(const Reader *r, const tacYamlNode *node, const tacRecord *record, uint64_t variant) {
  for (int i = 0; i < record->field_count; ++i) {
    const tacField *field = &record->fields[i];
    if (!field->required || !has_meaning(field, variant) || tac_yaml_child(node, field->key) != NULL) continue;
    char example[160];
    describe(field, example, sizeof example);
    return tac_yaml_error(r->tree, node, TAC_ERR_FORMAT, r->error, "%s needs %s; write it like %s", record->noun,
                          field->key, example);
  }
  return TAC_OK;
}

static tacStatus require_one(const Reader *r, const tacYamlNode *node, const tacRecord *record) {
  if (node->count == 1) return TAC_OK;
  char all[200] = "";
  for (int i = 0; i < record->field_count; ++i)
    snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i > 0 ? ", " : "", record->fields[i].key);
  return tac_yaml_error(r->tree, node, TAC_ERR_FORMAT, r->error, "%s needs exactly one of the keys %s, but has %d",
                        record->noun, all, node->count);
}

static tacStatus read_map(const Reader *r, const tacYamlNode *node, const tacRecord *record, char *target) {
  if (node->kind != TAC_YAML_MAP)
    return tac_yaml_error(r->tree, node, TAC_ERR_FORMAT, r->error,
                          "%s must be a map of keys and values, for example "
                          "{%s: ...}",
                          record->noun, record->fields[0].key);
  memset(target, 0, record->size);
  *(const tacYamlNode **)(void *)target = node;
  uint64_t variant = UINT64_MAX;
  int *choice = record->variant != NULL ? (int *)(void *)(target + record->variant->offset) : NULL, chosen = 0;
  const tacYamlNode *entry = choice != NULL ? tac_yaml_child(node, record->variant->key) : NULL;
  if (entry != NULL) {
    TAC_TRY(read_field(r, entry, record->variant, target));
    chosen = *choice;
  }
  if (record->defaults != NULL) record->defaults(target);
  if (entry != NULL) *choice = chosen;
  if (choice != NULL) variant = (uint64_t)1 << *choice;
  TAC_TRY(read_entries(r, node, record, variant, target));
  if (record->exactly_one) TAC_TRY(require_one(r, node, record));
  TAC_TRY(require_fields(r, node, record, variant));
  return record->check != NULL ? record->check(r->tree, target, r->error) : TAC_OK;
}

tacStatus tac_schema_read(tacYamlTree *tree, const tacYamlNode *node, const tacRecord *record, void *target,
                          tacError *error) {
  Reader reader = {tree, error};
  return read_map(&reader, node, record, target);
}
