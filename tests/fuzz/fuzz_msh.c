#include "mesh_fuzz.h"

TAC_FUZZ_READER(tac_msh_read)
