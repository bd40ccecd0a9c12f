/* Contact problems as text. tac_contact_problem_read describes the format. */
#pragma once

#include <stddef.h>
#include "contact/laws/frictional_problem.h"
#include "contact/laws/law_problem.h"

/* Parses a problem from text of `size` bytes. `name` appears in error messages. */
tacStatus tac_problem_file_parse(const char *name, const unsigned char *bytes, size_t size, tacContactProblem **problem,
                                 tacError *error);

/* Writes a problem to a file, with W built from all its parts and the softness. Forces that solve the file's problem
 * also solve the original problem. Motions of the file's problem include e f_n. Returns TAC_ERR_UNSUPPORTED for grabbed
 * contacts, which the format cannot store. Allocates. */
tacStatus tac_problem_file_write_laws(const char *path, const tacLawProblem *problem, tacError *error);
