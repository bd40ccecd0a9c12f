#include "app/cli/picture/picture.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/progress.h"
#include "base/threads/parallel.h"
#include "math/geometry/vec3.h"

TAC_OWNED_TYPE(tacTriMesh, tac_trimesh_destroy)
TAC_OWNED_TYPE(tacVolMesh, tac_volmesh_destroy)

/* Every light is far away and has a map of how near to it things are. The sky is many of them, the key light a small
 * bundle; each of a pixel's samples uses a share of both, so that shadows and the sky's occlusion come out soft. */
enum { SUPER = 3, SAMPLES = SUPER * SUPER, SKY_SHARE = 8, KEY_SHARE = 3 };
enum { SKY_COUNT = SAMPLES * SKY_SHARE, KEY_COUNT = SAMPLES * KEY_SHARE, LIGHT_COUNT = SKY_COUNT + KEY_COUNT };

enum { OUTER, INNER }; /* material of a facet: on the mesh's boundary, or bared by a cut */

/* Triangles in the picture's own frame, z up. */
typedef struct Facets {
  tacArrays arrays; /* those below that it makes */
  int vertex_count, count;
  tacVec3 *vertices;
  const tacTriangle *triangles;
  float (*normals)[3][3]; /* of each corner */
  unsigned char *edges;   /* bit k: the edge from corner k to the next is drawn */
  unsigned char *materials;
  const float (*colours)[3]; /* albedo of each vertex; NULL where materials decide */
} Facets;

/* Keeps the largest value (the nearest thing) at every pixel. */
typedef struct DepthMap {
  int width, height;
  float *value;
  int *item; /* what is there, -1 for nothing; NULL where nobody asks */
} DepthMap;

typedef struct Light {
  tacVec3 direction, u, v; /* towards the light, and across */
  DepthMap map;
} Light;

typedef struct View {
  tacVec3 eye, right, up, forward;
  double scale;    /* pixels of the depth map for a slope of 1 */
  tacVec3 *screen; /* of each vertex: x, y in pixels of the depth map, z = 1 / distance along `forward` */
  DepthMap map;
} View;

typedef struct Scene {
  const Facets *facets;
  tacVec3 centre;
  double radius, ground;
  View view;
  Light lights[LIGHT_COUNT];
  tacVec3 *light_space; /* vertices as a light sees them, for each thread */
  tacImage *image;
} Scene;

static const double crease = 0.766; /* cos 40 degrees: sharper edges stay sharp */
static const tacVec3 sky_up = {0.0, 0.0, 1.0};

tacPictureDef tac_picture_def_default(void) {
  return (tacPictureDef){.width = 1200, .height = 900, .up = 2};
}

/* Corner normals */

static tacStatus make_normals(Facets *facets, tacError *error) {
  size_t n = (size_t)facets->count;
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  tacVec3 *flat = tac_arrays_add(&work, n, sizeof *flat);
  int *first = tac_arrays_add(&work, (size_t)facets->vertex_count + 2, sizeof *first);
  int *fan = tac_arrays_add(&work, 3 * n, sizeof *fan);
  facets->normals = tac_arrays_add(&facets->arrays, n, sizeof *facets->normals);
  TAC_TRY(tac_arrays_status(&work, "fans of triangles", error));
  TAC_TRY(tac_arrays_status(&facets->arrays, "corner normals", error));
  for (size_t t = 0; t < n; ++t) {
    const int *v = facets->triangles[t].v;
    tacVec3 a = facets->vertices[v[0]], b = facets->vertices[v[1]], c = facets->vertices[v[2]];
    flat[t] = tac_vec3_unit(tac_vec3_cross(tac_vec3_sub(b, a), tac_vec3_sub(c, a)));
    for (int k = 0; k < 3; ++k) ++first[v[k] + 2];
  }
  for (int v = 0; v < facets->vertex_count; ++v) first[v + 2] += first[v + 1];
  for (size_t t = 0; t < n; ++t)
    for (int k = 0; k < 3; ++k) fan[first[facets->triangles[t].v[k] + 1]++] = (int)t;
  for (size_t t = 0; t < n; ++t) {
    for (int k = 0; k < 3; ++k) {
      int v = facets->triangles[t].v[k];
      tacVec3 sum = flat[t];
      for (int i = first[v]; i < first[v + 1]; ++i)
        if (fan[i] != (int)t && tac_vec3_dot(flat[fan[i]], flat[t]) > crease) sum = tac_vec3_add(sum, flat[fan[i]]);
      sum = tac_vec3_unit(sum);
      facets->normals[t][k][0] = (float)sum.x;
      facets->normals[t][k][1] = (float)sum.y;
      facets->normals[t][k][2] = (float)sum.z;
    }
  }
  return TAC_OK;
}

/* Depth maps */

static void depth_map_begin(tacArrays *arrays, int width, int height, bool items, DepthMap *map) {
  size_t count = (size_t)width * (size_t)height;
  *map = (DepthMap){.width = width, .height = height, .value = tac_arrays_add(arrays, count, sizeof *map->value)};
  if (items) map->item = tac_arrays_add(arrays, count, sizeof *map->item);
  for (size_t i = 0; map->value != NULL && i < count; ++i) map->value[i] = -INFINITY;
  for (size_t i = 0; map->item != NULL && i < count; ++i) map->item[i] = -1;
}

/* x, y in pixels, z the value, which is linear across the triangle. Rows outside [from, to) are left alone. */
static void draw_triangle(DepthMap *map, tacVec3 a, tacVec3 b, tacVec3 c, int item, int from, int to) {
  double left = fmin(a.x, fmin(b.x, c.x)), right = fmax(a.x, fmax(b.x, c.x));
  double top = fmin(a.y, fmin(b.y, c.y)), bottom = fmax(a.y, fmax(b.y, c.y));
  if (!(right > 0.0 && left < map->width && bottom > from && top < to)) return;
  int x0 = left < 0.5 ? 0 : (int)ceil(left - 0.5), y0 = top < from + 0.5 ? from : (int)ceil(top - 0.5);
  int x1 = right >= map->width - 0.5 ? map->width - 1 : (int)floor(right - 0.5);
  int y1 = bottom >= to - 0.5 ? to - 1 : (int)floor(bottom - 0.5);
  double area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  if (x0 > x1 || y0 > y1 || area == 0.0) return;
  double inverse = 1.0 / area;
  for (int y = y0; y <= y1; ++y) {
    double py = y + 0.5;
    for (int x = x0; x <= x1; ++x) {
      double px = x + 0.5;
      double wa = ((b.x - px) * (c.y - py) - (b.y - py) * (c.x - px)) * inverse;
      double wb = ((c.x - px) * (a.y - py) - (c.y - py) * (a.x - px)) * inverse;
      double wc = 1.0 - wa - wb;
      if (wa < 0.0 || wb < 0.0 || wc < 0.0) continue;
      float value = (float)(wa * a.z + wb * b.z + wc * c.z);
      size_t at = (size_t)y * (size_t)map->width + (size_t)x;
      if (value <= map->value[at]) continue;
      map->value[at] = value;
      if (map->item != NULL) map->item[at] = item;
    }
  }
}

static tacVec3 light_point(const Scene *scene, const Light *light, tacVec3 p) {
  tacVec3 from_centre = tac_vec3_sub(p, scene->centre);
  double scale = 0.5 * light->map.width;
  return tac_vec3(scale * (1.0 + tac_vec3_dot(from_centre, light->u) / scene->radius),
                  scale * (1.0 + tac_vec3_dot(from_centre, light->v) / scene->radius),
                  tac_vec3_dot(from_centre, light->direction));
}

static void draw_light_maps(size_t begin, size_t end, int thread, void *context) {
  Scene *scene = context;
  const Facets *facets = scene->facets;
  tacVec3 *points = scene->light_space + (size_t)thread * (size_t)facets->vertex_count;
  for (size_t l = begin; l < end; ++l) {
    Light *light = &scene->lights[l];
    for (int v = 0; v < facets->vertex_count; ++v) points[v] = light_point(scene, light, facets->vertices[v]);
    for (int t = 0; t < facets->count; ++t) {
      const int *v = facets->triangles[t].v;
      draw_triangle(&light->map, points[v[0]], points[v[1]], points[v[2]], t, 0, light->map.height);
    }
  }
}

enum { BAND = 64 }; /* rows of the view's depth map that one thread draws at a time */

static void draw_view_bands(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  Scene *scene = context;
  const tacVec3 *screen = scene->view.screen;
  int from = (int)begin * BAND, to = (int)end * BAND;
  if (to > scene->view.map.height) to = scene->view.map.height;
  for (int t = 0; t < scene->facets->count; ++t) {
    const int *v = scene->facets->triangles[t].v;
    draw_triangle(&scene->view.map, screen[v[0]], screen[v[1]], screen[v[2]], t, from, to);
  }
}

/* Shading; colours are linear */

static double lit(const Scene *scene, const Light *light, tacVec3 p, double bias) {
  tacVec3 at = light_point(scene, light, p);
  if (!(at.x >= 0.0 && at.y >= 0.0 && at.x < light->map.width && at.y < light->map.height)) return 1.0;
  return light->map.value[(size_t)at.y * (size_t)light->map.width + (size_t)at.x] > at.z + bias ? 0.0 : 1.0;
}

/* The share of the key light and of the sky that reaches p, for sample `s` of a pixel; both in [0, 1]. */
static void gather_light(const Scene *scene, tacVec3 p, tacVec3 normal, int s, double *key, double *sky) {
  double texel = 2.0 * scene->radius / scene->lights[0].map.width;
  tacVec3 off = tac_vec3_mad(p, 1.5 * texel, normal);
  *key = *sky = 0.0;
  for (int i = 0; i < KEY_SHARE; ++i) {
    const Light *light = &scene->lights[SKY_COUNT + i * SAMPLES + s];
    double cosine = tac_vec3_dot(normal, light->direction);
    if (cosine > 0.0) *key += cosine * lit(scene, light, off, texel) / KEY_SHARE;
  }
  for (int i = 0; i < SKY_SHARE; ++i) {
    const Light *light = &scene->lights[i * SAMPLES + s];
    double cosine = tac_vec3_dot(normal, light->direction);
    /* Over the hemisphere the cosine to the vertical has mean 1/2. */
    if (cosine > 0.0) *sky += 2.0 * cosine * lit(scene, light, off, texel) / SKY_SHARE;
  }
}

/* How much of a drawn edge covers the sample; fades out where triangles are too small to show their edges. */
static double edge_cover(const Scene *scene, int t, double x, double y) {
  if (scene->facets->edges[t] == 0) return 0.0;
  const int *v = scene->facets->triangles[t].v;
  const tacVec3 *screen = scene->view.screen;
  double nearest = INFINITY, longest = 0.0;
  for (int k = 0; k < 3; ++k) {
    tacVec3 a = screen[v[k]], b = screen[v[(k + 1) % 3]];
    double dx = b.x - a.x, dy = b.y - a.y, length = sqrt(dx * dx + dy * dy);
    longest = fmax(longest, length);
    if ((scene->facets->edges[t] >> k & 1) == 0 || length == 0.0) continue;
    nearest = fmin(nearest, fabs(dx * (y - a.y) - dy * (x - a.x)) / length);
  }
  if (nearest > 0.55 * SUPER) return 0.0;
  return 0.7 * fmin(fmax((longest / SUPER - 2.0) / 6.0, 0.0), 1.0);
}

static void shade_facet(const Scene *scene, int t, tacVec3 ray, double x, double y, int s, double colour[3]) {
  static const double albedo[2][3] = {{0.085, 0.240, 0.370}, {0.800, 0.400, 0.090}};
  static const double key_colour[3] = {1.30, 1.22, 1.10}, sky_colour[3] = {0.50, 0.56, 0.64};
  static const double bounce_colour[3] = {0.30, 0.29, 0.28}, ink[3] = {0.012, 0.018, 0.03};
  const Facets *facets = scene->facets;
  const int *v = facets->triangles[t].v;
  tacVec3 a = facets->vertices[v[0]], b = facets->vertices[v[1]], c = facets->vertices[v[2]];
  tacVec3 face = tac_vec3_cross(tac_vec3_sub(b, a), tac_vec3_sub(c, a));
  double along = tac_vec3_dot(face, ray), area2 = tac_vec3_norm2(face);
  double distance = along != 0.0 ? tac_vec3_dot(face, tac_vec3_sub(a, scene->view.eye)) / along : 0.0;
  tacVec3 p = tac_vec3_mad(scene->view.eye, distance, ray);
  double wa = tac_vec3_dot(face, tac_vec3_cross(tac_vec3_sub(c, b), tac_vec3_sub(p, b))) / area2;
  double wb = tac_vec3_dot(face, tac_vec3_cross(tac_vec3_sub(a, c), tac_vec3_sub(p, c))) / area2;
  double w[3] = {fmin(fmax(wa, 0.0), 1.0), fmin(fmax(wb, 0.0), 1.0), fmin(fmax(1.0 - wa - wb, 0.0), 1.0)};
  tacVec3 normal = {0.0, 0.0, 0.0};
  for (int k = 0; k < 3; ++k) {
    const float *n = facets->normals[t][k];
    normal = tac_vec3_mad(normal, w[k], tac_vec3(n[0], n[1], n[2]));
  }
  normal = tac_vec3_unit(normal);
  if (along > 0.0) normal = tac_vec3_scale(-1.0, normal); /* the back of an open surface */

  double key, sky;
  gather_light(scene, p, normal, s, &key, &sky);
  double bounce = 0.5 - 0.5 * normal.z;
  tacVec3 half = tac_vec3_unit(tac_vec3_sub(scene->lights[SKY_COUNT].direction, tac_vec3_unit(ray)));
  double shine = key > 0.0 ? 0.10 * pow(fmax(tac_vec3_dot(normal, half), 0.0), 40.0) * key : 0.0;
  double grazing = 1.0 + tac_vec3_dot(normal, tac_vec3_unit(ray));
  double rim = 0.05 * grazing * grazing * grazing * sky;
  const double *material = albedo[facets->materials[t]];
  const float(*own)[3] = facets->colours;
  for (int k = 0; k < 3; ++k) {
    double base = own == NULL ? material[k] : w[0] * own[v[0]][k] + w[1] * own[v[1]][k] + w[2] * own[v[2]][k];
    colour[k] = base * (key_colour[k] * key + sky_colour[k] * sky + bounce_colour[k] * bounce) + shine + rim;
  }
  double cover = edge_cover(scene, t, x, y);
  for (int k = 0; k < 3; ++k) colour[k] += cover * (ink[k] - colour[k]);
}

static void shade_background(const Scene *scene, tacVec3 ray, double height, int s, double colour[3]) {
  static const double low[3] = {0.840, 0.855, 0.875}, high[3] = {0.955, 0.965, 0.975};
  double reached = 1.0;
  if (ray.z < 0.0) {
    double key, sky, distance = (scene->ground - scene->view.eye.z) / ray.z;
    gather_light(scene, tac_vec3_mad(scene->view.eye, distance, ray), sky_up, s, &key, &sky);
    double full_key = 0.0, full_sky = 0.0;
    for (int i = 0; i < KEY_SHARE; ++i) full_key += scene->lights[SKY_COUNT + i * SAMPLES + s].direction.z / KEY_SHARE;
    for (int i = 0; i < SKY_SHARE; ++i) full_sky += 2.0 * scene->lights[i * SAMPLES + s].direction.z / SKY_SHARE;
    reached = 0.16 + 0.36 * key / full_key + 0.48 * sky / full_sky;
  }
  for (int k = 0; k < 3; ++k) colour[k] = reached * (low[k] + height * (high[k] - low[k]));
}

static unsigned char to_srgb(double linear) {
  double x = fmin(fmax(linear, 0.0), 1.0);
  double s = x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1.0 / 2.4) - 0.055;
  return (unsigned char)lround(255.0 * s);
}

static void shade_rows(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  Scene *scene = context;
  const View *view = &scene->view;
  int width = scene->image->width, height = scene->image->height;
  for (size_t row = begin; row < end; ++row) {
    for (int column = 0; column < width; ++column) {
      double sum[3] = {0.0, 0.0, 0.0};
      for (int s = 0; s < SAMPLES; ++s) {
        int x = column * SUPER + s % SUPER, y = (int)row * SUPER + s / SUPER;
        double u = (x + 0.5 - 0.5 * view->map.width) / view->scale,
               v = (0.5 * view->map.height - y - 0.5) / view->scale;
        tacVec3 ray = tac_vec3_mad(tac_vec3_mad(view->forward, u, view->right), v, view->up);
        int t = view->map.item[(size_t)y * (size_t)view->map.width + (size_t)x];
        double colour[3];
        if (t >= 0)
          shade_facet(scene, t, ray, x + 0.5, y + 0.5, s, colour);
        else
          shade_background(scene, ray, 1.0 - (double)row / height, s, colour);
        for (int k = 0; k < 3; ++k) sum[k] += fmin(colour[k], 1.0) / SAMPLES;
      }
      scene->image->pixels[row * (size_t)width + (size_t)column] =
          (tacColour){to_srgb(sum[0]), to_srgb(sum[1]), to_srgb(sum[2])};
    }
  }
}

/* Set-up */

static void aim(tacVec3 direction, tacVec3 *u, tacVec3 *v) {
  tacVec3 across = fabs(direction.z) < 0.999 ? sky_up : tac_vec3(0.0, 1.0, 0.0);
  *u = tac_vec3_unit(tac_vec3_cross(across, direction));
  *v = tac_vec3_cross(direction, *u);
}

static tacVec3 direction_of(double azimuth, double elevation) {
  return tac_vec3(cos(elevation) * cos(azimuth), cos(elevation) * sin(azimuth), sin(elevation));
}

static const double golden = 2.39996322972865332; /* the angle that spreads points of a spiral evenly */

static void place_lights(Scene *scene, double azimuth) {
  tacVec3 key = direction_of(azimuth - 0.9, 0.95), u, v;
  aim(key, &u, &v);
  for (int l = 0; l < LIGHT_COUNT; ++l) {
    Light *light = &scene->lights[l];
    int i = l < SKY_COUNT ? l : l - SKY_COUNT;
    if (l < SKY_COUNT) {
      double z = (i + 0.5) / SKY_COUNT, r = sqrt(1.0 - z * z);
      light->direction = tac_vec3(r * cos(golden * i), r * sin(golden * i), z);
    } else {
      double r = 0.07 * sqrt((i + 0.5) / KEY_COUNT);
      tacVec3 d = tac_vec3_mad(tac_vec3_mad(key, r * cos(golden * i), u), r * sin(golden * i), v);
      light->direction = tac_vec3_unit(d);
    }
    aim(light->direction, &light->u, &light->v);
  }
}

/* The nearest place, looking along `forward`, from which every vertex lies within the slopes tx, ty of the picture: each
 * side plane of the view touches the mesh. */
static tacVec3 fit_eye(const Facets *facets, const View *view, double tx, double ty) {
  double most[4] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
  for (int i = 0; i < facets->vertex_count; ++i) {
    tacVec3 p = facets->vertices[i];
    double x = tac_vec3_dot(p, view->right), y = tac_vec3_dot(p, view->up), z = tac_vec3_dot(p, view->forward);
    most[0] = fmax(most[0], x - tx * z);
    most[1] = fmax(most[1], -x - tx * z);
    most[2] = fmax(most[2], y - ty * z);
    most[3] = fmax(most[3], -y - ty * z);
  }
  double z = fmin(-(most[0] + most[1]) / (2.0 * tx), -(most[2] + most[3]) / (2.0 * ty));
  tacVec3 eye = tac_vec3_scale(0.5 * (most[0] - most[1]), view->right);
  eye = tac_vec3_mad(eye, 0.5 * (most[2] - most[3]), view->up);
  return tac_vec3_mad(eye, z, view->forward);
}

/* Turns the mesh so that its up axis becomes z. */
static tacVec3 upright(tacVec3 p, int up) {
  return up == 2 ? p : up == 1 ? tac_vec3(p.x, -p.z, p.y) : tac_vec3(p.y, p.z, p.x);
}

static double view_azimuth(tacBox box, tacVec3 front) {
  if (hypot(front.x, front.y) > 0.2 * fabs(front.z)) return atan2(front.y, front.x) - 0.7;
  tacVec3 size = tac_box_size(box);
  /* The longer side runs across the picture. */
  return size.x >= size.y ? -1.05 : -0.52;
}

static void place_view(Scene *scene, tacBox box, double azimuth) {
  View *view = &scene->view;
  tacVec3 size = tac_box_size(box);
  /* Flat things are seen from higher up. */
  double flatness = 1.0 - fmin(1.0, 2.0 * size.z / fmax(size.x, size.y));
  view->forward = tac_vec3_scale(-1.0, direction_of(azimuth, 0.38 + 0.35 * flatness));
  view->right = tac_vec3_unit(tac_vec3_cross(view->forward, sky_up));
  view->up = tac_vec3_cross(view->right, view->forward);
  const double slope = 0.27,
               margin = 0.84; /* half the picture's longer side at unit distance; what the mesh may fill */
  int longer = view->map.width > view->map.height ? view->map.width : view->map.height;
  view->scale = 0.5 * longer / slope;
  view->eye = fit_eye(scene->facets, view, margin * 0.5 * view->map.width / view->scale,
                      margin * 0.5 * view->map.height / view->scale);
  for (int i = 0; i < scene->facets->vertex_count; ++i) {
    tacVec3 p = tac_vec3_sub(scene->facets->vertices[i], view->eye);
    double nearness = 1.0 / tac_vec3_dot(p, view->forward);
    view->screen[i] = tac_vec3(0.5 * view->map.width + view->scale * tac_vec3_dot(p, view->right) * nearness,
                               0.5 * view->map.height - view->scale * tac_vec3_dot(p, view->up) * nearness, nearness);
  }
}

static int threads_of(const tacPictureDef *def) {
  return def->thread_count > 0 ? def->thread_count : tac_parallel_core_count();
}

/* One of the picture's three pieces of work, which is the share [from, to] of the whole. */
static tacStatus draw_stage(Scene *scene, const tacPictureDef *def, size_t count, size_t grain, tacParallelFn function,
                            double from, double to, tacError *error) {
  tacProgressPart part = {def->progress, from, to, "picture"};
  tacProgress progress = tac_progress_part(&part);
  return tac_parallel_for(threads_of(def), count, grain, function, scene, &progress, "picture", error);
}

static tacStatus draw_facets(Facets *facets, const tacPictureDef *def, tacImage *image, tacError *error) {
  size_t vertices = (size_t)facets->vertex_count;
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  TAC_FREED(tac_image_free, tacImage, drawn) = {0};
  Scene *scene = tac_arrays_add(&work, 1, sizeof *scene);
  TAC_TRY(tac_arrays_status(&work, "a picture", error));
  scene->facets = facets;
  scene->image = &drawn;
  tacBox box = tac_box_empty();
  for (size_t i = 0; i < vertices; ++i) box = tac_box_add(box, facets->vertices[i]);
  scene->centre = tac_box_centre(box);
  scene->radius = fmax(0.5 * tac_vec3_norm(tac_box_size(box)), 1e-30);
  size_t standing = def->standing > 0 ? (size_t)def->standing : vertices;
  scene->ground = INFINITY;
  for (size_t i = 0; i < standing; ++i) scene->ground = fmin(scene->ground, facets->vertices[i].z);
  TAC_TRY(make_normals(facets, error));
  TAC_TRY(tac_image_create(def->width, def->height, (tacColour){0, 0, 0}, &drawn, error));
  scene->view.screen = tac_arrays_add(&work, vertices, sizeof *scene->view.screen);
  scene->light_space = tac_arrays_add(&work, (size_t)threads_of(def) * vertices, sizeof *scene->light_space);
  depth_map_begin(&work, SUPER * def->width, SUPER * def->height, true, &scene->view.map);
  int map_size = def->width / 2 < 160 ? 160 : def->width / 2 > 600 ? 600 : def->width / 2;
  for (int l = 0; l < LIGHT_COUNT; ++l) depth_map_begin(&work, map_size, map_size, false, &scene->lights[l].map);
  TAC_TRY(tac_arrays_status(&work, "a picture's lights", error));
  double azimuth = view_azimuth(box, upright(def->front, def->up));
  place_lights(scene, azimuth);
  place_view(scene, box, azimuth);
  TAC_TRY(draw_stage(scene, def, LIGHT_COUNT, 1, draw_light_maps, 0.0, 0.4, error));
  size_t bands = ((size_t)scene->view.map.height + BAND - 1) / BAND;
  TAC_TRY(draw_stage(scene, def, bands, 4, draw_view_bands, 0.4, 0.5, error));
  TAC_TRY(draw_stage(scene, def, (size_t)def->height, 8, shade_rows, 0.5, 1.0, error));
  *image = drawn;
  drawn = (tacImage){0};
  return TAC_OK;
}

static void free_facets(Facets *facets) {
  tac_arrays_free(&facets->arrays);
}

/* With room for edges and materials. */
static tacStatus make_facets(const tacTriMesh *mesh, int up, Facets *facets, tacError *error) {
  *facets = (Facets){.vertex_count = mesh->vertex_count, .count = mesh->triangle_count, .triangles = mesh->triangles};
  if (mesh->triangle_count == 0) return tac_error_set(error, TAC_ERR_GEOMETRY, "a picture needs at least one triangle");
  facets->vertices = tac_arrays_add(&facets->arrays, (size_t)mesh->vertex_count, sizeof *facets->vertices);
  facets->edges = tac_arrays_add(&facets->arrays, (size_t)facets->count, 1);
  facets->materials = tac_arrays_add(&facets->arrays, (size_t)facets->count, 1);
  TAC_TRY(tac_arrays_status(&facets->arrays, "a picture", error));
  /* Vertices that no triangle uses must not enlarge the view: they take the place of one that is used. */
  tacVec3 used = upright(mesh->vertices[mesh->triangles[0].v[0]], up);
  for (int i = 0; i < mesh->vertex_count; ++i) facets->vertices[i] = used;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    for (int k = 0; k < 3; ++k) {
      int v = mesh->triangles[t].v[k];
      facets->vertices[v] = upright(mesh->vertices[v], up);
    }
  }
  return TAC_OK;
}

tacStatus tac_picture_surface(const tacTriMesh *mesh, const tacPictureDef *def, tacImage *image, tacError *error) {
  return tac_picture_coloured(mesh, NULL, def, image, error);
}

tacStatus tac_picture_coloured(const tacTriMesh *mesh, const float (*colours)[3], const tacPictureDef *def,
                               tacImage *image, tacError *error) {
  TAC_FREED(free_facets, Facets, facets) = {0};
  *image = (tacImage){0};
  TAC_TRY(make_facets(mesh, def->up, &facets, error));
  facets.colours = colours;
  if (def->edges) memset(facets.edges, 7, (size_t)facets.count);
  return draw_facets(&facets, def, image, error);
}

/* Volumes */

typedef struct Face {
  int v[3]; /* ascending */
} Face;

static Face face_of(const int *v) {
  Face f = {{v[0], v[1], v[2]}};
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2 - i; ++j)
      if (f.v[j] > f.v[j + 1]) {
        int swapped = f.v[j];
        f.v[j] = f.v[j + 1];
        f.v[j + 1] = swapped;
      }
  return f;
}

static int compare_faces(const void *a, const void *b) {
  const Face *f = a, *g = b;
  for (int k = 0; k < 3; ++k)
    if (f->v[k] != g->v[k]) return f->v[k] < g->v[k] ? -1 : 1;
  return 0;
}

static tacStatus boundary_faces(const tacVolMesh *mesh, Face **faces, int *count, tacError *error) {
  TAC_OWN(tacTriMesh, surface) = NULL;
  TAC_MEMORY(int, vertex_of) = NULL;
  TAC_TRY(tac_volmesh_surface(mesh, &surface, &vertex_of, NULL, error));
  *count = surface->triangle_count;
  TAC_TRY(TAC_ARRAY(*faces, (size_t)*count, "boundary faces", error));
  for (int t = 0; t < *count; ++t) {
    const int *v = surface->triangles[t].v;
    (*faces)[t] = face_of((int[3]){vertex_of[v[0]], vertex_of[v[1]], vertex_of[v[2]]});
  }
  qsort(*faces, (size_t)*count, sizeof **faces, compare_faces);
  return TAC_OK;
}

/* Whether a triangle's edge is one of its brick's own, not the diagonal of a face. */
static bool is_brick_edge(const tacBrick *brick, int a, int b) {
  for (int i = 0; i < 4; ++i) {
    int next = (i + 1) % 4;
    const int pairs[3][2] = {{i, next}, {i + 4, next + 4}, {i, i + 4}};
    for (int k = 0; k < 3; ++k) {
      int p = brick->v[pairs[k][0]], q = brick->v[pairs[k][1]];
      if ((p == a && q == b) || (p == b && q == a)) return true;
    }
  }
  return false;
}

static tacVec3 centroid(const tacVolMesh *mesh, const int *v, int count) {
  tacVec3 sum = {0.0, 0.0, 0.0};
  for (int k = 0; k < count; ++k) sum = tac_vec3_mad(sum, 1.0 / count, mesh->vertices[v[k]]);
  return sum;
}

/* The elements beyond the middle of the shorter horizontal side, so that the cut shows the longer section. */
static tacStatus cut_volume(const tacVolMesh *mesh, int up, tacVolMesh **rest, tacError *error) {
  tacBox box = tac_box_empty();
  for (int i = 0; i < mesh->vertex_count; ++i) box = tac_box_add(box, upright(mesh->vertices[i], up));
  tacVec3 size = tac_box_size(box), middle = tac_box_centre(box);
  bool across = size.x >= size.y;
  TAC_TRY(tac_volmesh_create(mesh->vertex_count, mesh->tet_count, mesh->brick_count, rest, error));
  memcpy((*rest)->vertices, mesh->vertices, (size_t)mesh->vertex_count * sizeof *mesh->vertices);
  int tets = 0, bricks = 0;
  for (int e = 0; e < mesh->tet_count + mesh->brick_count; ++e) {
    bool tet = e < mesh->tet_count;
    const int *v = tet ? mesh->tets[e].v : mesh->bricks[e - mesh->tet_count].v;
    tacVec3 c = upright(centroid(mesh, v, tet ? 4 : 8), up);
    if (across ? c.y < middle.y : c.x > middle.x) continue;
    if (tet)
      (*rest)->tets[tets++] = mesh->tets[e];
    else
      (*rest)->bricks[bricks++] = mesh->bricks[e - mesh->tet_count];
  }
  (*rest)->tet_count = tets;
  (*rest)->brick_count = bricks;
  return TAC_OK;
}

tacStatus tac_picture_volume(const tacVolMesh *mesh, bool cut, const tacPictureDef *def, tacImage *image,
                             tacError *error) {
  TAC_MEMORY(Face, faces) = NULL;
  TAC_OWN(tacVolMesh, rest) = NULL;
  TAC_OWN(tacTriMesh, surface) = NULL;
  TAC_MEMORY(int, vertex_of) = NULL;
  TAC_MEMORY(int, element_of) = NULL;
  TAC_FREED(free_facets, Facets, facets) = {0};
  int face_count = 0;
  *image = (tacImage){0};
  TAC_TRY(boundary_faces(mesh, &faces, &face_count, error));
  if (cut) TAC_TRY(cut_volume(mesh, def->up, &rest, error));
  const tacVolMesh *shown = rest != NULL ? rest : mesh;
  TAC_TRY(tac_volmesh_surface(shown, &surface, &vertex_of, &element_of, error));
  TAC_TRY(make_facets(surface, def->up, &facets, error));
  for (int t = 0; t < facets.count; ++t) {
    const int *v = facets.triangles[t].v, e = element_of[t];
    int in_volume[3] = {vertex_of[v[0]], vertex_of[v[1]], vertex_of[v[2]]};
    Face face = face_of(in_volume);
    bool outer = bsearch(&face, faces, (size_t)face_count, sizeof face, compare_faces) != NULL;
    facets.materials[t] = outer ? OUTER : INNER;
    for (int k = 0; k < 3; ++k)
      if (e < shown->tet_count ||
          is_brick_edge(&shown->bricks[e - shown->tet_count], in_volume[k], in_volume[(k + 1) % 3]))
        facets.edges[t] |= (unsigned char)(1 << k);
  }
  return draw_facets(&facets, def, image, error);
}
