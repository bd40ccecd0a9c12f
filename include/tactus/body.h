/* What a kind of body answers: a table of functions that knows no world, no tool and no other body.
 *
 * A body deforms in a frame of its own. The world moves that frame, the same way for every kind: it rests, is free (then the body
 * tells its inertia), or is held by a tool. So all that a kind answers is in the body's frame, in metres and newtons, and any kind
 * can rest, fall, or be in a hand.
 *
 * How it answers forces: in coordinates, or as a compliance. In coordinates, a step of the length h gives n equations
 *     A d = b + sum rows(site)^T f(site)
 * for the motion d of its coordinates in that step, with forces f (N) that act at its end. As a compliance, the displacement of a
 * site is sum C(site, other) f(other), without inertia. A body with inertia and more coordinates than a matrix may have answers as the
 * compliance of its step: where forces act is told first, then how these sites move and give way. A body without any is rigid.
 *
 * All functions but those of life are for a tick: no allocation, no lock, bounded time. A function may be NULL where it says so. One
 * thread calls at a time, but for those that say any thread, and `parameter`: its values may be asked for while a step goes on. */
#ifndef TACTUS_BODY_H
#define TACTUS_BODY_H

#include <stdbool.h>
#include <stdint.h>
#include <tactus/base.h>
#include <tactus/distance_field.h>
#include <tactus/mesh.h>
#include <tactus/pointshell.h>

TAC_BEGIN_DECLS

/* Scratch of one vertex: the sum over its triangles. */
typedef struct tacStressSum {
  double stress[6]; /* Pa m^2: xx, yy, zz, yz, zx, xy, times the weight */
  double weight;    /* m^2, twice the area */
} tacStressSum;

enum { TAC_BODY_MOST_COORDINATES = 160, TAC_BODY_TABLE_VERSION = 8, TAC_PATCH_VERTICES = 96 };

typedef struct tacPose {
  tacVec3 position;
  double orientation[4]; /* unit quaternion w, x, y, z */
} tacPose;

/* A material place of a body; plain data. */
typedef enum tacSiteKind {
  TAC_SITE_FRAME,   /* moves with the frame alone */
  TAC_SITE_SURFACE, /* in a triangle of the surface */
  TAC_SITE_SHELL,   /* a point of its shell */
  TAC_SITE_FIELD,   /* under a proxy of its field */
  TAC_SITE_PATCH, /* a mean over vertices of the surface. Only kinds that answer as the compliance of a step are asked for it */
  TAC_SITE_TIP /* in a triangle of the surface, under a fingertip. Only kinds with `meet_fingertip` are asked for it */
} tacSiteKind;
typedef struct tacSite {
  int32_t kind; /* tacSiteKind */
  int32_t
      index; /* SURFACE, TIP: triangle; SHELL: point; FIELD: 65536 domain + proxy; PATCH: which of tacBodyStep.patches */
  tacVec3 at; /* SURFACE, TIP: weights of the corners; FRAME and FIELD: the place at rest, m */
} tacSite;

/* Where a fingertip presses: the displacement of the patch is sum w_i u_i, a force f on it is w_i f at each vertex. */
typedef struct tacPatch {
  int32_t count;
  int32_t vertex[TAC_PATCH_VERTICES]; /* of the surface, each once */
  int32_t corner[TAC_PATCH_VERTICES]; /* 3 triangle + corner: where the vertex is one */
  double weight[TAC_PATCH_VERTICES];  /* w_i, positive; they sum to 1 */
} tacPatch;

typedef struct tacInertia {
  double mass;          /* kg */
  tacVec3 centre;       /* of mass, m */
  double moments[3][3]; /* about the centre, kg m^2 */
} tacInertia;

/* What may be changed while a world is used. */
typedef struct tacParameter {
  char name[160];           /* "kidney.stiffness"; of a body alone without its name: "stiffness" */
  const char *label, *unit; /* "stiffness"; "" or "m" */
  double value;             /* now */
  bool in_tick; /* may be set between steps; else only while no other thread uses the world: it takes time */
} tacParameter;

typedef struct tacBodyStep {
  double length;           /* h, s */
  tacVec3 gravity;         /* m/s^2, by which it deforms; zero where it falls freely */
  bool euler;              /* implicit Euler, v = d / h at the end, as contact laws ask; else what the kind does best */
  int springs;             /* the last so many sites of a step are those of point tools: f = f0 - K u, f0 as it began */
  const double *spring;    /* K of them, [springs][3][3], N/m, with what their damping has in this step */
  const tacPatch *patches; /* of sites that are patches */
} tacBodyStep;

typedef struct tacBodyFinish {
  bool limited; /* the motion was shortened */
  bool refused; /* it was not finite or far too large: the body was brought to rest where it was */
} tacBodyFinish;

/* How a body is shown. */
typedef enum tacBodyShown {
  TAC_SHOWN_RIGID,       /* a surface that moves as a whole */
  TAC_SHOWN_COORDINATES, /* coordinates q and a texture of displacements: u = U q */
  TAC_SHOWN_VERTICES     /* vertices */
} tacBodyShown;

/* What a body's surface may be coloured by. */
typedef enum tacColouring {
  TAC_COLOUR_STRESS, /* von Mises stress, Pa */
  TAC_COLOUR_STRETCH /* the largest principal stretch; 1 at rest */
} tacColouring;

/* A number of the shown part of a state that means something by itself. */
typedef struct tacShownNumber {
  const char *label, *unit; /* "factor's age", "steps" */
  int at;                   /* where it is */
} tacShownNumber;

/* How a body with coordinates is shown: its surface at rest, and how that moves with the coordinates q [size], the first numbers of
 * its state. The arrays belong to the asset that the body is made of: bodies of one asset have the same `displacements`. */
typedef struct tacShownBasis {
  int size;                     /* r */
  bool is_free;                 /* no vertex is held: it moves as a whole, too */
  const tacTriMesh *surface;    /* at rest, body's frame */
  const bool *fixed;            /* [vertex]: it cannot move */
  const double *displacements;  /* U, [vertex][axis][r]: a vertex moves by U q */
  const tacVec3 *normals;       /* [vertex], at rest: unit, outward */
  const double *normal_changes; /* N, [vertex][axis][r]: the deformed normal has the direction n + N q */
} tacShownBasis;

/* A shape that a basis was made from, such as a vibration mode. */
typedef struct tacShownShape {
  const char *label;
  const double *coordinates; /* [r] */
} tacShownShape;

/* A sensor inside of a body. */
typedef struct tacShownSensor {
  const char *name;            /* may be empty */
  const char *quantity, *unit; /* "displacement", "m" */
  int row_count;               /* numbers: 3 of a displacement, 6 of a stress (xx yy zz yz zx xy) */
} tacShownSensor;

/* Single forces on a surface to which a kind knows its answer. */
typedef struct tacKnownLoads {
  int count;         /* vertices where they act */
  double most;       /* N: the largest size */
  tacVec3 direction; /* unit, body's frame; zero: any */
} tacKnownLoads;

struct tacContactField; /* of fields that deform; user-defined kinds have a `field` instead */
struct tacVertexStiffness;
struct tacPads; /* how pads take hold of it; of kinds that are built with the library */

/* What a body is made of. Numbers and pointers stay the same for its life; what pointers point to may change in steps. */
typedef struct tacBodyDescription {
  const tacTriMesh *surface; /* at rest */
  const bool *fixed;         /* [vertex]: it does not move; NULL: every vertex may */
  /* For distributed contact; each may be NULL. Points that deform take the coordinates `points_q`. */
  const tacPointshell *points;
  const double *points_q;
  const tacDistanceField *field; /* at rest */
  const struct tacContactField *deformed_field;
  int state, shown;    /* numbers of the state; so many of the first of them are enough to show the body */
  int parameters;      /* that may be changed */
  int coordinates;     /* n, at most TAC_BODY_MOST_COORDINATES; 0: it does not answer in coordinates */
  int iterations;      /* of Newton's method in a step; 0: 1 */
  int sites;           /* at most so many in a step, of bodies that answer as the compliance of a step */
  const double *rates; /* [n], the velocities of the coordinates, where contacts need a damper; NULL: they need none */
  /* N/m: the largest eigenvalue of `stiffness` of any vertex now, of points and of the fingertips that it met; 0: not known */
  double stiffness, tip_stiffness;
  const char
      *method; /* how its model was solved, "finite elements", where the name of its kind does not say it; else NULL */
} tacBodyDescription;

/* How far a body is from rest, at most. */
typedef struct tacBodyBounds {
  double swelling; /* m: of any vertex from its place at rest */
  double fastest;  /* m/s: of any vertex; 0: not known */
} tacBodyBounds;

/* What is shown of a body. All functions may be NULL. Any thread unless it says otherwise; not part of a tick but for `vertices`. */
typedef struct tacBodyLooks {
  /* Of a state's shown part (NULL: at rest), all vertices. NULL: the surface at rest. */
  void (*vertices)(const void *self, const double *shown, tacVec3 *vertices);
  /* One thread at a time, which may be another than that which steps: likewise, with the vertices as `vertices` computes them, the value by
   * which each is coloured. `room` has one for each vertex. False: not known; NULL: stress is not known, and stretch is that of the surface. */
  bool (*colours)(const void *self, const double *shown, const tacVec3 *vertices, tacColouring colour,
                  tacStressSum *room, double *values);
  /* These three list something, of the index 0, 1, ... until false: numbers of the shown part that mean something by themselves; shapes
   * that the basis was made from; sensors, whose rows `displace` computes one after the other. */
  bool (*number)(const void *self, int index, tacShownNumber *number);
  bool (*shape)(const void *self, int index, tacShownShape *shape);
  bool (*sensor)(const void *self, int index, tacShownSensor *sensor);
  /* Of bodies that are shown by coordinates; false for all others. */
  bool (*basis)(const void *self, tacShownBasis *basis);
  /* Whether the kind knows its answer to a force of this size and direction (N, body's frame) without guessing; the sum of what
   * presses the body is then kept and shown. NULL: it has no such bounds. */
  bool (*covers)(const void *self, tacVec3 force);
  /* The single forces that it knows its answer to, and what one of the largest size along each axis at a vertex adds to a coordinate,
   * without its nonlinear part; false: none acts there. */
  bool (*known_loads)(const void *self, tacKnownLoads *loads);
  bool (*load_mode)(const void *self, int vertex, int coordinate, tacVec3 *mode);
  bool tractions; /* `displace` computes them */
} tacBodyLooks;

/* Of bodies with a separate thread; all are needed. */
typedef struct tacBodyThread {
  /* Load phase: it begins, and ends. Without it, `prepare` does what it would do. */
  tacStatus (*start)(void *self, tacError *error);
  void (*stop)(void *self);
  bool (*ready)(const void *self); /* any thread: it has something to be taken before the next step */
  void (*prepare)(void *self);     /* takes it: first in a step, where `ready` said so; an event of the recording */
} tacBodyThread;

typedef struct tacBodyTable {
  uint32_t version; /* TAC_BODY_TABLE_VERSION */

  /* ---- life: load phase, but for describe and save ---- */
  void (*destroy)(void *self);                      /* NULL is allowed */
  void (*reset)(void *self);                        /* at rest, undeformed; parameters stay */
  tacBodyDescription (*describe)(const void *self); /* any thread */
  /* The state as plain numbers; both NULL where the body has none. */
  void (*save)(const void *self, int count, double *state); /* the first `count` numbers */
  bool (*load)(void *self, const double *state);            /* all; false, unchanged, where they make no sense */
  tacParameter (*parameter)(const void *self, int index);   /* these two: NULL where it has none */
  tacStatus (*set_parameter)(void *self, int index, double value, tacError *error);
  bool (*inertia)(const void *self, tacInertia *inertia); /* NULL or false: it has no mass and cannot be free */
  /* Young's modulus (Pa) and Poisson's ratio of what lies under a vertex, as it is now: how far a fingertip dents it beyond what the kind
   * resolves. NULL or false: not known, and nothing is added. */
  bool (*material)(const void *self, int vertex, double *young, double *poisson);
  /* Fingertips of this radius (m) will touch it; the world numbers its radii 1, 2, ... Kinds that answer as a compliance find the
   * stiffness that these feel. Before the first step. NULL: nothing is to be done. */
  tacStatus (*meet_fingertip)(void *self, int tip, double radius, tacError *error);

  /* ---- place, in the body's frame ---- */
  tacVec3 (*vertex)(const void *self, int vertex);
  tacVec3 (*vertex_normal)(const void *self, int vertex); /* outward; its length does not matter */
  tacVec3 (*place)(const void *self, const tacSite *site);
  tacBodyBounds (*bounds)(const void *self); /* NULL: no vertex moves */

  /* ---- answer in coordinates; all NULL where there are none ---- */
  /* A [n][n], symmetric, and b [n], about the motion so far of this step. May be asked between steps, too: how would it answer? */
  bool (*linearise)(void *self, const tacBodyStep *step, double *matrix, double *load); /* false: not finite */
  void (*move)(void *self, const double *motion); /* adds to the motion of this step */
  tacBodyFinish (*finish)(void *self, const tacBodyStep *step);
  /* The whole step of a body on which nothing acts; NULL: by the functions above. */
  tacBodyFinish (*advance)(void *self, const tacBodyStep *step);
  /* [3][n]: d(place) by coordinates. Of a point of a shell with n coordinates these are the shell's. */
  void (*rows)(const void *self, const tacSite *site, double *rows);

  /* ---- answer as the compliance of a step; all NULL where there is none ---- */
  /* Begins a step in which forces act at `count` sites: the motion of each in that step, m, under these forces (N; those of the step
   * before: exact there), and how it changes with them: c [3 count][3 count], m/N, symmetric, as well as it is known. */
  void (*begin_step)(void *self, const tacBodyStep *step, int count, const tacSite *sites, const tacVec3 *forces,
                     tacVec3 *motion, double *c);
  /* Within it, where c is not that of the body's equations: the motion of the same sites under other forces, N, by the equations. Contacts
   * are then solved again from there, so that what c errs by counts twice. False, or NULL: c is as good. */
  bool (*move_again)(void *self, const tacBodyStep *step, const tacVec3 *forces, tacVec3 *motion);
  /* Ends it with the forces that act there, N, on the same sites. */
  tacBodyFinish (*end_step)(void *self, const tacBodyStep *step, const tacVec3 *forces);
  /* Between steps: how sites would give way in the next. Without sites, before the first step and after a reset: what a tick must not do,
   * such as a first factor, is done here. */
  void (*give_way)(void *self, const tacBodyStep *step, int count, const tacSite *sites, double *c);
  /* Between steps: the motion of sites in the next step and in the one after it, m, under forces that act in both, N; `whole`: from the state
   * as it is; else what these forces do beside. Of fingers that press it between its steps; NULL: they press what does not go on. */
  void (*foresee)(void *self, const tacBodyStep *step, bool whole, int count, const tacSite *sites,
                  const tacVec3 *forces, tacVec3 *first, tacVec3 *second);
  tacVec3 (*velocity)(const void *self, const tacSite *site); /* m/s */

  /* ---- answer as a compliance, without a state; NULL where there is none ---- */
  /* m/N; false: not known. On a surface it is linear in the weights of either site: what is between corners is interpolated. */
  bool (*compliance)(const void *self, const tacSite *at, const tacSite *by, double c[3][3]);
  /* The stiffness that a tool feels at a vertex: a point (`tip` 0), or the fingertip of that number (`meet_fingertip`); NULL: that of the
   * world's tools alone. */
  const struct tacVertexStiffness *(*stiffness)(const void *self, int tip, int vertex);
  /* Any thread: what forces at sites do to all vertices (m), to the tractions there (Pa), and to its sensors. Each of the three may be NULL. */
  void (*displace)(const void *self, int count, const tacSite *sites, const tacVec3 *forces, tacVec3 *displacements,
                   tacVec3 *tractions, double *sensors);

  /* ---- energy, and the estimated model error ---- */
  /* J: what its coordinates hold, elastic and kinetic, less the work of the step's gravity on how far they are from rest; what its
   * frame holds the world knows. Once a step, in a part of its time. Not a number: it does not know. NULL: it never holds any, or does
   * not know. */
  double (*energy)(const void *self);
  /* How far the present state is expected to be from that of the full model that the body stands for, under the same loads and at rest:
   * |u - u_full| / |u_full| in the root of the mean square over the surface; 0.1 is 10 %. Of a body without a state, under these forces
   * at its surface; else there are none. In every eighth tick, in a fraction of a microsecond. Negative or not a number: it does not know. NULL:
   * nothing is known, and nothing said. */
  double (*error_estimate)(const void *self, int count, const tacSite *sites, const tacVec3 *forces);
  const char *error_cause; /* what is wrong then, "displacements are beyond ...", and what to do; each may be NULL */
  const char *remedy;

  /* ---- what only some kinds have; NULL where it is missing as a whole ---- */
  const tacBodyLooks *looks;   /* NULL: it is shown by its surface at rest */
  const tacBodyThread *thread; /* NULL: it has none */
  const struct tacPads *pads;  /* NULL: they cannot take hold of it */
} tacBodyTable;

TAC_END_DECLS

#endif
