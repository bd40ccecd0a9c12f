/* Interface of a body: the table of functions through which a world simulates, shows and queries one body.
 *
 * Implement it to add a kind of body (docs/kinds.md, examples/template_kind.c). <tactus/body_kind.h> makes the kind
 * known to scenes. Programs that only use existing kinds need no more than tacPose, tacInertia and tacParameter.
 *
 * Example:
 *
 *     void destroy(void *self);                                // the required functions, defined by the kind
 *     void reset(void *self);
 *     tacBodyDescription describe(const void *self);
 *     tacVec3 vertex(const void *self, int vertex);
 *     tacVec3 vertex_normal(const void *self, int vertex);
 *     tacVec3 place(const void *self, const tacSite *site);
 *     extern tacBodyTable table;                               // zeroed by the kind: every other function is NULL
 *     table.version = TAC_BODY_TABLE_VERSION;
 *     table.destroy = destroy;
 *     table.reset = reset;
 *     table.describe = describe;
 *     table.vertex = vertex;
 *     table.vertex_normal = vertex_normal;
 *     table.place = place;
 *
 * Frame: a body deforms in its own frame and knows no world, tool or other body. The world moves the frame in the same
 * way for every kind: the frame rests, is free (the body then reports its inertia), or is held by a tool. All values of
 * this interface are in the body's frame.
 *
 * Response: a body responds to forces in one of four ways.
 * - Rigid: it has none of the three interfaces below.
 * - Coordinates: the body has n generalized coordinates. A step of length h gives n equations for their motion d, with
 *   forces f (N) that act at the end of the step:
 *
 *     A d = b + sum rows(site)^T f(site)
 *
 * - Step compliance: for a body with inertia and too many unknowns for a dense matrix. The world passes the contact
 *   sites; the body returns their motion in the step and their compliance. It moves by its nodes alone: its frame rests
 *   or is held by a tool, even if the body is free.
 * - Static compliance: a body without inertia and state. The displacement of a site is
 *
 *     u(site) = sum C(site, other) f(other)
 *
 * Units: m, N, kg, s, Pa. Forces act on the body.
 *
 * Phases: every function belongs to the tick phase (no allocation, no lock, bounded time) unless its comment or the
 * title of its group says otherwise. "Any thread" means any thread and any phase.
 *
 * Threads: one thread at a time calls the functions of a body. Exceptions are functions marked "any thread", and
 * `parameter`, which may be called while a step is under way.
 *
 * Optional functions: a function or member may be NULL only if its comment says so. */
#ifndef TACTUS_BODY_H
#define TACTUS_BODY_H

#include <stdbool.h>
#include <stdint.h>
#include <tactus/base.h>
#include <tactus/distance_field.h>
#include <tactus/mesh.h>
#include <tactus/pointshell.h>

TAC_BEGIN_DECLS

/* Working memory for one vertex when stress or stretch is computed: a weighted sum over the triangles of the vertex. */
typedef struct tacStressSum {
  double stress[6]; /* Pa m^2: stress times weight, in the order xx, yy, zz, yz, zx, xy */
  double weight;    /* m^2: twice the area */
} tacStressSum;

enum {
  TAC_BODY_MOST_COORDINATES = 160, /* limit of generalized coordinates of a body */
  TAC_BODY_TABLE_VERSION = 8,      /* value of tacBodyTable.version */
  TAC_PATCH_VERTICES = 96          /* limit of vertices in a tacPatch */
};

/* Position and orientation of a frame. */
typedef struct tacPose {
  tacVec3 position;      /* m, of the frame's origin */
  double orientation[4]; /* unit quaternion w, x, y, z */
} tacPose;

/* ---- sites: material points at which forces act ---- */

/* How a site is given, see tacSite. */
typedef enum tacSiteKind {
  TAC_SITE_FRAME,   /* a point fixed to the body's frame */
  TAC_SITE_SURFACE, /* a point in a triangle of the surface */
  TAC_SITE_SHELL,   /* a point of the body's pointshell */
  TAC_SITE_FIELD,   /* a point that moves with a proxy of the body's deformed field */
  TAC_SITE_PATCH,   /* a weighted mean of surface vertices; passed only to kinds with step compliance */
  TAC_SITE_TIP      /* a point in a surface triangle under a fingertip; passed only to kinds with `meet_fingertip` */
} tacSiteKind;

/* A material point of a body at which a force acts or whose motion is wanted. Plain data. */
typedef struct tacSite {
  int32_t kind; /* tacSiteKind */
  /* SURFACE, TIP: triangle. SHELL: point. FIELD: 65536 domain + proxy. PATCH: index in tacBodyStep.patches. */
  int32_t index;
  tacVec3 at; /* SURFACE, TIP: weights of the triangle's corners. FRAME, FIELD: position at rest, m */
} tacSite;

/* The contact patch of a fingertip. Its displacement is sum w_i u_i. A force f on it acts as w_i f at each vertex. */
typedef struct tacPatch {
  int32_t count;                      /* number of vertices */
  int32_t vertex[TAC_PATCH_VERTICES]; /* vertices of the surface, each once */
  int32_t corner[TAC_PATCH_VERTICES]; /* 3 triangle + corner: a triangle corner at which the vertex lies */
  double weight[TAC_PATCH_VERTICES];  /* w_i, positive, with sum 1 */
} tacPatch;

/* ---- properties of a body ---- */

/* A parameter that may be changed while a world is in use. */
typedef struct tacParameter {
  char name[160];           /* "kidney.stiffness"; a body itself reports it without its name: "stiffness" */
  const char *label, *unit; /* label for display, "stiffness"; unit, "m", or "" for a plain number */
  double value;             /* current value */
  bool in_tick; /* true: may be set between steps. false: slow, set it only while no other thread uses the world */
} tacParameter;

/* The step that a body is asked to make. */
typedef struct tacBodyStep {
  double length;   /* h, s */
  tacVec3 gravity; /* m/s^2: the gravity that deforms the body; zero if it falls freely */
  /* true: use implicit Euler, with velocity v = d / h at the end of the step, as contact laws need. false: the kind
   * chooses. */
  bool euler;
  /* Number of point-tool springs. They act at the last `springs` sites of the step with the force f = f0 - K u, where
   * f0 is the force at the start of the step. */
  int springs;
  const double *spring; /* [springs][3][3], N/m: K of each spring, including the effect of its damping in this step */
  const tacPatch *patches; /* patches that sites of kind TAC_SITE_PATCH refer to */
} tacBodyStep;

/* Outcome of a step. */
typedef struct tacBodyFinish {
  bool limited; /* the motion was shortened */
  bool refused; /* the motion was NaN, infinite or far too large; the body was brought to rest where it was */
} tacBodyFinish;

/* ---- display ---- */

/* How a body is shown. */
typedef enum tacBodyShown {
  TAC_SHOWN_RIGID,       /* a surface that moves as a whole */
  TAC_SHOWN_COORDINATES, /* coordinates q and a displacement texture: u = U q */
  TAC_SHOWN_VERTICES     /* positions of all vertices */
} tacBodyShown;

/* Quantity by which a body's surface is coloured. */
typedef enum tacColouring {
  TAC_COLOUR_STRESS, /* von Mises stress, Pa */
  TAC_COLOUR_STRETCH /* largest principal stretch; 1 at rest */
} tacColouring;

/* An entry of the shown part of a state that has a meaning by itself. */
typedef struct tacShownNumber {
  const char *label, *unit; /* for example "factor's age", "steps" */
  int at;                   /* index of the entry in the state */
} tacShownNumber;

/* Surface of a body with coordinates, and how it moves with the coordinates q, which are the first `size` numbers of
 * the state.
 *
 * The arrays belong to the asset of the body. Bodies made from one asset have the same `displacements` pointer. */
typedef struct tacShownBasis {
  int size;                     /* r, number of coordinates */
  bool is_free;                 /* no vertex is held, so the body also moves as a whole */
  const tacTriMesh *surface;    /* at rest, body's frame */
  const bool *fixed;            /* [vertex]: true if the vertex cannot move */
  const double *displacements;  /* U, [vertex][axis][r]: the displacement of a vertex is U q, m */
  const tacVec3 *normals;       /* [vertex]: unit outward normals n at rest */
  const double *normal_changes; /* N, [vertex][axis][r]: the deformed normal has the direction n + N q */
} tacShownBasis;

/* A shape from which a basis was built, for example a vibration mode. */
typedef struct tacShownShape {
  const char *label;         /* for display */
  const double *coordinates; /* [r] */
} tacShownShape;

/* A sensor inside a body. */
typedef struct tacShownSensor {
  const char *name;            /* may be empty */
  const char *quantity, *unit; /* for example "displacement", "m" */
  int row_count;               /* numbers: 3 for a displacement, 6 for a stress (xx yy zz yz zx xy) */
} tacShownSensor;

/* Single forces on a surface whose response was precomputed. */
typedef struct tacKnownLoads {
  int count;         /* number of vertices at which these forces may act */
  double most;       /* N, largest precomputed force */
  tacVec3 direction; /* unit vector in the body's frame; zero: any direction */
} tacKnownLoads;

struct tacContactField;    /* a distance field that deforms; a user-defined kind has only `field`, which is at rest */
struct tacVertexStiffness; /* stiffness at a vertex of a surface */
struct tacPads;            /* how pads take hold of a body; only for kinds built with the library */

/* What a body is made of. Numbers and pointers stay the same for the life of the body, except `stiffness` and
 * `tip_stiffness`. The data behind a pointer may change in steps. Members that do not apply are 0 or NULL. */
typedef struct tacBodyDescription {
  const tacTriMesh *surface;     /* mesh at rest; required */
  const bool *fixed;             /* [vertex]: true if the vertex does not move; NULL: every vertex may move */
  const tacPointshell *points;   /* sample points for distributed contact; NULL: none */
  const double *points_q;        /* coordinates that deform the points; NULL: they do not deform */
  const tacDistanceField *field; /* distance field at rest; NULL: none */
  const struct tacContactField *deformed_field; /* deformed distance field; NULL: none */
  int state, shown;    /* numbers of the state, and how many of its first ones suffice to show the body */
  int parameters;      /* number of parameters that may be changed */
  int coordinates;     /* n, at most TAC_BODY_MOST_COORDINATES; 0: no coordinate interface */
  int iterations;      /* iterations of Newton's method in a step; 0 means 1 */
  int sites;           /* step compliance: limit of sites in a step, at least 1 */
  const double *rates; /* [n]: velocities of the coordinates, if contacts must damp them; NULL: no damper is needed */
  /* N/m: the largest eigenvalue of tacBodyTable.stiffness over all vertices now, for points and for the registered
   * fingertips. 0: not known. */
  double stiffness, tip_stiffness;
  /* For display: how the model was solved, for example "finite elements". NULL: the kind's name says it. */
  const char *method;
} tacBodyDescription;

/* Upper bounds of how far and how fast a body deforms. */
typedef struct tacBodyBounds {
  double swelling; /* m: largest distance of any vertex from its position at rest; if too small, tools pass through */
  double fastest;  /* m/s: largest speed of any vertex in the body's frame; 0: not known, contacts may be found late */
} tacBodyBounds;

/* Functions that show a body. Each may be NULL. They may be called from any thread unless their comment says otherwise.
 * Only `vertices` is also called in ticks. */
typedef struct tacBodyLooks {
  /* Computes the positions of all vertices, m, from the shown part of a state; `shown` NULL is the state at rest.
   * NULL: the surface is shown at rest. */
  void (*vertices)(const void *self, const double *shown, tacVec3 *vertices);
  /* Computes the value [vertex] by which each vertex is coloured. `shown` is as for `vertices`, and `vertices` is what
   * that function computed. `room` is working memory, one for each vertex. Returns false if the kind does not
   * know the value. One thread at a time, which may differ from the stepping thread: it must not touch what steps
   * change. NULL, or a result of false: stress is not shown, and stretch is computed from the surface. */
  bool (*colours)(const void *self, const double *shown, const tacVec3 *vertices, tacColouring colour,
                  tacStressSum *room, double *values);
  /* Lists numbers in the shown part of the state that have a meaning by themselves: index 0, 1, ... until false. */
  bool (*number)(const void *self, int index, tacShownNumber *number);
  /* Lists the shapes from which the basis was built: index 0, 1, ... until false. */
  bool (*shape)(const void *self, int index, tacShownShape *shape);
  /* Lists the sensors: index 0, 1, ... until false. tacBodyTable.displace computes their rows in the same order. */
  bool (*sensor)(const void *self, int index, tacShownSensor *sensor);
  /* Returns the displacement basis of a body that is shown by coordinates; false for other bodies. */
  bool (*basis)(const void *self, tacShownBasis *basis);
  /* Returns whether a force of this size and direction (N, body's frame) is within the precomputed range, so that the
   * response needs no extrapolation. With this function, the world keeps and shows the sum of the forces that press the
   * body. NULL: the kind has no such range. */
  bool (*covers)(const void *self, tacVec3 force);
  /* Returns the single forces whose response was precomputed; false if there are none. */
  bool (*known_loads)(const void *self, tacKnownLoads *loads);
  /* Computes the linear part of the precomputed response at a vertex. `mode` receives the change of one coordinate
   * caused by a force of size tacKnownLoads.most along x, y and z. Returns false if no precomputed force acts at the
   * vertex. */
  bool (*load_mode)(const void *self, int vertex, int coordinate, tacVec3 *mode);
  bool tractions; /* true: tacBodyTable.displace computes tractions */
} tacBodyLooks;

/* Functions of a body that works on its own thread beside the steps. All are required. */
typedef struct tacBodyThread {
  /* Starts the thread. Load phase. Until `start` is called, `prepare` does the work of the thread. */
  tacStatus (*start)(void *self, tacError *error);
  /* Stops the thread. Load phase. May be called without `start`. */
  void (*stop)(void *self);
  /* Returns whether a result of the thread waits to be taken before the next step. Any thread. Without a running thread
   * it must return true at fixed steps, so that runs repeat. */
  bool (*ready)(const void *self);
  /* Takes the result. The world calls this first in a step if `ready` returned true, or if a replayed recording did so:
   * each call is recorded. If no result is there, it does nothing. */
  void (*prepare)(void *self);
} tacBodyThread;

/* Functions of a kind of body. `self` is the body's own data, made by tacBodyKind.create. */
typedef struct tacBodyTable {
  uint32_t version; /* TAC_BODY_TABLE_VERSION; another version is refused */

  /* ---- life: load phase, except describe and save ---- */

  /* Frees the body. NULL must be accepted. Required. */
  void (*destroy)(void *self);
  /* Puts the body at rest, undeformed. Parameters keep their values. Required. */
  void (*reset)(void *self);
  /* Describes what the body is made of. Called often. Any thread. Required. */
  tacBodyDescription (*describe)(const void *self);
  /* Writes the first `count` numbers of the state. Tick phase. `save` and `load` are NULL if the body has no state. */
  void (*save)(const void *self, int count, double *state);
  /* Restores the whole state. Returns false and changes nothing if the numbers are not valid. */
  bool (*load)(void *self, const double *state);
  /* Returns the parameter of this index, 0 to tacBodyDescription.parameters - 1. May be called while a step is under
   * way. `parameter` and `set_parameter` are NULL if the body has no parameters. */
  tacParameter (*parameter)(const void *self, int index);
  /* Sets a parameter, between steps if tacParameter.in_tick, else in the load phase. Refuses a value that is out of
   * range. */
  tacStatus (*set_parameter)(void *self, int index, double value, tacError *error);
  /* Returns the mass properties. Called once, when the body is added to a world. NULL, or a result of false: the body
   * has no mass and cannot be free. */
  bool (*inertia)(const void *self, tacInertia *inertia);
  /* Returns the present Young's modulus (Pa) and Poisson's ratio of the material under a vertex. The world computes
   * from them how far a fingertip dents the body beyond what the kind resolves. NULL, or a result of false: not known,
   * and nothing is added. */
  bool (*material)(const void *self, int vertex, double *young, double *poisson);
  /* Announces that fingertips of this radius (m) will touch the body. The world numbers its radii 1, 2, ...; `tip` is
   * that number. A kind with static compliance computes here the stiffness that these fingertips feel. Called before
   * the first step. NULL: the kind needs no preparation. */
  tacStatus (*meet_fingertip)(void *self, int tip, double radius, tacError *error);

  /* ---- geometry, in the body's frame ---- */

  /* Returns the present position of a surface vertex, m. Required. */
  tacVec3 (*vertex)(const void *self, int vertex);
  /* Returns the present outward normal at a surface vertex, of any length. Required. */
  tacVec3 (*vertex_normal)(const void *self, int vertex);
  /* Returns the present position of a site, m. Required. */
  tacVec3 (*place)(const void *self, const tacSite *site);
  /* Returns bounds of the present deformation. Called in each tick. NULL: no vertex ever moves. */
  tacBodyBounds (*bounds)(const void *self);

  /* ---- response in coordinates; all NULL for a body without coordinates ---- */

  /* Computes the equations of the step: A [n][n], symmetric, and b [n], linearised about the motion made so far in this
   * step. Called once for each iteration, and also between steps to predict the response. Returns false if the result
   * is NaN or infinite. */
  bool (*linearise)(void *self, const tacBodyStep *step, double *matrix, double *load);
  /* Adds `motion` [n] to the motion of this step. */
  void (*move)(void *self, const double *motion);
  /* Ends the step: the body takes the motion, or refuses it if it is NaN, infinite or far too large. */
  tacBodyFinish (*finish)(void *self, const tacBodyStep *step);
  /* Makes a whole step of a body on which no force acts. NULL: the world uses linearise, move and finish. */
  tacBodyFinish (*advance)(void *self, const tacBodyStep *step);
  /* Computes the derivative of the position of a site with respect to the coordinates, [3][n]. For a point of a
   * pointshell with n coordinates the world reads the derivative from the pointshell. For TAC_SITE_FRAME it is zero. */
  void (*rows)(const void *self, const tacSite *site, double *rows);

  /* ---- step compliance; all NULL for a body without it ---- */

  /* Begins a step in which forces act at `count` sites.
   *
   * `forces` (N) are those of the previous step. The function computes `motion`, m: the motion of each site in this
   * step under these forces, which must be exact. It also computes `c` [3 count][3 count], m/N, symmetric: the
   * compliance, that is how the motion changes with the forces. `c` may be approximate. */
  void (*begin_step)(void *self, const tacBodyStep *step, int count, const tacSite *sites, const tacVec3 *forces,
                     tacVec3 *motion, double *c);
  /* Computes the motion (m) of the same sites under other forces (N) from the body's own equations, within the step.
   * The world then solves the contacts again from there, so that the error of `c` enters only to second order. Not
   * called if a point tool touches the body. NULL, or a result of false: `c` is accurate enough. */
  bool (*move_again)(void *self, const tacBodyStep *step, const tacVec3 *forces, tacVec3 *motion);
  /* Ends the step with the final forces (N) at the same sites. */
  tacBodyFinish (*end_step)(void *self, const tacBodyStep *step, const tacVec3 *forces);
  /* Computes the compliance `c` (as for begin_step) of sites in the next step. Called between steps. Before the first
   * step and after a reset it is called without sites (`count` 0, `sites` and `c` NULL), in the load phase: it then
   * does the work that a tick must not do, such as a first factorization. */
  void (*give_way)(void *self, const tacBodyStep *step, int count, const tacSite *sites, double *c);
  /* Predicts the motion (m) of sites in the next step, `first`, and in the step after it, `second`, under forces (N)
   * that act in both. Called between steps, when fingers press the body between its steps. `whole`: start from the
   * present state; otherwise compute only the additional motion caused by these forces. NULL: the world assumes that
   * the body does not move on between its steps. */
  void (*predict)(void *self, const tacBodyStep *step, bool whole, int count, const tacSite *sites,
                  const tacVec3 *forces, tacVec3 *first, tacVec3 *second);
  /* Returns the velocity of a site after a step, m/s. */
  tacVec3 (*velocity)(const void *self, const tacSite *site);

  /* ---- static compliance; all NULL for a body without it ---- */

  /* Computes the compliance c, m/N: a force f at the site `by` displaces the site `at` by c f. On a surface it must be
   * linear in the corner weights of either site: values between corners are interpolated. Returns false if it is not
   * known. */
  bool (*compliance)(const void *self, const tacSite *at, const tacSite *by, double c[3][3]);
  /* Returns the stiffness that a tool feels at a vertex: a point tool (`tip` 0), or the fingertip of this number
   * (meet_fingertip). NULL: tools feel only their own contact spring. */
  const struct tacVertexStiffness *(*stiffness)(const void *self, int tip, int vertex);
  /* Computes what forces (N) at sites cause: the displacements (m) and the tractions (Pa) of all vertices, and the rows
   * of the sensors. Each of the three outputs may be NULL. Any thread. Required with `compliance`. */
  void (*displace)(const void *self, int count, const tacSite *sites, const tacVec3 *forces, tacVec3 *displacements,
                   tacVec3 *tractions, double *sensors);

  /* ---- energy and estimated model error ---- */

  /* Returns the energy that the coordinates hold, J: elastic plus kinetic energy, less the work of the step's gravity
   * on the displacement from rest. The world adds the energy of the frame. Called once a step; it must take only part
   * of the step's time. A result of NaN: not known. NULL: the body never holds energy, or does not know it. */
  double (*energy)(const void *self);
  /* Returns the estimated model error: how far the present displacements u are expected to be from those of the full
   * model that the body approximates, under the same loads and at rest. 0.1 is 10 %. With |.| the root mean square over
   * the surface it is
   *
   *     |u - u_full| / |u_full|
   *
   * For a body without a state, `forces` (N) at `sites` are the loads on its surface; for others `count` is 0. Called
   * in every eighth tick; it must take a fraction of a microsecond. A negative result or NaN: not known. NULL: not
   * known, and nothing is shown. */
  double (*error_estimate)(const void *self, int count, const tacSite *sites, const tacVec3 *forces);
  /* Cause of a large error estimate, for example "displacements are beyond ...". NULL: no text. */
  const char *error_cause;
  /* What the user can do about a large error estimate. NULL: no text. */
  const char *remedy;

  /* ---- optional tables ---- */

  const tacBodyLooks *looks;   /* display; NULL: the surface is shown at rest */
  const tacBodyThread *thread; /* the body's own thread; NULL: it has none */
  const struct tacPads *pads;  /* for kinds built with the library; NULL: pads cannot take hold of the body */
} tacBodyTable;

TAC_END_DECLS

#endif
