#include "elastic/elements/mesh_materials.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "elastic/elements/element.h"
#include "math/geometry/mat3.h"

/* Axis pairs of the strains xx, yy, zz, yz, zx, xy. */
static const int first_axis[6] = {0, 1, 2, 1, 2, 0}, second_axis[6] = {0, 1, 2, 2, 0, 1};

/* Constants in the material's own axes. */
typedef struct Orthotropic {
  double e[3];
  double nu[3]; /* nu12, nu23, nu31 */
  double g[3];  /* G12, G23, G31 */
  tacMat3 r;    /* its columns are the axes */
} Orthotropic;

/* C = S^-1 in the material's axes, S_ii = 1 / E_i, S_ij = -nu_ij / E_i. */
static bool own_stiffness(const Orthotropic *o, double c[6][6]) {
  tacMat3 compliance, normal;
  for (int i = 0; i < 3; ++i) {
    int next = (i + 1) % 3;
    if (!(o->e[i] > 0.0) || !(o->g[i] > 0.0)) return false;
    compliance.m[i][i] = 1.0 / o->e[i];
    compliance.m[i][next] = compliance.m[next][i] = -o->nu[i] / o->e[i];
  }
  if (!tac_mat3_inverse(compliance, &normal)) return false;
  memset(c, 0, 36 * sizeof(double));
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) c[i][j] = normal.m[i][j];
    c[3 + i][3 + i] = o->g[(i + 1) % 3]; /* yz, zx, xy: G23, G31, G12 */
  }
  return true;
}

/* C' = T C T^T, where T turns stresses: sigma' = R sigma R^T. */
static void turn_stiffness(const tacMat3 *r, double c[6][6]) {
  double t[6][6], ct[6][6];
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < 6; ++k) {
      int a = first_axis[i], b = second_axis[i], p = first_axis[k], q = second_axis[k];
      t[i][k] = r->m[a][p] * r->m[b][q] + (p != q ? r->m[a][q] * r->m[b][p] : 0.0);
    }
  }
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) {
      ct[i][j] = 0.0;
      for (int k = 0; k < 6; ++k) ct[i][j] += c[i][k] * t[j][k];
    }
  }
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) {
      c[i][j] = 0.0;
      for (int k = 0; k < 6; ++k) c[i][j] += t[i][k] * ct[k][j];
    }
  }
}

/* What the ending of the kind says the parameters after the three moduli are. */
typedef struct Ending {
  const char *text;
  bool three, shear, turned; /* three Poisson's ratios (and shear moduli) or one; with G; with R */
} Ending;

static tacStatus read_orthotropic(const tacMeshMaterial *stated, Orthotropic *o, tacError *error) {
  static const Ending endings[] = {{"", true, true, true},        {"_N3G3R9", true, true, true},
                                   {"_N3G3", true, true, false},  {"_N1G1R9", false, true, true},
                                   {"_N1G1", false, true, false}, {"_N1R9", false, false, true},
                                   {"_N1", false, false, false}};
  const Ending *ending = NULL;
  for (size_t i = 0; i < sizeof endings / sizeof *endings; ++i)
    if (strcmp(stated->kind + strlen("ORTHOTROPIC"), endings[i].text) == 0) ending = &endings[i];
  if (ending == NULL)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED,
                         "material \"%s\" is of kind \"%s\"; ORTHOTROPIC may end with _N3G3R9, _N3G3, _N1G1R9, _N1G1, "
                         "_N1R9 or _N1",
                         stated->name, stated->kind);
  int expected = 4 + (ending->three ? 6 : ending->shear ? 2 : 1) + (ending->turned ? 9 : 0);
  if (stated->parameter_count != expected)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "material \"%s\" of kind \"%s\" has %d parameters instead of %d",
                         stated->name, stated->kind, stated->parameter_count, expected);
  const double *p = stated->parameters + 1;
  for (int i = 0; i < 3; ++i) o->e[i] = *p++;
  if (ending->three) {
    for (int i = 0; i < 3; ++i) o->nu[i] = *p++;
    for (int i = 0; i < 3; ++i) o->g[i] = *p++;
  } else {
    double nu = *p++, g = ending->shear ? *p++ : 1.0;
    for (int i = 0; i < 3; ++i) {
      double own = o->e[i], next = o->e[(i + 1) % 3];
      o->nu[i] = nu * sqrt(own / next);
      o->g[i] = g * sqrt(own * next) / (2.0 * (1.0 + nu));
    }
  }
  o->r = tac_mat3_identity();
  if (!ending->turned) return TAC_OK;
  for (int i = 0; i < 9; ++i) o->r.m[i / 3][i % 3] = p[i];
  tacMat3 square = tac_mat3_mul(tac_mat3_transpose(o->r), o->r);
  if (!(tac_mat3_max_abs(tac_mat3_sub(square, tac_mat3_identity())) <= 1e-6))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "material \"%s\": its last nine parameters are not a rotation",
                         stated->name);
  return TAC_OK;
}

static tacStatus convert(const tacMeshMaterial *stated, tacMaterial *material, tacError *error) {
  tacError why = {TAC_OK, ""};
  tacStatus status;
  if (strcmp(stated->kind, "ENU") == 0) {
    const double *p = stated->parameters;
    if (stated->parameter_count != 3)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "material \"%s\" of kind \"ENU\" has %d parameters instead of 3",
                           stated->name, stated->parameter_count);
    status = tac_material_isotropic(p[0], p[1], p[2], material, &why);
  } else if (strncmp(stated->kind, "ORTHOTROPIC", strlen("ORTHOTROPIC")) == 0) {
    Orthotropic o;
    double c[6][6], coefficients[21];
    status = read_orthotropic(stated, &o, error);
    if (status != TAC_OK) return status;
    if (!own_stiffness(&o, c))
      return tac_error_set(error, TAC_ERR_ARGUMENT,
                           "material \"%s\": no stiffness has these moduli and Poisson's ratios", stated->name);
    turn_stiffness(&o.r, c);
    for (int i = 0, place = 0; i < 6; ++i)
      for (int j = i; j < 6; ++j) coefficients[place++] = 0.5 * (c[i][j] + c[j][i]);
    status = tac_material_anisotropic(stated->parameters[0], coefficients, material, &why);
  } else {
    return tac_error_set(error, TAC_ERR_UNSUPPORTED,
                         "material \"%s\" is of kind \"%s\"; linear elasticity has ENU and ORTHOTROPIC", stated->name,
                         stated->kind);
  }
  return status == TAC_OK ? TAC_OK : tac_error_set(error, status, "material \"%s\": %s", stated->name, why.text);
}

tacStatus tac_mesh_materials_create(const tacVolMesh *mesh, tacMaterial **materials, int **material_of,
                                    tacError *error) {
  *materials = NULL;
  *material_of = NULL;
  tacStatus status = tac_volmesh_validate(mesh, error);
  if (status != TAC_OK) return status;
  size_t element_count = (size_t)tac_element_count(mesh), material_count = (size_t)mesh->material_count;
  tacMaterial *made = tac_array_create(material_count, sizeof *made, "materials", error);
  bool *used = tac_array_create(material_count, sizeof *used, "materials", error);
  int *index = tac_array_create(element_count, sizeof *index, "materials of elements", error);
  if (made == NULL || used == NULL || index == NULL) {
    status = TAC_ERR_MEMORY;
    goto done;
  }
  for (size_t e = 0; e < element_count; ++e) index[e] = -1;
  for (int r = 0; r < mesh->region_count; ++r) {
    const tacIndexSet *group = &mesh->groups[mesh->regions[r].group];
    for (int i = 0; i < group->count; ++i) index[group->indices[i]] = mesh->regions[r].material;
  }
  for (size_t e = 0; e < element_count; ++e) {
    if (index[e] < 0) {
      status = tac_error_set(error, TAC_ERR_GEOMETRY, "element %zu has no material: no region of the mesh has it", e);
      goto done;
    }
    used[index[e]] = true;
  }
  for (size_t m = 0; m < material_count && status == TAC_OK; ++m)
    if (used[m]) status = convert(&mesh->materials[m], &made[m], error);
done:
  free(used);
  if (status == TAC_OK) {
    *materials = made;
    *material_of = index;
  } else {
    free(made);
    free(index);
  }
  return status;
}
