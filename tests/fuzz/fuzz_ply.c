#include "mesh/formats/ply_file.h"
#include "mesh_fuzz.h"

TAC_FUZZ_READER(tac_ply_read)
