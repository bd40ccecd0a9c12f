#include "app/cli/scene/scene_draft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/device.h>
#include "base/error.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/text.h"
#include "math/geometry/vec3.h"
#include "spec/tissue.h"

/* Numbers are written with three digits: nobody measured more. */
typedef struct {
  const tacSceneDraftDef *def;
  FILE *to;
  tacBox box;       /* of the surface, its own frame */
  tacVec3 size;     /* of the box */
  int axis, across; /* 0 to 2: out of the side that is held, and the longer of the other two */
  double sign;      /* along `axis`, away from what is held */
  int press; /* the axis along which the finger comes: `axis`, or of what is flat and held at its rim the shortest */
  double press_sign; /* from where */
  double held_at;    /* along `axis`, own frame */
  double depth, air; /* of the press, and above the surface before and after */
  tacSceneDraft chosen;
} Draft;

static double component(tacVec3 v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static void set_component(tacVec3 *v, int axis, double value) {
  *(axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z) = value;
}

static tacText point(tacVec3 p) {
  tacText result;
  snprintf(result.text, sizeof result.text, "[%.28s, %.28s, %.28s]", tac_text_written_length(p.x).text,
           tac_text_written_length(p.y).text, tac_text_written_length(p.z).text);
  return result;
}

/* Where it is held */

static double share_held(const Draft *d, double at) {
  const tacTriMesh *mesh = d->def->mesh->surface;
  int held = 0;
  for (int v = 0; v < mesh->vertex_count; ++v) held += d->sign * (component(mesh->vertices[v], d->axis) - at) <= 0.0;
  return (double)held / mesh->vertex_count;
}

/* A slice of a seventh of the height, thicker where it has fewer than a twelfth of the vertices, as of what stands on a tip. */
static void choose_held(Draft *d) {
  double lower = component(d->box.lower, d->axis), upper = component(d->box.upper, d->axis);
  double from = d->sign > 0.0 ? lower : upper;
  double slice = 0.15;
  do {
    d->held_at = from + d->sign * slice * (upper - lower);
    d->chosen.held = share_held(d, d->held_at);
    slice += 0.05;
  } while (d->chosen.held < 1.0 / 12.0 && slice < 0.5);
}

static void choose_axes(Draft *d) {
  static const int axis_of[] = {2, 2, 0, 0, 1, 1};
  int side = (int)d->def->fixed;
  d->axis = axis_of[side];
  d->sign = side % 2 == 0 ? 1.0 : -1.0;
  int one = (d->axis + 1) % 3, other = (d->axis + 2) % 3;
  d->across = component(d->size, one) >= component(d->size, other) ? one : other;
  int flat = d->across == one ? other : one;
  bool at_rim = 3.0 * component(d->size, flat) < component(d->size, d->axis);
  d->press = at_rim ? flat : d->axis;
  d->press_sign = at_rim ? 1.0 : d->sign;
}

/* How it is pressed */

/* Wide enough that the dent is of the body and not of a triangle; a finger's width where the organ is large. */
static void choose_press(Draft *d, const tacDeviceInfo *device) {
  const tacOrganMesh *mesh = d->def->mesh;
  const tacTissue *tissue = d->def->tissue;
  double height = component(d->size, d->press), longest = tac_box_longest(d->box);
  d->chosen.mask = fmax(2.0 * mesh->edge, fmin(0.006, 0.1 * longest));
  d->air = 0.1 * longest;
  /* Small against the body and what is under it, since the method is linear; and half of what the device can. */
  d->depth = fmin(0.08 * height, 0.3 * mesh->thickness);
  double stiffness =
      fmin(2.0 * 0.5 * d->chosen.mask * tissue->young / (1.0 - tissue->poisson * tissue->poisson), 1500.0);
  d->depth = fmin(d->depth, 0.5 * device->force_limit / stiffness);
  d->chosen.depth = d->depth;
  tacVec3 reach = tac_box_size(device->workspace);
  double needed = 0.0;
  for (int axis = 0; axis < 3; ++axis)
    needed = fmax(needed, (component(d->size, axis) + (axis == d->press ? d->air : 0.0)) / component(reach, axis));
  char text[32]; /* of three digits */
  snprintf(text, sizeof text, "%.3g", needed > 1.0 ? ceil(10.0 * needed) / 10.0 : needed < 0.25 ? 2.0 * needed : 1.0);
  d->chosen.scale = strtod(text, NULL);
}

/* A place to look for the nearest surface from, `along` of the body's half width to the side. */
static tacVec3 seen_from(const Draft *d, double along) {
  tacVec3 p = {0};
  if (d->press != d->axis) set_component(&p, d->axis, 0.3 * d->sign * component(d->size, d->axis));
  set_component(&p, d->press, d->press_sign * (0.5 * component(d->size, d->press) + 0.25 * tac_box_longest(d->box)));
  set_component(&p, d->across, along * 0.5 * component(d->size, d->across));
  return p;
}

/* Text */

static const char *const axis_names[] = {"x", "y", "z"};

static void write_surface(const Draft *d) {
  const tacSceneDraftDef *def = d->def;
  tacVec3 middle = tac_box_centre(d->box);
  char quoted[8192] = "'";
  size_t end = 1;
  for (const char *c = def->file != NULL ? def->file : ""; *c != 0 && end < sizeof quoted - 4; ++c) {
    if (*c == '\'') quoted[end++] = '\''; /* YAML doubles them */
    quoted[end++] = *c;
  }
  quoted[end] = '\'';
  if (def->shape != NULL)
    fprintf(d->to, "    surface: {shape: %s, vertices: %d}   # from the gallery: tactus mesh --shape list\n",
            def->shape, def->mesh->surface->vertex_count);
  else if (def->mesh->scale != 1.0 && !def->mesh->remade)
    fprintf(d->to, "    surface: {file: %s, scale: %.10g}   # metres per unit of the file\n", quoted, def->mesh->scale);
  else
    fprintf(d->to, "    surface: {file: %s}   # in metres\n", quoted);
  if (tac_vec3_norm(middle) > 1e-4 * tac_box_longest(d->box))
    fprintf(d->to, "    position: %s   # moves its centre to the origin\n", point(tac_vec3_scale(-1.0, middle)).text);
}

static void write_material(const Draft *d) {
  const tacTissue *t = d->def->tissue;
  fprintf(d->to,
          "    # %s, %.4g, %.0f kg/m3 (%s).\n"
          "    # Sources give %s to %s. To use another value: {tissue: %s, young: %.4g kPa}. docs/tissues.md\n"
          "    material: %s\n",
          tac_text_pressure(t->young).text, t->poisson, t->density, t->source, tac_text_pressure(t->least).text,
          tac_text_pressure(t->most).text, t->name, 2e-3 * t->young, t->name);
}

static void write_fixed(const Draft *d) {
  fprintf(d->to, "    fixed:   # %.0f %% of the vertices do not move; coordinates of the mesh\n",
          100.0 * d->chosen.held);
  fprintf(d->to, "      - %s: {axis: %s, at: %s}\n", d->sign > 0.0 ? "below" : "above", axis_names[d->axis],
          tac_text_written_length(d->held_at).text);
}

/* What `write` writes, the caller's. */
static char *text_of(const Draft *d, void (*write)(const Draft *d), tacError *error) {
  Draft own = *d;
  char *text = NULL;
  size_t size = 0;
  own.to = open_memstream(&text, &size);
  if (own.to != NULL) write(&own);
  if (own.to != NULL && fclose(own.to) == 0) return text;
  free(text);
  tac_error_set(error, TAC_ERR_MEMORY, "there is not enough memory for the lines of a scene");
  return NULL;
}

static tacStatus write_body(const Draft *d, tacError *error) {
  enum { MOST_OWN = 4096 }; /* bytes of what the kind adds */
  TAC_MEMORY(char, surface) = text_of(d, write_surface, error);
  TAC_MEMORY(char, material) = text_of(d, write_material, error);
  TAC_MEMORY(char, fixed) = text_of(d, write_fixed, error);
  TAC_MEMORY(char, text) = NULL;
  if (surface == NULL || material == NULL || fixed == NULL) return TAC_ERR_MEMORY;
  const tacBodyDraft body = {.surface = surface,
                             .material = material,
                             .fixed = fixed,
                             .tissue = d->def->tissue->name,
                             .volume = fabs(tac_trimesh_volume(d->def->mesh->surface)),
                             .thickness = d->def->mesh->thickness,
                             .edge = d->def->mesh->edge,
                             .finger = d->chosen.mask};
  size_t size = strlen(surface) + strlen(material) + strlen(fixed) + MOST_OWN;
  TAC_TRY(TAC_ARRAY(text, size, "lines of a scene", error));
  d->def->kind->drafter->write(&body, text, size);
  fprintf(d->to, "bodies:\n  - name: %s\n%s", d->def->name, text);
  return TAC_OK;
}

static void write_waypoint(const Draft *d, double along, double depth, double after) {
  fprintf(d->to, "        - {on: %s, near: %s, depth: %s, after: %.3g s}\n", d->def->name,
          point(seen_from(d, along)).text, tac_text_written_length(depth).text, after);
}

static void write_tool(const Draft *d) {
  fprintf(d->to,
          "\n"
          "tools:\n"
          "  - name: finger\n"
          "    kind: fingertip                # also: point (touches at a point), body (holds an instrument); "
          "docs/scene.md\n"
          "    radius: %s                   # of the contact (docs/fingertip.md)\n",
          tac_text_written_length(fmin(0.006, 0.1 * tac_box_longest(d->box))).text);
  if (d->chosen.scale != 1.0)
    fprintf(
        d->to,
        "    scale: %.4g                     # scene metres per metre of the hand, so that the organ fits the device\n",
        d->chosen.scale);
  fprintf(
      d->to,
      "    device:\n"
      "      kind: operator               # a simulated hand and device; for hardware: kind: driver (docs/device.md)\n"
      "      preset: %s\n"
      "      repeat: true\n"
      "      path:                        # near: the surface point nearest to it; depth: into the body, negative "
      "outside\n",
      d->def->preset);
  write_waypoint(d, -0.4, -d->air, 1.0);
  write_waypoint(d, -0.4, d->depth, 1.0);
  write_waypoint(d, 0.0, d->depth, 1.5);
  write_waypoint(d, 0.4, d->depth, 1.5);
  write_waypoint(d, 0.4, -d->air, 1.0);
}

tacStatus tac_scene_draft_write(const tacSceneDraftDef *def, FILE *to, tacSceneDraft *draft, tacError *error) {
  tacOperatorDef device;
  TAC_TRY(tac_operator_def_preset(def->preset, &device, error));
  Draft d = {.def = def, .to = to, .box = tac_trimesh_box(def->mesh->surface)};
  d.size = tac_box_size(d.box);
  choose_axes(&d);
  choose_held(&d);
  choose_press(&d, &device.info);
  fprintf(to,
          "# Written by tactus new from %.*s. You may change every line: docs/scene.md.\n"
          "#   tactus check %s.yaml    find problems before the bake\n"
          "#   tactus view %s.yaml     touch it with the mouse\n"
          "#   tactus run %s.yaml      20 s of the simulated hand below; recording and report in out/%s\n"
          "tactus: 1\n"
          "name: %s\n"
          "about: %s%s%s, pressed by a finger\n"
          "duration: 20 s\n",
          (int)strcspn(def->source, "\n"), def->source, def->name, def->name, def->name, def->name, def->name,
          def->name, strcmp(def->name, def->tissue->name) != 0 ? " of " : "",
          strcmp(def->name, def->tissue->name) != 0 ? def->tissue->name : "");
  if (def->kind->drafter->rate > 0.0)
    fprintf(to, "rate: {simulate: %.4g Hz}           # steps of the body; forces are rendered at 1 kHz\n",
            def->kind->drafter->rate);
  fprintf(to, "\n");
  TAC_TRY(write_body(&d, error));
  write_tool(&d);
  *draft = d.chosen;
  return TAC_OK;
}
