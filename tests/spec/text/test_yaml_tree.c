#include "spec/text/yaml_tree.h"

#include "test.h"

static tacYamlTree *parse(const char *text) {
  tacYamlTree *tree = NULL;
  tac_test_ok(tac_yaml_tree_parse(text, strlen(text), "s.yaml", &tree, &error), error);
  return tree;
}

/* Asserts that the text is refused with exactly this message. */
static void refused(const char *text, size_t size, const char *message) {
  tacYamlTree *tree = NULL;
  ck_assert_int_eq(tac_yaml_tree_parse(text, size, "s.yaml", &tree, &error), TAC_ERR_FORMAT);
  ck_assert_ptr_null(tree);
  ck_assert_str_eq(error.text, message);
}

TAC_TEST(keeps_structure_and_lines) {
  TAC_OWN(tacYamlTree, tree) = parse("# a comment\n"
                                     "name: kidney\n"
                                     "bodies:\n"
                                     "  - name: a\n"
                                     "    size: [1, 'two',\n"
                                     "           3]\n"
                                     "  - {name: b}\n");
  const tacYamlNode *root = tac_yaml_tree_root(tree);
  ck_assert_int_eq(root->kind, TAC_YAML_MAP);
  ck_assert_int_eq(root->count, 2);
  ck_assert_str_eq(tac_yaml_child(root, "name")->text, "kidney");
  ck_assert_int_eq(tac_yaml_child(root, "name")->line, 2);
  const tacYamlNode *bodies = tac_yaml_child(root, "bodies");
  ck_assert_int_eq(bodies->kind, TAC_YAML_LIST);
  ck_assert_int_eq(bodies->line, 3);
  ck_assert_int_eq(bodies->count, 2);
  const tacYamlNode *size = tac_yaml_child(bodies->first, "size");
  ck_assert_int_eq(size->line, 5);
  ck_assert_str_eq(size->first->next->text, "two");
  ck_assert_int_eq(size->first->next->next->line, 6);
  ck_assert_int_eq(bodies->first->next->line, 7);
  ck_assert_ptr_null(tac_yaml_child(root, "colour"));
  ck_assert_ptr_null(tac_yaml_child(bodies, "name"));
}

/* Editors of other systems write both. */
TAC_TEST(a_byte_order_mark_and_other_ends_of_lines_change_nothing) {
  static const char text[] = "name: kidney\nbodies:\n  - name: a\n    about: |\n      one\n      two\n  - {name: b}\n";
  char other[2 * sizeof text] = "\xef\xbb\xbf";
  size_t size = 3;
  for (const char *c = text; *c != '\0'; ++c) {
    if (*c == '\n') other[size++] = '\r';
    other[size++] = *c;
  }
  tacYamlTree *trees[2] = {parse(text), NULL};
  tac_test_ok(tac_yaml_tree_parse(other, size, "s.yaml", &trees[1], &error), error);
  for (int t = 0; t < 2; ++t) {
    const tacYamlNode *root = tac_yaml_tree_root(trees[t]), *bodies = tac_yaml_child(root, "bodies");
    ck_assert_str_eq(tac_yaml_child(root, "name")->text, "kidney");
    ck_assert_int_eq(bodies->count, 2);
    ck_assert_str_eq(tac_yaml_child(bodies->first, "about")->text, "one\ntwo\n");
    ck_assert_int_eq(bodies->first->next->line, 7);
    tac_yaml_tree_destroy(trees[t]);
  }
  refused("\xef\xbb\xbf\n", 4, "s.yaml:1: the file is empty; a scene starts with `tactus: 1`");
}

TAC_TEST(errors_name_file_line_and_place) {
  TAC_OWN(tacYamlTree, tree) = parse("bodies:\n- name: a\n- material:\n    young: 1\n");
  const tacYamlNode *body = tac_yaml_child(tac_yaml_tree_root(tree), "bodies")->first->next;
  tac_yaml_error(tree, tac_yaml_child(tac_yaml_child(body, "material"), "young"), TAC_ERR_FORMAT, &error, "is %d", 5);
  ck_assert_str_eq(error.text, "s.yaml:4: bodies[1].material.young: is 5");
  tac_yaml_error(tree, tac_yaml_tree_root(tree), TAC_ERR_FORMAT, &error, "two\nlines");
  ck_assert_str_eq(error.text, "s.yaml:1: two?lines");
}

TAC_TEST(unsupported_yaml_is_refused_with_its_line) {
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"a: 1\nb:\n  c: 1\n  c: 2\n", "s.yaml:4: b.c: this key is already given in line 3; give it only once"},
      {"a: &x 1\nb: 2\n", "s.yaml:1: anchors (&name) and tags (!name) are not supported; write the value itself"},
      {"a: 1\nb: &x [1]\n", "s.yaml:2: anchors (&name) and tags (!name) are not supported; write the value itself"},
      {"a: 1\nb: *x\n", "s.yaml:2: aliases (*name) are not supported; write the value itself"},
      {"a: !!int 1\n", "s.yaml:1: anchors (&name) and tags (!name) are not supported; write the value itself"},
      {"a: 1\n---\nb: 1\n", "s.yaml:2: the file has a second YAML document; a scene is a single document"},
      {"\n", "s.yaml:1: the file is empty; a scene starts with `tactus: 1`"},
      {"a: 1\n? [x, y]\n: 2\n", "s.yaml:2: a key must be a word, not a list or a map"},
      {"a: \"x\\0y\"\n", "s.yaml:1: the text contains a zero byte; remove it"},
      {"a: [1, 2\nb: 3\n", "s.yaml:2: invalid YAML: did not find expected ',' or ']' while parsing a flow sequence"},
      {"a: 1\n\tb: 3\n",
       "s.yaml:2: invalid YAML: found a tab character that violates indentation while scanning a plain scalar"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    refused(cases[i].text, strlen(cases[i].text), cases[i].message);
}

TAC_TEST(bounds_depth_keys_nodes_and_size) {
  TAC_MEMORY(char, text) = malloc(TAC_YAML_MOST_BYTES + 2);
  ck_assert_ptr_nonnull(text);
  memset(text, '[', 100000);
  refused(text, 100000, "s.yaml:1: the values are nested too deeply for a scene");
  size_t length = 0;
  for (int i = 0; i <= TAC_YAML_MOST_KEYS; ++i) length += (size_t)sprintf(text + length, "k%d: 1\n", i);
  refused(text, length, "s.yaml:257: the map has too many keys");
  length = (size_t)sprintf(text, "[");
  for (int i = 0; i < TAC_YAML_MOST_NODES; ++i) length += (size_t)sprintf(text + length, "1,");
  refused(text, length, "s.yaml:1: the file has too many values for a scene");
  memset(text, ' ', TAC_YAML_MOST_BYTES + 1);
  refused(text, TAC_YAML_MOST_BYTES + 1, "s.yaml: the file has 1048577 bytes; a scene may have at most 1048576");
}
