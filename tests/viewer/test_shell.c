#include "app/viewer/frame/shell.h"

#include "asset/make_reduced.h"
#include "asset/pointshell.h"
#include "make_shown.h"
#include "math/random.h"
#include "packet_reader.h"
#include "world/make_shell.h"

enum { SIDE = 8, POINTS = 6 * SIDE * SIDE };

static const tacBox box = {{-0.03, 0.01, 0.0}, {0.05, 0.03, 0.01}};

/* The message, decoded. */
typedef struct {
  uint32_t points, levels, r, bodies, all, sizes[12];
  tacVec3 origin;
  double step, scales[REDUCED_SIZE];
  uint32_t body[2];
  const unsigned char *place, *basis;
} Message;

static Message read_shell(tacPacket *packet, unsigned number) {
  Reader r = open_packet(packet, 8, number, 5);
  Message m = {0};
  uint32_t *counts[] = {&m.points, &m.levels, &m.r, &m.bodies, &m.all};
  for (int i = 0; i < 5; ++i) *counts[i] = read_u32(&r);
  read_u32(&r);
  for (int l = 0; l < 12; ++l) m.sizes[l] = read_u32(&r);
  m.origin = read_vec3(&r);
  m.step = read_f32(&r);
  ck_assert_uint_le(m.bodies, 2);
  ck_assert_uint_le(m.r, REDUCED_SIZE);
  for (uint32_t b = 0; b < m.bodies; ++b) m.body[b] = read_u32(&r);
  for (uint32_t j = 0; j < m.r; ++j) m.scales[j] = read_f32(&r);
  m.place = r.bytes + r.at;
  m.basis = m.place + 8 * m.points;
  ck_assert_uint_eq(r.at + m.points * (8 + 6 * m.r), r.size);
  return m;
}

/* Where a page draws a point in the deformation q. */
static tacVec3 drawn(const Message *m, int point, const double *q) {
  const unsigned char *p = m->place + 8 * point;
  double at[3] = {m->origin.x, m->origin.y, m->origin.z};
  for (int axis = 0; axis < 3; ++axis) {
    at[axis] += m->step * read_u16(p + 2 * axis);
    for (uint32_t j = 0; j < m->r; ++j)
      at[axis] += q[j] * m->scales[j] / 32767.0 * read_i16(m->basis + 6 * ((uint32_t)point * m->r + j) + 2 * axis);
  }
  return tac_vec3(at[0], at[1], at[2]);
}

TAC_TEST(points_match_the_shell) {
  TAC_OWN(tacPointshell, shell) = make_box_shell(box, SIDE);
  TAC_OWN(tacTriMesh, surface) = make_box_surface(box);
  TAC_OWN(tacWorld, world) = begin_world();
  const tacVec3 at = {0.0, 0.0, 0.0};
  add_rigid(world, "first", surface, shell, NULL, at);
  add_rigid(world, "bare", surface, NULL, NULL, at);
  add_rigid(world, "second", surface, shell, NULL, at);
  tac_test_ok(tac_world_seal(world, &error), error);
  int count;
  tacViewShell *shells;
  tac_test_ok(tac_view_shells_create(world, &count, &shells, &error), error);
  ck_assert_int_eq(count, 1); /* both bodies share it */
  TAC_CREATE(tacPacket, packet, tac_view_shell_packet(&shells[0], 3, 5, &packet, &error));
  Message m = read_shell(packet, 3);
  ck_assert_uint_eq(m.points, POINTS);
  ck_assert_uint_eq(m.all, POINTS);
  ck_assert_uint_eq(m.r, 0);
  ck_assert_uint_eq(m.bodies, 2);
  ck_assert_uint_eq(m.body[0], 0);
  ck_assert_uint_eq(m.body[1], 2);
  ck_assert_uint_eq(m.levels, 3);
  for (int l = 0; l < 12; ++l) ck_assert_uint_eq(m.sizes[l], (unsigned)tac_pointshell_size(shell, l));
  for (int p = 0; p < POINTS; ++p) {
    ck_assert_double_lt(tac_vec3_distance(drawn(&m, p, NULL), tac_pointshell_point(shell, p)), 0.9 * m.step + 1e-8);
    tacVec3 normal = tac_pointshell_normal(shell, p); /* along an axis, which the octahedral map keeps */
    double x = (signed char)m.place[8 * p + 6] / 127.0, y = (signed char)m.place[8 * p + 7] / 127.0;
    ck_assert_double_eq(x, normal.z < 0.0 ? copysign(1.0, x) : normal.x);
    ck_assert_double_eq(y, normal.z < 0.0 ? copysign(1.0, y) : normal.y);
  }
  tac_view_shells_destroy(count, shells);
}

TAC_TEST(points_deform_with_the_shell) {
  tacRandom random = tac_random_seed(7);
  TAC_OWN(tacPointshell, rigid) = make_box_shell(box, SIDE);
  TAC_OWN(tacPointshell, shell) = NULL;
  enum { R = REDUCED_SIZE };
  static double displacements[POINTS][3][R], changes[POINTS][3][R];
  for (int i = 0; i < POINTS * 3 * R; ++i) (&displacements[0][0][0])[i] = tac_random_uniform(&random, -0.1, 0.1);
  for (int p = 0; p < POINTS; ++p)
    for (int axis = 0; axis < 3; ++axis) displacements[p][axis][1] = 0.0; /* a coordinate that moves nothing */
  tac_test_ok(tac_pointshell_with_basis(rigid, R, &displacements[0][0][0], &changes[0][0][0], &shell, &error), error);
  int bodies[1] = {4};
  tacViewShell view = {.shell = shell, .body_count = 1, .bodies = bodies};
  TAC_CREATE(tacPacket, packet, tac_view_shell_packet(&view, 0, 5, &packet, &error));
  Message m = read_shell(packet, 0);
  ck_assert_uint_eq(m.r, R);
  ck_assert_uint_eq(m.body[0], 4);
  for (int round = 0; round < 5; ++round) {
    double q[R], most = 0.9 * m.step + 1e-7;
    for (int j = 0; j < R; ++j) {
      q[j] = tac_random_uniform(&random, -2.0, 2.0);
      most += 0.9 * fabs(q[j]) * m.scales[j] / 32767.0; /* half a step of each component */
    }
    for (int p = 0; p < POINTS; ++p)
      ck_assert_double_lt(tac_vec3_distance(drawn(&m, p, q), tac_pointshell_deformed_point(shell, p, q)), most);
  }
}
