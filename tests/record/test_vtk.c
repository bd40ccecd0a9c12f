#include <dirent.h>
#include <tactus/mesh.h>
#include <tactus/recording.h>
#include "base/files/folder.h"
#include "mesh/contents/mesh_builder.h"
#include "recorded_file.h"
#include "stub_world.h"

enum { TICKS = 1001, FRAMES = 21 }; /* 1 s at 20 Hz, both ends */

static char frames[512];

/* Tool 0 touches the first body with a growing force; tool 1 touches nothing. */
static tacVec3 force_at(int tick) {
  return tac_vec3(0.001 * tick, 0.0, 2.0);
}

/* Where the second body has a state: how far it is from its rest, at its last vertex and in all. */
static tacVec3 bent_at(int tick) {
  return tac_vec3(0.0, 0.0, 0.0005 * tick);
}

static tacVec3 place_at(int tick) {
  return tac_vec3(3.0, 0.002 * tick, 0.0);
}

static tacRecording *record_world(int body, int triangle, bool reduced) {
  tacRecordingInfo info = tac_sample_info(2);
  info.state_size = reduced ? STUB_STATE : 0;
  tacRecorder *recorder = open_recorder(&info, 0.0);
  for (int i = 0; i < TICKS; ++i) {
    tacTickRecord record = {.tick = i};
    if (i >= 500)
      record.tool[0].output.contact = (tacContact){.state = TAC_CONTACT_STICKS,
                                                   .body = (uint32_t)body,
                                                   .triangle = triangle,
                                                   .weight = {0.5, 0.25, 0.25},
                                                   .deformed = {0.25, 0.25, 0.001 * i},
                                                   .force = force_at(i)};
    tacVec3 bent = bent_at(i), place = place_at(i);
    const double state[STUB_STATE] = {bent.x, bent.y, bent.z, place.x, place.y, place.z, 1.0, 0.0, 0.0, 0.0};
    tac_push_tick_and_state(recorder, &record, reduced ? state : NULL);
  }
  return open_recorded(recorder);
}

static int count_files(void) {
  int count = 0;
  DIR *list = opendir(frames);
  if (list == NULL) return -1;
  while (readdir(list) != NULL) ++count;
  closedir(list);
  return count - 2;
}

static void name_frames(void) {
  set_up();
  snprintf(frames, sizeof frames, "%s/frames", folder);
}

static void remove_frames(void) {
  tac_folder_remove(frames);
  clean_up();
}

static void frame_path(const char *stem, int frame, char *name, size_t size) {
  snprintf(name, size, "%s/%s_%06d.vtu", frames, stem, frame);
}

/* An array of vectors in the data at the end of the file. */
static const unsigned char *find_array(const tacInputFile *file, const char *name, uint64_t size) {
  char attribute[64];
  snprintf(attribute, sizeof attribute, "Name=\"%s\" format=\"appended\" offset=\"", name);
  const char *text = (const char *)file->bytes, *place = strstr(text, attribute), *data = strstr(text, "\n_");
  ck_assert(place != NULL && data != NULL);
  size_t offset = strtoul(place + strlen(attribute), NULL, 10);
  const unsigned char *bytes = (const unsigned char *)data + 2 + offset;
  uint64_t stored;
  ck_assert_uint_le((size_t)(bytes - file->bytes) + 8 + size, file->size);
  memcpy(&stored, bytes, sizeof stored);
  ck_assert_uint_eq(stored, size);
  return bytes + 8;
}

TAC_TEST_AROUND(name_frames, remove_frames)

TAC_TEST(surfaces_read_back_deformed) {
  TAC_OWN(tacRecording, recording) = record_world(0, 2, false);
  tacWorld world = tac_stub_world(2);
  tac_test_ok(tac_recording_write_vtu(recording, &world, 20.0, frames, NULL, &error), error);
  ck_assert_int_eq(count_files(), 3 * FRAMES + 1);
  for (int frame = 0; frame < FRAMES; ++frame) {
    int tick = 50 * frame;
    for (int body = 0; body < 2; ++body) {
      char name[1024];
      TAC_FREED(tac_mesh_contents_destroy, tacMeshContents, contents);
      TAC_FREED(tac_input_file_free, tacInputFile, file);
      frame_path(body == 0 ? "left_lobe" : "right_lobe", frame, name, sizeof name);
      tac_test_ok(tac_mesh_read(name, &contents, &error), error);
      ck_assert_ptr_nonnull(contents.surface);
      ck_assert_int_eq(contents.surface->vertex_count, 4);
      ck_assert_int_eq(contents.surface->triangle_count, 4);
      tac_test_ok(tac_input_file_read(name, TAC_INPUT_ANY, &file, &error), error);
      tacVec3 displacement[4];
      memcpy(displacement, find_array(&file, "displacement", sizeof displacement), sizeof displacement);
      for (int v = 0; v < 4; ++v) {
        /* Triangle 2 is 1, 2, 3. */
        const double weight[4] = {0.0, 0.5, 0.25, 0.25};
        double factor = body == 0 && tick >= 500 ? weight[v] / STUB_STIFFNESS : 0.0;
        tacVec3 moved = tac_vec3_scale(factor, force_at(tick));
        tacVec3 wanted = tac_vec3_add(tac_vec3_add(world.vertices[v], world.position[body]), moved);
        ck_assert_double_le(tac_vec3_norm(tac_vec3_sub(contents.surface->vertices[v], wanted)), 1e-15);
        ck_assert_double_le(tac_vec3_norm(tac_vec3_sub(displacement[v], moved)), 1e-15);
      }
    }
  }
}

TAC_TEST(bodies_with_a_state_are_where_they_were) {
  TAC_OWN(tacRecording, recording) = record_world(0, 2, true);
  tacWorld world = tac_stub_world(2);
  world.reduced = true;
  tac_test_ok(tac_recording_write_vtu(recording, &world, 40.0, frames, NULL, &error), error); /* states come at 50 Hz */
  for (int frame = 0; frame <= 40; ++frame) {
    int tick = 25 * frame;
    char name[1024];
    TAC_FREED(tac_mesh_contents_destroy, tacMeshContents, contents);
    frame_path("right_lobe", frame, name, sizeof name);
    tac_test_ok(tac_mesh_read(name, &contents, &error), error);
    for (int v = 0; v < 4; ++v) {
      tacVec3 wanted = tac_vec3_add(world.vertices[v], place_at(tick));
      if (v == 3) wanted = tac_vec3_add(wanted, bent_at(tick));
      ck_assert_double_le(tac_vec3_distance(contents.surface->vertices[v], wanted), 3e-7); /* floats, of 3 m */
    }
  }
}

TAC_TEST(contacts_have_their_forces) {
  TAC_OWN(tacRecording, recording) = record_world(1, 0, false);
  tacWorld world = tac_stub_world(2);
  tac_test_ok(tac_recording_write_vtu(recording, &world, 20.0, frames, NULL, &error), error);
  for (int frame = 0; frame < FRAMES; ++frame) {
    char name[1024];
    TAC_FREED(tac_input_file_free, tacInputFile, file);
    tacVec3 force, point;
    frame_path("contacts", frame, name, sizeof name);
    tac_test_ok(tac_input_file_read(name, TAC_INPUT_ANY, &file, &error), error);
    if (frame < 10) {
      find_array(&file, "force", 0);
    } else {
      memcpy(&force, find_array(&file, "force", sizeof force), sizeof force);
      memcpy(&point, find_array(&file, "Points", sizeof point), sizeof point);
      ck_assert(force.x == force_at(50 * frame).x && force.y == 0.0 && force.z == 2.0);
      ck_assert(point.z == 0.001 * (50 * frame));
    }
  }
}

TAC_TEST(the_collection_lists_every_file_with_its_time) {
  TAC_OWN(tacRecording, recording) = record_world(0, 0, false);
  tacWorld world = tac_stub_world(2);
  char name[1024], line[512];
  tac_test_ok(tac_recording_write_vtu(recording, &world, 20.0, frames, NULL, &error), error);
  snprintf(name, sizeof name, "%s/recording.pvd", frames);
  FILE *stream = fopen(name, "r");
  ck_assert_ptr_nonnull(stream);
  int listed = 0;
  while (fgets(line, sizeof line, stream) != NULL) {
    double time;
    int part;
    char file[256];
    if (sscanf(line, "<DataSet timestep=\"%lf\" part=\"%d\" name=\"%*[^\"]\" file=\"%255[^\"]\"/>", &time, &part,
               file) != 3)
      continue;
    ck_assert_double_eq_tol(time, 0.05 * (listed / 3), 1e-12);
    ck_assert_int_eq(part, listed % 3);
    snprintf(name, sizeof name, "%s/%s", frames, file);
    ck_assert_int_eq(access(name, R_OK), 0);
    ++listed;
  }
  fclose(stream);
  ck_assert_int_eq(listed, 3 * FRAMES);
}

TAC_TEST(bodies_of_similar_names_have_separate_files) {
  TAC_OWN(tacRecording, recording) = record_world(0, 0, false);
  tacWorld world = tac_stub_world(2);
  world.body_count = 4;
  world.names[0] = "contacts";
  world.names[1] = "../lobe";
  world.names[2] = "__/lobe";
  world.names[3] = "___lobe-2";
  const char *stems[] = {"contacts-2", "_._lobe", "___lobe", "___lobe-2", "contacts"};
  tac_test_ok(tac_recording_write_vtu(recording, &world, 1.0, frames, NULL, &error), error);
  for (int i = 0; i < 5; ++i) {
    char name[1024];
    frame_path(stems[i], 0, name, sizeof name);
    ck_assert_msg(access(name, R_OK) == 0, "%s", name);
  }
  world.names[1] = "a b";
  world.names[2] = "a/b";
  world.names[3] = "a:b";
  tac_test_ok(tac_recording_write_vtu(recording, &world, 1.0, frames, NULL, &error), error);
  const char *more[] = {"a_b", "a_b-2", "a_b-3"};
  for (int i = 0; i < 3; ++i) {
    char name[1024];
    frame_path(more[i], 1, name, sizeof name);
    ck_assert_msg(access(name, R_OK) == 0, "%s", name);
  }
}

TAC_TEST(failed_writes_leave_no_file) {
  TAC_OWN(tacRecording, recording) = record_world(0, 0, false);
  tacWorld world = tac_stub_world(2);
  int calls = 0;
  tacProgress progress = {tac_test_cancel, &calls};
  ck_assert_int_eq(tac_recording_write_vtu(recording, &world, 20.0, frames, &progress, &error), TAC_ERR_CANCELLED);
  ck_assert_int_eq(count_files(), -1);
  ck_assert_int_eq(tac_recording_write_vtu(recording, &world, 0.0, frames, NULL, &error), TAC_ERR_ARGUMENT);
  world.tool_count = 1;
  ck_assert_int_eq(tac_recording_write_vtu(recording, &world, 20.0, frames, NULL, &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(count_files(), -1);

  world.tool_count = 2;
  for (int wrong = 0; wrong < 2; ++wrong) { /* a body and a triangle that the world does not have */
    TAC_OWN(tacRecording, other) = record_world(wrong == 0 ? 2 : 0, wrong == 0 ? 0 : 4, false);
    tac_test_refused(tac_recording_write_vtu(other, &world, 20.0, frames, NULL, &error), TAC_ERR_FORMAT, error,
                     "tick 500");
    ck_assert_int_eq(count_files(), -1);
  }
}
