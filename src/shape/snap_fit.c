#include "shape/snap_fit.h"

#include <math.h>
#include "base/memory/owned.h"
#include "math/geometry/vec3.h"
#include "shape/extrusion.h"

#define PI 3.141592653589793

/* Pipe: rings of nodes from the inside outward. */

static tacStatus pipe_profile(double size, double layers, double rows, tacProfile *profile, tacError *error) {
  double around = tac_profile_cells(PI * (TAC_PIPE_OUTER + TAC_PIPE_INNER), size, 12);
  TAC_TRY(tac_profile_create(around * (layers + 1.0), around * layers, rows, size, profile, error));
  int n = (int)around, m = (int)layers;
  for (int j = 0; j <= m; ++j)
    for (int i = 0; i < n; ++i) {
      double angle = 2.0 * PI * i / n, radius = TAC_PIPE_INNER + (TAC_PIPE_OUTER - TAC_PIPE_INNER) * j / m;
      profile->nodes[j * n + i] = tac_vec3(radius * sin(angle), 0.0, radius * cos(angle));
    }
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < n; ++i) {
      int next = (i + 1) % n, *quad = profile->quads[j * n + i];
      quad[0] = j * n + i;
      quad[1] = (j + 1) * n + i;
      quad[2] = (j + 1) * n + next;
      quad[3] = j * n + next;
    }
  return TAC_OK;
}

static tacStatus pipe_mesh(double size, double layers, double rows, tacVolMesh **mesh, tacError *error) {
  TAC_FREED(tac_profile_free, tacProfile, profile) = {.nodes = NULL};
  *mesh = NULL;
  TAC_TRY(pipe_profile(size, layers, rows, &profile, error));
  return tac_extrusion_bricks(&profile, TAC_PIPE_HALF_LENGTH, (int)rows, mesh, error);
}

tacStatus tac_snap_fit_pipe(double size, const tacProgress *progress, tacTriMesh **mesh, tacError *error) {
  (void)progress;
  *mesh = NULL;
  tacVolMesh *bricks;
  TAC_TRY(pipe_mesh(size, tac_profile_cells(TAC_PIPE_OUTER - TAC_PIPE_INNER, size, 1),
                    tac_profile_cells(2.0 * TAC_PIPE_HALF_LENGTH, size, 1), &bricks, error));
  return tac_extrusion_surface(bricks, mesh, error);
}

tacStatus tac_snap_fit_pipe_bricks(double size, tacVolMesh **mesh, tacError *error) {
  return pipe_mesh(size, tac_profile_cells(TAC_PIPE_OUTER - TAC_PIPE_INNER, size, 2),
                   tac_profile_cells(2.0 * TAC_PIPE_HALF_LENGTH, 3.0 * size, 2), mesh, error);
}

/* Clip, open towards +x. The middle of its wall is, on each side of z = 0: an arc about the pipe's axis from the back (-x) to the
 * mouth; an arc the other way about a centre outside the ring, until it leans away from x as much as it leant towards it;
 * a straight lip. At the back the wall's outer side is also the front of the handle, whose cells grow from there. */

#define RING (TAC_CLIP_INNER + 0.5 * TAC_CLIP_WALL) /* radius of the middle of the wall */
#define TURN (PI - 2.0 * TAC_CLIP_MOUTH)            /* angle of the arc of the bend */

/* A place of the wall's middle, and the normal towards the ring's outside. */
typedef struct {
  double x, z, normal_x, normal_z;
} Station;

/* By `angle` on the arc of the ring, from the back. */
static Station on_ring(double angle) {
  double c = -cos(angle), s = sin(angle);
  return (Station){RING * c, RING * s, c, s};
}

static Station on_bend(double angle) {
  double c = cos(TAC_CLIP_MOUTH), s = sin(TAC_CLIP_MOUTH), far = RING + TAC_CLIP_BEND;
  double nx = cos(TAC_CLIP_MOUTH + angle), nz = sin(TAC_CLIP_MOUTH + angle);
  return (Station){far * c - TAC_CLIP_BEND * nx, far * s - TAC_CLIP_BEND * nz, nx, nz};
}

static Station on_lip(double length) {
  Station root = on_bend(TURN);
  return (Station){root.x + length * root.normal_z, root.z - length * root.normal_x, root.normal_x, root.normal_z};
}

typedef struct {
  int back, ring, bend, lip, layers, columns; /* cells of one half along the wall; through it; along the handle */
} ClipCells;

/* The angle of the ring's arc up to which the handle covers its outside. */
static double covered(void) {
  return asin(TAC_CLIP_HANDLE_HALF / (RING + 0.5 * TAC_CLIP_WALL));
}

static Station station(const ClipCells *n, int i) {
  if (i < 0) {
    Station other = station(n, -i);
    return (Station){other.x, -other.z, other.normal_x, -other.normal_z};
  }
  double from = covered(), to = PI - TAC_CLIP_MOUTH;
  if (i <= n->back) return on_ring(from * i / n->back);
  i -= n->back;
  if (i <= n->ring) return on_ring(from + (to - from) * i / n->ring);
  i -= n->ring;
  if (i <= n->bend) return on_bend(TURN * i / n->bend);
  return on_lip(TAC_CLIP_LIP * (i - n->bend) / n->lip);
}

static void place_clip(const ClipCells *n, tacProfile *p) {
  int half = n->back + n->ring + n->bend + n->lip, across = n->layers + 1, front = 2 * n->back + 1;
  int wall = (2 * half + 1) * across;
  for (int i = -half; i <= half; ++i)
    for (int j = 0; j <= n->layers; ++j) {
      Station at = station(n, i);
      double out = TAC_CLIP_WALL * ((double)j / n->layers - 0.5);
      p->nodes[(i + half) * across + j] = tac_vec3(at.x + out * at.normal_x, 0.0, at.z + out * at.normal_z);
    }
  for (int i = 0; i < 2 * half; ++i)
    for (int j = 0; j < n->layers; ++j) {
      int *quad = p->quads[i * n->layers + j], first = i * across + j;
      quad[0] = first;
      quad[1] = first + 1;
      quad[2] = first + across + 1;
      quad[3] = first + across;
    }
  /* Column 0 of the handle are the outer nodes of the wall's back. */
  for (int k = 1; k <= n->columns; ++k)
    for (int i = 0; i < front; ++i) {
      tacVec3 root = p->nodes[(half - n->back + i) * across + n->layers];
      double z = TAC_CLIP_HANDLE_HALF * (i - n->back) / n->back, t = (double)k / n->columns;
      p->nodes[wall + (k - 1) * front + i] =
          tac_vec3(root.x + (TAC_CLIP_HANDLE_END - root.x) * t, 0.0, root.z + (z - root.z) * t);
    }
  for (int k = 0; k < n->columns; ++k)
    for (int i = 0; i + 1 < front; ++i) {
      int *quad = p->quads[2 * half * n->layers + k * (front - 1) + i];
      int near = k == 0 ? (half - n->back + i) * across + n->layers : wall + (k - 1) * front + i;
      quad[0] = near;
      quad[1] = wall + k * front + i;
      quad[2] = wall + k * front + i + 1;
      quad[3] = k == 0 ? near + across : near + 1;
    }
}

static tacStatus clip_mesh(double size, double layers, double column, double rows, tacVolMesh **mesh, tacError *error) {
  *mesh = NULL;
  double back = tac_profile_cells(RING * covered(), size, 2);
  double ring = tac_profile_cells(RING * (PI - TAC_CLIP_MOUTH - covered()), size, 4);
  double bend = tac_profile_cells(TAC_CLIP_BEND * TURN, size, 2), lip = tac_profile_cells(TAC_CLIP_LIP, size, 1);
  double columns = tac_profile_cells(-TAC_CLIP_HANDLE_END - RING, column, 1), half = back + ring + bend + lip;
  double nodes = (2.0 * half + 1.0) * (layers + 1.0) + columns * (2.0 * back + 1.0);
  TAC_FREED(tac_profile_free, tacProfile, profile) = {.nodes = NULL};
  TAC_TRY(tac_profile_create(nodes, 2.0 * half * layers + 2.0 * back * columns, rows, size, &profile, error));
  ClipCells cells = {(int)back, (int)ring, (int)bend, (int)lip, (int)layers, (int)columns};
  place_clip(&cells, &profile);
  return tac_extrusion_bricks(&profile, TAC_CLIP_HALF_WIDTH, (int)rows, mesh, error);
}

tacStatus tac_snap_fit_clip(double size, const tacProgress *progress, tacTriMesh **mesh, tacError *error) {
  (void)progress;
  *mesh = NULL;
  tacVolMesh *bricks;
  TAC_TRY(clip_mesh(size, tac_profile_cells(TAC_CLIP_WALL, size, 1), size,
                    tac_profile_cells(2.0 * TAC_CLIP_HALF_WIDTH, size, 1), &bricks, error));
  return tac_extrusion_surface(bricks, mesh, error);
}

/* Three bricks through the wall: trilinear ones are too stiff in bending by about (1 - nu) / 2 (length / wall)^2, since they shear
 * where they should curve, and by what hinders a brick to grow thinner on one side, a ninth of it with three. */
tacStatus tac_snap_fit_clip_bricks(double size, tacVolMesh **mesh, tacError *error) {
  return clip_mesh(size, tac_profile_cells(TAC_CLIP_WALL, size, 3), 4.0 * size,
                   tac_profile_cells(2.0 * TAC_CLIP_HALF_WIDTH, 4.0 * size, 3), mesh, error);
}
