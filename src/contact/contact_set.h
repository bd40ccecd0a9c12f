/* Set of the contacts that obey contact laws. Detection, solver, display and recording share this set. A contact has
 * two sites, a frame, a gap, and a key that is constant as long as the contact exists. The next solve starts from the
 * force stored under this key. Call tac_contact_set_create in the load phase. All other functions do not allocate. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <tactus/body.h>
#include <tactus/contact.h>
#include "math/geometry/mat3.h"

typedef struct tacSetContact {
  int32_t body[2]; /* body indices of the caller; -1: fixed object */
  tacSite site[2];
  int answer[2];   /* index of each site among the sites of its body in this tick; set by the caller */
  tacSite place;   /* present position on the second body; not projected to its surface */
  tacVec3 at;      /* m, world: point at which the force acts on both bodies */
  tacVec3 axes[3]; /* unit normal from the second body into the first; two unit tangents */
  double gap;      /* present gap, m; negative: overlap */
  /* Displacement of the first site minus displacement of the second site, m. Both are due to compliance, at the start
   * of the step. */
  tacVec3 moved;
  double friction;    /* Coulomb coefficient */
  double softness;    /* compliance of the contact itself, m/N; 0: rigid */
  double restitution; /* coefficient of restitution, 0 to 1 */
  uint64_t key;
  tacVec3 force; /* N, on the first body; the opposite force acts on the second body */
  /* `anchor` of a sticking contact: position on the second body at which sticking began. Friction pulls the contact
   * back to the anchor, which removes the effect of solver errors. */
  bool sticks;
  tacSite anchor;
  /* True if the contact site moves over the first body. `anchored` is the position on the first body at which sticking
   * began. */
  bool wanders;
  tacSite anchored;
  tacContactState state;
  /* True if Gauss-Seidel sweeps stalled. Before the solve: in the previous step. After the solve: in this step. */
  bool hard;
  /* True if the laws were not solved. Before the solve: in the previous tick. After the solve: in this tick. Forces of
   * unsolved contacts are not used as initial forces, because bodies would sway. */
  bool unsolved;
} tacSetContact;

typedef struct tacContactMemory tacContactMemory;

typedef struct tacContactSet {
  int count, capacity;
  int lost;            /* number of contacts in this tick that exceed the capacity */
  tacSetContact *list; /* [capacity] */
  /* Forces of contacts in the last ticks, by key. */
  tacContactMemory *memory;
  int memory_size; /* number of entries of `memory`, a power of two */
} tacContactSet;

tacStatus tac_contact_set_create(int capacity, tacContactSet *set, tacError *error);
void tac_contact_set_destroy(tacContactSet *set); /* also for {0}, and after a failed creation */
void tac_contact_set_reset(tacContactSet *set);

/* Computes two unit tangents of a unit normal. The tangents are perpendicular to each other. */
void tac_contact_across(tacVec3 normal, tacVec3 across[2]);

/* tac_contact_vector returns the vector with components x along the axes. tac_contact_numbers computes the components
 * of v along the axes. */
static inline tacVec3 tac_contact_vector(const tacVec3 axes[3], const double x[3]) {
  return tac_vec3_mad(tac_vec3_mad(tac_vec3_scale(x[0], axes[0]), x[1], axes[1]), x[2], axes[2]);
}
static inline void tac_contact_numbers(const tacVec3 axes[3], tacVec3 v, double x[3]) {
  for (int k = 0; k < 3; ++k) x[k] = tac_vec3_dot(axes[k], v);
}

/* Starts a tick with an empty set. */
void tac_contact_set_begin(tacContactSet *set);
/* Adds a contact. Computes the tangents in `axes` from the normal. Takes `force` and both anchors from the memory of
 * the contact's key. Sets `sticks` if the contact stuck in tick `since` or later. Returns false if the set is full. */
bool tac_contact_set_add(tacContactSet *set, const tacSetContact *contact, int64_t since);
/* Stores the forces and anchors of the contacts. Call after the solve. */
void tac_contact_set_remember(tacContactSet *set, int64_t tick);
/* True if the key was stored in tick `since` or later. */
bool tac_contact_set_knows(const tacContactSet *set, uint64_t key, int64_t since);
/* Returns the magnitude of the force stored under the key, N; 0 if the key was not stored in tick `since` or later. */
double tac_contact_set_load(const tacContactSet *set, uint64_t key, int64_t since);

/* Returns the size of the array `memory` in bytes. */
size_t tac_contact_set_memory(const tacContactSet *set);
