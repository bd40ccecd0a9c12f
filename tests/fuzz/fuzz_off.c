#include "mesh/formats/off_file.h"
#include "mesh_fuzz.h"

TAC_FUZZ_READER(tac_off_read)
