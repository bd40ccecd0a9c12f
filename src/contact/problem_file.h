/* Contact problems as text; see tac_contact_problem_read. */
#pragma once

#include <stddef.h>
#include "contact/laws/frictional_problem.h"
#include "contact/laws/law_problem.h"

/* `name` appears in errors. */
tacStatus tac_problem_file_parse(const char *name, const unsigned char *bytes, size_t size, tacContactProblem **problem,
                                 tacError *error);

/* Writes the problem with W built from all its parts, softness included. Forces that solve the file also solve the
 * problem. Motions of the file also contain e f_n. The format has no grabbed contacts: TAC_ERR_UNSUPPORTED.
 * Allocates. */
tacStatus tac_problem_file_write_laws(const char *path, const tacLawProblem *problem, tacError *error);
