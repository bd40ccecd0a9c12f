#include "kinds/kinds.h"

#include <stddef.h>
#include "kinds/green/green_scene.h"
#include "kinds/hyperelastic/hyperelastic_scene.h"
#include "kinds/reduced/reduced_scene.h"
#include "kinds/rigid/rigid_kind.h"
#include "kinds/vademecum/vademecum_scene.h"

/* Users see the kinds in this order. */
const tacBodyKind *const tac_own_kinds[] = {&tac_green_row,        &tac_reduced_row,
#ifndef TAC_WITHOUT_RIGID /* a test build loads the rigid kind from a shared object */
                                            &tac_rigid_row,
#endif
                                            &tac_corotational_row, &tac_hyperelastic_row, &tac_vademecum_row, NULL};
