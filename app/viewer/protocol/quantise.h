/* Surfaces, fields, bases and points as the viewer's messages carry them (docs/viewer_protocol.md, sections 2 and 3, messages 6,
 * 8 and 9): 8 bytes a vertex, 2 bytes a value, 12 bytes a vertex and coordinate, 8 bytes a point and 6 for each of its
 * coordinates, little-endian.
 *
 * Normals go through the octahedral map. (x, y, z) is divided by |x| + |y| + |z|. Where z >= 0 the bytes are x and y;
 * where z < 0 they are (1 - |y|) sign x and (1 - |x|) sign y, the sign of 0 being either: the lower half is folded out
 * over the corners of the square. Each is multiplied by 127 and rounded. Back: z = 1 - |x| - |y|, where that is
 * negative the same folding again, then unit length. The error is below one degree. */
#pragma once

#include <stdint.h>
#include <tactus/mesh.h>

/* Each vertex: i16 d[3], the displacement deformed - rest in steps of scale / 32767, and i8 n[2], the normal of the
 * deformed surface, its triangles weighted by area. `scale` (m) is the largest component of any displacement, 0 where
 * nothing moves. Components that a float cannot hold count as 0; normals that are zero or not finite (vertices without
 * triangles) become +z. `normals` is scratch for each vertex; `bytes` has room for 8 a vertex. */
void tac_quantise_surface(int vertex_count, int triangle_count, const tacTriangle *triangles, const tacVec3 *rest,
                          const tacVec3 *deformed, tacVec3 *normals, unsigned char *bytes, float *scale);

/* Each value: u16, in steps of scale / 65535. `scale` is the largest value. What is negative or what a float cannot
 * hold becomes 0. `bytes` has room for 2 a value. */
void tac_quantise_field(int count, const double *values, unsigned char *bytes, float *scale);

/* A basis: for each vertex and coordinate i16 u[3], the displacement, and i16 n[3], the change of the normal. Both come as
 * [vertex][axis][size]. The steps are scales[j] / 32767 for displacements and scales[size + j] / 32767 for normals: each
 * coordinate has its own, the largest component of any vertex. `bytes` has room for 12 a vertex and coordinate. */
void tac_quantise_basis(int vertex_count, int size, const double *displacements, const double *normal_changes,
                        unsigned char *bytes, float *scales);

/* A point and its normal: u16 p[3] in steps from `origin`, i8 n[2]. Points out of range go to its ends. */
uint64_t tac_quantise_point(tacVec3 point, tacVec3 normal, tacVec3 origin, double step);

/* Displacements of points, [point][axis][stride], of which `size` count: for each point and coordinate i16 u[3], in steps of
 * scales[j] / 32767. `bytes` has room for 6 a point and coordinate. */
void tac_quantise_displacements(int point_count, int size, int stride, const float *displacements, unsigned char *bytes,
                                float *scales);

/* Each value: i16, in steps of scale / 32767. `scale` is the largest value without its sign. */
void tac_quantise_signed(int count, const double *values, unsigned char *bytes, float *scale);
