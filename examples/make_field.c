/* Builds the distance field of a gallery shape, asks it for a distance, and saves it.
 *
 *   cc make_field.c -o make_field $(pkg-config --cflags --libs tactus) && ./make_field torus.field */
#include <stdio.h>
#include <tactus/tactus.h>

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s FILE.field\n", argv[0]);
    return 2;
  }
  tacError error;
  tacTriMesh *mesh = NULL;
  tacDistanceField *field = NULL;
  tacFieldDef def = tac_field_def_default();
  def.resolution = 64;
  tacStatus status = tac_shape_build("torus", 0.0, NULL, &mesh, &error);
  if (status == TAC_OK) status = tac_distance_field_bake(mesh, &def, NULL, &field, &error);
  if (status == TAC_OK) {
    tacVec3 centre = {0.0, 0.0, 0.0}, gradient;
    double distance = tac_distance_field_gradient(field, centre, &gradient);
    printf("%d triangles; the centre is %.4f m from the surface\n", mesh->triangle_count, distance);
    status = tac_distance_field_write(field, argv[1], &error);
  }
  if (status != TAC_OK) fprintf(stderr, "%s\n", error.text);
  tac_distance_field_destroy(field);
  tac_trimesh_destroy(mesh);
  return status == TAC_OK ? 0 : 1;
}
