#include "app/cli/commands/mesh_options.h"

#include <string.h>
#include <tactus/meshing.h>
#include <tactus/pointshell.h>
#include "app/cli/commands/command.h"
#include "app/cli/console/console.h"
#include "mesh/formats/mesh_file.h"
#include "shape/shape.h"

static const char command[] = "tactus mesh";

static const char about[] =
    "Reads a surface or volume mesh (OBJ, STL, PLY, OFF, Gmsh MSH, VTK, VTU, VEG, TetGen) or the surface\n"
    "of a distance field, recognised by content, or makes a gallery shape. Applies the options in this\n"
    "order: scale, repair, remesh, simplify, fill, check. Writes the result to OUT only if everything\n"
    "succeeded; the ending of its name selects the format. Lengths are in metres.";

static const char closing[] =
    "examples:\n"
    "  tactus mesh --shape list                            list the gallery\n"
    "  tactus mesh --shape kidney -o kidney.obj            write a surface\n"
    "  tactus mesh scan.stl --check                        is it fit for simulation?\n"
    "  tactus mesh scan.stl --repair -o clean.ply          weld, orient, close holes\n"
    "  tactus mesh mm.stl --scale 0.001 -o m.ply           from millimetres\n"
    "  tactus mesh clean.ply --remesh 0.004 -o even.ply    even triangles, for boundary elements\n"
    "  tactus mesh clean.ply --tets auto -o organ.vtu      fill it with tetrahedra\n"
    "  tactus mesh organ.vtu --picture organ.png --cut     look inside\n"
    "  tactus mesh clean.ply --field 128 -o organ.field    signed distance field, 128 x 128 x 128 voxels\n"
    "  tactus mesh clean.ply --points 65536 -o organ.ply   points for contact with other bodies\n"
    "  tactus mesh chair.obj --soup --bricks 60 -o c.veg   polygons that are not closed";

/* The table of options writes into `o`. */
bool tac_mesh_options_parse(int argc, char **argv, tacMeshOptions *o, int *operands, int *result) {
  const tacOption table[] = {
      {TAC_OPTION_HEADING, .help = "input and output"},
      {TAC_OPTION_TEXT, "-o", "OUT", "the file to write", .target = &o->output},
      {TAC_OPTION_TEXT, "--format", "NAME", "format of OUT, regardless of its name; --format list lists them",
       .target = &o->format},
      {TAC_OPTION_TEXT, "--shape", "NAME",
       "a gallery shape instead of IN; list lists them,\n"
       "all draws all of them (with --picture)",
       .target = &o->shape},
      {TAC_OPTION_NUMBER, "--size", "M", "edge length of the shape's triangles (default: depends on the shape)",
       .target = &o->size, .given = &o->has_size, .lower = 1e-9, .upper = 1e9},
      {TAC_OPTION_NUMBER, "--scale", "S", "multiply all lengths of IN by S: 0.001 if they are in millimetres",
       .target = &o->scale, .given = &o->has_scale, .lower = 1e-9, .upper = 1e9},

      {TAC_OPTION_HEADING, .help = "surfaces"},
      {TAC_OPTION_FLAG, "--check",
       .help = "print a report of the result; exit status 1 if it is not fit for\n"
               "simulation",
       .target = &o->check},
      {TAC_OPTION_FLAG, "--repair", .help = "weld vertices, drop degenerate triangles, orient, close holes",
       .target = &o->repair},
      {TAC_OPTION_NUMBER, "--weld", "M",
       "with --repair: merge vertices within this distance\n"
       "(default: only equal ones)",
       .target = &o->weld, .given = &o->has_weld, .lower = 0.0, .upper = 1e9},
      {TAC_OPTION_NUMBER, "--remesh", "SIZE",
       "remesh the surface through its distance field: closed, even triangles\n"
       "with edges of about SIZE, without self-intersections",
       .target = &o->remesh, .given = &o->has_remesh, .lower = 1e-9, .upper = 1e9},
      {TAC_OPTION_COUNT, "--simplify", "N", "collapse edges until N triangles remain, and make them even",
       .target = &o->simplify, .given = &o->has_simplify, .lower = 4, .upper = 100000000},

      {TAC_OPTION_HEADING, .help = "filling (one of the four)"},
      {TAC_OPTION_NUMBER, "--tets", "SIZE|auto",
       "tetrahedra with this edge length at the surface; auto: the coarsest\n"
       "size that keeps the volume within 2 % and the parts connected",
       .target = &o->tets, .given = &o->has_tets, .lower = 1e-9, .upper = 1e9, .word = "auto"},
      {TAC_OPTION_COUNT, "--bricks", "N|auto", "cubes, N along the longest side; auto as above", .target = &o->bricks,
       .given = &o->has_bricks, .lower = 1, .upper = 1024, .word = "auto"},
      {TAC_OPTION_COUNT, "--field", "N", "signed distance field on N x N x N voxels; OUT ends with .field",
       .target = &o->field, .given = &o->has_field, .lower = 1, .upper = 1024},
      {TAC_OPTION_COUNT, "--points", "N",
       "pointshell: N evenly spaced points on the surface, in nested levels\n"
       "that are even too; OUT ends with .points, or .ply for other programs.\n"
       "--field N sets the voxels of the field that the points are laid on\n"
       "(default: about one point per voxel)",
       .target = &o->points, .given = &o->has_points, .lower = 4, .upper = 100000000},
      {TAC_OPTION_COUNT, "--levels", "L",
       "with --points: number of levels; each has a quarter of the points of\n"
       "the next (default: the first has about 300)",
       .target = &o->levels, .given = &o->has_levels, .lower = 1, .upper = TAC_POINTSHELL_MOST_LEVELS},
      {TAC_OPTION_CHOICE, "--fill",
       .help = "centre: bricks whose centre is inside (default); cover: all that the\n"
               "surface touches or encloses; shell: only those that it touches",
       .target = &o->fill, .given = &o->has_fill, .word = "centre|cover|shell"},
      {TAC_OPTION_NUMBER, "--expansion", "X",
       "side of the field's cube relative to the longest side of the mesh\n"
       "(default 1.5; 1.1 with --points)",
       .target = &o->expansion, .given = &o->has_expansion, .lower = 1.0, .upper = 100.0},
      {TAC_OPTION_FLAG, "--soup",
       .help = "the triangles do not enclose a volume: use the surface at a small\n"
               "distance around them",
       .target = &o->soup},
      {TAC_OPTION_NUMBER, "--offset", "M", "with --soup: this distance (default 1.4 voxels)", .target = &o->offset,
       .given = &o->has_offset, .lower = 1e-9, .upper = 1e9},

      {TAC_OPTION_HEADING, .help = "pictures"},
      {TAC_OPTION_TEXT, "--picture", "FILE.png", "draw the result", .target = &o->picture},
      {TAC_OPTION_FLAG, "--edges", .help = "draw the edges of the triangles", .target = &o->edges},
      {TAC_OPTION_FLAG, "--cut", .help = "leave out the front half of a volume's elements", .target = &o->cut},
      {TAC_OPTION_CHOICE, "--up", .help = "the axis that points up (default z)", .target = &o->up, .given = &o->has_up,
       .word = "x|y|z"},
      {TAC_OPTION_COUNT, "--width", "PIXELS", "width of the picture (default 1200)", .target = &o->width,
       .given = &o->has_width, .lower = 100, .upper = 8000},
      {TAC_OPTION_COUNT, "--height", "PIXELS", "height of the picture (default 3/4 of the width)", .target = &o->height,
       .given = &o->has_height, .lower = 100, .upper = 8000},

      {TAC_OPTION_HEADING, .help = "other"},
      tac_options_threads(),
      tac_options_quiet(&o->quiet),
  };
  const tacUsage usage = {command, "[IN] -o OUT [options]\n--shape NAME -o OUT [options]\nIN --check", about,
                          TAC_OPTIONS(table), .closing = closing};
  return tac_options_parse(&usage, argc, argv, operands, result);
}

static int find_format(const char *name, tacMeshFormat *format) {
  *format = tac_mesh_format_find(name);
  if (*format != TAC_MESH_FORMAT_COUNT) return TAC_EXIT_OK;
  tacNearest nearest = {.given = name};
  for (int f = TAC_MESH_FORMAT_BY_NAME + 1; f < TAC_MESH_FORMAT_COUNT; ++f)
    tac_nearest_offer(&nearest, tac_mesh_format_name((tacMeshFormat)f));
  return tac_usage_error(command, "unknown format %s; did you mean %s?", name, nearest.best);
}

static int find_shape(const char *name) {
  if (tac_shape_find(name) != NULL) return TAC_EXIT_OK;
  tacNearest nearest = {.given = name};
  for (int i = 0; tac_shape_info(i) != NULL; ++i) tac_nearest_offer(&nearest, tac_shape_info(i)->name);
  return tac_usage_error(command, "unknown shape %s; did you mean %s? (--shape list names them all)", name,
                         nearest.best);
}

/* An option that means nothing without another is a mistake, not a thing to ignore. */
static int check_companions(const tacMeshOptions *o) {
  bool filling = o->has_tets || o->has_bricks || o->has_field || o->has_points;
  const struct {
    bool given, allowed;
    const char *name, *needs;
  } rules[] = {
      {o->has_size, o->shape != NULL, "--size", "--shape"},
      {o->has_scale, o->shape == NULL, "--scale", "a file IN; shapes are in metres already"},
      {o->has_weld, o->repair, "--weld", "--repair"},
      {o->has_fill, o->has_bricks, "--fill", "--bricks"},
      {o->has_expansion, o->has_field || o->has_points, "--expansion", "--field or --points"},
      {o->has_levels, o->has_points, "--levels", "--points"},
      {o->soup, filling, "--soup", "--tets, --bricks, --field or --points"},
      {o->has_offset, o->soup, "--offset", "--soup"},
      {o->edges, o->picture != NULL, "--edges", "--picture"},
      {o->cut, o->picture != NULL, "--cut", "--picture"},
      {o->has_up, o->picture != NULL, "--up", "--picture"},
      {o->has_width, o->picture != NULL, "--width", "--picture"},
      {o->has_height, o->picture != NULL, "--height", "--picture"},
      {o->format != NULL, o->output != NULL, "--format", "-o OUT"},
  };
  for (size_t i = 0; i < sizeof rules / sizeof *rules; ++i)
    if (rules[i].given && !rules[i].allowed)
      return tac_usage_error(command, "%s needs %s", rules[i].name, rules[i].needs);
  return TAC_EXIT_OK;
}

static int check_format_option(const tacMeshOptions *o, tacMeshFormat *format) {
  if (o->format != NULL) return find_format(o->format, format);
  *format = tac_mesh_format_of_path(o->output);
  if (*format != TAC_MESH_FORMAT_BY_NAME) return TAC_EXIT_OK;
  return tac_usage_error(command, "%s: no format has this ending; change the name, or give --format NAME", o->output);
}

static int check_output(const tacMeshOptions *o, tacMeshFormat *format) {
  *format = TAC_MESH_FORMAT_BY_NAME;
  if (o->output == NULL) return TAC_EXIT_OK;
  if (o->has_points) {
    if (o->format != NULL) return tac_usage_error(command, "--format is for meshes; points go to .points or .ply");
    if (!tac_options_ends(o->output, ".points") && !tac_options_ends(o->output, ".ply"))
      return tac_usage_error(command, "points are written to a file that ends with .points or .ply, not to %s",
                             o->output);
    return TAC_EXIT_OK;
  }
  if (tac_options_ends(o->output, ".points"))
    return tac_usage_error(command, "%s has the ending of a pointshell; give --points N", o->output);
  if (o->has_field) {
    if (o->format != NULL) return tac_usage_error(command, "--format is for meshes; a field has one format");
    if (!tac_options_ends(o->output, ".field"))
      return tac_usage_error(command, "a field is written to a file that ends with .field, not to %s", o->output);
    return TAC_EXIT_OK;
  }
  if (tac_options_ends(o->output, ".field"))
    return tac_usage_error(command, "%s has the ending of a distance field; give --field N", o->output);
  int status = check_format_option(o, format);
  if (status == TAC_EXIT_OK && o->has_bricks && *format == TAC_MESH_FORMAT_TETGEN)
    return tac_usage_error(command,
                           "TetGen files support only tetrahedra; write the bricks as .msh, .vtk, .vtu or .veg");
  return status;
}

int tac_mesh_options_check(const tacMeshOptions *o, int operands, tacMeshFormat *format) {
  if (operands > 1) return tac_usage_error(command, "only one mesh at a time; unexpected argument %s", o->input);
  if (operands == 1 && o->shape != NULL) return tac_usage_error(command, "give either IN or --shape, not both");
  if (operands == 0 && o->shape == NULL) return tac_usage_error(command, "no mesh given; give a file or --shape NAME");
  int filled = o->has_tets + o->has_bricks + (o->has_field || o->has_points);
  if (filled > 1) return tac_usage_error(command, "choose one of --tets, --bricks, --field and --points");
  int status = check_companions(o);
  if (status != TAC_EXIT_OK) return status;
  if (o->has_bricks && o->bricks == 0 && (o->fill != TAC_VOXELS_CENTRE || o->soup))
    return tac_usage_error(command, "--bricks auto compares volumes: it needs a closed surface and --fill centre");
  if (o->has_tets && o->tets == 0.0 && o->soup)
    return tac_usage_error(command, "--tets auto compares volumes, but a soup has no volume; give a size");
  if (o->cut && o->has_points) return tac_usage_error(command, "--cut is only for volumes; points have no inside");
  if (o->cut && o->has_field)
    return tac_usage_error(command, "--cut is only for volumes; the picture of a field is a slice already");
  if (o->output == NULL && o->picture == NULL && !o->check)
    return tac_usage_error(command, "nothing to do; give -o OUT, --check or --picture FILE.png");
  if (o->picture != NULL && !tac_options_ends(o->picture, ".png"))
    return tac_usage_error(command, "a picture is written to a file that ends with .png, not to %s", o->picture);
  if (o->shape != NULL && (status = find_shape(o->shape)) != TAC_EXIT_OK) return status;
  return check_output(o, format);
}
