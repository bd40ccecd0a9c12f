/* A world: bodies, the tools that touch them, and one step of both.
 *
 * Load phase: create, add bodies and tools, seal. After tac_world_seal a step allocates nothing, takes no lock, does no I/O
 * and cannot fail: what saturates is counted in its report. Frames: the world's, metres, newtons. */
#ifndef TACTUS_WORLD_H
#define TACTUS_WORLD_H

#include <stdbool.h>
#include <stdint.h>
#include <tactus/contact.h>
#include <tactus/green.h>

TAC_BEGIN_DECLS

enum { TAC_MOST_TOOLS = 16 };

typedef struct tacWorld tacWorld;

/* Generational: an id of another world or of nothing is refused. {0, 0} is none. */
typedef struct tacBodyId {
  uint32_t index, generation;
} tacBodyId;

typedef struct tacPose {
  tacVec3 position;
  double orientation[4]; /* unit quaternion w, x, y, z */
} tacPose;

typedef struct tacWorldDef {
  double period; /* seconds between steps; default 0.001 */
} tacWorldDef;

TAC_API tacWorldDef tac_world_def_default(void);
TAC_API tacStatus tac_world_create(const tacWorldDef *def, tacWorld **world, tacError *error);
TAC_API void tac_world_destroy(tacWorld *world); /* NULL is allowed */
TAC_API double tac_world_period(const tacWorld *world);

/* An elastostatic body of Green's functions, touched point-like (James and Pai 2001, section 6). */
typedef struct tacGreenBodyDef {
  const char *name;       /* unique in the world */
  const tacGreen *green;  /* must outlive the world */
  tacPose pose;           /* of the asset's frame in the world */
  double mask_radius;     /* m; of the spherical pressure masks. 0: single vertices, for comparison only */
  double stiffness;       /* factor on the baked stiffness; 1 */
  double rigid_stiffness; /* k^Rigid, N/m: at fixed vertices, and the most that is rendered anywhere */
  double friction;        /* Coulomb's coefficient; 0 slides freely */
  /* For Green's functions stored TAC_GREEN_NEAR: the factored problem, from which a thread of the world computes what the
   * display and the coupling of several tools take; it must outlive the world and not be used elsewhere. NULL: contacts have
   * their stiffness, but the surface does not move and tools do not feel each other. */
  tacReferenceProblem *problem;
  size_t response_bytes; /* of such responses that are kept; default 1 GiB */
} tacGreenBodyDef;

/* Radius 0 (it must be chosen), stiffness 1, rigid stiffness 1500 N/m, friction 0.2. */
TAC_API tacGreenBodyDef tac_green_body_def_default(void);
TAC_API tacStatus tac_world_add_green(tacWorld *world, const tacGreenBodyDef *def, tacBodyId *id, tacError *error);

/* A tool that touches at a point. Tools are numbered in the order in which they are added. */
typedef struct tacPointToolDef {
  const char *name; /* unique in the world */
} tacPointToolDef;
TAC_API tacStatus tac_world_add_point_tool(tacWorld *world, const tacPointToolDef *def, int *tool, tacError *error);

/* Allocates everything that steps need. Nothing can be added afterwards. */
TAC_API tacStatus tac_world_seal(tacWorld *world, tacError *error);

TAC_API int tac_world_body_count(const tacWorld *world);
TAC_API tacBodyId tac_world_body(const tacWorld *world, int index);
TAC_API tacBodyId tac_world_find_body(const tacWorld *world, const char *name); /* {0, 0}: none */
TAC_API const char *tac_world_body_name(const tacWorld *world, tacBodyId id);
TAC_API const tacGreen *tac_world_body_green(const tacWorld *world, tacBodyId id);
TAC_API tacPose tac_world_body_pose(const tacWorld *world, tacBodyId id);
TAC_API int tac_world_tool_count(const tacWorld *world);
TAC_API const char *tac_world_tool_name(const tacWorld *world, int tool);
/* The largest stiffness that any contact on this body renders, N/m (largest eigenvalue). */
TAC_API double tac_world_body_most_stiffness(const tacWorld *world, tacBodyId id);

/* What may be changed while a world is used: of each body its stiffness (factor), friction (coefficient) and mask (radius, m).
 * Parameters are numbered through all bodies; worlds with the same bodies number them alike. */
typedef struct tacParameter {
  char name[160];           /* "kidney.stiffness" */
  const char *label, *unit; /* "stiffness"; "" or "m" */
  double value;             /* now */
  bool in_tick; /* may be set between steps; else only while no other thread uses the world: it takes time */
} tacParameter;
TAC_API int tac_world_parameter_count(const tacWorld *world);
TAC_API tacParameter tac_world_parameter(const tacWorld *world, int index);
TAC_API int tac_world_find_parameter(const tacWorld *world, const char *name); /* -1: none */
/* From the thread that steps. Values out of range change nothing and are TAC_ERR_ARGUMENT. In time proportional to the body's
 * vertices and without allocation for those that are `in_tick`. */
TAC_API tacStatus tac_world_set_parameter(tacWorld *world, int index, double value, tacError *error);

/* ---- the step ---- */

typedef struct tacToolInput {
  tacVec3 position;      /* the probe's tip x^H, m */
  double orientation[4]; /* not used by point tools */
  bool grab;             /* holds the touched surface point: no sliding, no release, pulls as well */
  bool lifted;           /* touches nothing, wherever it goes, and then comes from outside again */
} tacToolInput;

typedef struct tacToolOutput {
  tacVec3 force;  /* on the hand, N: the reaction of the contact's */
  tacVec3 torque; /* on the hand, N m */
  tacVec3 proxy;  /* where the tool's tip is shown: x^E in contact, else its position */
  tacContact contact;
} tacToolOutput;

typedef struct tacTickReport {
  int contact_count;
  int sweeps;      /* of the coupled contacts; 0 or 1 where at most one tool touches a body */
  double residual; /* m: how far the coupled contacts are from their laws */
  int saturated;   /* loops that met their bound (sliding, sweeps) in this tick */
  int uncoupled;   /* pairs of contacts whose mutual influence is not yet in memory and was left out */
  int refused;     /* inputs that were not finite: the tool's last good input was used */
} tacTickReport;

/* One step. `inputs` and `outputs` have one entry a tool. Outputs are always finite. */
TAC_API void tac_world_step(tacWorld *world, const tacToolInput *inputs, tacToolOutput *outputs, tacTickReport *report);
/* All tools free, as after sealing. Parameters stay as they are. */
TAC_API void tac_world_reset(tacWorld *world);

/* ---- what to show ---- */

/* Everything that display needs of a moment; plain data, made in a tick and handed to other threads. */
typedef struct tacSnapshot {
  int64_t tick;
  int tool_count;
  tacVec3 position[TAC_MOST_TOOLS]; /* of the probes */
  double orientation[TAC_MOST_TOOLS][4];
  bool lifted[TAC_MOST_TOOLS];
  tacToolOutput output[TAC_MOST_TOOLS];
} tacSnapshot;

/* Deformed vertices of a body's surface in the world frame (James and Pai 2001, (35)); any thread, no allocation. */
TAC_API void tac_world_surface(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, tacVec3 *vertices);
/* Tractions at the vertices, Pa, world frame: of the contacts, spread by their masks, and of what holds the fixed vertices. */
TAC_API void tac_world_tractions(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, tacVec3 *tractions);
/* Rows of the body's sensors (m, Pa) in that moment. */
TAC_API void tac_world_sensors(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, double *values);

TAC_END_DECLS

#endif
