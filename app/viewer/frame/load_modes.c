#include "app/viewer/frame/load_modes.h"

#include <math.h>
#include <stdlib.h>
#include <tactus/reduced.h>
#include <tactus/vademecum.h>
#include "base/memory/array.h"
#include "math/geometry/vec3.h"

enum { NUMBERS = 32, STEPS = 32767, NO_LOAD = -32768 };

/* Y_k(s) of a load along the direction of all loads, or along the outward normal at rest. */
static double mode_at(const tacVademecum *v, int mode, int s) {
  tacVec3 along = tac_vademecum_load_direction(v);
  if (tac_vec3_norm2(along) == 0.0)
    along = tac_reduced_normals(tac_vademecum_shape(v))[tac_vademecum_load_vertex(v, s)];
  return along.x * tac_vademecum_load_mode(v, mode, s, 0) + along.y * tac_vademecum_load_mode(v, mode, s, 1) +
         along.z * tac_vademecum_load_mode(v, mode, s, 2);
}

/* The values of a mode at all loads; returns the largest of them. */
static double measure(const tacVademecum *v, int mode, double *values) {
  double most = 0.0;
  for (int s = 0; s < tac_vademecum_load_count(v); ++s) {
    values[s] = mode_at(v, mode, s);
    most = fmax(most, fabs(values[s]));
  }
  return most;
}

static void write_mode(const tacVademecum *v, int vertices, double most, const double *values, tacByteWriter *w) {
  for (int vertex = 0; vertex < vertices; ++vertex) {
    int s = tac_vademecum_load_of(v, vertex);
    long step = s < 0 ? NO_LOAD : most > 0.0 ? lround(STEPS * values[s] / most) : 0;
    tac_byte_writer_u16(w, (unsigned)(step & 0xFFFF));
  }
}

tacStatus tac_view_load_modes_packet(const tacVademecum *v, int model, uint32_t load, tacPacket **packet,
                                     tacError *error) {
  int vertices = tac_reduced_surface(tac_vademecum_shape(v))->vertex_count, modes = tac_vademecum_mode_count(v);
  tacVec3 direction = tac_vademecum_load_direction(v);
  *packet = NULL;
  double *values = tac_array_create((size_t)tac_vademecum_load_count(v), sizeof *values, "modes of loads", error);
  if (values == NULL) return TAC_ERR_MEMORY;
  size_t scales = TAC_VIEW_HEAD + NUMBERS, size = scales + (size_t)modes * (4 + 2 * (size_t)vertices);
  tacStatus status = tac_packet_create(size, packet, error);
  if (status == TAC_OK) {
    tacByteWriter w = {tac_packet_bytes(*packet), size, 0};
    tac_byte_writer_head(&w, TAC_VIEW_LOAD_MODES, (unsigned)model, load);
    tac_byte_writer_u32(&w, (uint32_t)vertices);
    tac_byte_writer_u32(&w, (uint32_t)modes);
    tac_byte_writer_u32(&w, (uint32_t)tac_vademecum_load_count(v));
    tac_byte_writer_u32(&w, 0);
    tac_byte_writer_f32(&w, tac_vademecum_load_most(v));
    tac_byte_writer_vec3(&w, direction);
    w.at = scales + 4 * (size_t)modes;
    for (int k = 0; k < modes; ++k) {
      double most = measure(v, k, values);
      tacByteWriter scale = {tac_packet_bytes(*packet), size, scales + 4 * (size_t)k};
      tac_byte_writer_f32(&scale, most);
      write_mode(v, vertices, most, values, &w);
    }
  }
  free(values);
  return status;
}
