#include "base/broken_chunks.h"
#include "elastic/reference/make_reference.h"
#include "elastic/reference/reference_problem.h"

static bool holds_bottom_and_side(tacVec3 p) {
  return p.z <= 0.0 || p.x <= 0.0;
}
static bool holds_lower_part(tacVec3 p) {
  return p.z <= 0.45;
}
static bool holds_three_corners(tacVec3 p) {
  return p.z <= 0.0 && (p.x <= 0.0 || p.x >= 1.0) && (p.y <= 0.0 || p.y >= 1.0) && p.x + p.y <= 1.0;
}

/* The response to prescribed values, 3 numbers a vertex. */
static double *respond(const double *columns, int vertices, int rows, const double *values) {
  double *response = tac_test_doubles((size_t)rows);
  for (int j = 0; j < 3 * vertices; ++j)
    for (int i = 0; values[j] != 0.0 && i < rows; ++i)
      response[i] += values[j] * columns[(size_t)j * (size_t)rows + (size_t)i];
  return response;
}

static double relative_difference(int count, const double *a, const double *b) {
  double difference = 0.0, all = 0.0;
  for (int i = 0; i < count; ++i) {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    all += b[i] * b[i];
  }
  return sqrt(difference / all);
}

/* Two materials, one of them anisotropic, in an uneven mesh: forces a_j on free vertices, metres on held ones. Held at its bottom,
 * or up to a height, inside too; there a sensor reads displacements of vertices that are held. */
TAC_TEST(finite_element_columns_are_solutions_of_statics) {
  for (int kind = 0; kind < 4; ++kind) {
    bool bricks = kind % 2 == 1, inside = kind >= 2;
    Body *body = make_held(make_uneven(unit_box(), bricks, 3, 0.15), inside ? holds_lower_part : holds_bottom,
                           TAC_FINITE_ELEMENTS);
    const tacSensor sensor = {"low", TAC_SENSOR_DISPLACEMENT, {0.5, 0.45, 0.5}};
    body->def.sensor_count = inside ? 1 : 0;
    body->def.sensors = &sensor;
    int elements = body->volume->tet_count + body->volume->brick_count, n = body->surface->vertex_count;
    const tacMaterial materials[2] = {make_isotropic(1000.0, 1e5, 0.4), make_anisotropic(5)};
    int *material_of = tac_test_alloc((size_t)elements * sizeof *material_of);
    for (int e = 0; e < elements; ++e) material_of[e] = e % 3 == 0;
    body->def.material_count = 2;
    body->def.materials = materials;
    body->def.material_of = material_of;
    bool *held = tac_test_alloc((size_t)body->volume->vertex_count * sizeof *held);
    int held_count = 0;
    for (int v = 0; inside && v < body->volume->vertex_count; ++v) {
      held[v] = holds_lower_part(body->volume->vertices[v]);
      held_count += held[v];
    }
    for (int v = 0; inside && v < n; ++v) held_count -= body->fixed[v];
    ck_assert_int_eq(held_count, inside ? 4 : 0); /* of those inside */
    if (inside) body->def.fixed_inside = held;
    tacReferenceProblem *problem = create(body);
    int rows = tac_reference_problem_row_count(problem);
    const double *area = tac_reference_problem_area(problem);
    double total = 0.0;
    for (int v = 0; v < n; ++v) total += area[v];
    ck_assert_double_eq_tol(total, 6.0, 1e-12);

    size_t size = 3 * (size_t)body->volume->vertex_count;
    for (int v = 0; v < n; ++v) held[body->vertex_of[v]] = body->fixed[v];
    TAC_CREATE(tacStatics, statics, tac_statics_create(body->volume, materials, material_of, held, &statics, &error));
    double *columns = whole(problem), *load = tac_test_doubles(size);
    double *expected = tac_test_doubles(3 * (size_t)n);
    for (int j = 0; j < n; ++j)
      for (int axis = 0; axis < 3; ++axis) {
        memset(load, 0, size * sizeof *load);
        load[3 * body->vertex_of[j] + axis] = body->fixed[j] ? 1.0 : area[j];
        tac_test_ok(tac_statics_solve(statics, 1, load, load, &error), error);
        for (int i = 0; i < 3 * n; ++i)
          expected[i] = load[3 * body->vertex_of[i / 3] + i % 3] / (body->fixed[i / 3] ? area[i / 3] : 1.0);
        ck_assert_double_lt(relative_difference(3 * n, columns + (3 * j + axis) * rows, expected), 1e-12);
      }
  }
}

/* All fixed vertices move as one rigid body: so does everything else, sensors too, and nothing is stressed. */
TAC_TEST(rigid_motions_of_the_support_carry_the_body) {
  static const Holds supports[3] = {holds_bottom, holds_bottom_and_side, holds_three_corners};
  for (int method = 0; method < 2; ++method)
    for (int s = 0; s < 3; ++s) {
      const tacVec3 inside = {0.4, 0.45, s == 0 ? 0.1 : 0.6}; /* also in an element that touches the support */
      const tacSensor sensors[2] = {{"displacement", TAC_SENSOR_DISPLACEMENT, inside},
                                    {"stress", TAC_SENSOR_STRESS, inside}};
      Body *body = make_held(make_bricks(unit_box(), 4, 4, 4), supports[s], (tacReferenceMethod)method);
      body->def.sensor_count = 2;
      body->def.sensors = sensors;
      tacReferenceProblem *problem = create(body);
      int n = body->surface->vertex_count, rows = tac_reference_problem_row_count(problem);
      ck_assert_int_eq(rows, 3 * n + 9);
      double *columns = whole(problem), *values = tac_test_doubles(3 * (size_t)n);
      for (int kind = 0; kind < 6; ++kind) {
        for (int v = 0; v < n; ++v) {
          tacVec3 u = rigid_motion(kind, body->surface->vertices[v]);
          if (body->fixed[v]) memcpy(values + 3 * v, &u, sizeof u);
        }
        double *response = respond(columns, n, rows, values);
        for (int v = 0; v < n; ++v) {
          tacVec3 u = body->fixed[v] ? tac_vec3(0.0, 0.0, 0.0) : rigid_motion(kind, body->surface->vertices[v]), got;
          memcpy(&got, response + 3 * v, sizeof got);
          /* Tractions are of the size of Young's modulus per metre. */
          ck_assert_double_lt(tac_vec3_distance(got, u), body->fixed[v] ? 1e-3 : 1e-8);
        }
        tacVec3 got, u = rigid_motion(kind, sensors[0].point);
        memcpy(&got, response + 3 * n, sizeof got);
        ck_assert_double_lt(tac_vec3_distance(got, u), 1e-8);
        for (int i = 0; i < 6; ++i) ck_assert_double_lt(fabs(response[3 * n + 3 + i]), 1e-3);
      }
    }
}

/* Betti: the work of one load on the displacement by another is that of the other on the displacement by the first. */
static double reciprocity_defect(tacReferenceProblem *problem, const bool *fixed, const double *columns) {
  int n = tac_reference_problem_surface(problem)->vertex_count, rows = tac_reference_problem_row_count(problem);
  const double *area = tac_reference_problem_area(problem);
  double defect = 0.0, all = 0.0;
  for (int i = 0; i < 3 * n; ++i)
    for (int j = 0; j < i; ++j) {
      if (fixed[i / 3] || fixed[j / 3] || i / 3 == j / 3) continue;
      double there = area[i / 3] * columns[(size_t)j * (size_t)rows + (size_t)i];
      double back = area[j / 3] * columns[(size_t)i * (size_t)rows + (size_t)j];
      defect += (there - back) * (there - back);
      all += 0.5 * (there * there + back * back);
    }
  return sqrt(defect / all);
}

TAC_TEST(loads_and_displacements_are_reciprocal) {
  double before = 1.0;
  for (int n = 4; n <= (tac_test_light() ? 6 : 8); n += 2) {
    for (int method = 0; method < 2; ++method) {
      Body *body = make_held(make_bricks(unit_box(), n, n, n), holds_bottom, (tacReferenceMethod)method);
      tacReferenceProblem *problem = create(body);
      double *columns = whole(problem), defect = reciprocity_defect(problem, body->fixed, columns);
      if (method == TAC_FINITE_ELEMENTS) {
        ck_assert_double_lt(defect, 1e-10);
      } else { /* nearly of first order */
        ck_assert_double_lt(defect, n == 4 ? 0.1 : 0.85 * before);
        before = defect;
      }
    }
  }
}

/* A block is held at its bottom, or at its bottom and a side (edges and corners with several fans): both methods agree. */
TAC_TEST(boundary_and_finite_elements_agree_and_converge_to_each_other) {
  static const Holds supports[2] = {holds_bottom, holds_bottom_and_side};
  for (int s = 0; s < 2; ++s) {
    double before = 1.0, before_sensor = 1.0;
    for (int n = 4; n <= (tac_test_light() ? 6 : 8); n += 2) {
      const tacSensor sensor = {"middle", TAC_SENSOR_DISPLACEMENT, {0.55, 0.5, 0.5}};
      double *columns[2];
      Body *body = make_held(make_bricks(unit_box(), n, n, n), supports[s], TAC_BOUNDARY_ELEMENTS);
      body->def.sensor_count = 1;
      body->def.sensors = &sensor;
      int count = body->surface->vertex_count, rows = 3 * count + 3;
      for (int method = 0; method < 2; ++method) {
        body->def.method = (tacReferenceMethod)method;
        tacReferenceProblem *problem = create(body);
        columns[method] = whole(problem);
      }
      /* Displacement far from the loaded vertices, which are on the top but not at its rim. */
      double difference = 0.0, all = 0.0, sensed = 0.0, sensed_all = 0.0;
      for (int j = 0; j < count; ++j) {
        tacVec3 p = body->surface->vertices[j];
        if (p.z < 1.0 || fabs(p.x - 0.5) > 0.3 || fabs(p.y - 0.5) > 0.3) continue;
        for (int k = 0; k < 3; ++k) {
          const double *a = columns[0] + (size_t)(3 * j + k) * (size_t)rows;
          const double *b = columns[1] + (size_t)(3 * j + k) * (size_t)rows;
          for (int i = 0; i < 3 * count; ++i) {
            if (body->fixed[i / 3] || tac_vec3_distance(body->surface->vertices[i / 3], p) < 0.4) continue;
            difference += (a[i] - b[i]) * (a[i] - b[i]);
            all += b[i] * b[i];
          }
          for (int i = 3 * count; i < rows; ++i) {
            sensed += (a[i] - b[i]) * (a[i] - b[i]);
            sensed_all += b[i] * b[i];
          }
        }
      }
      difference = sqrt(difference / all);
      sensed = sqrt(sensed / sensed_all);
      if (n >= 6) {
        ck_assert_double_lt(difference, 0.05);
        ck_assert_double_lt(sensed, 0.05);
        ck_assert_double_lt(difference, 0.8 * before);
        ck_assert_double_lt(sensed, 0.8 * before_sensor);
      }
      before = difference;
      before_sensor = sensed;
    }
  }
}

/* The top is pulled by 1 Pa and the bottom is free to shrink: a uniform stress, u = (-nu x, -nu y, z) / E, which both methods
 * hold exactly but for the quadrature of boundary elements. The bottom is held as that solution moves it. */
TAC_TEST(a_uniform_stress_is_found) {
  const tacSensor sensors[2] = {{"displacement", TAC_SENSOR_DISPLACEMENT, {0.3, 0.6, 0.4}},
                                {"stress", TAC_SENSOR_STRESS, {0.7, 0.45, 0.6}}};
  for (int method = 0; method < 2; ++method) {
    Body *body = make_held(make_bricks(unit_box(), 4, 4, 4), holds_bottom, (tacReferenceMethod)method);
    body->def.sensor_count = 2;
    body->def.sensors = sensors;
    tacReferenceProblem *problem = create(body);
    int n = body->surface->vertex_count, rows = 3 * n + 9;
    const double *area = tac_reference_problem_area(problem), young = body->material.young;
    double *columns = whole(problem), *values = tac_test_doubles(3 * (size_t)n);
    for (int v = 0; v < n; ++v) {
      tacVec3 p = body->surface->vertices[v];
      if (body->fixed[v]) {
        values[3 * v] = -0.3 * p.x / young;
        values[3 * v + 1] = -0.3 * p.y / young;
      } else if (p.z >= 1.0) { /* the nodal force of 1 Pa on the top alone, over the area that includes the sides */
        bool rim_x = p.x <= 0.0 || p.x >= 1.0, rim_y = p.y <= 0.0 || p.y >= 1.0;
        values[3 * v + 2] = 1.0 / 16.0 * (rim_x ? 0.5 : 1.0) * (rim_y ? 0.5 : 1.0) / area[v];
      }
    }
    double *response = respond(columns, n, rows, values), force = 0.0, square = 0.0;
    /* Boundary elements spread the traction of the rim over the sides as well. */
    double tolerance = method == TAC_FINITE_ELEMENTS ? 1e-9 : 0.1;
    for (int v = 0; v < n; ++v) {
      tacVec3 p = body->surface->vertices[v], u = tac_vec3_scale(1.0 / young, tac_vec3(-0.3 * p.x, -0.3 * p.y, p.z)),
              got;
      memcpy(&got, response + 3 * v, sizeof got);
      if (!body->fixed[v]) square += tac_vec3_norm2(tac_vec3_sub(got, u)) / n;
      if (body->fixed[v]) force += area[v] * got.z;
    }
    ck_assert_double_lt(sqrt(square) * young, tolerance);
    ck_assert_double_eq_tol(force, -1.0, method == TAC_FINITE_ELEMENTS ? 1e-9 : 0.05);
    static const double expected[6] = {0.0, 0.0, 1.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < 6; ++i) ck_assert_double_eq_tol(response[3 * n + 3 + i], expected[i], tolerance);
    ck_assert_double_eq_tol(response[3 * n + 2] * young, 0.4, tolerance);
  }
}

/* Ten times as stiff: a tenth of the displacement, ten times the traction. A metre or a kilometre: the equations stay well
 * conditioned. */
TAC_TEST(stiffness_and_size_scale_the_columns) {
  for (int method = 0; method < 2; ++method) {
    Body *body = make_held(make_bricks(unit_box(), 3, 3, 3), holds_bottom, (tacReferenceMethod)method);
    tacReferenceProblem *problem = create(body);
    int n = body->surface->vertex_count;
    double *soft = whole(problem);
    body->material = make_isotropic(1000.0, 1e9, 0.3);
    for (int v = 0; v < body->volume->vertex_count; ++v)
      body->volume->vertices[v] = tac_vec3_scale(1e-3, body->volume->vertices[v]);
    for (int v = 0; v < n; ++v) body->surface->vertices[v] = tac_vec3_scale(1e-3, body->surface->vertices[v]);
    problem = create(body);
    double *stiff = whole(problem);
    /* E grows by 1e4 and lengths by 1e-3: m/Pa by 1e-7, Pa/m by 1e7. */
    for (int j = 0; j < 3 * n; ++j)
      for (int i = 0; i < 3 * n; ++i) {
        double scale = body->fixed[j / 3] ? (body->fixed[i / 3] ? 1e7 : 1.0) : (body->fixed[i / 3] ? 1.0 : 1e-7);
        double size = body->fixed[j / 3] ? (body->fixed[i / 3] ? 1e5 : 1.0) : (body->fixed[i / 3] ? 1.0 : 1e-5);
        ck_assert_double_eq_tol(stiff[j * 3 * n + i] / scale, soft[j * 3 * n + i], 1e-8 * size);
      }
  }
}

TRY_READ(tacReferenceProblem, tac_reference_problem_read)

TAC_TEST(a_written_problem_gives_the_same_columns) {
  const char *path = tac_test_path("block.problem");
  const tacSensor sensors[2] = {{"a", TAC_SENSOR_STRESS, {0.4, 0.45, 0.6}},
                                {"b", TAC_SENSOR_DISPLACEMENT, {0.6, 0.4, 0.3}}};
  for (int method = 0; method < 2; ++method) {
    Body *body = make_held(make_bricks(unit_box(), 3, 3, 3), holds_bottom_and_side, (tacReferenceMethod)method);
    int material_of[27];
    for (int e = 0; e < 27; ++e) material_of[e] = e % 2;
    const tacMaterial materials[2] = {body->material, make_anisotropic(3)};
    if (method == TAC_FINITE_ELEMENTS) {
      body->def.material_count = 2;
      body->def.materials = materials;
      body->def.material_of = material_of;
    }
    body->def.sensor_count = 2;
    body->def.sensors = sensors;
    bool inside[64] = {false};
    if (method == TAC_FINITE_ELEMENTS) {
      inside[1 + 4 + 16] = true; /* of 4 x 4 x 4 vertices the second along each side */
      body->def.fixed_inside = inside;
    }
    tacReferenceProblem *problem = create(body);
    TAC_OWN(tacReferenceProblem, read) = NULL;
    tac_test_ok(tac_reference_problem_write(problem, path, &error), error);
    tac_test_ok(tac_reference_problem_read(path, &read, &error), error);
    int n = body->surface->vertex_count, rows = tac_reference_problem_row_count(problem);
    ck_assert_int_eq(tac_reference_problem_row_count(read), rows);
    ck_assert_mem_eq(tac_reference_problem_area(read), tac_reference_problem_area(problem), (size_t)n * sizeof(double));
    double *columns = whole(problem), *again = whole(read);
    ck_assert_mem_eq(columns, again, 3 * (size_t)n * (size_t)rows * sizeof *columns);
    /* Chunks that are not as they were: refused, or (another stiffness) still a problem. Files that are cut: refused. */
    TAC_CREATE(tacChunkFile, file, tac_chunk_file_open(path, &file, &error));
    for (int i = 0; i < CHANGES * tac_chunk_file_count(file); ++i) {
      const tacChunkInfo *info = tac_chunk_file_info(file, i / CHANGES);
      if (i % CHANGES == SHORTER && info->count == 0) continue;
      const char *spoilt = spoil(path, info->name, (Change)(i % CHANGES), 0, 0);
      if (i % CHANGES != OTHER_BYTES)
        check_unread(try_read, spoilt, info->name);
      else if (try_read(spoilt, &error) != TAC_OK)
        ck_assert_ptr_nonnull(strstr(error.text, spoilt));
    }
    check_cut(try_read, path, 10);
  }
}

static void check_refusal(const tacReferenceDef *def, tacStatus expected, const char *text) {
  tacReferenceProblem *problem;
  tac_test_refused(tac_reference_problem_create(def, NULL, &problem, &error), expected, error, text);
  ck_assert_ptr_null(problem);
}

TAC_TEST(invalid_problem_files_are_refused) {
  Body *body = make_held(make_bricks(unit_box(), 2, 2, 2), holds_bottom, TAC_BOUNDARY_ELEMENTS);
  int n = body->surface->vertex_count, calls = 0;
  const tacReferenceDef good = body->def;
  bool *fixed = tac_test_alloc((size_t)n * sizeof *fixed);
  tacReferenceDef def = good;
  def.fixed = fixed;
  for (int method = 0; method < 2; ++method) { /* held too little */
    def.method = (tacReferenceMethod)method;
    memset(fixed, 0, (size_t)n * sizeof *fixed);
    if (method == TAC_BOUNDARY_ELEMENTS) check_refusal(&def, TAC_ERR_GEOMETRY, "no vertex");
    for (int v = 0; v < n; ++v) fixed[v] = body->surface->vertices[v].x <= 0.0 && body->surface->vertices[v].y <= 0.0;
    check_refusal(&def, TAC_ERR_GEOMETRY, "one line");
  }
  bool inside[27] = {false};
  inside[13] = true; /* the vertex in the middle, and nothing else */
  memset(fixed, 0, (size_t)n * sizeof *fixed);
  def.fixed_inside = inside;
  check_refusal(&def, TAC_ERR_GEOMETRY, "vertex 13 inside");
  def = good;
  def.fixed = NULL;
  check_refusal(&def, TAC_ERR_ARGUMENT, "fixed");
  def = good;
  def.surface = NULL;
  check_refusal(&def, TAC_ERR_ARGUMENT, "surface");
  def.method = TAC_FINITE_ELEMENTS;
  def.volume = NULL;
  check_refusal(&def, TAC_ERR_ARGUMENT, "volume");
  def.method = (tacReferenceMethod)7;
  check_refusal(&def, TAC_ERR_ARGUMENT, "method 7");
  /* materials */
  tacMaterial materials[2] = {body->material, make_anisotropic(1)};
  def = good;
  def.materials = materials;
  def.material_count = 2;
  check_refusal(&def, TAC_ERR_UNSUPPORTED, "one material");
  def.materials = &materials[1];
  def.material_count = 1;
  check_refusal(&def, TAC_ERR_UNSUPPORTED, "isotropic");
  def.material_count = 0;
  check_refusal(&def, TAC_ERR_ARGUMENT, "material");
  def = good;
  def.method = TAC_FINITE_ELEMENTS;
  int material_of[8] = {0, 0, 0, 0, 0, 1, 0, 0};
  def.material_of = material_of;
  check_refusal(&def, TAC_ERR_ARGUMENT, "element 5");
  materials[0].stiffness[0][0] = -1.0;
  def.materials = materials;
  check_refusal(&def, TAC_ERR_ARGUMENT, "material 0");
  /* sensors */
  tacSensor sensors[2] = {{"in", TAC_SENSOR_DISPLACEMENT, {0.5, 0.4, 0.5}},
                          {"out", TAC_SENSOR_STRESS, {0.5, 1.2, 0.5}}};
  for (int method = 0; method < 2; ++method) {
    def = good;
    def.method = (tacReferenceMethod)method;
    def.sensors = sensors;
    def.sensor_count = 2;
    check_refusal(&def, TAC_ERR_GEOMETRY, "\"out\"");
  }
  sensors[1] = sensors[0];
  check_refusal(&def, TAC_ERR_ARGUMENT, "two sensors");
  sensors[1].name = "";
  check_refusal(&def, TAC_ERR_ARGUMENT, "no name");
  sensors[1].name = "c";
  sensors[1].point.x = NAN;
  check_refusal(&def, TAC_ERR_ARGUMENT, "\"c\"");
  /* surfaces: open, inside out, with a vertex of no triangle */
  def = good;
  --body->surface->triangle_count;
  check_refusal(&def, TAC_ERR_GEOMETRY, "");
  ++body->surface->triangle_count;
  for (int t = 0; t < body->surface->triangle_count; ++t) flip_triangle(body->surface, t);
  check_refusal(&def, TAC_ERR_GEOMETRY, "");
  for (int t = 0; t < body->surface->triangle_count; ++t) flip_triangle(body->surface, t);
  /* cancelled */
  for (int method = 0; method < 2; ++method) {
    tacReferenceProblem *problem;
    tacProgress cancel = {tac_test_cancel, &calls};
    def.method = (tacReferenceMethod)method;
    ck_assert_int_eq(tac_reference_problem_create(&def, &cancel, &problem, &error), TAC_ERR_CANCELLED);
    ck_assert_ptr_null(problem);
  }
  ck_assert_int_ge(calls, 2);
  /* columns of vertices that do not exist */
  tacReferenceProblem *problem = create(body);
  double *column = tac_test_doubles(9 * (size_t)n);
  ck_assert_int_eq(tac_reference_problem_columns(problem, 1, &n, NULL, column, &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_reference_problem_columns(problem, 1, &(int){-1}, NULL, column, &error), TAC_ERR_ARGUMENT);
}

/* Of two blocks in one surface only one is held. */
TAC_TEST(a_part_that_is_not_held_is_refused) {
  tacTriMesh *a = make_box(unit_box(), 2), *b = make_box((tacBox){{2.0, 0.0, 0.0}, {3.0, 1.0, 1.0}}, 2);
  TAC_OWN(tacTriMesh, both) = join_meshes(a, b);
  bool *fixed = tac_test_alloc((size_t)both->vertex_count * sizeof *fixed);
  for (int v = 0; v < both->vertex_count; ++v) fixed[v] = both->vertices[v].x < 1.5 && both->vertices[v].z <= 0.0;
  tacMaterial material = make_isotropic(1000.0, 1e5, 0.3);
  tacReferenceDef def = {.surface = both, .material_count = 1, .materials = &material, .fixed = fixed};
  check_refusal(&def, TAC_ERR_SINGULAR, "three fixed vertices");
  for (int v = 0; v < both->vertex_count; ++v) fixed[v] = both->vertices[v].z <= 0.0;
  TAC_OWN(tacReferenceProblem, problem) = NULL;
  tac_test_ok(tac_reference_problem_create(&def, NULL, &problem, &error), error);
}
