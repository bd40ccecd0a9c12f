/* Static equilibria by CalculiX (ccx), where it is installed: what solids of this library are compared with. */
#pragma once

#include <sys/wait.h>
#include "elastic/make_body.h"

static inline bool have_calculix(void) {
  int status = system("command -v ccx >/dev/null 2>&1");
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* `law`: lines of *MATERIAL. Held vertices are at `target`; NULL: at rest. */
static inline void write_calculix(const tacVolMesh *mesh, const char *law, const bool *held, const double *target,
                                  const double *force, FILE *file) {
  fprintf(file, "*NODE, NSET=ALL\n");
  for (int v = 0; v < mesh->vertex_count; ++v)
    fprintf(file, "%d, %.12g, %.12g, %.12g\n", v + 1, mesh->vertices[v].x, mesh->vertices[v].y, mesh->vertices[v].z);
  fprintf(file, "*ELEMENT, TYPE=%s, ELSET=BODY\n", mesh->tet_count > 0 ? "C3D4" : "C3D8");
  for (int e = 0; e < tac_element_count(mesh); ++e) {
    fprintf(file, "%d", e + 1);
    for (int c = 0; c < tac_element_corner_count(mesh, e); ++c)
      fprintf(file, ", %d", tac_element_vertices(mesh, e)[c] + 1);
    fprintf(file, "\n");
  }
  fprintf(file, "*MATERIAL, NAME=M\n%s\n*SOLID SECTION, ELSET=BODY, MATERIAL=M\n", law);
  fprintf(file, "*STEP, NLGEOM, INC=1000\n*STATIC\n0.1, 1.0\n*BOUNDARY\n");
  for (int i = 0; i < 3 * mesh->vertex_count; ++i) {
    double moved = target != NULL ? target[i] - (&mesh->vertices[i / 3].x)[i % 3] : 0.0;
    if (held[i / 3]) fprintf(file, "%d, %d, %d, %.12g\n", i / 3 + 1, i % 3 + 1, i % 3 + 1, moved);
  }
  fprintf(file, "*CLOAD\n");
  for (int i = 0; i < 3 * mesh->vertex_count; ++i)
    if (force[i] != 0.0) fprintf(file, "%d, %d, %.12g\n", i / 3 + 1, i % 3 + 1, force[i]);
  fprintf(file, "*NODE PRINT, NSET=ALL, FREQUENCY=1000\nU\n*END STEP\n");
}

/* Displacements by CalculiX. */
static inline void ask_calculix(const tacVolMesh *mesh, const char *law, const bool *held, const double *target,
                                const double *force, double *u) {
  char command[600], line[256];
  FILE *file = fopen(tac_test_path("body.inp"), "w");
  ck_assert_ptr_nonnull(file);
  write_calculix(mesh, law, held, target, force, file);
  ck_assert_int_eq(fclose(file), 0);
  snprintf(command, sizeof command, "cd '%s' && OMP_NUM_THREADS=1 ccx body >log 2>&1", tac_test_own_folder());
  ck_assert_int_eq(system(command), 0);
  file = fopen(tac_test_path("body.dat"), "r");
  ck_assert_ptr_nonnull(file);
  int found = 0, node;
  double x, y, z;
  while (fgets(line, sizeof line, file) != NULL) {
    if (sscanf(line, "%d %lf %lf %lf", &node, &x, &y, &z) != 4) continue;
    ck_assert(node >= 1 && node <= mesh->vertex_count);
    put_vec3(u, node - 1, tac_vec3(x, y, z));
    ++found;
  }
  fclose(file);
  ck_assert_int_eq(found, mesh->vertex_count);
}
