#include "couple/trocar.h"

#include <math.h>

static const double stiffer = 1e7;      /* than what else acts on the grasp */
static const double least_lever = 1e-3; /* m */

static tacVec3 shaft_of(const tacCouplingDef *def, const tacGrasp *body) {
  return tac_quat_rotate(tac_quat_normalise(body->orientation), def->shaft);
}

void tac_trocar_constrain(const tacCouplingDef *def, const tacGrasp *body, double matrix[6][6]) {
  tacVec3 b = shaft_of(def, body), r = tac_vec3_sub(def->pivot, body->position);
  tacMat3 one = tac_mat3_identity(), across = tac_mat3_sub(one, tac_mat3_outer(b, b));
  tacMat3 turns = tac_mat3_scale(-1.0, tac_mat3_skew(r)); /* the place at p moves by dx + turns dtheta */
  tacMat3 mixed = tac_mat3_mul(across, turns), both = tac_mat3_mul(tac_mat3_transpose(turns), mixed);
  double pivot_stiffness = stiffer * fmax(matrix[0][0], fmax(matrix[1][1], matrix[2][2]));
  double tilt = def->stiffness * least_lever * least_lever;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      matrix[i][j] += pivot_stiffness * across.m[i][j];
      matrix[i][3 + j] += pivot_stiffness * mixed.m[i][j];
      matrix[3 + i][j] += pivot_stiffness * mixed.m[j][i];
      matrix[3 + i][3 + j] += pivot_stiffness * both.m[i][j] + tilt * across.m[i][j];
    }
}

void tac_trocar_place(const tacCouplingDef *def, tacGrasp *body) {
  tacVec3 b = shaft_of(def, body), r = tac_vec3_sub(def->pivot, body->position);
  body->position = tac_vec3_add(body->position, tac_vec3_mad(r, -tac_vec3_dot(r, b), b));
}
