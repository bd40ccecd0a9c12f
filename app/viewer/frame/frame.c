#include "app/viewer/frame/frame.h"

#include <stdlib.h>
#include <string.h>
#include "app/viewer/frame/body_sections.h"
#include "app/viewer/frame/contact_section.h"
#include "app/viewer/frame/field_section.h"
#include "app/viewer/frame/load_modes.h"
#include "app/viewer/frame/model.h"
#include "app/viewer/frame/pair_section.h"
#include "app/viewer/frame/pose.h"
#include "app/viewer/frame/volume_edges.h"
#include "app/viewer/protocol/protocol.h"
#include "app/viewer/protocol/quantise.h"
#include "base/memory/array.h"
#include "math/geometry/quat.h"
#include "world/world.h"
#include "world/world_view.h"

enum {
  REST_FRAMES = 30
}; /* a surface at rest is sent so many times, then every so many frames: clients may miss some */

typedef struct {
  tacBodyId id;
  bool by_vertices; /* else no surfaces are sent of it, and the rest is zero */
  tacTriMesh rest;  /* in the world; the triangles are the asset's */
  int sensor_rows;
  int resting; /* frames since it moved */
} Body;

struct tacFrameMaker {
  const tacWorld *world;
  uint32_t load;
  int body_count;
  Body *bodies;
  int model_count;
  tacViewModel *models;
  int pair_count;
  tacPairSection *pairs;
  tacFieldSections *fields;
  tacArrays room; /* for the largest body: */
  tacVec3 *deformed, *normals;
  double *sensors;
  unsigned last_requests;
};

static tacStatus create_body(const tacWorld *world, int index, Body *body, tacError *error) {
  body->id = tac_world_body(world, index);
  body->by_vertices = tac_world_body_shown(world, body->id) == TAC_SHOWN_VERTICES;
  if (!body->by_vertices) return TAC_OK;
  const tacTriMesh *mesh = tac_world_body_surface(world, body->id);
  tacPose pose = tac_world_body_pose(world, body->id);
  tacQuat turn = tac_quat(pose.orientation[0], pose.orientation[1], pose.orientation[2], pose.orientation[3]);
  body->rest = *mesh;
  TAC_TRY(TAC_ARRAY(body->rest.vertices, (size_t)mesh->vertex_count, "a body's rest", error));
  for (int v = 0; v < mesh->vertex_count; ++v)
    body->rest.vertices[v] = tac_vec3_add(pose.position, tac_quat_rotate(turn, mesh->vertices[v]));
  body->sensor_rows = tac_world_body_sensor_rows(world, body->id);
  return TAC_OK;
}

tacStatus tac_frame_maker_create(const tacScene *scene, const tacWorld *world, uint32_t load, tacFrameMaker **result,
                                 tacError *error) {
  *result = NULL;
  TAC_OWN(tacFrameMaker, maker) = tac_array_create(1, sizeof *maker, "frames", error);
  if (maker == NULL) return TAC_ERR_MEMORY;
  maker->world = world;
  maker->load = load;
  maker->body_count = tac_world_body_count(world);
  TAC_TRY(TAC_ARRAY(maker->bodies, (size_t)maker->body_count, "bodies", error));
  TAC_TRY(tac_view_models_create(world, &maker->model_count, &maker->models, error));
  TAC_TRY(tac_pair_sections_create(world, &maker->pair_count, &maker->pairs, error));
  TAC_TRY(tac_field_sections_create(scene, world, &maker->fields, error));
  size_t most = 1, most_rows = 1;
  for (int b = 0; b < maker->body_count; ++b) {
    Body *body = &maker->bodies[b];
    TAC_TRY(create_body(world, b, body, error));
    if ((size_t)body->rest.vertex_count > most) most = (size_t)body->rest.vertex_count;
    if ((size_t)body->sensor_rows > most_rows) most_rows = (size_t)body->sensor_rows;
  }
  maker->deformed = tac_arrays_add(&maker->room, most, sizeof *maker->deformed);
  maker->normals = tac_arrays_add(&maker->room, most, sizeof *maker->normals);
  maker->sensors = tac_arrays_add(&maker->room, most_rows, sizeof *maker->sensors);
  TAC_TRY(tac_arrays_status(&maker->room, "frames", error));
  *result = tac_give(&maker);
  return TAC_OK;
}

void tac_frame_maker_destroy(tacFrameMaker *maker) {
  if (maker == NULL) return;
  for (int b = 0; b < maker->body_count && maker->bodies != NULL; ++b) free(maker->bodies[b].rest.vertices);
  free(maker->bodies);
  tac_view_models_destroy(maker->model_count, maker->models);
  tac_pair_sections_destroy(maker->pair_count, maker->pairs);
  tac_field_sections_destroy(maker->fields);
  tac_arrays_free(&maker->room);
  free(maker);
}

/* ---- geometry ---- */

static void write_mesh(tacByteWriter *w, const tacTriMesh *mesh) {
  for (int v = 0; v < mesh->vertex_count; ++v) tac_byte_writer_vec3(w, mesh->vertices[v]);
  for (int t = 0; t < mesh->triangle_count; ++t)
    for (int i = 0; i < 3; ++i) tac_byte_writer_u32(w, (uint32_t)mesh->triangles[t].v[i]);
}

static tacStatus vertices_packet(const tacFrameMaker *maker, int index, const tacVolMesh *volume, tacPacket **packet,
                                 tacError *error) {
  const Body *body = &maker->bodies[index];
  const tacTriMesh *mesh = &body->rest;
  const bool *fixed = tac_world_body_fixed(maker->world, body->id);
  tacPose pose = tac_world_body_pose(maker->world, body->id);
  tacQuat turn = tac_quat(pose.orientation[0], pose.orientation[1], pose.orientation[2], pose.orientation[3]);
  size_t fixed_count = 0, edge_count = 0, points = volume != NULL ? (size_t)volume->vertex_count : 0;
  for (int v = 0; v < mesh->vertex_count; ++v) fixed_count += fixed != NULL && fixed[v];
  TAC_MEMORY(tacVolumeEdge, edges) = NULL;
  TAC_TRY(tac_volume_edges(volume, &edges, &edge_count, error));
  size_t size = TAC_VIEW_HEAD + 24 + 12 * (size_t)mesh->vertex_count + 12 * (size_t)mesh->triangle_count +
                4 * fixed_count + 12 * points + 8 * edge_count;
  TAC_TRY(tac_packet_create(size, packet, error));
  tacByteWriter w = {tac_packet_bytes(*packet), size, 0};
  tac_byte_writer_head(&w, TAC_VIEW_BODY, (unsigned)index, maker->load);
  TAC_WRITE_U32(&w, mesh->vertex_count, mesh->triangle_count, (int)fixed_count, (int)points, (int)edge_count, 0);
  write_mesh(&w, mesh);
  for (int v = 0; v < mesh->vertex_count; ++v)
    if (fixed != NULL && fixed[v]) tac_byte_writer_u32(&w, (uint32_t)v);
  for (size_t v = 0; v < points; ++v)
    tac_byte_writer_vec3(&w, tac_vec3_add(pose.position, tac_quat_rotate(turn, volume->vertices[v])));
  for (size_t e = 0; e < edge_count; ++e) TAC_WRITE_U32(&w, edges[e].a, edges[e].b);
  return TAC_OK;
}

/* The message `rigid`: once, of a body that moves as a whole, its surface in its own frame. */
static tacStatus moving_surface_packet(const tacWorld *world, int body, uint32_t load, tacPacket **packet,
                                       tacError *error) {
  tacBodyId id = tac_world_body(world, body);
  const tacTriMesh *mesh = tac_world_body_surface(world, id);
  size_t size = TAC_VIEW_HEAD + 48 + 12 * (size_t)mesh->vertex_count + 12 * (size_t)mesh->triangle_count;
  TAC_TRY(tac_packet_create(size, packet, error));
  tacByteWriter w = {tac_packet_bytes(*packet), size, 0};
  tac_byte_writer_head(&w, TAC_VIEW_MOVING_SURFACE, (unsigned)body, load);
  TAC_WRITE_U32(&w, mesh->vertex_count, mesh->triangle_count);
  tac_byte_writer_u64(&w, 0);
  tac_byte_writer_pose(&w, tac_world_body_pose(world, id));
  tac_byte_writer_u32(&w, 0);
  write_mesh(&w, mesh);
  return TAC_OK;
}

tacStatus tac_frame_maker_body(const tacFrameMaker *maker, int index, const tacVolMesh *volume, tacPacket **packet,
                               tacError *error) {
  *packet = NULL;
  if (maker->bodies[index].by_vertices) return vertices_packet(maker, index, volume, packet, error);
  if (tac_world_body_shown(maker->world, maker->bodies[index].id) == TAC_SHOWN_RIGID)
    return moving_surface_packet(maker->world, index, maker->load, packet, error);
  for (int m = 0; m < maker->model_count; ++m)
    if (maker->models[m].bodies[0] == index)
      return tac_view_model_packet(&maker->models[m], m, maker->world, maker->load, volume, packet, error);
  return TAC_OK;
}

tacStatus tac_frame_maker_load_modes(const tacFrameMaker *maker, int index, tacPacket **packet, tacError *error) {
  *packet = NULL;
  for (int m = 0; m < maker->model_count; ++m)
    if (maker->models[m].bodies[0] == index)
      return tac_view_load_modes_packet(maker->world, maker->bodies[index].id, m, maker->load, packet, error);
  return TAC_OK;
}

/* ---- frames ---- */

static void write_tool(tacByteWriter *w, const tacSnapshot *snapshot, int t, const tacFrameTool *tool) {
  const tacToolOutput *output = &snapshot->output[t];
  const tacContact *contact = &output->contact;
  bool touches = contact->state != TAC_CONTACT_NONE;
  tacVec3 none = tac_vec3(0.0, 0.0, 0.0);
  tac_byte_writer_vec3(w, snapshot->position[t]);
  for (int i = 0; i < 4; ++i) tac_byte_writer_f32(w, snapshot->orientation[t][i]);
  tac_byte_writer_vec3(w, output->proxy);
  tac_byte_writer_vec3(w, output->force);
  tac_byte_writer_vec3(w, output->torque);
  tac_byte_writer_vec3(w, touches ? contact->deformed : none);
  tac_byte_writer_vec3(w, touches ? contact->normal : none);
  tac_byte_writer_f32(w, touches ? output->depth : 0.0);
  tac_byte_writer_vec3(w, tool->spring);
  TAC_WRITE_U32(w, contact->state, touches ? contact->body : 0, tool->flags, tool->client);
  for (int i = 0; i < 4; ++i) tac_byte_writer_f32(w, output->proxy_orientation[i]);
}

static void write_tools(tacByteWriter *w, const tacFrameDef *def) {
  size_t section = tac_byte_writer_begin(w, TAC_VIEW_TOOLS);
  TAC_WRITE_U32(w, def->snapshot->tool_count, 0);
  for (int t = 0; t < def->snapshot->tool_count; ++t) write_tool(w, def->snapshot, t, &def->tools[t]);
  tac_byte_writer_end(w, section);
}

static void write_numbers(tacByteWriter *w, const tacFrameNumbers *n) {
  size_t section = tac_byte_writer_begin(w, TAC_VIEW_NUMBERS);
  TAC_WRITE_F32(w, n->servo_rate, n->display_rate, n->tick_p50, n->tick_p99, n->tick_p999, n->tick_max, n->late_p99,
                n->late_max);
  TAC_WRITE_U32(w, n->missed_by_computation, n->missed_by_lateness, n->contacts, n->clients);
  tac_byte_writer_end(w, section);
}

/* A body without a state is shown by what touches it alone. */
static bool may_move(const tacWorld *world, const Body *body, const tacSnapshot *snapshot) {
  if (tac_world_body_state(world, body->id) >= 0 || tac_world_body_pose_state(world, body->id) >= 0) return true;
  for (int t = 0; t < snapshot->tool_count; ++t) {
    const tacContact *contact = &snapshot->output[t].contact;
    if (contact->state != TAC_CONTACT_NONE && contact->body == body->id.index) return true;
  }
  return false;
}

static void write_surface(tacFrameMaker *maker, int index, tacByteWriter *w) {
  const Body *body = &maker->bodies[index];
  const tacTriMesh *rest = &body->rest;
  float scale = 0.0f;
  size_t section = tac_byte_writer_begin(w, TAC_VIEW_SURFACE), bytes = 8 * (size_t)rest->vertex_count;
  TAC_WRITE_U32(w, index, rest->vertex_count);
  size_t place = w->at; /* of the scale */
  TAC_WRITE_U32(w, 0, 0);
  if (w->at + bytes <= w->size)
    tac_quantise_surface(rest->vertex_count, rest->triangle_count, rest->triangles, rest->vertices, maker->deformed,
                         maker->normals, w->bytes + w->at, &scale);
  w->at += bytes;
  tacByteWriter back = {w->bytes, w->size, place};
  tac_byte_writer_f32(&back, (double)scale);
  tac_byte_writer_end(w, section);
}

static int write_body(tacFrameMaker *maker, int index, const tacFrameDef *def, tacByteWriter *w) {
  Body *body = &maker->bodies[index];
  int sections = 0;
  body->resting =
      may_move(maker->world, body, def->snapshot) || def->requests != maker->last_requests ? 0 : body->resting + 1;
  if ((def->requests & TAC_VIEW_REQUEST_BODIES) != 0 &&
      (body->resting < REST_FRAMES || body->resting % REST_FRAMES == 0)) {
    if (body->by_vertices) {
      tac_world_surface(maker->world, def->snapshot, body->id, maker->deformed);
      write_surface(maker, index, w);
      ++sections;
    }
    sections += tac_field_sections_write(maker->fields, index, def->snapshot, def->requests, w);
  }
  if (body->sensor_rows > 0) {
    tac_world_sensors(maker->world, def->snapshot, body->id, maker->sensors);
    size_t section = tac_byte_writer_begin(w, TAC_VIEW_SENSORS);
    TAC_WRITE_U32(w, index, body->sensor_rows);
    for (int r = 0; r < body->sensor_rows; ++r) tac_byte_writer_f32(w, maker->sensors[r]);
    tac_byte_writer_end(w, section);
    ++sections;
  }
  return sections;
}

unsigned tac_frame_maker_colours(const tacFrameMaker *maker, int body) {
  return tac_field_sections_known(maker->fields, body);
}

void tac_frame_maker_refresh(tacFrameMaker *maker) {
  for (int b = 0; b < maker->body_count; ++b) maker->bodies[b].resting = 0;
}

static bool requests_pairs(unsigned requests) {
  return (requests & (TAC_VIEW_REQUEST_PAIRS | TAC_VIEW_REQUEST_POINTS | TAC_VIEW_REQUEST_BALLS)) != 0;
}

/* Bytes that a frame cannot exceed. */
static size_t most_bytes(const tacFrameMaker *maker, const tacFrameDef *def) {
  size_t size = TAC_VIEW_FRAME_HEAD + 1024 + (size_t)TAC_MOST_TOOLS * TAC_VIEW_TOOL_SIZE;
  for (int b = 0; b < maker->body_count; ++b)
    size += 8 * (size_t)maker->bodies[b].rest.vertex_count + 4 * (size_t)maker->bodies[b].sensor_rows + 256 +
            tac_field_sections_most_bytes(maker->fields, b, def->requests);
  for (int m = 0; m < maker->model_count; ++m) size += tac_view_model_most_bytes(&maker->models[m]);
  for (int p = 0; p < maker->pair_count; ++p) size += tac_pair_section_bytes(&maker->pairs[p], def->requests);
  size += tac_limit_section_most_bytes(maker->world);
  size += tac_number_sections_most_bytes(maker->world) + tac_load_sections_most_bytes(maker->world);
  return size + tac_view_poses_most_bytes(maker->world) + tac_contact_section_most_bytes(def->requests);
}

/* Returns how many sections were written. */
static int write_pairs(const tacFrameMaker *maker, unsigned requests, tacByteWriter *w) {
  if (!requests_pairs(requests)) return 0;
  for (int p = 0; p < maker->pair_count; ++p) tac_pair_section_write(&maker->pairs[p], requests, w);
  return maker->pair_count;
}

tacStatus tac_frame_maker_frame(tacFrameMaker *maker, const tacFrameDef *def, tacPacket **packet, tacError *error) {
  if (requests_pairs(def->requests))
    for (int p = 0; p < maker->pair_count; ++p) tac_pair_section_look(&maker->pairs[p], def->snapshot);
  TAC_TRY(tac_packet_create(most_bytes(maker, def), packet, error));
  tacByteWriter w = {tac_packet_bytes(*packet), tac_packet_size(*packet), TAC_VIEW_HEAD};
  int sections = 3;
  TAC_WRITE_U32(&w, maker->load, 0);
  tac_byte_writer_f64(&w, def->time);
  tac_byte_writer_u64(&w, (uint64_t)def->snapshot->tick);
  write_tools(&w, def);
  write_numbers(&w, &def->numbers);
  tac_limit_section_write(maker->world, def->snapshot, &w);
  for (int b = 0; b < maker->body_count; ++b) sections += write_body(maker, b, def, &w);
  if ((def->requests & TAC_VIEW_REQUEST_BODIES) != 0) {
    for (int m = 0; m < maker->model_count; ++m, ++sections)
      tac_view_model_write(&maker->models[m], m, maker->world, def->snapshot, &w);
    sections += tac_view_poses_write(maker->world, def->snapshot, &w);
  }
  sections += write_pairs(maker, def->requests, &w);
  sections += tac_number_sections_write(maker->world, def->snapshot, &w);
  sections += tac_load_sections_write(maker->world, def->snapshot, &w);
  sections += tac_contact_section_write(def->contacts, def->requests, &w);
  maker->last_requests = def->requests;
  tac_packet_shorten(*packet, w.at);
  tacByteWriter head = {tac_packet_bytes(*packet), TAC_VIEW_HEAD, 0};
  tac_byte_writer_head(&head, TAC_VIEW_FRAME, (unsigned)sections, def->number);
  return TAC_OK;
}

void tac_frame_mark_busy(tacPacket *frame) {
  tacByteWriter flags = {tac_packet_bytes(frame), tac_packet_size(frame), TAC_VIEW_HEAD + 4};
  tac_byte_writer_u32(&flags, TAC_VIEW_BUSY);
}

tacStatus tac_frame_copy(tacPacket *frame, uint32_t number, tacPacket **copy, tacError *error) {
  TAC_TRY(tac_packet_create(tac_packet_size(frame), copy, error));
  memcpy(tac_packet_bytes(*copy), tac_packet_bytes(frame), tac_packet_size(frame));
  tacByteWriter head = {tac_packet_bytes(*copy), tac_packet_size(*copy), 4};
  tac_byte_writer_u32(&head, number);
  return TAC_OK;
}
