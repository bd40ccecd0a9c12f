#include "couple/pad_tool.h"

#include <math.h>
#include <string.h>
#include "math/dense/dense.h"

/* `most_way`: maximum motion of a pad in a tick by translation of the tool, in pad radii; also the maximum by rotation.
 * `most_turn`: maximum rotation of the tool in a tick, rad. A body rejects pad motions of more than one radius or
 * 0.5 rad (patch_grip.h). The tool uses at most half of this range, since the body may also move. */
static const double most_way = 0.25, most_turn = 0.2;

/* Returns a rotation that turns the z axis into the unit vector `along`. */
static tacQuat looking(tacVec3 along) {
  tacVec3 z = tac_vec3(0.0, 0.0, 1.0), about = tac_vec3_cross(z, along);
  double sine = tac_vec3_norm(about);
  if (!(sine > 0.0)) about = tac_vec3(1.0, 0.0, 0.0);
  return tac_quat_from_axis_angle(about, atan2(sine, along.z));
}

void tac_pad_tool_set(tacPadTool *pad, const tacPadToolDef *def, int first, double period) {
  double half = 0.5 * def->opening, way = most_way * def->radius / period;
  *pad = (tacPadTool){.body = (int)def->body.index,
                      .first = first,
                      .count = half > 0.0 ? 2 : 1,
                      .def = *def,
                      .coupling = tac_coupling_def_default()};
  pad->def.name = NULL;
  pad->device = pad->proxy = (tacGrasp){{0.0, 0.0, 0.0}, tac_quat_identity()};
  pad->places[0] = (tacPadPose){{0.0, 0.0, 0.0}, looking(def->approach)};
  for (int i = 0; half > 0.0 && i < 2; ++i) { /* the two pads face each other */
    double side = i == 0 ? 1.0 : -1.0;
    pad->places[i] = (tacPadPose){{side * half, 0.0, 0.0}, looking(tac_vec3(-side, 0.0, 0.0))};
  }
  pad->coupling.stiffness = def->stiffness;
  pad->coupling.turn_stiffness = def->turn_stiffness;
  pad->coupling.speed_most = fmin(def->speed_most, way);
  pad->coupling.turn_most = fmin(fmin(def->turn_most, most_turn / period), half > 0.0 ? way / half : INFINITY);
}

static tacPadPose in_body(const tacFrame *frame, const tacGrasp *tool, const tacPadPose *place) {
  tacVec3 centre = tac_vec3_add(tool->position, tac_quat_rotate(tool->orientation, place->centre));
  tacQuat turn = tac_quat_mul(tac_quat_conjugate(frame->orientation), tac_quat_mul(tool->orientation, place->turn));
  return (tacPadPose){tac_frame_from_world(frame, centre), tac_quat_normalise(turn)};
}

/* Computes the present load of the pads on the body, `held`. The load includes the effect of the body's motion since
 * the load was last computed. */
static void held_now(const tacPadTool *pad, double held[6]) {
  tacVec3 f = pad->wrench.force, torque = pad->wrench.torque;
  tacVec3 x =
      tac_vec3_sub(tac_frame_to_world(&pad->frame, tac_frame_from_world(&pad->felt_on, pad->about)), pad->about);
  tacVec3 turn =
      tac_quat_to_rotation_vector(tac_quat_mul(pad->frame.orientation, tac_quat_conjugate(pad->felt_on.orientation)));
  const double moved[6] = {x.x, x.y, x.z, turn.x, turn.y, turn.z};
  memcpy(held, (double[6]){f.x, f.y, f.z, torque.x, torque.y, torque.z}, 6 * sizeof *held);
  if (pad->frame.mode == TAC_FRAME_RESTS) return;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) held[i] -= pad->stiffness[i][j] * moved[j];
}

/* Moves the pads of a tool to the equilibrium of coupling and body. */
static void advance(tacPadTool *pad, double period, tacTickReport *report) {
  double k[6][6], factor[6][6], pull[6], motion[6], held[6];
  held_now(pad, held);
  tac_static_coupling_equation(&pad->coupling, &pad->device, &pad->proxy, k, pull);
  for (int i = 0; i < 6; ++i) {
    motion[i] = pull[i] - held[i];
    for (int j = 0; j < 6; ++j) factor[i][j] = k[i][j] + pad->stiffness[i][j];
  }
  tacDense matrix = {6, 6, 6, &factor[0][0]};
  /* Rounding or a coarse mesh can make the matrix indefinite. A diagonal matrix of larger stiffness then replaces the
   * matrix. */
  if (!tac_dense_loop_cholesky(&matrix)) {
    memset(factor, 0, sizeof factor);
    for (int i = 0; i < 6; ++i) {
      factor[i][i] = k[i][i];
      for (int j = 0; j < 6; ++j) factor[i][i] += fabs(pad->stiffness[i][j]);
    }
    if (!tac_dense_loop_cholesky(&matrix)) return;
  }
  tac_dense_loop_cholesky_solve(&matrix, pull);
  tac_dense_loop_cholesky_solve(&matrix, motion);
  double share = tac_coupling_hold_back(&pad->coupling, period, pull, motion);
  for (int i = 0; i < 6; ++i) motion[i] -= (1.0 - share) * pull[i];
  bool limited = tac_coupling_move(&pad->coupling, period, motion, &pad->proxy);
  report->limited += limited || share < 1.0;
}

static void let_go(tacPadTool *pad, tacPadGrip grip, int i) {
  if (pad->taken[i]) grip.table->release(grip.patches, pad->first + i);
  pad->taken[i] = false;
}

void tac_pad_tool_lead(tacPadTool *pad, tacPadGrip grip, double period, tacTickReport *report) {
  bool presses = pad->def.hold == TAC_PAD_PRESS, wants = !pad->lifted && (presses || pad->grab);
  if (pad->lifted) pad->apart = true;
  if (pad->loaded && !pad->apart)
    advance(pad, period, report);
  else
    pad->proxy = pad->device; /* without a load, the pads are at the pose of the device */
  for (int i = 0; i < pad->count; ++i) {
    const tacPad def = {pad->def.hold, pad->def.radius, pad->def.friction};
    tacPadPose pose = in_body(&pad->frame, &pad->proxy, &pad->places[i]);
    if (wants && !pad->wanted) pad->due[i] = true;
    if (!wants) {
      pad->due[i] = false;
      let_go(pad, grip, i);
    } else if (pad->taken[i] && grip.table->move(grip.patches, pad->first + i, pose)) {
      pad->at[i] = pose;
    } else if (pad->taken[i]) { /* the body moved too fast for the pad to hold */
      let_go(pad, grip, i);
      pad->due[i] = presses;
      ++report->limited;
    } else if (pad->due[i] && !grip.table->reply(grip.patches, pad->first + i).in_use) {
      pad->taken[i] = grip.table->take(grip.patches, pad->first + i, &def, pose);
      pad->at[i] = pose;
      pad->due[i] = presses && !pad->taken[i];
    }
  }
  pad->wanted = wants;
}

void tac_pad_tool_feel(tacPadTool *pad, tacPadGrip grip) {
  const tacFrame *frame = &pad->frame;
  tacVec3 about = tac_frame_from_world(frame, pad->proxy.position);
  tacWrench sum = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  bool used = false;
  pad->loaded = false;
  pad->slipping = 0;
  for (int i = 0; i < pad->count; ++i) {
    tacPadReply reply = grip.table->reply(grip.patches, pad->first + i);
    used = used || reply.in_use;
    pad->loaded = pad->loaded || reply.held + reply.leaving > 0;
    pad->slipping += reply.slipping;
    tacVec3 moment = tac_vec3_cross(tac_vec3_sub(pad->at[i].centre, about), reply.force);
    sum.force = tac_vec3_add(sum.force, reply.force);
    sum.torque = tac_vec3_add(sum.torque, tac_vec3_add(reply.torque, moment));
  }
  if (!used) pad->apart = false;
  pad->about = pad->proxy.position;
  pad->felt_on = pad->frame;
  pad->wrench.force = tac_quat_rotate(frame->orientation, sum.force);
  pad->wrench.torque = tac_quat_rotate(frame->orientation, sum.torque);
  memset(pad->stiffness, 0, sizeof pad->stiffness);
  if (!pad->loaded) return;
  double own[6][6];
  tacMat3 turn = tac_quat_to_mat3(frame->orientation);
  grip.table->stiffness(grip.patches, pad->first, pad->count, about, own);
  for (int rows = 0; rows < 6; rows += 3)
    for (int columns = 0; columns < 6; columns += 3) {
      tacMat3 k;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) /* symmetric part; the precomputed response may violate Betti's law */
          k.m[i][j] = 0.5 * (own[rows + i][columns + j] + own[columns + j][rows + i]);
      k = tac_mat3_mul(turn, tac_mat3_mul(k, tac_mat3_transpose(turn)));
      for (int i = 0; i < 3; ++i) memcpy(&pad->stiffness[rows + i][columns], k.m[i], sizeof k.m[i]);
    }
}

/* Computes the load of pads and coupling in series: `force`, the load on the body at the equilibrium of the pads, and
 * `series`, the stiffness of this load for motions of the body. */
static void pull_of(const tacPadTool *pad, double force[6], double series[6][6]) {
  double k[6][6], factor[6][6], pull[6], columns[6][6];
  tacVec3 f = pad->wrench.force, torque = pad->wrench.torque;
  const double held[6] = {f.x, f.y, f.z, torque.x, torque.y, torque.z};
  memcpy(force, held, sizeof held);
  memcpy(series, pad->stiffness, sizeof pad->stiffness);
  if (pad->apart) return;
  tac_static_coupling_equation(&pad->coupling, &pad->device, &pad->proxy, k, pull);
  for (int i = 0; i < 6; ++i) {
    pull[i] -= held[i];
    for (int j = 0; j < 6; ++j) {
      factor[i][j] = k[i][j] + pad->stiffness[i][j];
      columns[i][j] = pad->stiffness[j][i];
    }
  }
  tacDense matrix = {6, 6, 6, &factor[0][0]};
  if (!tac_dense_loop_cholesky(&matrix)) return;
  tac_dense_loop_cholesky_solve(&matrix, pull);
  for (int j = 0; j < 6; ++j) tac_dense_loop_cholesky_solve(&matrix, columns[j]);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      force[i] += pad->stiffness[i][j] * pull[j];
      for (int l = 0; l < 6; ++l) series[i][j] -= pad->stiffness[i][l] * columns[j][l];
    }
}

void tac_pad_tool_pull(const tacPadTool *pad, tacVec3 about, double wrench[6], double stiffness[6][6]) {
  if (!pad->loaded) return;
  double w[6], k[6][6], kt[6][6];
  pull_of(pad, w, k);
  /* Transforms the load w and the stiffness K to the point `about`: T^T w and T^T K T, T = [1, -r~; 0, 1]. */
  tacVec3 r = tac_vec3_sub(pad->about, about);
  tacVec3 moment = tac_vec3_cross(r, tac_vec3(w[0], w[1], w[2]));
  const double turn[3][3] = {{0.0, r.z, -r.y}, {-r.z, 0.0, r.x}, {r.y, -r.x, 0.0}};
  const double sum[6] = {w[0], w[1], w[2], w[3] + moment.x, w[4] + moment.y, w[5] + moment.z};
  for (int i = 0; i < 6; ++i) {
    wrench[i] += sum[i];
    for (int j = 0; j < 6; ++j) {
      kt[i][j] = k[i][j];
      for (int l = 0; l < 3 && j >= 3; ++l) kt[i][j] += k[i][l] * turn[l][j - 3];
    }
  }
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      stiffness[i][j] += kt[i][j];
      for (int l = 0; l < 3 && i >= 3; ++l) stiffness[i][j] += turn[l][i - 3] * kt[l][j];
    }
}

void tac_pad_tool_held(const tacPadTool *pad, tacVec3 about, double wrench[6]) {
  tacVec3 f = pad->wrench.force;
  tacVec3 torque = tac_vec3_add(pad->wrench.torque, tac_vec3_cross(tac_vec3_sub(pad->about, about), f));
  const double sum[6] = {f.x, f.y, f.z, torque.x, torque.y, torque.z};
  for (int i = 0; i < 6; ++i) wrench[i] += sum[i];
}

static void describe_contact(const tacPadTool *pad, tacContact *c) {
  c->state = pad->def.hold == TAC_PAD_STICK ? TAC_CONTACT_GRABBED
             : pad->slipping > 0            ? TAC_CONTACT_SLIDES
                                            : TAC_CONTACT_STICKS;
  c->body = (uint32_t)pad->body;
  c->triangle = -1;
  c->at = c->deformed = pad->proxy.position;
  c->normal = tac_vec3_scale(-1.0, tac_quat_rotate(pad->proxy.orientation, pad->def.approach));
  c->force = pad->wrench.force;
}

void tac_pad_tool_describe(const tacPadTool *pad, tacToolOutput *output, tacTickReport *report) {
  output->proxy = pad->proxy.position;
  tac_quat_put(pad->proxy.orientation, output->proxy_orientation);
  if (pad->loaded) describe_contact(pad, &output->contact);
  report->contact_count += pad->loaded;
  if (pad->apart) return;
  /* The hand also feels the coupling in the tick in which the load vanishes: the proxy is still at its loaded pose. */
  tacWrench felt = tac_coupling_felt(&pad->coupling, &pad->proxy, &pad->device);
  output->force = felt.force;
  output->torque = felt.torque;
  output->depth = tac_vec3_distance(pad->proxy.position, pad->device.position);
}

void tac_pad_tool_free(tacPadTool *pad, tacPadGrip grip, double period) {
  tacPadToolDef def = pad->def;
  for (int i = 0; i < pad->count; ++i) let_go(pad, grip, i);
  tac_pad_tool_set(pad, &def, pad->first, period);
}
