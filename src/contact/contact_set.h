/* Contacts that obey laws: the currency between detection, solving, display and recording. A contact is two sites, a frame, a gap, and a
 * key that lives as long as it does, by which its force is where the next search begins. Creation is for the load phase, the rest
 * for a tick. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <tactus/body.h>
#include <tactus/contact.h>
#include "math/geometry/mat3.h"

typedef struct tacSetContact {
  int32_t body[2]; /* of the caller; -1: what never moves */
  tacSite site[2];
  int answer[2]; /* of the caller: which of its body's sites, in this tick */
  tacSite place; /* of the second body where it is now; not brought to its surface */
  tacVec3 at;    /* m, world: where the force acts on both */
  tacVec3
      axes[3]; /* the normal, unit, out of the second body into the first; two unit vectors across it and each other */
  double gap;  /* m, now; negative: how deep */
  tacVec3 moved;      /* m: by which compliance has moved the first body against the second, as the step begins */
  double friction;    /* Coulomb's coefficient */
  double softness;    /* m/N: how much it gives way; 0: not at all */
  double restitution; /* 0 to 1 */
  uint64_t key;
  tacVec3 force; /* N, on the first body; the second gets its opposite */
  /* Where it sticks: the place of the second body that it was at when it began to, to which friction brings it back from what solvers
   * leave. */
  bool sticks;
  tacSite anchor;
  bool
      wanders; /* its place on the first body does not stay with that; then where it was there when it began to stick */
  tacSite anchored;
  tacContactState state;
  bool hard;     /* sweeps came to a halt in the step before; then in this one */
  bool unsolved; /* in the tick before; then in this one. Such forces are no place to begin: they make bodies sway */
} tacSetContact;

typedef struct tacContactMemory tacContactMemory;

typedef struct tacContactSet {
  int count, capacity;
  int lost;            /* contacts of this tick beyond the capacity */
  tacSetContact *list; /* [capacity] */
  /* Forces by key: those of contacts that were there in the last ticks. */
  tacContactMemory *memory;
  int memory_size; /* a power of two */
} tacContactSet;

tacStatus tac_contact_set_create(int capacity, tacContactSet *set, tacError *error);
void tac_contact_set_destroy(tacContactSet *set); /* also where creation failed, and on {0} */
void tac_contact_set_reset(tacContactSet *set);

/* Two unit vectors normal to a unit vector and to each other. */
void tac_contact_across(tacVec3 normal, tacVec3 across[2]);

/* A vector of these numbers along axes, and back. */
static inline tacVec3 tac_contact_vector(const tacVec3 axes[3], const double x[3]) {
  return tac_vec3_mad(tac_vec3_mad(tac_vec3_scale(x[0], axes[0]), x[1], axes[1]), x[2], axes[2]);
}
static inline void tac_contact_numbers(const tacVec3 axes[3], tacVec3 v, double x[3]) {
  for (int k = 0; k < 3; ++k) x[k] = tac_vec3_dot(axes[k], v);
}

/* A new tick: the set is empty. */
void tac_contact_set_begin(tacContactSet *set);
/* Completes `axes` by the normal, and `force` and `anchor` by what is remembered of the key; it sticks where it did in the tick `since` or
 * later: what was gone for a while was not held. False where there is no room. */
bool tac_contact_set_add(tacContactSet *set, const tacSetContact *contact, int64_t since);
/* The tick's contacts are solved: their forces and anchors are remembered. */
void tac_contact_set_remember(tacContactSet *set, int64_t tick);
/* Whether the key was in a set that was remembered in the tick `since` or later. */
bool tac_contact_set_knows(const tacContactSet *set, uint64_t key, int64_t since);
/* N: the size of the force that it bore then; 0 where it was not there. */
double tac_contact_set_load(const tacContactSet *set, uint64_t key, int64_t since);

/* Bytes of what is remembered, at `memory`. */
size_t tac_contact_set_memory(const tacContactSet *set);
