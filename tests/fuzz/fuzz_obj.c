#include "mesh/formats/obj_file.h"
#include "mesh_fuzz.h"

TAC_FUZZ_READER(tac_obj_read)
