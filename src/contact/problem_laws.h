/* A contact problem of <tactus/contact_problem.h> as the plain structs that methods solve. */
#pragma once

#include <string.h>
#include <tactus/contact_problem.h>
#include "contact/laws/law_problem.h"

/* Its W, which lives as long as the problem. */
static inline tacBlockMatrix tac_problem_laws_matrix(const tacContactProblem *problem) {
  return (tacBlockMatrix){problem->count, problem->first, problem->column, problem->entries, problem->diagonal};
}

/* Fills `contacts` [count] with the problem and the forces where a search begins. */
static inline void tac_problem_laws_fill(const tacContactProblem *problem, tacLawContact *contacts) {
  for (int i = 0; i < problem->count; ++i) {
    const double *u = problem->free + 3 * (size_t)i;
    contacts[i] = (tacLawContact){
        .gap = u[0], .slip = {u[1], u[2]}, .friction = problem->friction[i], .part = {-1, -1}, .rows = {NULL, NULL}};
    memcpy(contacts[i].force, problem->force + 3 * (size_t)i, sizeof contacts[i].force);
  }
}
