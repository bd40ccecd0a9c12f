/* What the definition of a reference problem must satisfy before anything is built from it, and its key. Offline. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <tactus/material.h>

/* Everything but `fixed`: method, meshes, materials, sensors. */
tacStatus tac_reference_def_check(const tacReferenceDef *def, tacError *error);
/* Whether none of these vertices of the surface is fixed: then the body is free. */
bool tac_reference_def_is_free(const bool *fixed, int vertex_count);
/* TAC_ERR_GEOMETRY unless three fixed vertices are not on one line, or none is, inside neither, and the method can do without. */
tacStatus tac_reference_def_check_fixed(const tacReferenceDef *def, const tacTriMesh *surface, tacError *error);
/* TAC_ERR_GEOMETRY, naming the sensor, from an error about its point; other errors pass. */
tacStatus tac_reference_def_sensor_error(const tacSensor *sensor, tacStatus status, tacError *error);
/* Rows that a sensor adds to a column. */
int tac_reference_def_sensor_rows(tacSensorKind kind);
/* A checksum of all that the problem's numbers depend on; `vertex_count` is that of the surface. */
uint64_t tac_reference_def_key(const tacReferenceDef *def, int vertex_count);
/* Adds bytes to a key. */
uint64_t tac_reference_def_add_to_key(uint64_t key, const void *bytes, size_t size);

/* What its columns are compared with. */
const struct tacColumnCheck *tac_reference_problem_column_check(const tacReferenceProblem *problem);

/* The key of the definition that a problem was made from. */
uint64_t tac_reference_problem_key(const tacReferenceProblem *problem);
