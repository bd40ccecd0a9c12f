/* Bytes as a file of a pointshell, or as PLY: an error, or a shell whose every answer can be read and that can be
 * traversed. */
#include <math.h>
#include <tactus/pointshell.h>

#include "asset/pointshell.h"
#include "chunk_fuzz.h"
#include "collide/shell_traversal.h"
#include "kinds/reduced/reduced_polynomial.h"

static void ask(const tacPointshell *shell) {
  int levels = tac_pointshell_level_count(shell), count = tac_pointshell_size(shell, levels);
  double q[TAC_BODY_MOST_COORDINATES], sum = tac_pointshell_surface_area(shell);
  for (int j = 0; j < TAC_BODY_MOST_COORDINATES; ++j) q[j] = 0.01 * j;
  for (int l = 0; l < levels; ++l)
    for (int i = 0; i < tac_pointshell_size(shell, l); ++i)
      sum += tac_pointshell_area(shell, l, i) + tac_pointshell_deformed_radius(shell, l, i, q);
  for (int i = 0; i < count; ++i) {
    tacVec3 p = tac_pointshell_deformed_point(shell, i, q), n = tac_pointshell_deformed_normal(shell, i, q);
    sum += p.x + p.y + p.z + n.x + n.y + n.z;
  }
  if (!isfinite(sum)) abort();
}

/* The tree has the contacts of every point looked up. */
static void touch(const tacPointshell *shell) {
  const tacPointshellView *view = tac_pointshell_view(shell);
  tacDistanceField *field = NULL;
  tacShellTraversal *traversal = NULL;
  if (tac_distance_field_sphere(view->centre, view->radius, &field, NULL) != TAC_OK) return;
  tacContactField contact = {.field = field, .reach = tac_field_reach(field)};
  int size = view->sizes[view->level_count - 1];
  tacShellContact *expected = malloc((size_t)size * sizeof *expected);
  if (expected != NULL && tac_shell_traversal_create(shell, 0, &traversal, NULL) == TAC_OK)
    for (int i = 0; i < 4; ++i) {
      tacShellPose pose = {.rotation = tac_mat3_identity(), .translation = {0.4 * i * view->radius, 0.0, 0.0}};
      tacTraversalLimits limits = tac_traversal_limits_none();
      const tacShellContact *contacts = NULL;
      tacTraversalReport report = tac_shell_traversal_run(traversal, &contact, &pose, &limits, &contacts);
      if (tac_shell_exhaustive(shell, &contact, &pose, view->level_count, size, expected) != report.contact_count)
        abort();
      for (int k = 0; k < report.contact_count; ++k)
        if (expected[k].point != contacts[k].point || expected[k].depth != contacts[k].depth) abort();
    }
  free(expected);
  tac_shell_traversal_destroy(traversal);
  tac_distance_field_destroy(field);
}

static void leave(uint8_t *bytes, size_t size) {
  (void)bytes;
  (void)size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[64];
  bool is_ply = size > 3 && memcmp(data, "ply", 3) == 0;
  int file = is_ply ? tac_repaired_file(data, size, leave, path) : tac_fuzz_file(data, size, path);
  tacError error = {0};
  tacPointshell *shell = NULL;
  tacStatus status = is_ply ? tac_pointshell_read_ply(path, &shell, &error) : tac_pointshell_read(path, &shell, &error);
  if ((status == TAC_OK) != (shell != NULL) || (status != TAC_OK && error.text[0] == '\0')) abort();
  if (shell != NULL) {
    ask(shell);
    touch(shell);
  }
  tac_pointshell_destroy(shell);
  close(file);
  return 0;
}
