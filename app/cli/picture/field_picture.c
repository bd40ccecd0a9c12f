/* The slice of a distance field. */
#include <stdio.h>
#include <string.h>
#include "app/cli/picture/picture.h"
#include "base/threads/parallel.h"
#include "math/geometry/vec3.h"

enum { SUPER = 3 }; /* samples along each side of a pixel */

typedef struct Slice {
  const tacDistanceField *field;
  tacBox box;            /* of the grid */
  tacVec3 corner;        /* the top left of the picture */
  tacVec3 right, down;   /* metres for one pixel */
  double pixel;          /* metres */
  double step, farthest; /* between isolines; the largest magnitude that colours tell apart */
  tacImage *image;
} Slice;

static double component(tacVec3 p, int axis) {
  return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

static void set_component(tacVec3 *p, int axis, double value) {
  *(axis == 0 ? &p->x : axis == 1 ? &p->y : &p->z) = value;
}

static void mix(double colour[3], const double other[3], double amount) {
  for (int c = 0; c < 3; ++c) colour[c] += amount * (other[c] - colour[c]);
}

/* Full within half a pixel less than `half_width` of the line, nothing half a pixel beyond it. */
static double line_cover(double pixels, double half_width) {
  return fmin(fmax(half_width + 0.5 - pixels, 0.0), 1.0);
}

static bool in_box(tacBox box, tacVec3 p) {
  return p.x >= box.lower.x && p.y >= box.lower.y && p.z >= box.lower.z && p.x <= box.upper.x && p.y <= box.upper.y &&
         p.z <= box.upper.z;
}

static void sample_colour(const Slice *slice, tacVec3 p, double colour[3]) {
  static const double inside_near[3] = {0.80, 0.89, 0.96}, inside_far[3] = {0.10, 0.31, 0.58};
  static const double outside_near[3] = {1.00, 0.95, 0.88}, outside_far[3] = {0.93, 0.58, 0.25};
  static const double ink[3] = {0.08, 0.11, 0.16};
  static const double beyond[3] = {0.965, 0.969, 0.976};
  if (!in_box(slice->box, p)) {
    memcpy(colour, beyond, sizeof beyond);
    return;
  }
  tacVec3 gradient;
  double value = tac_distance_field_gradient(slice->field, p, &gradient);
  /* Metres of value for one pixel across the line, within the slice. */
  double slope =
      fmax(hypot(tac_vec3_dot(gradient, slice->right), tac_vec3_dot(gradient, slice->down)), 1e-3 * slice->pixel);
  double depth = fmin(fabs(value) / slice->farthest, 1.0);
  for (int c = 0; c < 3; ++c) colour[c] = value < 0.0 ? inside_near[c] : outside_near[c];
  mix(colour, value < 0.0 ? inside_far : outside_far, sqrt(depth));
  double from_line = fabs(value - slice->step * round(value / slice->step)) / slope;
  mix(colour, ink, 0.28 * line_cover(from_line, 0.3));
  mix(colour, ink, line_cover(fabs(value) / slope, 1.1));
}

static void draw_rows(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Slice *slice = context;
  for (size_t y = begin; y < end; ++y) {
    for (int x = 0; x < slice->image->width; ++x) {
      double sum[3] = {0.0, 0.0, 0.0};
      for (int s = 0; s < SUPER * SUPER; ++s) {
        double colour[3], u = x + (s % SUPER + 0.5) / SUPER, v = (double)y + (s / SUPER + 0.5) / SUPER;
        sample_colour(slice, tac_vec3_mad(tac_vec3_mad(slice->corner, u, slice->right), v, slice->down), colour);
        for (int c = 0; c < 3; ++c) sum[c] += colour[c] / (SUPER * SUPER);
      }
      tacColour *pixel = &slice->image->pixels[y * (size_t)slice->image->width + (size_t)x];
      *pixel = (tacColour){(unsigned char)lround(255.0 * sum[0]), (unsigned char)lround(255.0 * sum[1]),
                           (unsigned char)lround(255.0 * sum[2])};
    }
  }
}

/* The axis across which the middle plane of the grid has most nodes inside, and the magnitudes there. */
static int best_normal(const tacGrid *grid) {
  int size[3] = {grid->nx, grid->ny, grid->nz}, best = 1;
  long most = -1;
  static const int order[3] = {1, 0, 2};
  for (int n = 0; n < 3; ++n) {
    int normal = order[n], at[3];
    long inside = 0;
    int a = (normal + 1) % 3, b = (normal + 2) % 3;
    at[normal] = size[normal] / 2;
    for (at[a] = 0; at[a] < size[a]; ++at[a])
      for (at[b] = 0; at[b] < size[b]; ++at[b])
        inside +=
            grid->values[((size_t)at[2] * (size_t)grid->ny + (size_t)at[1]) * (size_t)grid->nx + (size_t)at[0]] < 0;
    if (inside > most) {
      most = inside;
      best = normal;
    }
  }
  return best;
}

/* 1, 2 or 5 times a power of ten, not above `value`. */
static double round_step(double value) {
  double power = pow(10.0, floor(log10(value)));
  return value >= 5.0 * power ? 5.0 * power : value >= 2.0 * power ? 2.0 * power : power;
}

static void length_text(double metres, char *text, size_t size) {
  if (fabs(metres) >= 1.0 || metres == 0.0)
    snprintf(text, size, "%.4g m", metres);
  else
    snprintf(text, size, "%.4g mm", metres * 1e3);
}

static void draw_legend(const Slice *slice, int normal, double at, double left) {
  tacImage *image = slice->image;
  char step[40], where[40], legend[160];
  double size = fmax(8.0, image->height / 75.0);
  length_text(slice->step, step, sizeof step);
  length_text(at, where, sizeof where);
  snprintf(legend, sizeof legend, "%c = %s, isolines every %s", "xyz"[normal], where, step);
  tac_image_text(image, legend, left + 2.0 * size, image->height - 2.0 * size, size, (tacColour){60, 50, 40});
}

tacStatus tac_picture_field(const tacDistanceField *field, const tacPictureDef *def, tacImage *image, tacError *error) {
  const tacGrid *grid = tac_distance_field_grid(field);
  *image = (tacImage){0};
  if (grid == NULL)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED, "a picture needs a field that is sampled on a grid");
  TAC_TRY(tac_image_create(def->width, def->height, (tacColour){255, 255, 255}, image, error));
  tacVec3 extent = tac_vec3_scale(grid->spacing, tac_vec3(grid->nx - 1, grid->ny - 1, grid->nz - 1));
  tacVec3 centre = tac_vec3_mad(grid->origin, 0.5, extent);
  int normal = best_normal(grid);
  /* The up axis points up in the picture where the slice holds it. */
  int vertical = normal != def->up ? def->up : (normal + 2) % 3;
  int horizontal = 3 - normal - vertical;
  double pixel = fmax(component(extent, horizontal) / def->width, component(extent, vertical) / def->height);
  Slice slice = {.field = field,
                 .box = {grid->origin, tac_vec3_add(grid->origin, extent)},
                 .pixel = pixel,
                 .corner = centre,
                 .image = image};
  set_component(&slice.right, horizontal, pixel);
  set_component(&slice.down, vertical, -pixel);
  slice.corner = tac_vec3_mad(slice.corner, -0.5 * def->width, slice.right);
  slice.corner = tac_vec3_mad(slice.corner, -0.5 * def->height, slice.down);
  double longest = fmax(extent.x, fmax(extent.y, extent.z));
  slice.step = round_step(longest / 30.0);
  slice.farthest = longest / 3.0;
  tacStatus status =
      tac_parallel_for(def->thread_count, (size_t)def->height, 16, draw_rows, &slice, def->progress, "picture", error);
  double at = component(centre, normal), digit = 0.01 * grid->spacing;
  double left = 0.5 * (def->width - component(extent, horizontal) / pixel);
  if (status == TAC_OK)
    draw_legend(&slice, normal, fabs(at) < digit ? 0.0 : digit * round(at / digit), left);
  else
    tac_image_free(image);
  return status;
}
