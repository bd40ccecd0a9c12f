#include "scene/finding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/meshing.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/memory/physical_memory.h"
#include "base/text.h"
#include "kinds/scene_kinds.h"
#include "math/geometry/vec3.h"
#include "mesh/query/self_intersection.h"
#include "mesh/query/thickness.h"
#include "mesh/triangle_key.h"
#include "mesh/trimesh.h"
#include "scene/scene.h"
#include "scene/tool_device.h"
#include "spec/body_region.h"
#include "spec/body_solid.h"
#include "spec/exact_solid.h"

#define LARGEST_ORGAN 3.0   /* largest plausible size of a body in a mesh file, m */
#define SMALLEST_ORGAN 2e-3 /* smallest plausible size of a body in a mesh file, m */
#define THIN_SHARE 0.05     /* fraction of the area that is ignored: sharp edges and tips are thin */
#define REFUSED \
  1.2 /* largest ratio of edge length to thickness, on a tenth of the area (elastic/reference/thin_parts.h) */
#define COARSE_SHARE 0.6
#define MOST_ELEMENTS 3e5 /* maximum number of elements that a check creates */

typedef struct {
  tacCheck *check;
  const tacSceneBody *body;
  const tacSceneKind *kind;
  tacCheckedBody *to;
  tacVolMesh *volume;
  double edge; /* mean edge length of the surface, m */
} Look;

static bool is_elastic(const Look *l) {
  return tac_scene_body_material_count(l->body) > 0;
}

/* True for an elastic body without a volume mesh. */
static bool by_boundary_elements(const Look *l) {
  return is_elastic(l) && !l->body->has_volume;
}

static const tacYamlNode *at(const Look *l, const char *key) {
  return tac_finding_node(l->body, key);
}

/* ---- meshes ---- */

static double mean_edge(const tacTriMesh *mesh, int t) {
  const int *v = mesh->triangles[t].v;
  double sum = 0.0;
  for (int i = 0; i < 3; ++i) sum += tac_vec3_distance(mesh->vertices[v[i]], mesh->vertices[v[(i + 1) % 3]]);
  return sum / 3.0;
}

/* Returns a mesh maker without a cache folder, so that a check writes no files. */
static tacBodyMaker maker_of(const Look *l, tacError *reason) {
  return (tacBodyMaker){.tree = l->check->scene->tree,
                        .body = l->body,
                        .progress = l->check->progress,
                        .error = reason,
                        .relaxed = l->kind->relaxes};
}

/* Reports an error of a mesh as a finding, so that the check continues. Lack of memory and cancellation end the
 * check. */
static tacStatus report_mesh(const Look *l, tacStatus status, const tacError *reason) {
  if (status == TAC_ERR_MEMORY || status == TAC_ERR_CANCELLED)
    return tac_error_set(l->check->error, status, "%s", reason->text);
  if (status != TAC_OK) tac_finding_report_error(l->check, "mesh", reason);
  return TAC_OK;
}

static tacStatus make_surface(Look *l) {
  tacError reason = {0};
  tacBodyMaker maker = maker_of(l, &reason);
  tacStatus status = TAC_OK;
  if (l->body->analytic.count > 0) {
    tacDistanceField *field = NULL;
    status = tac_exact_solid_make(&maker, &l->to->surface, &field);
    tac_distance_field_destroy(field);
  } else if (l->body->has_surface) {
    status = tac_body_mesh_surface(&maker, &l->to->surface);
  }
  return report_mesh(l, status, &reason);
}

/* Estimates the number of elements. Scenes of the gallery have 26 to 40 tetrahedra per square of the surface, where
 * the side of a square is the edge length `tets`. */
static double count_elements(const Look *l) {
  const tacSceneVolume *v = &l->body->volume;
  double volume = fabs(tac_trimesh_volume(l->to->surface)), area = tac_trimesh_area(l->to->surface);
  if (v->has_tets) return fmin(40.0 * area / (v->tets * v->tets), 12.0 * volume / pow(v->tets, 3.0) + 200.0);
  return volume / pow(v->bricks, 3.0);
}

static tacStatus make_volume(Look *l) {
  tacError reason = {0};
  tacBodyMaker maker = maker_of(l, &reason);
  if (!l->body->has_volume) return TAC_OK;
  if (!tac_scene_volume_whole(&l->body->volume)) {
    if (l->to->surface == NULL || l->to->tree == NULL) return TAC_OK; /* the surface was reported already */
    double count = count_elements(l);
    l->to->elements = count < 1e9 ? (int)count : 1000000000;
    if (count > MOST_ELEMENTS) return TAC_OK; /* check_appetite reports the memory */
  }
  tacStatus status = tac_body_mesh_volume(&maker, l->to->surface, &l->volume);
  if (status != TAC_OK) return report_mesh(l, status, &reason);
  l->to->elements = l->volume->tet_count + l->volume->brick_count;
  if (l->to->surface != NULL || !tac_scene_volume_whole(&l->body->volume)) return TAC_OK;
  return tac_volmesh_surface(l->volume, &l->to->surface, NULL, NULL, l->check->error);
}

static tacStatus check_closed(Look *l) {
  const tacTriMesh *surface = l->to->surface;
  tacError reason;
  if (tac_trimesh_require_closed(surface, &reason) == TAC_OK)
    return tac_triangle_tree_create(surface, &l->to->tree, l->check->error);
  if (!is_elastic(l) || (l->body->volume.has_bricks && l->body->volume.fill != TAC_VOXELS_CENTRE)) return TAC_OK;
  tac_finding_report(l->check, TAC_FINDING_FAULT, "open", at(l, "surface"),
                     "%.200s: the surface encloses no volume; repair it with tactus mesh FILE --repair -o OUT, or "
                     "with tactus new",
                     reason.text);
  return TAC_OK;
}

static tacStatus check_crossings(const Look *l) {
  const tacTriMesh *surface = l->to->surface;
  int pairs = 0;
  if (!by_boundary_elements(l)) return TAC_OK;
  TAC_MEMORY(unsigned char, flat) = NULL;
  TAC_TRY(TAC_ARRAY(flat, (size_t)surface->triangle_count, "triangles", l->check->error));
  for (int t = 0; t < surface->triangle_count; ++t) flat[t] = tac_triangle_is_degenerate(surface, t);
  TAC_TRY(tac_self_intersection_count(surface, flat, &pairs, l->check->error));
  if (pairs > 0)
    tac_finding_report(l->check, TAC_FINDING_FAULT, "crossing", at(l, "surface"),
                       "the surface intersects itself (%s of triangles), and boundary elements do not allow this; "
                       "make a surface without intersections with tactus mesh FILE --remesh SIZE -o OUT",
                       tac_text_many(pairs, "pair").text);
  return TAC_OK;
}

static void check_size(const Look *l) {
  const tacSceneSurface *s = &l->body->surface;
  bool file = s->file != NULL || l->body->volume.file != NULL;
  tacBox box = tac_trimesh_box(l->to->surface);
  double longest = tac_box_longest(box);
  if (!file || (longest <= LARGEST_ORGAN && longest >= SMALLEST_ORGAN)) return;
  tac_finding_report(l->check, TAC_FINDING_WARNING, "size", at(l, s->file != NULL ? "surface" : "volume"),
                     "the body is %s large; lengths in mesh files are in metres, so for a file in mm write scale: "
                     "0.001 beside it",
                     tac_text_size(box).text);
}

/* ---- thin parts ---- */

/* Returns the fraction of the area whose triangles have edges longer than `ratio` times the local thickness. */
static double share_above(const tacTriMesh *mesh, const double *thickness, double ratio) {
  double area = 0.0, above = 0.0;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    const int *v = mesh->triangles[t].v;
    tacVec3 a = mesh->vertices[v[0]];
    double own =
        tac_vec3_norm(tac_vec3_cross(tac_vec3_sub(mesh->vertices[v[1]], a), tac_vec3_sub(mesh->vertices[v[2]], a)));
    if (!isfinite(thickness[t])) continue;
    area += own;
    if (mean_edge(mesh, t) > ratio * thickness[t]) above += own;
  }
  return area > 0.0 ? above / area : 0.0;
}

static void check_thin_surface(const Look *l, const double *thickness) {
  const tacTriMesh *surface = l->to->surface;
  if (!by_boundary_elements(l)) return;
  double needed = 0.5 * tac_thickness_quantile(surface, thickness, 0.1);
  if (share_above(surface, thickness, REFUSED) > 0.1)
    tac_finding_report(l->check, TAC_FINDING_FAULT, "thin", at(l, "surface"),
                       "the mesh is too coarse for boundary elements: edges are %s long, and a tenth of the surface "
                       "is thinner than %s; use edges of %s (vertices, or tactus mesh FILE --remesh %.2g), or "
                       "bricks: method: finite-elements with volume: {bricks: %.2g mm}",
                       tac_text_length(l->edge).text, tac_text_length(2.0 * needed).text, tac_text_length(needed).text,
                       needed, 1e3 * needed);
  else if (share_above(surface, thickness, COARSE_SHARE) > 0.1)
    tac_finding_report(l->check, TAC_FINDING_NOTE, "thin", at(l, "surface"),
                       "the mesh is slightly coarse: a tenth of the surface is thinner than %s, and edges are %s "
                       "long, so the body bends slightly too stiffly; use edges of %s",
                       tac_text_length(2.0 * needed).text, tac_text_length(l->edge).text, tac_text_length(needed).text);
}

/* Checks the size of volume elements in thin parts. A single layer of bricks shears instead of bending. If bricks are
 * selected by centres, thin parts may be missing. */
static void check_thin_volume(const Look *l) {
  const tacSceneVolume *v = &l->body->volume;
  double thin = l->to->thickness;
  if (v->has_bricks && v->bricks > 1.25 * thin && v->fill == TAC_VOXELS_CENTRE)
    tac_finding_report(
        l->check, TAC_FINDING_WARNING, "thin", at(l, "volume"),
        "the bricks are too large: parts of the body are %s thin, and bricks of %s that are selected by their "
        "centres may leave holes there; use fill: cover to close the holes, or bricks of %s to bend correctly",
        tac_text_length(thin).text, tac_text_length(v->bricks).text, tac_text_length(0.5 * thin).text);
  else if (v->has_tets && v->tets > 1.5 * thin)
    tac_finding_report(
        l->check, TAC_FINDING_WARNING, "thin", at(l, "volume"),
        "the tetrahedra are too large: parts of the body are %s thin, and tetrahedra of %s are missing or too stiff "
        "there; use tets of %s, or bricks of %s",
        tac_text_length(thin).text, tac_text_length(v->tets).text, tac_text_length(0.5 * thin).text,
        tac_text_length(0.5 * thin).text);
}

static tacStatus check_thin(Look *l) {
  const tacTriMesh *surface = l->to->surface;
  if (l->to->tree == NULL) return TAC_OK;
  TAC_MEMORY(double, thickness) = NULL;
  TAC_TRY(TAC_ARRAY(thickness, (size_t)surface->triangle_count, "thickness", l->check->error));
  TAC_TRY(tac_thickness_measure(surface, thickness, l->check->error));
  l->to->thickness = tac_thickness_quantile(surface, thickness, THIN_SHARE);
  check_thin_surface(l, thickness);
  if (isfinite(l->to->thickness)) check_thin_volume(l);
  return TAC_OK;
}

/* ---- fixed regions ---- */

static void report_fixed(const Look *l, const bool *flags, int count) {
  int held = 0;
  for (int v = 0; v < count; ++v) held += flags[v];
  if (held == count)
    tac_finding_report(l->check, TAC_FINDING_FAULT, "fixed", at(l, "fixed"),
                       "all %s are fixed, so the body cannot move; use a smaller region",
                       tac_text_many(count, "vertex").text);
  else if (held < 3)
    tac_finding_report(l->check, TAC_FINDING_WARNING, "fixed", at(l, "fixed"),
                       "too few vertices are fixed (%s), so the body can rotate without resistance; use a larger "
                       "region with at least three vertices",
                       tac_text_many(held, "vertex").text);
  else if (held > 0.9 * count)
    tac_finding_report(l->check, TAC_FINDING_WARNING, "fixed", at(l, "fixed"),
                       "%.0f %% of the vertices are fixed, so little of the body can move; check the side (above or "
                       "below)",
                       100.0 * held / count);
}

static tacStatus check_fixed(const Look *l) {
  tacError reason = {0};
  tacBodyMaker maker = maker_of(l, &reason);
  bool surface = by_boundary_elements(l);
  if (l->body->fixed.count == 0 || (surface ? l->to->surface == NULL : l->volume == NULL)) return TAC_OK;
  int count = surface ? l->to->surface->vertex_count : l->volume->vertex_count;
  TAC_MEMORY(bool, flags) = NULL;
  TAC_TRY(TAC_ARRAY(flags, (size_t)count, "vertices", l->check->error));
  tacStatus status = surface ? tac_body_region_surface(&maker, &l->body->fixed, l->to->surface, NULL, NULL, flags)
                             : tac_body_region_volume(&maker, &l->body->fixed, l->volume, flags);
  if (status == TAC_OK)
    report_fixed(l, flags, count);
  else if (status != TAC_ERR_MEMORY)
    tac_finding_report_error(l->check, "fixed", &reason);
  return status == TAC_ERR_MEMORY ? status : TAC_OK;
}

/* ---- masks and moduli ---- */

/* Returns the radius of the largest fingertip of the scene, m; 0 if the scene has no fingertip. */
static double fingertip_of(const Look *l) {
  const tacSceneFile *file = &l->check->scene->file;
  double most = 0.0;
  for (int t = 0; t < file->tools.count; ++t)
    if (tac_scene_file_tool(file, t)->kind == TAC_SCENE_FINGERTIP_TOOL)
      most = fmax(most, tac_scene_file_tool(file, t)->radius);
  return most;
}

static double finger_of(const Look *l) {
  double tip = fingertip_of(l);
  return tip > 0.0 ? tip : l->kind->finger != NULL ? l->kind->finger(l->body) : 0.0;
}

static void check_mask(const Look *l) {
  double mask = finger_of(l), edge = l->edge;
  if (!(mask > 0.0) || fingertip_of(l) > 0.0) return; /* the patch of a fingertip adapts to the mesh */
  if (mask < edge)
    tac_finding_report(l->check, TAC_FINDING_WARNING, "mask", at(l, "mask"),
                       "the mask (%s) is shorter than an edge of the surface (%s): the finger presses single "
                       "vertices, and the stiffness jumps between them; use mask: %.2g mm, or a finer surface",
                       tac_text_length(mask).text, tac_text_length(edge).text, 2e3 * edge);
  else if (2.0 * mask > l->to->least_side)
    tac_finding_report(l->check, TAC_FINDING_WARNING, "mask", at(l, "mask"),
                       "the contact patch (%s across) is wider than the body (%s at its shortest side); use mask: "
                       "%.2g mm",
                       tac_text_length(2.0 * mask).text, tac_text_length(l->to->least_side).text,
                       fmax(2e3 * edge, 250.0 * l->to->least_side));
}

static void check_poisson(const Look *l) {
  const tacSceneVolume *v = &l->body->volume;
  bool tets = l->volume != NULL ? l->volume->tet_count > 0 : v->has_tets;
  if (!(tets || l->kind->divides) || (l->kind->keeps_volume != NULL && l->kind->keeps_volume(l->body))) return;
  for (int i = 0; i < tac_scene_body_material_count(l->body); ++i) {
    const tacSceneMaterial *m = tac_scene_body_material(l->body, i);
    const tacYamlNode *node = tac_yaml_child(m->node, "poisson");
    if (!m->has_poisson || m->poisson < 0.48) continue;
    tac_finding_report(
        l->check, TAC_FINDING_WARNING, "poisson", node != NULL ? node : m->node,
        "Poisson's ratio %.4g is too large for linear tetrahedra: they lock and become several times too stiff; use "
        "0.45%s",
        m->poisson, l->kind->divides ? ", or patches: true if the kind supports it" : ", or bricks");
  }
}

/* Compares the stiffness that a finger feels with the limit of the device. The stiffness is that of a flat finger of
 * radius a on a half space, 2 a E / (1 - nu^2). */
static tacStatus check_stiffness(const Look *l) {
  double young, poisson, limit, touch = tac_scene_kind_touch(l->body);
  const tacYamlNode *node = at(l, "material");
  int index = (int)(l->body - tac_scene_file_body(&l->check->scene->file, 0));
  TAC_TRY(tac_tool_device_least_stiffness(l->check->scene, &limit, l->check->error));
  if (tac_scene_material(l->check->scene, index, &young, &poisson)) {
    double radius = finger_of(l) > 0.0 ? finger_of(l) : fmax(l->edge, 2e-3);
    l->to->stiffness = 2.0 * radius * young / (1.0 - poisson * poisson);
  }
  if (isinf(limit)) return TAC_OK; /* no tool that touches at a point, or an unknown device */
  if (l->kind->linear && l->to->stiffness > 5.0 * fmin(limit, touch))
    tac_finding_report(
        l->check, TAC_FINDING_NOTE, "stiffness", node,
        "the body is stiffer than the tool can render: a finger feels about %s N/mm, and %.2g N/mm are rendered (the "
        "device's limit divided by scale, or rigid_stiffness); it feels hard, and is indented less than it should be",
        tac_text_count((long long)fmin(1e-3 * l->to->stiffness, 1e15)).text, 1e-3 * fmin(limit, touch));
  const tacYamlNode *given = tac_yaml_child(l->body->node, "rigid_stiffness");
  if (given == NULL) given = tac_yaml_child(l->body->node, "touch");
  if (given != NULL && touch > 1.001 * limit)
    tac_finding_report(
        l->check, TAC_FINDING_WARNING, "stiffness", given,
        "%.4g N/m is more than the device renders stably at this tool scale; it is reduced to %.4g N/m; lower it or "
        "the tool's scale",
        touch, limit);
  return TAC_OK;
}

/* ---- memory and time ---- */

static void check_appetite(const Look *l) {
  double memory = (double)tac_physical_memory();
  double n = l->to->surface != NULL ? l->to->surface->vertex_count : 0.0;
  double inside = l->volume != NULL ? l->volume->vertex_count : 0.0;
  const tacBodyExtent extent = {.surface = n,
                                .skin = l->volume != NULL ? fmin(6.0 * pow(inside, 2.0 / 3.0), inside) : n,
                                .elements = l->to->elements};
  tacBodyAppetite own = l->kind->appetite != NULL ? l->kind->appetite(l->body, &extent) : (tacBodyAppetite){0};
  double bytes = own.bytes, seconds = own.seconds;
  bytes += 3e3 * l->to->elements; /* 3 kB per element for factors and meshes */
  l->check->bake_bytes += bytes;
  l->check->bake_seconds += seconds;
  if (bytes > 0.5 * memory)
    tac_finding_report(
        l->check, bytes > memory ? TAC_FINDING_FAULT : TAC_FINDING_WARNING, "memory",
        at(l, l->body->has_volume ? "volume" : "surface"),
        "%s%s need about %s of memory, and the machine has %s; use larger elements, fewer vertices or wanted "
        "regions%s",
        l->to->elements > 0 ? tac_text_many(l->to->elements, "element").text : tac_text_many((int)n, "vertex").text, "",
        tac_text_bytes(bytes).text, tac_text_bytes(memory).text,
        l->kind->linear && l->body->has_volume ? ", or storage: near" : "");
  else if (seconds > 600.0)
    tac_finding_report(l->check, TAC_FINDING_WARNING, "bake", at(l, l->body->has_volume ? "volume" : "surface"),
                       "the bake takes about %s; use fewer vertices: 600 to 1,500 are enough for a hand",
                       tac_text_seconds(seconds).text);
}

static void check_step(const Look *l) {
  const tacSceneFile *file = &l->check->scene->file;
  int every = 1;
  if (l->kind->step == NULL) return;
  tac_scene_rate_every(&file->rate, file->servo.def.rate, &every, NULL);
  double step = l->kind->step(l->body, l->to->elements), period = every / file->servo.def.rate;
  double round = ceil(1.25 * step * file->servo.def.rate) / file->servo.def.rate;
  if (step < 0.9 * period) return;
  tac_finding_report(
      l->check, TAC_FINDING_WARNING, "step",
      every > 1 ? file->rate.node : at(l, tac_yaml_child(l->body->node, "basis") != NULL ? "basis" : "volume"),
      "a step takes about %s on one core, but its period is %s, so ticks will miss their deadline; write rate: "
      "{simulate: %.4g Hz}, or use fewer elements or coordinates",
      tac_text_seconds(step).text, tac_text_seconds(period).text, round < 0.1 ? 1.0 / round : 10.0);
}

static void check_falls(const Look *l) {
  const tacSceneFile *file = &l->check->scene->file;
  bool weighs = tac_vec3_norm(l->body->gravity) > 0.0;
  if (!tac_scene_kind_frees(l->body) || !weighs || file->floor.node != NULL) return;
  for (int i = 0; i < file->tools.count; ++i) {
    const tacSceneTool *tool = tac_scene_file_tool(file, i);
    if (tool->body != NULL && strcmp(tool->body, l->body->name) == 0) return;
  }
  for (int i = 0; i < file->contacts.count; ++i) {
    const tacScenePair *pair = tac_scene_file_pair(file, i);
    int copy;
    if (tac_scene_file_find(file, pair->points, &copy) == l->body ||
        tac_scene_file_find(file, pair->field, &copy) == l->body)
      return;
  }
  if (file->bodies.count > 1) return; /* the body may touch other bodies */
  tac_finding_report(l->check, TAC_FINDING_WARNING, "falls", l->body->node,
                     "the body is free and has weight, but nothing is below it, so it falls forever; write floor: "
                     "{normal: z, at: 0}, or fix the body with fixed");
}

static tacStatus look(Look *l) {
  tacCheckedBody *to = l->to;
  tacStatus status = make_surface(l);
  if (status == TAC_OK && to->surface != NULL) status = check_closed(l);
  if (status == TAC_OK) status = make_volume(l);
  if (status == TAC_OK && to->surface != NULL && to->tree == NULL && tac_scene_volume_whole(&l->body->volume))
    status = check_closed(l);
  check_falls(l);
  if (status != TAC_OK || to->surface == NULL || to->surface->triangle_count == 0) return status;
  tacVec3 size = tac_box_size(tac_trimesh_box(to->surface));
  to->least_side = fmin(size.x, fmin(size.y, size.z));
  for (int t = 0; t < to->surface->triangle_count; ++t) l->edge += mean_edge(to->surface, t);
  l->edge /= to->surface->triangle_count;
  check_size(l);
  TAC_TRY(check_crossings(l));
  TAC_TRY(check_thin(l));
  TAC_TRY(check_fixed(l));
  check_mask(l);
  check_poisson(l);
  check_appetite(l);
  check_step(l);
  return check_stiffness(l);
}

tacStatus tac_body_check(tacCheck *check, int index) {
  const tacSceneBody *body = tac_scene_file_body(&check->scene->file, index);
  Look l = {.check = check, .body = body, .kind = tac_scene_kind_of(body), .to = &check->bodies[index]};
  l.to->thickness = INFINITY;
  tacStatus status = look(&l);
  tac_volmesh_destroy(l.volume);
  return status;
}

void tac_body_check_free(tacCheckedBody *body) {
  tac_trimesh_destroy(body->surface);
  tac_triangle_tree_destroy(body->tree);
  *body = (tacCheckedBody){0};
}
