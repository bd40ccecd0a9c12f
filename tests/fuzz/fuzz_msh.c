#include "mesh/formats/msh_file.h"
#include "mesh_fuzz.h"

TAC_FUZZ_READER(tac_msh_read)
