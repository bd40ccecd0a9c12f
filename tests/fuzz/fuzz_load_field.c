/* Bytes as a file of a load field: an error, or a field that answers for any load. */
#include <math.h>
#include "asset/load_field.h"
#include "asset/load_slice.h"
#include "chunk_fuzz.h"
#include "math/geometry/vec3.h"

static void ask(const tacLoadField *field) {
  if (tac_load_field_node_of(field, tac_load_field_vertex(field, 0)) < 0) abort();
  if (!isfinite(tac_load_field_state(field, 0, 0)[0]) || !(tac_load_field_level(field, 0) > 0.0)) abort();
  tacLoadSlice *slice = NULL;
  if (tac_load_slice_create(field, &slice, NULL) != TAC_OK) return;
  const int last = tac_load_field_node_count(field) - 1;
  const tacLoadPart parts[2] = {{0, 0.7, 0.5}, {last, 2.0, 1.0}};
  const tacLoadFieldInfo *info = tac_load_field_info(field);
  for (int i = 0; i < 16; ++i) {
    const tacVec3 x = tac_vec3_mad(info->origin, (0.13 * i - 0.2) * info->spacing,
                                   tac_vec3(info->nodes[0], info->nodes[1], info->nodes[2]));
    tacVec3 gradient;
    tac_load_slice_set(slice, i % 3, parts);
    if (isnan(tac_load_slice_value(slice, x))) abort();
    tac_load_slice_gradient(slice, x, &gradient);
    tac_load_slice_set_column(slice, i % 2 == 0 ? -1 : tac_load_field_column_count(field) - 1);
    if (isnan(tac_load_slice_value(slice, x))) abort();
  }
  tac_load_slice_destroy(slice);
}

TAC_FUZZ_FILE(tacLoadField, tac_load_field, ask)
