/* What a bake was compared with when it ended.
 *
 * Every bake ends in checks of its result against the problem that it solves, worked out anew by plain loops on one
 * thread, by another way than the result itself. A bake whose check fails is TAC_ERR_CHECK and leaves nothing. Checks
 * stay in the asset and in its file; a file whose checks are missing or bad is refused. */
#ifndef TACTUS_BAKE_CHECK_H
#define TACTUS_BAKE_CHECK_H

#include <stdbool.h>
#include <tactus/api.h>

TAC_BEGIN_DECLS

enum { TAC_BAKE_CHECK_TEXT = 96, TAC_BAKE_MOST_CHECKS = 8 };

typedef struct tacBakeCheck {
  char what[TAC_BAKE_CHECK_TEXT]; /* what was compared with what, and in which unit: "forces with U^T f(U q)" */
  int samples;                    /* comparisons */
  double worst, allowed;          /* errors, relative unless `what` says otherwise; good where worst <= allowed */
} tacBakeCheck;

/* None for an asset that was not baked, such as a field from a caller's own samples. */
typedef struct tacBakeChecks {
  int count;
  tacBakeCheck checks[TAC_BAKE_MOST_CHECKS];
} tacBakeChecks;

TAC_END_DECLS

#endif
