#include "contact/contact_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "math/geometry/vec3.h"

/* REMEMBERED: number of ticks for which a key stays stored, enough for bodies that step seldom. PROBES: limit of probes
 * in the hash table. */
enum { REMEMBERED = 128, PROBES = 16 };

struct tacContactMemory {
  uint64_t key;  /* 0: empty entry */
  int64_t tick;  /* last tick in which the contact was present */
  tacVec3 force; /* N */
  bool sticks, unsolved, hard;
  tacSite anchor, anchored;
};

tacStatus tac_contact_set_create(int capacity, tacContactSet *set, tacError *error) {
  *set = (tacContactSet){.capacity = capacity, .memory_size = 64};
  while (set->memory_size < 4 * capacity) set->memory_size *= 2;
  TAC_TRY(TAC_ARRAY(set->list, (size_t)capacity, "contacts", error));
  return TAC_ARRAY(set->memory, (size_t)set->memory_size, "contacts", error);
}

void tac_contact_set_destroy(tacContactSet *set) {
  free(set->list);
  free(set->memory);
  *set = (tacContactSet){0};
}

void tac_contact_set_reset(tacContactSet *set) {
  set->count = set->lost = 0;
  if (set->memory != NULL) memset(set->memory, 0, (size_t)set->memory_size * sizeof *set->memory);
}

void tac_contact_set_begin(tacContactSet *set) {
  set->count = set->lost = 0;
}

static size_t place_of(const tacContactSet *set, uint64_t key, int probe) {
  uint64_t hash = key * 0x9e3779b97f4a7c15u;
  return (size_t)((hash >> 20) + (uint64_t)probe) & (size_t)(set->memory_size - 1);
}

static const tacContactMemory *find(const tacContactSet *set, uint64_t key) {
  for (int probe = 0; probe < PROBES && set->memory != NULL; ++probe) {
    const tacContactMemory *m = &set->memory[place_of(set, key, probe)];
    if (m->key == key) return m;
  }
  return NULL;
}

bool tac_contact_set_knows(const tacContactSet *set, uint64_t key, int64_t since) {
  const tacContactMemory *known = find(set, key);
  return known != NULL && known->tick >= since;
}

double tac_contact_set_load(const tacContactSet *set, uint64_t key, int64_t since) {
  const tacContactMemory *known = find(set, key);
  return known != NULL && known->tick >= since ? tac_vec3_norm(known->force) : 0.0;
}

void tac_contact_across(tacVec3 n, tacVec3 across[2]) {
  /* Coordinate axis with the largest angle to the normal. Nearly equal normals usually have the same axis. */
  double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
  tacVec3 e = x <= y && x <= z ? tac_vec3(1.0, 0.0, 0.0) : y <= z ? tac_vec3(0.0, 1.0, 0.0) : tac_vec3(0.0, 0.0, 1.0);
  across[0] = tac_vec3_unit(tac_vec3_cross(n, e));
  across[1] = tac_vec3_cross(n, across[0]);
}

bool tac_contact_set_add(tacContactSet *set, const tacSetContact *contact, int64_t since) {
  if (set->count == set->capacity) {
    ++set->lost;
    return false;
  }
  tacSetContact *c = &set->list[set->count++];
  *c = *contact;
  tac_contact_across(c->axes[0], &c->axes[1]);
  const tacContactMemory *known = find(set, c->key);
  c->force = known != NULL ? known->force : tac_vec3(0.0, 0.0, 0.0);
  c->sticks = known != NULL && known->sticks && known->tick >= since;
  if (c->sticks) {
    c->anchor = known->anchor;
    c->anchored = known->anchored;
  }
  c->state = TAC_CONTACT_NONE;
  c->unsolved = known != NULL && known->unsolved;
  c->hard = known != NULL && known->hard;
  return true;
}

void tac_contact_set_remember(tacContactSet *set, int64_t tick) {
  for (int i = 0; i < set->count; ++i) {
    const tacSetContact *c = &set->list[i];
    tacContactMemory *to = NULL;
    for (int probe = 0; probe < PROBES; ++probe) {
      tacContactMemory *m = &set->memory[place_of(set, c->key, probe)];
      if (m->key == c->key) {
        to = m;
        break;
      }
      if (to == NULL && (m->key == 0 || m->tick + REMEMBERED < tick)) to = m;
    }
    tacVec3 none = {0.0, 0.0, 0.0};
    if (to != NULL)
      *to = (tacContactMemory){.key = c->key,
                               .tick = tick,
                               .force = c->unsolved ? none : c->force,
                               .sticks = c->sticks,
                               .unsolved = c->unsolved,
                               .hard = c->hard,
                               .anchor = c->anchor,
                               .anchored = c->anchored};
  }
  /* Checks a few entries per tick, and removes keys that were absent too long. */
  for (int i = 0; i < set->memory_size / 256 + 1; ++i) {
    size_t at = (size_t)(tick * (set->memory_size / 256 + 1) + i) & (size_t)(set->memory_size - 1);
    if (set->memory[at].tick + REMEMBERED < tick) set->memory[at] = (tacContactMemory){0};
  }
}

size_t tac_contact_set_memory(const tacContactSet *set) {
  return set->memory != NULL ? (size_t)set->memory_size * sizeof *set->memory : 0;
}
