/* Bytes as a scene: an error of one line, or a scene that can be asked. Opens no file. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/scene.h>
#include "scene/scene.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  if (text == NULL) abort();
  if (size > 0) memcpy(text, data, size);
  text[size] = '\0';
  tacError error = {.text = ""};
  tacScene *scene = NULL;
  tacStatus status = tac_scene_parse(text, "fuzz", &scene, &error);
  if ((status == TAC_OK) != (scene != NULL)) abort();
  if (status != TAC_OK && (strncmp(error.text, "fuzz:", 5) != 0 || strchr(error.text, '\n') != NULL)) abort();
  if (scene != NULL) {
    for (int i = 0; i < tac_scene_body_count(scene); ++i)
      if (tac_scene_body_name(scene, i)[0] == '\0') abort();
    for (int i = 0; i < tac_scene_tool_count(scene); ++i)
      if (tac_scene_tool_name(scene, i)[0] == '\0') abort();
    tacServoDef servo = tac_scene_servo(scene);
    if (!(servo.rate >= 250.0 && servo.rate <= 10000.0) || tac_scene_name(scene)[0] == '\0') abort();
  }
  tac_scene_destroy(scene);
  free(text);
  return 0;
}
