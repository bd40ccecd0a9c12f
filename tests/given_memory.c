#include "given_memory.h"

size_t given_memory = 0;

size_t __real_tac_physical_memory(void);
size_t __wrap_tac_physical_memory(void);

size_t __wrap_tac_physical_memory(void) {
  return given_memory > 0 ? given_memory : __real_tac_physical_memory();
}
