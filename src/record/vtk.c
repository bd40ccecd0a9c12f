#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <tactus/recording.h>
#include <unistd.h>
#include "base/error.h"
#include "base/files/new_file.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/geometry/vec3.h"
#include "mesh/formats/vtu_writer.h"
#include "mesh/text/number_text.h"
#include "record/recorded_world.h"

/* ---- one file ---- */

enum { VTK_VERTEX = 1, VTK_TRIANGLE = 5 };

/* Points with a vector each, and cells: triangles, or, where there are none, the points themselves. */
typedef struct {
  int point_count;
  const tacVec3 *points;
  int triangle_count;
  const tacTriangle *triangles;
  const char *vector_name;
  const tacVec3 *vectors;
  const int *tools; /* of each point; may be NULL */
} Grid;

static tacVec3 get_vector(const void *source, int64_t i) {
  return ((const tacVec3 *)source)[i];
}

static int64_t get_int(const void *source, int64_t i) {
  return ((const int *)source)[i];
}

static int64_t get_itself(const void *source, int64_t i) {
  (void)source;
  return i;
}

static int64_t get_offset(const void *source, int64_t cell) {
  return *(const int *)source * (cell + 1);
}

static int64_t get_type(const void *source, int64_t cell) {
  (void)cell;
  return *(const int *)source == 3 ? VTK_TRIANGLE : VTK_VERTEX;
}

static void write_grid(FILE *stream, const Grid *grid) {
  const int corners = grid->triangles != NULL ? 3 : 1;
  int64_t points = grid->point_count, cells = grid->triangles != NULL ? grid->triangle_count : points;
  const tacVtuField fields[] = {
      {"Points", "", "Points", points, 0, grid->points, get_vector, NULL},
      {"Cells", "", "connectivity", corners * cells, 4, grid->triangles, NULL, corners == 3 ? get_int : get_itself},
      {"Cells", "", "offsets", cells, 8, &corners, NULL, get_offset},
      {"Cells", "", "types", cells, 1, &corners, NULL, get_type},
      {"PointData", "", grid->vector_name, points, 0, grid->vectors, get_vector, NULL},
      {"PointData", "", "tool", points, 4, grid->tools, NULL, get_int}};
  tac_vtu_write_grid(stream, true, points, cells, grid->tools != NULL ? 6 : 5, fields);
}

/* ---- a series of them ---- */

#define CONTACTS "contacts"
enum { STEM_SIZE = 80 };

typedef struct {
  char stem[STEM_SIZE]; /* of its files */
  const tacTriMesh *surface;
  tacBodyId id;
  tacVec3 *rest;
} Body;

typedef struct {
  tacRecording *recording;
  tacWorld *world;
  int64_t followed; /* ticks whose parameters are set */
  const char *folder;
  int body_count;
  Body *bodies;
  tacArrays arrays;          /* all of these */
  tacVec3 *points, *vectors; /* of the largest surface */
  double *state;             /* of the frame at hand */
  char *path;                /* of the file at hand */
  size_t path_size;
  int64_t frame_count;
  double ticks_a_frame;
} Series;

/* Letters, digits, - and . stay, the rest becomes _. Names that are then the same get a number. */
static void make_stem(const Series *series, int body) {
  char *stem = series->bodies[body].stem;
  const char *name = tac_world_body_name(series->world, series->bodies[body].id);
  char plain[STEM_SIZE - 16];
  size_t length = 0;
  for (; name[length] != 0 && length < sizeof plain - 1; ++length) {
    unsigned char c = (unsigned char)name[length];
    plain[length] = (c < 128 && isalnum(c)) || c == '-' || (c == '.' && length > 0) ? (char)c : '_';
  }
  plain[length] = 0;
  snprintf(stem, STEM_SIZE, "%s", plain);
  for (int other = -1, number = 2; other < body; ++other)
    if (strcmp(stem, other < 0 ? CONTACTS : series->bodies[other].stem) == 0) {
      snprintf(stem, STEM_SIZE, "%s-%d", plain, number++);
      other = -2;
    }
}

static void free_series(Series *series) {
  tac_arrays_free(&series->arrays);
}

static tacStatus make_bodies(Series *series, tacError *error) {
  static const tacSnapshot nothing_touches;
  int most = TAC_MOST_TOOLS; /* contacts need as much */
  tacArrays *arrays = &series->arrays;
  series->body_count = tac_world_body_count(series->world);
  series->bodies = tac_arrays_add(arrays, (size_t)series->body_count, sizeof *series->bodies);
  TAC_TRY(tac_arrays_status(arrays, "surfaces of bodies", error));
  for (int b = 0; b < series->body_count; ++b) {
    Body *body = &series->bodies[b];
    body->id = tac_world_body(series->world, b);
    body->surface = tac_world_body_surface(series->world, body->id);
    make_stem(series, b);
    int count = body->surface->vertex_count;
    if (count > most) most = count;
    body->rest = tac_arrays_add(arrays, (size_t)count, sizeof *body->rest);
    TAC_TRY(tac_arrays_status(arrays, "vertices of a body", error));
    tac_world_surface(series->world, &nothing_touches, body->id, body->rest);
  }
  series->points = tac_arrays_add(arrays, (size_t)most, sizeof *series->points);
  series->vectors = tac_arrays_add(arrays, (size_t)most, sizeof *series->vectors);
  series->state = tac_arrays_add(arrays, (size_t)tac_world_state_size(series->world), sizeof *series->state);
  series->path_size = strlen(series->folder) + STEM_SIZE + 32;
  series->path = tac_arrays_add(arrays, series->path_size, 1);
  return tac_arrays_status(arrays, "a frame", error);
}

/* A part of a frame is a body, or after the last one the contacts. */
static const char *part_stem(const Series *series, int part) {
  return part < series->body_count ? series->bodies[part].stem : CONTACTS;
}

static const char *part_path(const Series *series, int part, int64_t frame) {
  snprintf(series->path, series->path_size, "%s/%s_%06" PRId64 ".vtu", series->folder, part_stem(series, part), frame);
  return series->path;
}

static tacStatus write_part(Series *series, int part, int64_t frame, const Grid *grid, tacError *error) {
  tacNewFile file;
  TAC_TRY(tac_new_file_open(part_path(series, part, frame), &file, error));
  write_grid(file.stream, grid);
  return tac_new_file_commit(&file, error);
}

static tacStatus write_frame(Series *series, int64_t frame, const tacSnapshot *snapshot, tacError *error) {
  for (int b = 0; b < series->body_count; ++b) {
    const Body *body = &series->bodies[b];
    int count = body->surface->vertex_count;
    tac_world_surface(series->world, snapshot, body->id, series->points);
    for (int v = 0; v < count; ++v) series->vectors[v] = tac_vec3_sub(series->points[v], body->rest[v]);
    Grid grid = {.point_count = count,
                 .points = series->points,
                 .triangle_count = body->surface->triangle_count,
                 .triangles = body->surface->triangles,
                 .vector_name = "displacement",
                 .vectors = series->vectors};
    TAC_TRY(write_part(series, b, frame, &grid, error));
  }
  int tools[TAC_MOST_TOOLS];
  Grid contacts = {.points = series->points, .vector_name = "force", .vectors = series->vectors, .tools = tools};
  for (int t = 0; t < snapshot->tool_count; ++t) {
    const tacContact *contact = &snapshot->output[t].contact;
    if (contact->state == TAC_CONTACT_NONE) continue;
    tools[contacts.point_count] = t;
    series->points[contacts.point_count] = contact->deformed;
    series->vectors[contacts.point_count++] = contact->force;
  }
  return write_part(series, series->body_count, frame, &contacts, error);
}

/* The record whose tick is nearest to the frame's time, as far as none was lost. */
static int64_t frame_index(const Series *series, int64_t frame) {
  int64_t index = llround((double)frame * series->ticks_a_frame),
          last = tac_recording_tick_count(series->recording) - 1;
  return index < last ? index : last;
}

static tacStatus write_collection(Series *series, tacError *error) {
  double period = tac_recording_info(series->recording)->period;
  tacNewFile file;
  snprintf(series->path, series->path_size, "%s/recording.pvd", series->folder);
  tacStatus status = tac_new_file_open(series->path, &file, error);
  if (status != TAC_OK) return status;
  fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
        "byte_order=\"LittleEndian\">\n<Collection>\n",
        file.stream);
  for (int64_t frame = 0; frame < series->frame_count && status == TAC_OK; ++frame) {
    tacTickRecord record;
    char time[TAC_NUMBER_TEXT_SIZE];
    status = tac_recording_tick(series->recording, frame_index(series, frame), &record, error);
    tac_number_text_print((double)record.tick * period, time);
    for (int part = 0; part <= series->body_count; ++part)
      fprintf(file.stream, "<DataSet timestep=\"%s\" part=\"%d\" name=\"%s\" file=\"%s_%06" PRId64 ".vtu\"/>\n", time,
              part, part_stem(series, part), part_stem(series, part), frame);
  }
  fputs("</Collection>\n</VTKFile>\n", file.stream);
  if (status == TAC_OK) return tac_new_file_commit(&file, error);
  tac_new_file_discard(&file);
  return status;
}

/* Parameters that were set until then decide how the surface looks. */
static tacStatus follow_parameters(Series *series, int64_t tick, tacError *error) {
  for (; series->followed <= tick; ++series->followed) {
    tacTickRecord record;
    TAC_TRY(tac_recording_tick(series->recording, series->followed, &record, error));
    TAC_TRY(tac_recording_change(&record, series->world, error));
  }
  return TAC_OK;
}

static tacStatus write_series(Series *series, const tacProgress *progress, int64_t *frame, tacError *error) {
  for (*frame = 0; *frame < series->frame_count; ++*frame) {
    tacSnapshot snapshot;
    if (progress != NULL && progress->report != NULL &&
        !progress->report("frames", (double)*frame / (double)series->frame_count, progress->user))
      return tac_error_set(error, TAC_ERR_CANCELLED, "writing frames was cancelled");
    int64_t index = frame_index(series, *frame);
    TAC_TRY(follow_parameters(series, index, error));
    TAC_TRY(tac_recording_snapshot(series->recording, series->world, index, series->state, &snapshot, error));
    TAC_TRY(write_frame(series, *frame, &snapshot, error));
  }
  return write_collection(series, error);
}

tacStatus tac_recording_write_vtu(tacRecording *recording, tacWorld *world, double rate, const char *folder,
                                  const tacProgress *progress, tacError *error) {
  TAC_REQUIRE(error, recording, world, folder);
  const tacRecordingInfo *info = tac_recording_info(recording);
  int64_t tick_count = tac_recording_tick_count(recording), frame = 0;
  if (!(rate > 0.0) || !isfinite(rate))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the frame rate is %g per second; it must be positive", rate);
  TAC_FREED(free_series, Series, series) = {.recording = recording, .world = world, .folder = folder};
  series.ticks_a_frame = fmax(1.0, 1.0 / (rate * info->period));
  if (tick_count > 0) series.frame_count = (int64_t)((double)(tick_count - 1) / series.ticks_a_frame) + 1;
  TAC_TRY(make_bodies(&series, error));
  TAC_TRY(tac_recording_begin(recording, world, error));
  bool made_folder = mkdir(folder, 0777) == 0;
  if (!made_folder && errno != EEXIST)
    return tac_error_set(error, TAC_ERR_FILE, "%s: cannot create this folder: %s", folder, strerror(errno));
  tacStatus status = write_series(&series, progress, &frame, error);
  /* Nothing of half a series stays. */
  if (frame == series.frame_count) --frame;
  for (; status != TAC_OK && frame >= 0; --frame)
    for (int part = 0; part <= series.body_count; ++part) unlink(part_path(&series, part, frame));
  if (status != TAC_OK && made_folder) rmdir(folder);
  return status;
}
