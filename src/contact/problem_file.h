/* Contact problems as text; see tac_contact_problem_read. */
#pragma once

#include <stddef.h>
#include "contact/laws/frictional_problem.h"
#include "contact/laws/law_problem.h"

/* `name` stands in errors. */
tacStatus tac_problem_file_parse(const char *name, const unsigned char *bytes, size_t size, tacContactProblem **problem,
                                 tacError *error);

/* The problem as it stands, W built from all that it has, softness included: the forces that solve the file solve
 * it, and its motions have e f_n added. Contacts that are grabbed have no place in the format: TAC_ERR_UNSUPPORTED.
 * Allocates. */
tacStatus tac_problem_file_write_laws(const char *path, const tacLawProblem *problem, tacError *error);
