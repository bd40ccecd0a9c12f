#include "app/cli/mesh/report_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

void tac_report_line(const char *name, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int padding = 22;
  for (const char *c = name; *c != '\0'; ++c) padding -= ((unsigned char)*c & 0xC0) != 0x80; /* UTF-8 characters */
  printf("  %s%*s  ", name, padding > 0 ? padding : 0, "");
  vprintf(format, arguments);
  va_end(arguments);
  putchar('\n');
}

tacText tac_report_file_size(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 ? tac_text_bytes((double)info.st_size) : (tacText){"size unknown"};
}

static void print_count(const char *name, int count) {
  tac_report_line(name, "%s", count == 0 ? "none" : tac_text_count(count).text);
}

void tac_report_print_box(tacBox box) {
  tac_report_line("box", "%s", tac_text_size(box).text);
  tac_report_line("", "from (%.6g, %.6g, %.6g) m to (%.6g, %.6g, %.6g) m", box.lower.x, box.lower.y, box.lower.z,
                  box.upper.x, box.upper.y, box.upper.z);
}

static void print_edges(double shortest, double longest) {
  tac_report_line("edges", "%s to %s", tac_text_length(shortest).text, tac_text_length(longest).text);
}

static void print_mass(tacVec3 centroid, const double inertia[3][3], bool solid) {
  tac_report_line("centroid", "(%.6g, %.6g, %.6g) m", centroid.x, centroid.y, centroid.z);
  if (!solid) return;
  tac_report_line("inertia at 1 kg/m³", "xx %.4g, yy %.4g, zz %.4g, xy %.4g, xz %.4g, yz %.4g kg m²", inertia[0][0],
                  inertia[1][1], inertia[2][2], inertia[0][1], inertia[0][2], inertia[1][2]);
}

/* Appends "3 boundary edges" where there are any. */
static void add_fault(char *faults, int size, int count, const char *noun) {
  size_t used = strlen(faults);
  if (count > 0)
    snprintf(faults + used, (size_t)size - used, "%s%s", used > 0 ? ", " : "", tac_text_many(count, noun).text);
}

/* The last line of a report; returns whether there is no fault. */
static bool print_fit(const char *faults) {
  bool fit = faults[0] == '\0';
  tac_report_line("fit for simulation", "%s%s", fit ? "yes" : "no: ", faults);
  return fit;
}

bool tac_report_print_surface(const tacSurfaceReport *r, char *faults, int size) {
  tac_report_line("vertices", "%s", tac_text_count(r->vertices).text);
  tac_report_line("triangles", "%s", tac_text_count(r->triangles).text);
  tac_report_line("components", "%s", tac_text_count(r->components).text);
  tac_report_line("closed", "%s", r->closed ? "yes" : "no");
  tac_report_line("manifold", "%s", r->manifold ? "yes" : "no");
  tac_report_line("oriented", "%s", r->oriented ? "yes" : "no");
  if (r->genus >= 0) tac_report_line("genus", "%s", tac_text_count(r->genus).text);
  print_count("boundary edges", r->boundary_edges);
  print_count("non-manifold edges", r->nonmanifold_edges);
  print_count("non-manifold vertices", r->nonmanifold_vertices);
  print_count("misoriented edges", r->misoriented_edges);
  print_count("inside-out parts", r->inside_out);
  print_count("self-intersections", r->self_intersections);
  print_count("degenerate triangles", r->degenerate_triangles);
  print_count("duplicate triangles", r->duplicate_triangles);
  print_count("duplicate vertices", r->duplicate_vertices);
  print_count("unused vertices", r->unused_vertices);
  tac_report_line("area", "%s", tac_text_area(r->area).text);
  if (r->closed) tac_report_line("volume", "%s", tac_text_volume(r->volume).text);
  if (fabs(r->solid_volume - r->volume) > 1e-6 * r->solid_volume)
    tac_report_line("volume of the solid", "%s", tac_text_volume(r->solid_volume).text);
  print_mass(r->centroid, r->inertia, r->closed);
  print_edges(r->shortest_edge, r->longest_edge);
  tac_report_line("angles of triangles", "%.1f° to %.1f°", r->smallest_angle, r->largest_angle);
  tac_report_print_box(r->box);
  tac_report_surface_fit(r, faults, size);
  return print_fit(faults);
}

bool tac_report_print_volume(const tacVolumeReport *r, char *faults, int size) {
  tac_report_line("vertices", "%s", tac_text_count(r->vertices).text);
  print_count("tetrahedra", r->tets);
  print_count("bricks", r->bricks);
  tac_report_line("components", "%s", tac_text_count(r->components).text);
  print_count("inverted elements", r->inverted_elements);
  print_count("degenerate elements", r->degenerate_elements);
  print_count("duplicate elements", r->duplicate_elements);
  print_count("non-manifold faces", r->nonmanifold_faces);
  print_count("unused vertices", r->unused_vertices);
  tac_report_line("volume", "%s", tac_text_volume(r->volume).text);
  print_mass(r->centroid, r->inertia, true);
  print_edges(r->shortest_edge, r->longest_edge);
  if (r->tets > 0) tac_report_line("dihedral angles", "%.1f° to %.1f°", r->smallest_dihedral, r->largest_dihedral);
  tac_report_print_box(r->box);
  faults[0] = '\0';
  if (r->tets == 0 && r->bricks == 0) snprintf(faults, (size_t)size, "no elements");
  add_fault(faults, size, r->inverted_elements, "inverted element");
  add_fault(faults, size, r->degenerate_elements, "degenerate element");
  add_fault(faults, size, r->duplicate_elements, "duplicate element");
  add_fault(faults, size, r->nonmanifold_faces, "non-manifold face");
  return print_fit(faults);
}

bool tac_report_surface_fit(const tacSurfaceReport *r, char *faults, int size) {
  faults[0] = '\0';
  if (r->triangles == 0) snprintf(faults, (size_t)size, "no triangles");
  add_fault(faults, size, r->boundary_edges, "boundary edge");
  add_fault(faults, size, r->nonmanifold_edges, "non-manifold edge");
  add_fault(faults, size, r->nonmanifold_vertices, "non-manifold vertex");
  add_fault(faults, size, r->misoriented_edges, "misoriented edge");
  add_fault(faults, size, r->inside_out, "inside-out part");
  add_fault(faults, size, r->degenerate_triangles, "degenerate triangle");
  add_fault(faults, size, r->self_intersections, "self-intersection");
  return faults[0] == '\0';
}

const char *tac_report_surface_remedy(const tacSurfaceReport *r) {
  bool repairable = r->boundary_edges + r->nonmanifold_edges + r->misoriented_edges + r->inside_out > 0 ||
                    r->nonmanifold_vertices + r->degenerate_triangles > 0;
  if (r->triangles == 0) return "";
  if (repairable && r->self_intersections > 0) return "; try --repair, then --remesh SIZE against self-intersections";
  return repairable                  ? "; try --repair"
         : r->self_intersections > 0 ? "; try --remesh SIZE, which removes self-intersections"
                                     : "";
}
