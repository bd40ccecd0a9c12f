#include <tactus/mesh.h>

#include <dirent.h>
#include <locale.h>
#include "mesh/formats/mesh_file.h"
#include "mesh/mesh_samples.h"
#include "mesh/text/number_text.h"

/* ---- formats ---- */

TAC_TEST(every_format_has_a_name_that_finds_it) {
  for (int f = TAC_MESH_FORMAT_BY_NAME + 1; f < TAC_MESH_FORMAT_COUNT; ++f) {
    ck_assert_int_eq(tac_mesh_format_find(tac_mesh_format_name((tacMeshFormat)f)), f);
    ck_assert(tac_mesh_format_holds_surface((tacMeshFormat)f) || tac_mesh_format_holds_volume((tacMeshFormat)f));
  }
  ck_assert_int_eq(tac_mesh_format_find("doc"), TAC_MESH_FORMAT_COUNT);
}

/* What each format keeps: groups of surfaces and volumes, sets of vertices, kinds of elements. */
TAC_TEST(meshes_survive_round_trips_in_every_format) {
  enum { SURFACE = 1, TETS = 2, BRICKS = 4, MIXED = 8, GROUPS = 16, SETS = 32, ALL = SURFACE | TETS | BRICKS | MIXED };
  static const struct {
    tacMeshFormat format;
    const char *ending;
    int keeps;
  } cases[] = {{TAC_MESH_FORMAT_OBJ, ".obj", SURFACE},
               {TAC_MESH_FORMAT_OBJ, ".obj", SURFACE | GROUPS},
               {TAC_MESH_FORMAT_OFF, ".off", SURFACE},
               {TAC_MESH_FORMAT_STL_ASCII, ".stl", SURFACE},
               {TAC_MESH_FORMAT_PLY_ASCII, ".ply", SURFACE | GROUPS},
               {TAC_MESH_FORMAT_PLY_BINARY, ".ply", SURFACE | GROUPS},
               {TAC_MESH_FORMAT_MSH1, ".msh", ALL},
               {TAC_MESH_FORMAT_MSH22_ASCII, ".msh", ALL | SETS},
               {TAC_MESH_FORMAT_MSH22_BINARY, ".msh", ALL | SETS},
               {TAC_MESH_FORMAT_MSH41_ASCII, ".msh", ALL | GROUPS | SETS},
               {TAC_MESH_FORMAT_MSH41_BINARY, ".msh", ALL | GROUPS | SETS},
               {TAC_MESH_FORMAT_VTK_ASCII, ".vtk", ALL | GROUPS | SETS},
               {TAC_MESH_FORMAT_VTK_BINARY, ".vtk", ALL | GROUPS | SETS},
               {TAC_MESH_FORMAT_VTU_ASCII, ".vtu", ALL | GROUPS | SETS},
               {TAC_MESH_FORMAT_VTU_BINARY, ".vtu", ALL | GROUPS | SETS},
               {TAC_MESH_FORMAT_VEG, ".veg", TETS | BRICKS | GROUPS},
               {TAC_MESH_FORMAT_TETGEN, ".ele", TETS},
               {TAC_MESH_FORMAT_TETGEN, ".node", TETS}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    tacMeshFormat format = cases[i].format;
    const char *ending = cases[i].ending;
    int keeps = cases[i].keeps;
    bool groups = keeps & GROUPS, sets = keeps & SETS;
    if (keeps & SURFACE) tac_sample_surface_survives(format, ending, groups);
    if (keeps & TETS) tac_sample_volume_survives(format, ending, 23, 0, groups, false);
    if (keeps & BRICKS) tac_sample_volume_survives(format, ending, 0, 17, groups, false);
    if (keeps & MIXED) tac_sample_volume_survives(format, ending, 23, 17, groups, sets);
    if (keeps & MIXED) tac_sample_both_survive(format, ending, groups);
  }
}

/* Writes a small mesh that the format can hold; returns whether that is a surface. */
static bool write_small(const char *path, tacMeshFormat format) {
  TAC_MESH_CONTENTS surface = {tac_sample_surface(1, 5, 0), NULL}, volume = {NULL, tac_sample_volume(1, 5, 0, 0, 0)};
  error = (tacError){0};
  bool on_surface = tac_mesh_format_holds_surface(format);
  tac_test_ok(tac_mesh_write(path, format, on_surface ? &surface : &volume, &error), error);
  return on_surface;
}

TAC_TEST(formats_are_recognised_by_content_under_any_name) {
  static const char *const names[] = {"mesh", "mesh.vtk", "mesh.dat"};
  error = (tacError){0};
  for (int f = TAC_MESH_FORMAT_BY_NAME + 1; f < TAC_MESH_FORMAT_TETGEN; ++f)
    for (int n = 0; n < 3; ++n) {
      TAC_MESH_CONTENTS back = {NULL, NULL};
      const char *path = tac_test_path(names[n]);
      bool on_surface = write_small(path, (tacMeshFormat)f);
      tacStatus status = tac_mesh_read(path, &back, &error);
      if (f == TAC_MESH_FORMAT_OBJ && n == 1) { /* has no signature, and .vtk promises another */
        ck_assert_int_eq(status, TAC_ERR_FORMAT);
        continue;
      }
      tac_test_ok(status, error);
      ck_assert_int_eq(on_surface ? back.surface->triangle_count : back.volume->tet_count, 5);
    }
}

/* Puts a byte order mark in front of a file, and a carriage return at the end of each line. */
static void write_as_other_editors(const char *path) {
  static char text[1 << 16];
  FILE *file = fopen(path, "rb");
  ck_assert_ptr_nonnull(file);
  size_t size = fread(text, 1, sizeof text, file);
  ck_assert_uint_lt(size, sizeof text);
  fclose(file);
  file = fopen(path, "wb");
  fputs("\xef\xbb\xbf", file);
  for (size_t i = 0; i < size; ++i) {
    if (text[i] == '\n') fputc('\r', file);
    fputc(text[i], file);
  }
  ck_assert_int_eq(fclose(file), 0);
}

TAC_TEST(every_text_may_have_a_byte_order_mark_and_other_ends_of_lines) {
  static const struct {
    tacMeshFormat format;
    const char *name, *other;
  } cases[] = {{TAC_MESH_FORMAT_OBJ, "m.obj", NULL},       {TAC_MESH_FORMAT_STL_ASCII, "m", NULL},
               {TAC_MESH_FORMAT_PLY_ASCII, "m", NULL},     {TAC_MESH_FORMAT_OFF, "m", NULL},
               {TAC_MESH_FORMAT_MSH1, "m", NULL},          {TAC_MESH_FORMAT_MSH22_ASCII, "m", NULL},
               {TAC_MESH_FORMAT_MSH41_ASCII, "m", NULL},   {TAC_MESH_FORMAT_VTK_ASCII, "m", NULL},
               {TAC_MESH_FORMAT_VTU_ASCII, "m", NULL},     {TAC_MESH_FORMAT_VEG, "m", NULL},
               {TAC_MESH_FORMAT_TETGEN, "m.node", "m.ele"}};
  TAC_MESH_CONTENTS made = {tac_sample_surface(1, 5, 0), tac_sample_volume(1, 5, 0, 0, 0)};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    TAC_MESH_CONTENTS back = {NULL, NULL};
    error = (tacError){0};
    const char *path = tac_test_path(cases[i].name);
    bool on_surface = write_small(path, cases[i].format);
    write_as_other_editors(path);
    ck_assert_ptr_nonnull(tac_mesh_recognise(path));
    if (cases[i].other != NULL) write_as_other_editors(tac_test_path(cases[i].other));
    tac_test_ok(tac_mesh_read(path, &back, &error), error);
    if (on_surface)
      tac_sample_same_surface(made.surface, back.surface, true);
    else
      tac_sample_same_volume(made.volume, back.volume, true, true);
  }
}

TAC_TEST(refuses_what_is_no_mesh_in_one_clear_line) {
  static const struct {
    const char *name, *text, *says;
  } cases[] = {{"a.xyz", "hello world\n", "OBJ, STL, PLY, OFF, Gmsh MSH, VTK, VTU, VEG and TetGen"},
               {"a.obj", "", "empty"},
               {"a.off", "x\n", "a.off:1: expected OFF"}};
  tacMeshContents contents;
  for (int i = 0; i < 3; ++i)
    tac_test_refused(tac_mesh_read(tac_test_write(cases[i].name, cases[i].text), &contents, &error), TAC_ERR_FORMAT,
                     error, cases[i].says);
  tac_test_refused(tac_mesh_read("/", &contents, &error), TAC_ERR_FILE, error, "directory");
  ck_assert_int_eq(tac_mesh_read("/nonexistent.obj", &contents, &error), TAC_ERR_FILE);
  ck_assert_int_eq(tac_mesh_read("/nonexistent.obj", &contents, NULL), TAC_ERR_FILE);
  ck_assert_ptr_null(contents.surface);
}

TAC_TEST(refuses_to_write_what_a_format_cannot_hold) {
  TAC_MESH_CONTENTS surface = {tac_sample_surface(1, 5, 0), NULL}, volume = {NULL, tac_sample_volume(1, 5, 0, 0, 0)};
  tacMeshContents nothing = {NULL, NULL};
  ck_assert_int_eq(tac_mesh_write("never.obj", TAC_MESH_FORMAT_BY_NAME, &volume, &error), TAC_ERR_UNSUPPORTED);
  ck_assert_str_eq(error.text, "the format OBJ supports only surfaces; write the volume as .msh, .vtk, .vtu, .veg or "
                               ".node/.ele");
  tac_test_refused(tac_mesh_write("never.veg", TAC_MESH_FORMAT_BY_NAME, &surface, &error), TAC_ERR_UNSUPPORTED, error,
                   "the format VEG supports only volumes");
  tac_test_refused(tac_mesh_write("never.doc", TAC_MESH_FORMAT_BY_NAME, &surface, &error), TAC_ERR_ARGUMENT, error,
                   ".obj .stl .ply");
  ck_assert_int_eq(tac_mesh_write("never.obj", TAC_MESH_FORMAT_BY_NAME, &nothing, &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_mesh_write("/nonexistent/never.obj", TAC_MESH_FORMAT_BY_NAME, &surface, &error), TAC_ERR_FILE);
  ck_assert_int_ne(access("never.obj", F_OK), 0);
}

/* ---- numbers ---- */

TAC_TEST(numbers_in_text_are_the_nearest_doubles) {
  tacRandom random = tac_random_seed(5);
  for (int i = 0; i < (tac_test_light() ? 20000 : 100000); ++i) {
    uint64_t bits = tac_random_bits(&random);
    double value, back;
    char text[64];
    memcpy(&value, &bits, sizeof value);
    if (!isfinite(value)) continue;
    size_t length = tac_number_text_print(value, text);
    ck_assert(tac_number_text_double(text, length, &back));
    ck_assert_msg(memcmp(&back, &value, sizeof value) == 0, "%s", text);
    /* Any number of digits, against strtod. */
    int printed = snprintf(text, sizeof text, "%.*e", (int)(bits % 25), value);
    double expected = strtod(text, NULL);
    if (!isfinite(expected)) continue;
    ck_assert(tac_number_text_double(text, (size_t)printed, &back));
    ck_assert_msg(back == expected, "%s", text);
    printed = snprintf(text, sizeof text, "%.*f", (int)(bits % 19), ldexp(value, -ilogb(value) + (int)(bits % 60)));
    ck_assert(tac_number_text_double(text, (size_t)printed, &back));
    ck_assert_msg(back == strtod(text, NULL), "%s", text);
  }
}

TAC_TEST(numbers_with_garbage_are_refused) {
  static const char *const bad[] = {"",    "-",   ".",  "+.",  "1.2.3", "1e", "1e+",   "0x1p3", "nan",
                                    "inf", "1,5", "1 ", "--1", "1e5x",  "e5", "1e999", "-1e400"};
  static const char *const good[] = {"1.", ".5", "+1", "-0", "1E+5", "1d2", "00012", "1e-999"};
  static const double values[] = {1.0, 0.5, 1.0, 0.0, 1e5, 100.0, 12.0, 0.0};
  double value;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    ck_assert_msg(!tac_number_text_double(bad[i], strlen(bad[i]), &value), "%s", bad[i]);
  for (size_t i = 0; i < sizeof good / sizeof *good; ++i) {
    ck_assert_msg(tac_number_text_double(good[i], strlen(good[i]), &value), "%s", good[i]);
    ck_assert_double_eq(value, values[i]);
  }
  int64_t integer;
  ck_assert(!tac_number_text_integer("9999999999999999999", 19, &integer));
  ck_assert(!tac_number_text_integer("1.0", 3, &integer));
  ck_assert(tac_number_text_integer("-12", 3, &integer));
  ck_assert_int_eq(integer, -12);
}

TAC_TEST(numbers_do_not_depend_on_the_locale) {
  static const char *const comma_locales[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR"};
  bool found = false;
  for (int i = 0; i < 4 && !found; ++i) found = setlocale(LC_NUMERIC, comma_locales[i]) != NULL;
  if (!found) return;
  char text[TAC_NUMBER_TEXT_SIZE];
  double value;
  ck_assert_uint_eq(tac_number_text_print(1.5, text), 3);
  ck_assert_str_eq(text, "1.5");
  ck_assert(tac_number_text_double("0.12345678901234567", 19, &value));
  setlocale(LC_NUMERIC, "C");
  ck_assert_double_eq(value, 0.12345678901234567);
}

/* ---- the files of other programs ---- */

static const struct {
  const char *name;
  int surface_vertices, triangles, volume_vertices, tets, bricks;
} known[] = {{"armadillo_4k.ele", 0, 0, 1180, 3717, 0},
             {"armadillo_4k.node", 0, 0, 1180, 3717, 0},
             {"beam3_brick.veg", 0, 0, 208, 0, 75},
             {"beam3_tet.veg", 0, 0, 208, 450, 0},
             {"cylinder.msh", 0, 0, 510, 2430, 0},
             {"cylinder1513.vtk", 0, 0, 484, 1513, 0},
             {"cylinder269.vtk", 0, 0, 111, 269, 0},
             {"dragon.obj", 1190, 2564, 0, 0, 0},
             {"liver.msh", 0, 0, 181, 596, 0},
             {"liver2.msh", 432, 860, 507, 1493, 0},
             {"raptorTetra_8418.vtu", 0, 0, 2996, 8418, 0},
             {"shark_22_ascii_fTetWild.msh", 0, 0, 425, 1070, 0},
             {"shark_22_binary_fTetWild.msh", 0, 0, 429, 1073, 0},
             {"simpleBridge_tet.veg", 0, 0, 4000, 12827, 0},
             {"turtle.obj", 1961, 3654, 0, 0, 0},
             {"turtle.veg", 0, 0, 347, 1185, 0}};

static const char *data_path(const char *name) {
  return tac_test_join(tac_test_join(tac_test_data(), "mesh"), name);
}

static tacMeshContents read_known(const char *name) {
  tacMeshContents contents;
  error = (tacError){0};
  tac_test_ok(tac_mesh_read(data_path(name), &contents, &error), error);
  return contents;
}

TAC_TEST(files_of_other_programs_have_the_counts_they_state) {
  if (tac_test_data() == NULL) return;
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
    TAC_MESH_CONTENTS contents = read_known(known[i].name);
    const tacVolMesh *volume = contents.volume;
    tac_sample_valid(&contents);
    tac_sample_counts(&contents,
                      (const int[7]){known[i].surface_vertices, known[i].triangles, known[i].volume_vertices,
                                     known[i].tets, known[i].bricks, volume != NULL ? volume->group_count : 0,
                                     volume != NULL ? volume->vertex_set_count : 0});
  }
}

TAC_TEST(materials_of_other_programs_are_kept) {
  if (tac_test_data() == NULL) return;
  TAC_MESH_CONTENTS contents = read_known("beam3_brick.veg");
  ck_assert_int_eq(contents.volume->material_count, 1);
  ck_assert_str_eq(contents.volume->materials[0].name, "BODY");
  ck_assert_double_eq(contents.volume->materials[0].parameters[2], 0.45);
  ck_assert_int_eq(contents.volume->region_count, 1);
}

static bool is_stl(int format) {
  return format == TAC_MESH_FORMAT_STL_ASCII || format == TAC_MESH_FORMAT_STL_BINARY;
}

TAC_TEST(files_of_other_programs_survive_every_format_that_can_hold_them) {
  if (tac_test_data() == NULL) return;
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
    TAC_MESH_CONTENTS contents = read_known(known[i].name);
    for (int f = TAC_MESH_FORMAT_BY_NAME + 1; f < TAC_MESH_FORMAT_COUNT; ++f) {
      if (contents.surface != NULL && !tac_mesh_format_holds_surface((tacMeshFormat)f)) continue;
      if (contents.volume != NULL && !tac_mesh_format_holds_volume((tacMeshFormat)f)) continue;
      if (known[i].bricks > 0 && f == TAC_MESH_FORMAT_TETGEN) continue;
      if (tac_test_light() && contents.volume != NULL && contents.volume->tet_count > 3000) continue;
      TAC_MESH_CONTENTS back = tac_sample_round_trip(&contents, (tacMeshFormat)f,
                                                     f == TAC_MESH_FORMAT_TETGEN ? ".ele"
                                                     : f == TAC_MESH_FORMAT_OBJ  ? ".obj"
                                                                                 : ".mesh");
      if (contents.volume != NULL) tac_sample_same_volume(contents.volume, back.volume, false, false);
      if (contents.surface != NULL && !is_stl(f)) tac_sample_same_surface(contents.surface, back.surface, false);
      if (is_stl(f)) ck_assert_int_eq(contents.surface->triangle_count, back.surface->triangle_count);
      for (int t = 0; is_stl(f) && t < back.surface->triangle_count; ++t) {
        tacVec3 p = contents.surface->vertices[contents.surface->triangles[t].v[0]];
        tacVec3 q = back.surface->vertices[back.surface->triangles[t].v[0]];
        if (contents.surface->group_count > 1) break; /* solids come in the order of groups */
        ck_assert(f == TAC_MESH_FORMAT_STL_ASCII ? p.x == q.x : (float)p.x == (float)q.x);
      }
    }
  }
}

TAC_TEST(malformed_files_are_refused_with_the_line_and_the_reason) {
  static const struct {
    const char *name, *line, *reason;
  } malformed[] = {{"malformed_cube_22_ascii_missing_element.msh", ":46: ", "expected 24 elements, found 23 before"},
                   {"malformed_cube_22_ascii_missing_node.msh", ":19: ", "expected 14 nodes, found 13 before"},
                   {"malformed_cube_22_ascii_missing_num_nodes.msh", ":5: ", "expected the end of the line"},
                   {"malformed_cube_41_ascii_missing_element.msh", ":66: ", "expected 24 elements, found 23 before"},
                   {"malformed_cube_41_ascii_missing_node.msh", ":38: ", "expected 14 nodes, found 13 before"},
                   {"malformed_cube_41_ascii_missing_node_header.msh", ":9: ", "expected the number of nodes"},
                   {"malformed_cube_41_ascii_mismatch_between_max_nodes_and_nodes_in_block.msh",
                    ":9: ", "from 1 to 100, but they go from 1 to 14"},
                   {"beam3.bou", "", "unknown mesh format"},
                   {"simpleBridge_tet.bou", "", "unknown mesh format"},
                   {"turtle.bou", "", "unknown mesh format"}};
  if (tac_test_data() == NULL) return;
  for (size_t i = 0; i < sizeof malformed / sizeof *malformed; ++i) {
    tacMeshContents contents;
    error = (tacError){0};
    tac_test_refused(tac_mesh_read(data_path(malformed[i].name), &contents, &error), TAC_ERR_FORMAT, error,
                     malformed[i].reason);
    ck_assert_msg(strstr(error.text, malformed[i].line) != NULL, "%s", error.text);
  }
}

TAC_TEST(every_data_file_is_listed) {
  if (tac_test_data() == NULL) return;
  DIR *folder = opendir(data_path(""));
  ck_assert_ptr_nonnull(folder);
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    if (entry->d_name[0] == '.' || strncmp(entry->d_name, "malformed_", 10) == 0 ||
        strstr(entry->d_name, ".bou") != NULL)
      continue;
    size_t i = 0;
    while (i < sizeof known / sizeof *known && strcmp(known[i].name, entry->d_name) != 0) ++i;
    ck_assert_msg(i < sizeof known / sizeof *known, "%s", entry->d_name);
  }
  closedir(folder);
}
