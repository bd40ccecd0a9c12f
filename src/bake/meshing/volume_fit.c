#include "bake/meshing/volume_fit.h"

#include <math.h>
#include <stdlib.h>
#include <tactus/mesh.h>
#include "base/error.h"
#include "base/log.h"
#include "mesh/repair/outer_parts.h"

/* How far to look for the right number of parts once the volume is right. */
#define MORE_ELEMENTS 10.0
#define FEW_ELEMENTS 3e5

tacStatus tac_volume_fit_begin(const tacTriMesh *surface, double tolerance, bool confirm, tacVolumeFit *fit,
                               tacError *error) {
  *fit = (tacVolumeFit){.tolerance = tolerance, .deviation = INFINITY, .most_elements = INFINITY, .confirm = confirm};
  if (!(tolerance > 0.0)) return tac_error_set(error, TAC_ERR_ARGUMENT, "the tolerance must be positive");
  TAC_TRY(tac_trimesh_solid_volume(surface, &fit->target, error));
  return tac_solid_parts(surface, &fit->parts, error);
}

bool tac_volume_fit_wants(tacVolumeFit *fit, double volume, double elements) {
  fit->deviation = fabs(volume / fit->target - 1.0);
  fit->done = elements > fit->most_elements;
  if (fit->deviation <= fit->tolerance) return true;
  fit->last_was_right = false;
  return false;
}

static void choose(tacVolumeFit *fit, tacVolMesh *mesh, double size, int parts) {
  if (fit->chosen == NULL)
    fit->most_elements = fmax(FEW_ELEMENTS, MORE_ELEMENTS * (mesh->tet_count + mesh->brick_count));
  tac_volmesh_destroy(fit->chosen);
  fit->chosen = mesh;
  fit->chosen_size = size;
  fit->chosen_parts = parts;
}

tacStatus tac_volume_fit_offer(tacVolumeFit *fit, tacVolMesh *mesh, double size, tacError *error) {
  tacVolumeReport report;
  tacStatus status = tac_volume_report(mesh, &report, error);
  bool right = status == TAC_OK && report.components == fit->parts;
  bool confirms = right && fit->last_was_right;
  bool nearer = fit->chosen == NULL || abs(report.components - fit->parts) < abs(fit->chosen_parts - fit->parts);
  if (status == TAC_OK && !confirms && (right || nearer))
    choose(fit, mesh, size, report.components);
  else
    tac_volmesh_destroy(mesh);
  fit->last_was_right = right;
  fit->done |= confirms || (right && !fit->confirm);
  return status;
}

tacStatus tac_volume_fit_end(tacVolumeFit *fit, tacVolMesh **mesh, double *size, tacError *error) {
  if (fit->chosen == NULL)
    return tac_error_set(error, TAC_ERR_GEOMETRY,
                         "no tried size gives the volume %g m^3 of the solid within a tolerance of %g (the last "
                         "deviation is %g)",
                         fit->target, fit->tolerance, fit->deviation);
  if (fit->chosen_parts != fit->parts)
    tac_log(TAC_LOG_WARNING,
            "the elements form %d part%s, but the surface has %d; a smaller size may separate thin and close parts "
            "better",
            fit->chosen_parts, fit->chosen_parts == 1 ? "" : "s", fit->parts);
  *mesh = fit->chosen;
  *size = fit->chosen_size;
  fit->chosen = NULL;
  return TAC_OK;
}

void tac_volume_fit_discard(tacVolumeFit *fit) {
  tac_volmesh_destroy(fit->chosen);
  fit->chosen = NULL;
}
