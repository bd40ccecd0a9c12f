/* Solids as functions of a point: negative inside, positive outside, zero on the surface.
 *
 * Primitives are the exact signed distance to the solid, in metres, unless their comment says otherwise; stated radii and
 * half lengths are outer dimensions, roundings included. Smooth operators keep a bound on the slope: where both arguments
 * have slope at most 1, so has the result. */
#pragma once

#include "math/geometry/vec3.h"

typedef double (*tacSolidFn)(tacVec3 p);

double tac_implicit_sphere(tacVec3 p, tacVec3 centre, double radius);
/* Half axes `radii`. Zero exactly on the surface, distance to first order near it: k0 (k0 - 1) / k1 with k0 = |p / r|,
 * k1 = |p / r^2|. */
double tac_implicit_ellipsoid(tacVec3 p, tacVec3 centre, tacVec3 radii);
/* Edges rounded by `rounding`, at most the smallest half length. */
double tac_implicit_box(tacVec3 p, tacVec3 centre, tacVec3 half, double rounding);
double tac_implicit_capsule(tacVec3 p, tacVec3 a, tacVec3 b, double radius);
/* The hull of two spheres, neither inside the other. */
double tac_implicit_cone(tacVec3 p, tacVec3 a, tacVec3 b, double radius_a, double radius_b);
/* Flat ends at a and b, rims rounded. */
double tac_implicit_cylinder(tacVec3 p, tacVec3 a, tacVec3 b, double radius, double rounding);
/* `axis` is a unit vector; `ring` is the radius of the centre line. */
double tac_implicit_torus(tacVec3 p, tacVec3 centre, tacVec3 axis, double ring, double radius);

/* Distances to curves: subtract a radius for a tube with round ends. */

/* The circular arc centre + radius (u cos s + v sin s), 0 <= s <= angle < 2 pi; u, v orthonormal. */
double tac_implicit_arc(tacVec3 p, tacVec3 centre, tacVec3 u, tacVec3 v, double radius, double angle);
/* The quadratic Bezier curve a, b, c; where `at` is not NULL, the parameter in [0, 1] of the nearest point. */
double tac_implicit_bezier(tacVec3 p, tacVec3 a, tacVec3 b, tacVec3 c, double *at);
/* The quadratic B-spline of `count` >= 3 control points, which begins and ends at the first and last: smooth pieces that
 * meet in the middle of each inner span. `at` (may be NULL): the place along it, 0 at the start, 1 at the end. */
double tac_implicit_spline(tacVec3 p, int count, const tacVec3 *points, double *at);
/* The helix (radius cos s, radius sin s, pitch s / 2 pi) for 0 <= s <= 2 pi turns, turns >= 1; exact where the point is
 * farther than pitch / 2 from the axis. */
double tac_implicit_helix(tacVec3 p, double radius, double pitch, double turns);

/* In the plane. */

double tac_implicit_rectangle(double x, double y, double half_x, double half_y, double rounding);
/* The polygon with corners (x, y), either way round. */
double tac_implicit_polygon(double x, double y, int count, const double (*corners)[2]);
/* The solid over a plane figure at distance `plane`, |z| <= half, edges rounded by `rounding`. */
double tac_implicit_extrude(double plane, double z, double half, double rounding);

/* Operators. `reach` is how far from the edge where two surfaces meet the fillet begins, in metres; it is a parabola
 * whose smallest radius of curvature is 0.7 reach at a right angle. */

double tac_implicit_union(double a, double b, double reach);
double tac_implicit_intersection(double a, double b, double reach);
double tac_implicit_difference(double a, double b, double reach); /* a without b */

/* `p` in a frame that is turned by `angle` about the x, y or z axis: turns the solid by +angle. */
tacVec3 tac_implicit_turn_x(tacVec3 p, double angle);
tacVec3 tac_implicit_turn_y(tacVec3 p, double angle);
tacVec3 tac_implicit_turn_z(tacVec3 p, double angle);

/* Gradient noise of period-free lattice 1, twice continuously differentiable, in (-1, 1), slope below 4; the same on every
 * machine. */
double tac_implicit_noise(tacVec3 p);
/* Sum of `octaves` noises, each of half the size and amplitude of the one before. */
double tac_implicit_fractal(tacVec3 p, int octaves);
