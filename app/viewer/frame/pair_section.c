#include "app/viewer/frame/pair_section.h"

#include <math.h>
#include <stdlib.h>
#include "base/memory/array.h"
#include "world/pair_look.h"
#include "world/world.h"

enum { HEAD = 32, POINT_BYTES = 16, BALL_BYTES = 20, MOST_SENT = 16384 }; /* of points and of balls */

void tac_pair_sections_destroy(int count, tacPairSection *sections) {
  for (int p = 0; p < count && sections != NULL; ++p) tac_pair_look_destroy(sections[p].look);
  free(sections);
}

tacStatus tac_pair_sections_create(const tacWorld *world, int *count, tacPairSection **result, tacError *error) {
  int pairs = tac_world_pair_count(world);
  *count = 0;
  TAC_TRY(TAC_ARRAY(*result, (size_t)pairs, "pairs", error));
  for (int p = 0; p < pairs; ++p) {
    tacPairDef def = tac_world_pair(world, p);
    if (tac_world_body_shell(world, def.points) == NULL || def.laws.detect == TAC_DETECT_SURFACES)
      continue; /* no points */
    int last = tac_pointshell_level_count(tac_world_body_shell(world, def.points)) - 1;
    tacPairSection *section = &(*result)[(*count)++];
    *section = (tacPairSection){.pair = p, .level_last = def.level_most < last ? def.level_most : last};
    TAC_TRY(tac_pair_look_create(world, p, &section->look, error));
  }
  return TAC_OK;
}

void tac_pair_section_look(tacPairSection *section, const tacSnapshot *snapshot) {
  section->seen = tac_pair_look_at(section->look, snapshot);
}

/* Of too many every so-manieth is sent: evenly, since they are in the order of the tree. */
static int stride_of(int count) {
  return (count + MOST_SENT - 1) / MOST_SENT;
}

static int sent_of(int count, bool requested) {
  int stride = stride_of(count);
  return requested && stride > 0 ? (count + stride - 1) / stride : 0;
}

size_t tac_pair_section_bytes(const tacPairSection *section, unsigned requests) {
  size_t points = (size_t)sent_of(section->seen.point_count, (requests & TAC_VIEW_REQUEST_POINTS) != 0);
  size_t balls = (size_t)sent_of(section->seen.ball_count, (requests & TAC_VIEW_REQUEST_BALLS) != 0);
  return TAC_VIEW_SECTION_HEAD + HEAD + POINT_BYTES * points + BALL_BYTES * balls + 8;
}

void tac_pair_section_write(const tacPairSection *section, unsigned requests, tacByteWriter *w) {
  const tacPairSeen *seen = &section->seen;
  int points = sent_of(seen->point_count, (requests & TAC_VIEW_REQUEST_POINTS) != 0);
  int balls = sent_of(seen->ball_count, (requests & TAC_VIEW_REQUEST_BALLS) != 0);
  double deepest = 0.0;
  for (int i = 0; i < seen->point_count; ++i) deepest = fmax(deepest, seen->points[i].depth);
  size_t begin = tac_byte_writer_begin(w, TAC_VIEW_PAIR);
  TAC_WRITE_U32(w, section->pair, seen->level, section->level_last, seen->ball_count, seen->point_count, points, balls);
  tac_byte_writer_f32(w, deepest);
  for (int i = 0, stride = stride_of(seen->point_count); i < points; ++i) {
    const tacLookPoint *point = &seen->points[i * stride];
    tac_byte_writer_vec3(w, point->at);
    tac_byte_writer_f32(w, point->depth);
  }
  for (int i = 0, stride = stride_of(seen->ball_count); i < balls; ++i) {
    const tacLookBall *ball = &seen->balls[i * stride];
    tac_byte_writer_vec3(w, ball->centre);
    tac_byte_writer_f32(w, ball->radius);
    tac_byte_writer_u16(w, (unsigned)ball->level);
    tac_byte_writer_u16(w, ball->opened);
  }
  tac_byte_writer_end(w, begin);
}
