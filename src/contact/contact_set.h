/* Contacts solved by the contact laws: the data shared by detection, solver, display and recording. A contact has two
 * sites, a frame, a gap, and a key that is constant for its life; the next solve starts from the force stored under
 * this key. Creation is for the load phase, the rest for ticks. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <tactus/body.h>
#include <tactus/contact.h>
#include "math/geometry/mat3.h"

typedef struct tacSetContact {
  int32_t body[2]; /* the caller's body index; -1: fixed */
  tacSite site[2];
  int answer[2];   /* site index of its body in this tick, set by the caller */
  tacSite place;   /* present place on the second body; not projected to its surface */
  tacVec3 at;      /* m, world: point where the force acts on both bodies */
  tacVec3 axes[3]; /* unit normal from the second body into the first; two unit tangents */
  double gap;      /* m, at present; negative: overlap */
  tacVec3 moved;   /* m: displacement by compliance of the first body relative to the second at the start of the step */
  double friction; /* Coulomb coefficient */
  double softness; /* m/N: compliance of the contact itself; 0: rigid */
  double restitution; /* 0 to 1 */
  uint64_t key;
  tacVec3 force; /* N, on the first body; the opposite acts on the second */
  /* Of a sticking contact: place on the second body where it began to stick. Friction pulls the contact back to this
   * place, which removes solver errors. */
  bool sticks;
  tacSite anchor;
  bool wanders; /* the contact site moves over the first body; `anchored`: place on that body where it began to stick */
  tacSite anchored;
  tacContactState state;
  bool hard;     /* sweeps stalled in the previous step; after the solve: in this step */
  bool unsolved; /* in the previous tick; after the solve: in this tick. Such forces are no start: bodies would sway */
} tacSetContact;

typedef struct tacContactMemory tacContactMemory;

typedef struct tacContactSet {
  int count, capacity;
  int lost;            /* contacts of this tick beyond the capacity */
  tacSetContact *list; /* [capacity] */
  /* Forces of contacts of the last ticks, by key. */
  tacContactMemory *memory;
  int memory_size; /* a power of two */
} tacContactSet;

tacStatus tac_contact_set_create(int capacity, tacContactSet *set, tacError *error);
void tac_contact_set_destroy(tacContactSet *set); /* also after a failed creation, and for {0} */
void tac_contact_set_reset(tacContactSet *set);

/* Two unit tangents of a unit normal, perpendicular to each other. */
void tac_contact_across(tacVec3 normal, tacVec3 across[2]);

/* Convert components along axes to a vector, and a vector to components. */
static inline tacVec3 tac_contact_vector(const tacVec3 axes[3], const double x[3]) {
  return tac_vec3_mad(tac_vec3_mad(tac_vec3_scale(x[0], axes[0]), x[1], axes[1]), x[2], axes[2]);
}
static inline void tac_contact_numbers(const tacVec3 axes[3], tacVec3 v, double x[3]) {
  for (int k = 0; k < 3; ++k) x[k] = tac_vec3_dot(axes[k], v);
}

/* Starts a tick with an empty set. */
void tac_contact_set_begin(tacContactSet *set);
/* Adds a contact: fills `axes` from the normal, and `force` and `anchor` from the memory of its key. The contact starts
 * as sticking if its key was sticking in tick `since` or later. Returns false if the set is full. */
bool tac_contact_set_add(tacContactSet *set, const tacSetContact *contact, int64_t since);
/* After solving: stores the forces and anchors of the tick. */
void tac_contact_set_remember(tacContactSet *set, int64_t tick);
/* Whether the key was stored in tick `since` or later. */
bool tac_contact_set_knows(const tacContactSet *set, uint64_t key, int64_t since);
/* N: magnitude of the key's stored force; 0 if it was not stored in tick `since` or later. */
double tac_contact_set_load(const tacContactSet *set, uint64_t key, int64_t since);

/* Size of the array `memory` in bytes. */
size_t tac_contact_set_memory(const tacContactSet *set);
