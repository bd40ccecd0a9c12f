#include "mesh_fuzz.h"

TAC_FUZZ_READER(tac_obj_read)
