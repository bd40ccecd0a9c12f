/* Bytes as forces on a body: an error, or samples that are finite and in order of time. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include "kinds/reduced/basis/load_file.h"
#include "math/geometry/vec3.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  tacLoadSample *loads = NULL;
  int count = 0;
  tacError error = {.text = ""};
  tacStatus status = tac_load_file_parse("fuzz", data, size, 0.01, &count, &loads, &error);
  if ((status == TAC_OK) != (loads != NULL) || (status != TAC_OK && (error.text[0] == 0 || count != 0))) abort();
  for (int i = 0; i < count; ++i) {
    if (!isfinite(loads[i].time) || !tac_vec3_finite(loads[i].point) || !tac_vec3_finite(loads[i].force)) abort();
    if (!(loads[i].radius >= 0.0)) abort();
    if (i > 0 && loads[i].time < loads[i - 1].time) abort();
  }
  free(loads);
  return 0;
}
