/* Contact problems without files: equal spheres in a box-shaped lattice that touch their neighbours and the floor,
 * pushed sideways under gravity over one step. Contacts outnumber what the bodies can move, so forces are not
 * unique, and W is singular. */
#pragma once

#include "contact/laws/frictional_problem.h"

/* nx x ny x nz spheres. `push`: sideways velocity before the step, of what gravity gives over it. Motions are
 * velocities, m/s. */
tacStatus tac_sphere_pile_create(int nx, int ny, int nz, double friction, double push, tacContactProblem **problem,
                                 tacError *error);
