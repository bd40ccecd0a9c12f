#include "app/viewer/frame/load_modes.h"

#include <math.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/geometry/vec3.h"
#include "world/world_view.h"

enum { NUMBERS = 32, STEPS = 32767, NO_LOAD = -32768 };

/* Of a body. */
typedef struct {
  const tacWorld *world;
  tacBodyId id;
  tacShownBasis basis;
  tacKnownLoads loads;
} Loads;

/* The values of a mode at all vertices, of a load along the direction of all loads, or along the outward normal at rest; NAN where none
 * acts. Returns the largest of them. */
static double measure(const Loads *l, int mode, double *values) {
  bool one_direction = tac_vec3_norm2(l->loads.direction) > 0.0;
  double most = 0.0;
  for (int v = 0; v < l->basis.surface->vertex_count; ++v) {
    tacVec3 along = one_direction ? l->loads.direction : l->basis.normals[v], y;
    bool acts = tac_world_body_load_mode(l->world, l->id, v, mode, &y);
    values[v] = acts ? along.x * y.x + along.y * y.y + along.z * y.z : (double)NAN;
    if (acts) most = fmax(most, fabs(values[v]));
  }
  return most;
}

static void write_mode(int vertices, double most, const double *values, tacByteWriter *w) {
  for (int v = 0; v < vertices; ++v) {
    long step = isnan(values[v]) ? NO_LOAD : most > 0.0 ? lround(STEPS * values[v] / most) : 0;
    tac_byte_writer_u16(w, (unsigned)(step & 0xFFFF));
  }
}

tacStatus tac_view_load_modes_packet(const tacWorld *world, tacBodyId id, int model, uint32_t load, tacPacket **packet,
                                     tacError *error) {
  Loads l = {.world = world, .id = id};
  *packet = NULL;
  if (!tac_world_body_basis(world, id, &l.basis) || !tac_world_body_known_loads(world, id, &l.loads)) return TAC_OK;
  int vertices = l.basis.surface->vertex_count, modes = l.basis.size;
  TAC_MEMORY(double, values) = tac_array_create((size_t)vertices, sizeof *values, "modes of loads", error);
  if (values == NULL) return TAC_ERR_MEMORY;
  size_t scales = TAC_VIEW_HEAD + NUMBERS, size = scales + (size_t)modes * (4 + 2 * (size_t)vertices);
  TAC_TRY(tac_packet_create(size, packet, error));
  tacByteWriter w = {tac_packet_bytes(*packet), size, 0};
  tac_byte_writer_head(&w, TAC_VIEW_LOAD_MODES, (unsigned)model, load);
  TAC_WRITE_U32(&w, vertices, modes, l.loads.count, 0);
  tac_byte_writer_f32(&w, l.loads.most);
  tac_byte_writer_vec3(&w, l.loads.direction);
  w.at = scales + 4 * (size_t)modes;
  for (int k = 0; k < modes; ++k) {
    double most = measure(&l, k, values);
    tacByteWriter scale = {tac_packet_bytes(*packet), size, scales + 4 * (size_t)k};
    tac_byte_writer_f32(&scale, most);
    write_mode(vertices, most, values, &w);
  }
  return TAC_OK;
}
