#include "scene/finding.h"

#include <stdarg.h>
#include <stdio.h>

void tac_finding_report(const tacCheck *check, tacFindingLevel level, const char *about, const tacYamlNode *node,
                        const char *format, ...) {
  char what[TAC_ERROR_TEXT_SIZE];
  tacError text;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  tac_yaml_error(check->scene->tree, node, TAC_OK, &text, "%s", what);
  check->visit(&(tacFinding){level, about, text.text}, check->user);
}

void tac_finding_report_error(const tacCheck *check, const char *about, const tacError *reason) {
  check->visit(&(tacFinding){TAC_FINDING_FAULT, about, reason->text}, check->user);
}

const tacYamlNode *tac_finding_node(const tacSceneBody *body, const char *key) {
  const tacYamlNode *node = tac_yaml_child(body->node, key);
  return node != NULL ? node : body->node;
}
