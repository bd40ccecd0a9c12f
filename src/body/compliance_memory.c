#include "body/compliance_memory.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"

enum { LEAST = 1024, MOST = 65536 }; /* number of table entries */

typedef struct Entry {
  uint32_t epoch; /* value of tacComplianceMemory.epoch when the entry was computed */
  int key;
  tacSite at, by;
  tacMat3 compliance;
} Entry;

struct tacComplianceMemory {
  size_t count;   /* number of entries, a power of two */
  uint32_t epoch; /* number that increases when the table is cleared; older entries are invalid */
  Entry entries[];
};

tacStatus tac_compliance_memory_create(int contacts, tacComplianceMemory **memory, tacError *error) {
  size_t count = LEAST, wanted = (size_t)contacts * (size_t)contacts;
  while (count < wanted && count < MOST) count *= 2;
  *memory = NULL;
  tacComplianceMemory *made = tac_array_create(1, sizeof *made + count * sizeof *made->entries, "compliances", error);
  if (made == NULL) return TAC_ERR_MEMORY;
  made->count = count;
  made->epoch = 1;
  *memory = made;
  return TAC_OK;
}

void tac_compliance_memory_destroy(tacComplianceMemory *memory) {
  free(memory);
}

void tac_compliance_memory_forget(tacComplianceMemory *memory) {
  if (memory != NULL) ++memory->epoch;
}

static bool same(const tacSite *a, const tacSite *b) {
  return a->kind == b->kind && a->index == b->index && a->at.x == b->at.x && a->at.y == b->at.y && a->at.z == b->at.z;
}

static uint64_t bits(double x) {
  uint64_t u;
  memcpy(&u, &x, sizeof u);
  return u;
}

static uint64_t hash(uint64_t sum, const tacSite *site) {
  const uint64_t parts[4] = {(uint64_t)(uint32_t)site->index, bits(site->at.x), bits(site->at.y), bits(site->at.z)};
  for (int i = 0; i < 4; ++i) sum = (sum ^ (sum >> 29) ^ parts[i]) * 0x9e3779b97f4a7c15u;
  return sum;
}

bool tac_compliance_memory_find(tacComplianceMemory *memory, int key, const tacBody *body, const tacSite *at,
                                const tacSite *by, tacMat3 *compliance) {
  uint64_t sum = hash(hash((uint64_t)key + 1, at), by);
  Entry *entry = &memory->entries[(sum >> 24) & (memory->count - 1)];
  if (entry->epoch != memory->epoch || entry->key != key || !same(&entry->at, at) || !same(&entry->by, by)) {
    tacMat3 c;
    if (!body->table->compliance(body->self, at, by, c.m)) return false;
    *entry = (Entry){memory->epoch, key, *at, *by, c};
  }
  *compliance = entry->compliance;
  return true;
}
