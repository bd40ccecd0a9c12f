/* Gallery: organs. Their functions are in millimetres; a scale makes the stated length exact. */
#include <string.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/progress.h"
#include "shape/gallery.h"
#include "shape/liver.h"

TAC_OWNED_TYPE(tacTriMesh, tac_trimesh_destroy)

static tacVec3 millimetres(tacVec3 p, double scale) {
  return tac_vec3_scale(1000.0 / scale, p);
}

static double metres(double f, double scale) {
  return 0.001 * scale * f;
}

/* Kidney: z along it, hilum at +x. */
#define KIDNEY_SCALE (110.0 / 106.0)
static double kidney(tacVec3 p) {
  static const tacVec3 ureter_line[] = {{18.0, 0.0, -2.0}, {36.0, 0.0, -4.0}, {38.0, 0.0, -22.0}, {36.0, 0.0, -48.0}};
  p = millimetres(p, KIDNEY_SCALE);
  double at, f = tac_implicit_bezier(tac_vec3(p.x, 1.3 * p.y, p.z), tac_vec3(8.0, 0.0, -34.0),
                                     tac_vec3(-18.0, 0.0, 0.0), tac_vec3(8.0, 0.0, 34.0), &at);
  double middle = 4.0 * at * (1.0 - at);
  f -= 19.0 + 5.5 * middle * middle;
  f = tac_implicit_difference(f, tac_implicit_ellipsoid(p, tac_vec3(31.0, 0.0, 0.0), tac_vec3(15.0, 13.0, 15.0)), 9.0);
  double ureter = tac_implicit_spline(p, 4, ureter_line, &at);
  ureter = ureter - 3.2 - 4.0 * (1.0 - at) * (1.0 - at);
  double artery = tac_implicit_capsule(p, tac_vec3(12.0, -3.0, 7.0), tac_vec3(42.0, -4.0, 14.0), 3.2);
  double vein = tac_implicit_capsule(p, tac_vec3(12.0, 4.0, 3.0), tac_vec3(43.0, 5.0, 5.0), 4.0);
  return metres(tac_implicit_union(f, fmin(tac_implicit_union(artery, vein, 2.0), ureter), 4.0), KIDNEY_SCALE);
}

/* Heart: z up, -y to the front, the apex towards +x. */
#define HEART_SCALE (175.0 / 175.538278)
static double coronary(tacVec3 p, int count, const tacVec3 *line) {
  /* A ridge under a curve that is drawn on the front view. */
  double distance = tac_implicit_spline(tac_vec3(p.x, 0.0, p.z), count, line, NULL);
  return exp(-distance * distance / 9.0);
}

static double heart(tacVec3 p) {
  static const tacVec3 aorta_line[] = {
      {4.0, 0.0, 26.0}, {-12.0, -4.0, 62.0}, {-4.0, 4.0, 98.0}, {30.0, 16.0, 94.0}, {36.0, 32.0, 75.0}};
  static const tacVec3 pulmonary_line[] = {
      {-12.0, -20.0, 22.0}, {-6.0, -28.0, 54.0}, {16.0, -18.0, 66.0}, {46.0, -4.0, 68.0}};
  static const tacVec3 descending[] = {{10.0, 0.0, 34.0}, {18.0, 0.0, 0.0}, {24.0, 0.0, -24.0}, {32.0, 0.0, -52.0}};
  static const tacVec3 diagonal[] = {{14.0, 0.0, 12.0}, {30.0, 0.0, 2.0}, {40.0, 0.0, -20.0}};
  static const tacVec3 marginal[] = {{-6.0, 0.0, 30.0}, {-36.0, 0.0, 14.0}, {-24.0, 0.0, -14.0}, {6.0, 0.0, -36.0}};
  p = millimetres(p, HEART_SCALE);
  double left = tac_implicit_cone(p, tac_vec3(8.0, 2.0, 8.0), tac_vec3(32.0, -8.0, -44.0), 33.0, 13.0);
  double right = tac_implicit_cone(p, tac_vec3(-16.0, -14.0, 6.0), tac_vec3(14.0, -18.0, -36.0), 25.0, 12.0);
  double f = tac_implicit_union(left, right, 5.0);
  double front = fmin(fmax(-p.y / 20.0, 0.0), 1.0);
  f -= 1.6 * front * fmax(coronary(p, 4, descending), fmax(coronary(p, 3, diagonal), coronary(p, 4, marginal)));
  double atria = fmin(tac_implicit_ellipsoid(p, tac_vec3(14.0, 18.0, 40.0), tac_vec3(25.0, 18.0, 18.0)),
                      tac_implicit_ellipsoid(p, tac_vec3(-32.0, -4.0, 30.0), tac_vec3(19.0, 20.0, 23.0)));
  double ears = fmin(tac_implicit_ellipsoid(p, tac_vec3(26.0, -14.0, 42.0), tac_vec3(11.0, 12.0, 8.0)),
                     tac_implicit_ellipsoid(p, tac_vec3(-24.0, -22.0, 40.0), tac_vec3(12.0, 9.0, 9.0)));
  /* What lies between the right atrium and the aorta is filled: a cleft there would be too narrow for any mesh. */
  atria = tac_implicit_union(atria, tac_implicit_sphere(p, tac_vec3(-16.0, -4.0, 42.0), 12.0), 4.0);
  f = tac_implicit_union(f, tac_implicit_union(atria, ears, 6.0), 5.0);
  double veins = tac_implicit_capsule(p, tac_vec3(-34.0, 4.0, 40.0), tac_vec3(-32.0, 6.0, 96.0), 8.5);
  veins = fmin(veins, tac_implicit_capsule(p, tac_vec3(-34.0, 8.0, 10.0), tac_vec3(-38.0, 12.0, -22.0), 9.0));
  veins = fmin(veins, tac_implicit_capsule(p, tac_vec3(28.0, 22.0, 47.0), tac_vec3(52.0, 26.0, 50.0), 5.0));
  veins = fmin(veins, tac_implicit_capsule(p, tac_vec3(28.0, 22.0, 34.0), tac_vec3(52.0, 27.0, 32.0), 5.0));
  double branches = tac_implicit_capsule(p, tac_vec3(-4.0, 2.0, 84.0), tac_vec3(-10.0, 0.0, 112.0), 4.5);
  branches = fmin(branches, tac_implicit_capsule(p, tac_vec3(8.0, 7.0, 88.0), tac_vec3(8.0, 6.0, 114.0), 4.5));
  branches = fmin(branches, tac_implicit_capsule(p, tac_vec3(20.0, 12.0, 88.0), tac_vec3(26.0, 12.0, 113.0), 4.5));
  double aorta = tac_implicit_union(tac_implicit_spline(p, 5, aorta_line, NULL) - 11.0, branches, 4.0);
  double pulmonary = tac_implicit_spline(p, 4, pulmonary_line, NULL) - 10.0;
  f = tac_implicit_union(f, veins, 5.0);
  return metres(tac_implicit_union(f, tac_implicit_union(aorta, pulmonary, 2.0), 5.0), HEART_SCALE);
}

/* Eyeball: a globe about the origin, the cornea at +z. */
static double eyeball(tacVec3 p) {
  const tacVec3 cornea = {0.0, 0.0, 0.0056}, origin = {0.0, 0.0, 0.0};
  return tac_implicit_union(tac_implicit_sphere(p, origin, 0.012), tac_implicit_sphere(p, cornea, 0.0078), 0.0005);
}

/* Eye: a hollow globe about the origin, the cornea at +z, with two ports beside it, 50 degrees from the axis. */
#define PORT_SINE 0.766044443118978
#define PORT_COSINE 0.642787609686539
#define PORT_RADIUS 0.0013

static double eye(tacVec3 p) {
  const tacVec3 cornea = {0.0, 0.0, 0.0056}, origin = {0.0, 0.0, 0.0};
  double outside = eyeball(p);
  /* The four straight muscles, flat bands that begin behind the equator of the cornea. */
  double meridian = fmin(fabs(p.x), fabs(p.y)) / 0.003, behind = fmin(fmax((0.0045 - p.z) / 0.003, 0.0), 1.0);
  outside -= 0.0006 * exp(-meridian * meridian * meridian * meridian) * behind * behind * (3.0 - 2.0 * behind);
  double nerve = tac_implicit_capsule(p, tac_vec3(0.0025, 0.0, -0.011), tac_vec3(0.0045, 0.0, -0.018), 0.002);
  double cavity =
      tac_implicit_union(tac_implicit_sphere(p, origin, 0.010), tac_implicit_sphere(p, cornea, 0.0062), 0.002);
  tacVec3 mirrored = tac_vec3(fabs(p.x), p.y, p.z);
  double port = tac_implicit_capsule(mirrored, tac_vec3(0.006 * PORT_SINE, 0.0, 0.006 * PORT_COSINE),
                                     tac_vec3(0.02 * PORT_SINE, 0.0, 0.02 * PORT_COSINE), PORT_RADIUS);
  double f = fmax(tac_implicit_union(outside, nerve, 0.002), -cavity);
  return tac_implicit_difference(f, port, 0.0005);
}

/* Trocar: a cannula along z that ends at z = 0, with a flange at its head. */
static double trocar(tacVec3 p) {
  double across = sqrt(p.x * p.x + p.y * p.y);
  double cannula = tac_implicit_rectangle(across - 0.0009, p.z - 0.00285, 0.00025, 0.00285, 0.0002);
  double flange = tac_implicit_rectangle(across - 0.001725, p.z - 0.00525, 0.000725, 0.00075, 0.0003);
  return tac_implicit_union(cannula, flange, 0.0003);
}

static const tacImplicitSolid eye_solid = {eye, {{-0.0126, -0.0126, -0.02}, {0.0126, 0.0126, 0.0134}}, 1.4};
static const tacImplicitSolid trocar_solid = {trocar, {{-0.00245, -0.00245, 0.0}, {0.00245, 0.00245, 0.006}}, 1.0};

/* Appends `part` to the counted arrays of `whole`, turned by `angle` about y and moved outward along its axis. */
static void append_trocar(const tacTriMesh *part, double angle, double offset, int vertex, int triangle,
                          tacTriMesh *whole) {
  tacVec3 origin = tac_vec3(offset * sin(angle), 0.0, offset * cos(angle));
  for (int i = 0; i < part->vertex_count; ++i)
    whole->vertices[vertex + i] = tac_vec3_add(origin, tac_implicit_turn_y(part->vertices[i], -angle));
  for (int i = 0; i < part->triangle_count; ++i)
    for (int c = 0; c < 3; ++c) whole->triangles[triangle + i].v[c] = part->triangles[i].v[c] + vertex;
}

static tacStatus add_range(tacTriMesh *mesh, const char *name, int begin, int end, int *numbers, tacError *error) {
  for (int i = begin; i < end; ++i) numbers[i - begin] = i;
  return tac_trimesh_add_group(mesh, name, end - begin, numbers, error);
}

static tacStatus build_eye_trocars(double size, const tacProgress *progress, tacTriMesh **mesh, tacError *error) {
  const double angle = 0.8726646259971648;
  TAC_OWN(tacTriMesh, globe) = NULL;
  TAC_OWN(tacTriMesh, part) = NULL;
  TAC_OWN(tacTriMesh, whole) = NULL;
  TAC_MEMORY(int, numbers) = NULL;
  const tacProgressPart parts[2] = {{progress, 0.0, 0.5, NULL}, {progress, 0.5, 1.0, NULL}};
  const tacProgress stages[2] = {tac_progress_part(&parts[0]), tac_progress_part(&parts[1])};
  *mesh = NULL;
  TAC_TRY(tac_implicit_mesh_build(&eye_solid, size, &stages[0], &globe, error));
  TAC_TRY(tac_implicit_mesh_build(&trocar_solid, 0.3 * size, &stages[1], &part, error));
  int v0 = globe->vertex_count, v1 = v0 + part->vertex_count;
  int t0 = globe->triangle_count, t1 = t0 + part->triangle_count, t2 = t1 + part->triangle_count;
  TAC_TRY(tac_trimesh_create(v1 + part->vertex_count, t2, &whole, error));
  memcpy(whole->vertices, globe->vertices, (size_t)v0 * sizeof *whole->vertices);
  memcpy(whole->triangles, globe->triangles, (size_t)t0 * sizeof *whole->triangles);
  append_trocar(part, angle, 0.0078, v0, t0, whole);
  append_trocar(part, -angle, 0.0078, v1, t1, whole);
  TAC_TRY(TAC_ARRAY(numbers, (size_t)t2, "triangle numbers", error));
  TAC_TRY(add_range(whole, "eye", 0, t0, numbers, error));
  TAC_TRY(add_range(whole, "trocar-right", t0, t1, numbers, error));
  TAC_TRY(add_range(whole, "trocar-left", t1, t2, numbers, error));
  *mesh = tac_give(&whole);
  return TAC_OK;
}

static const tacGalleryModel models[] = {
    TAC_GALLERY_IMPLICIT("kidney", "kidney, 110 mm long, with hilum, vessels and ureter", 0.002, 0.0035, kidney, 1.5,
                         {{-0.030613208, -0.019557329, -0.055}, {0.048773585, 0.019557329, 0.055}}),
    TAC_GALLERY_IMPLICIT("liver", "liver, 230 mm wide, with two lobes, gallbladder and vena cava", 0.004, 0.008,
                         tac_liver, 1.9,
                         {{-0.103233086, -0.060309398, -0.060716387}, {0.126766914, 0.058308573, 0.073444323}}),
    TAC_GALLERY_IMPLICIT("heart", "heart, 175 mm high with its great vessels", 0.0025, 0.004, heart, 1.5,
                         {{-0.050843611, -0.038880409, -0.056863373}, {0.056825213, 0.042868143, 0.118136627}}),
    TAC_GALLERY_IMPLICIT("eye", "eye, a hollow globe of radius 12 mm with wall of 2 mm and two ports", 0.0005, 0.0008,
                         eye, 1.4, {{-0.0126, -0.0126, -0.02}, {0.0126, 0.0126, 0.0134}}),
    TAC_GALLERY_IMPLICIT("eyeball", "eyeball, a solid globe of radius 12 mm with its cornea at +z", 0.001, 0.003,
                         eyeball, 1.0, {{-0.012, -0.012, -0.012}, {0.012, 0.012, 0.0134}}),
    TAC_GALLERY_IMPLICIT("trocar", "trocar: cannula of radius 1.15 mm and length 6 mm with a flange of radius 2.45 mm",
                         0.00015, 0.00025, trocar, 1.0, {{-0.00245, -0.00245, 0.0}, {0.00245, 0.00245, 0.006}}),
    {{"eye-trocars",
      "the eye with two trocars in its ports, 0.15 mm of play around each: groups eye, trocar-right, trocar-left",
      0.0005, 0.0},
     0.0006,
     {NULL, {{-0.0126, -0.0126, -0.02}, {0.0126, 0.0126, 0.0134}}, 1.0},
     .build = build_eye_trocars},
};
const tacGalleryFamily tac_gallery_organs = {sizeof models / sizeof *models, models};
