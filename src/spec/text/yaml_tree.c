#include "spec/text/yaml_tree.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>
#include "base/files/input_file.h"
#include "base/memory/array.h"

struct tacYamlTree {
  tacArrays blocks; /* everything that was allocated */
  char *path;
  tacYamlNode *root;
  int node_count;
};

/* A container that is being filled. */
typedef struct {
  tacYamlNode *node, *last;
  char *key; /* of the next entry of a map; NULL: a key comes next */
  int key_line;
} Level;

typedef struct {
  tacYamlTree *tree;
  Level levels[TAC_YAML_MOST_DEPTH];
  int depth;
  tacError *error;
} Builder;

void *tac_yaml_tree_allocate(tacYamlTree *tree, size_t count, size_t item_size, tacError *error) {
  void *items = tac_arrays_add(&tree->blocks, count, item_size);
  tac_arrays_status(&tree->blocks, "a scene", error);
  return items;
}

void tac_yaml_tree_destroy(tacYamlTree *tree) {
  if (tree == NULL) return;
  tac_arrays_free(&tree->blocks);
  free(tree->path);
  free(tree);
}

const tacYamlNode *tac_yaml_tree_root(const tacYamlTree *tree) {
  return tree->root;
}

const char *tac_yaml_tree_path(const tacYamlTree *tree) {
  return tree->path;
}

const tacYamlNode *tac_yaml_child(const tacYamlNode *map, const char *key) {
  if (map->kind != TAC_YAML_MAP) return NULL;
  for (const tacYamlNode *child = map->first; child != NULL; child = child->next)
    if (strcmp(child->key, key) == 0) return child;
  return NULL;
}

/* Appends "bodies[0].material" to `text`. */
static void write_place(const tacYamlNode *node, char *text, size_t size) {
  if (node == NULL || node->parent == NULL) return;
  write_place(node->parent, text, size);
  size_t length = strlen(text);
  if (node->key != NULL)
    snprintf(text + length, size - length, "%s%.40s", length > 0 ? "." : "", node->key);
  else
    snprintf(text + length, size - length, "[%d]", node->index);
}

static void keep_to_one_line(char *text) {
  for (; *text != '\0'; ++text)
    if ((unsigned char)*text < 0x20 || *text == 0x7F) *text = '?';
}

tacStatus tac_yaml_error(const tacYamlTree *tree, const tacYamlNode *node, tacStatus status, tacError *error,
                         const char *format, ...) {
  char place[160] = "", what[TAC_ERROR_TEXT_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  write_place(node, place, sizeof place);
  keep_to_one_line(place);
  keep_to_one_line(what);
  return tac_error_set(error, status, "%s:%d: %s%s%s", tree->path, node != NULL ? node->line : 1, place,
                       place[0] != '\0' ? ": " : "", what);
}

static tacStatus refuse(const Builder *b, size_t line, const char *what) {
  return tac_error_set(b->error, TAC_ERR_FORMAT, "%s:%zu: %s", b->tree->path, line + 1, what);
}

static char *copy_text(Builder *b, const yaml_char_t *text, size_t length) {
  char *copy = tac_yaml_tree_allocate(b->tree, length + 1, 1, b->error);
  if (copy != NULL) memcpy(copy, text, length);
  return copy;
}

static tacStatus take_key(Builder *b, Level *level, const char *text, size_t line) {
  const tacYamlNode *twin = tac_yaml_child(level->node, text);
  if (twin != NULL) {
    tacYamlNode second = {.line = (int)line + 1, .key = text, .parent = level->node};
    return tac_yaml_error(b->tree, &second, TAC_ERR_FORMAT, b->error,
                          "this key is already given in line %d; give it "
                          "only once",
                          twin->line);
  }
  if (level->node->count == TAC_YAML_MOST_KEYS) return refuse(b, line, "the map has too many keys");
  return TAC_OK;
}

/* Puts a new node into the innermost container; `node` receives it. */
static tacStatus add_node(Builder *b, tacYamlKind kind, size_t line, tacYamlNode **node) {
  if (b->tree->node_count == TAC_YAML_MOST_NODES) return refuse(b, line, "the file has too many values for a scene");
  tacYamlNode *made = tac_yaml_tree_allocate(b->tree, 1, sizeof *made, b->error);
  if (made == NULL) return TAC_ERR_MEMORY;
  ++b->tree->node_count;
  made->kind = kind;
  made->line = (int)line + 1;
  *node = made;
  if (b->depth == 0) {
    b->tree->root = made;
    return TAC_OK;
  }
  Level *level = &b->levels[b->depth - 1];
  made->parent = level->node;
  made->index = level->node->count++;
  if (level->node->kind == TAC_YAML_MAP) {
    made->key = level->key;
    made->line = level->key_line;
    level->key = NULL;
  }
  if (level->last != NULL)
    level->last->next = made;
  else
    level->node->first = made;
  level->last = made;
  return TAC_OK;
}

static bool key_is_next(const Builder *b) {
  return b->depth > 0 && b->levels[b->depth - 1].node->kind == TAC_YAML_MAP && b->levels[b->depth - 1].key == NULL;
}

static tacStatus take_scalar(Builder *b, const yaml_event_t *event) {
  size_t line = event->start_mark.line, length = event->data.scalar.length;
  if (event->data.scalar.anchor != NULL || event->data.scalar.tag != NULL)
    return refuse(b, line, "anchors (&name) and tags (!name) are not supported; write the value itself");
  if (memchr(event->data.scalar.value, 0, length) != NULL)
    return refuse(b, line, "the text contains a zero byte; remove it");
  char *text = copy_text(b, event->data.scalar.value, length);
  if (text == NULL) return TAC_ERR_MEMORY;
  if (key_is_next(b)) {
    Level *level = &b->levels[b->depth - 1];
    level->key_line = (int)line + 1;
    tacStatus status = take_key(b, level, text, line);
    level->key = text;
    return status;
  }
  tacYamlNode *node = NULL;
  TAC_TRY(add_node(b, TAC_YAML_TEXT, line, &node));
  node->text = text;
  return TAC_OK;
}

static tacStatus open_container(Builder *b, tacYamlKind kind, size_t line, bool marked) {
  if (marked) return refuse(b, line, "anchors (&name) and tags (!name) are not supported; write the value itself");
  if (key_is_next(b)) return refuse(b, line, "a key must be a word, not a list or a map");
  if (b->depth == TAC_YAML_MOST_DEPTH) return refuse(b, line, "the values are nested too deeply for a scene");
  tacYamlNode *node = NULL;
  tacStatus status = add_node(b, kind, line, &node);
  if (status == TAC_OK) b->levels[b->depth++] = (Level){.node = node};
  return status;
}

static tacStatus take_event(Builder *b, const yaml_event_t *event) {
  size_t line = event->start_mark.line;
  switch (event->type) {
    case YAML_ALIAS_EVENT: return refuse(b, line, "aliases (*name) are not supported; write the value itself");
    case YAML_SCALAR_EVENT: return take_scalar(b, event);
    case YAML_SEQUENCE_START_EVENT:
      return open_container(b, TAC_YAML_LIST, line,
                            event->data.sequence_start.anchor != NULL || event->data.sequence_start.tag != NULL);
    case YAML_MAPPING_START_EVENT:
      return open_container(b, TAC_YAML_MAP, line,
                            event->data.mapping_start.anchor != NULL || event->data.mapping_start.tag != NULL);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: --b->depth; return TAC_OK;
    case YAML_DOCUMENT_START_EVENT:
      return b->tree->root != NULL ? refuse(b, line,
                                            "the file has a second YAML document; a scene is a single "
                                            "document")
                                   : TAC_OK;
    default: return TAC_OK;
  }
}

static tacStatus refuse_syntax(const Builder *b, const yaml_parser_t *parser) {
  if (parser->error == YAML_MEMORY_ERROR) return tac_error_memory(b->error, 0, "a scene");
  const char *problem = parser->problem != NULL ? parser->problem : "broken";
  bool read = parser->error == YAML_READER_ERROR;
  size_t line = read ? parser->mark.line : parser->problem_mark.line;
  return tac_error_set(b->error, TAC_ERR_FORMAT, "%s:%zu: invalid YAML: %s%s%s", b->tree->path, line + 1, problem,
                       !read && parser->context != NULL ? " " : "",
                       !read && parser->context != NULL ? parser->context : "");
}

static tacStatus build(Builder *b, const char *text, size_t size) {
  yaml_parser_t parser;
  size_t mark = tac_input_file_mark(text, size); /* libyaml would count it as a column */
  if (!yaml_parser_initialize(&parser)) return tac_error_memory(b->error, 0, "a scene");
  yaml_parser_set_input_string(&parser, (const unsigned char *)text + mark, size - mark);
  yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
  tacStatus status = TAC_OK;
  for (bool more = true; more && status == TAC_OK;) {
    yaml_event_t event;
    if (!yaml_parser_parse(&parser, &event)) {
      status = refuse_syntax(b, &parser);
      break;
    }
    status = take_event(b, &event);
    more = event.type != YAML_STREAM_END_EVENT;
    yaml_event_delete(&event);
  }
  yaml_parser_delete(&parser);
  if (status == TAC_OK && b->tree->root == NULL)
    return refuse(b, 0, "the file is empty; a scene starts with `tactus: 1`");
  return status;
}

tacStatus tac_yaml_tree_parse(const char *text, size_t size, const char *path, tacYamlTree **tree, tacError *error) {
  *tree = NULL;
  if (size > TAC_YAML_MOST_BYTES)
    return tac_error_set(error, TAC_ERR_FORMAT, "%s: the file has %zu bytes; a scene may have at most %u", path, size,
                         TAC_YAML_MOST_BYTES);
  TAC_OWN(tacYamlTree, made) = NULL;
  TAC_TRY(TAC_ARRAY(made, 1, "a scene", error));
  made->path = tac_array_text(path, error);
  if (made->path == NULL) return TAC_ERR_MEMORY;
  Builder builder = {.tree = made, .error = error};
  TAC_TRY(build(&builder, text, size));
  *tree = tac_give(&made);
  return TAC_OK;
}
