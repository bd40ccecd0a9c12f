/* Interface of a body: the table of functions through which a world simulates, shows and queries one body.
 *
 * Implement this interface to add a kind of body (docs/kinds.md, examples/template_kind.c). <tactus/body_kind.h>
 * makes the kind known to scenes. Programs that use only existing kinds need only tacPose, tacInertia and
 * tacParameter.
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
 * Frame: a body deforms in its own frame and has no access to the world, to tools or to other bodies. The world
 * moves the frame in the same way for every kind. The frame rests, is free (the body then reports its inertia), or
 * is held by a tool. All values of this interface are in the body's frame.
 *
 * Response: a body responds to forces in one of four ways.
 * - Rigid: the body has none of the three interfaces below.
 * - Coordinates: the body has n generalized coordinates. A step of length h gives n equations for the motion d of
 *   the coordinates. In these equations, forces f (N) act at the end of the step:
 *
 *     A d = b + sum rows(site)^T f(site)
 *
 * - Step compliance: this interface is for a body with inertia and too many unknowns for a dense matrix. The world
 *   passes the contact sites. The body returns the motion of the sites in the step, and their compliance. The body
 *   moves only by its nodes: its frame rests or is held by a tool, even if the body is free.
 * - Static compliance: the body has no inertia and no state. The displacement of a site is
 *
 *     u(site) = sum C(site, other) f(other)
 *
 * Units: m, N, kg, s, Pa. Forces act on the body.
 *
 * Phases: every function belongs to the tick phase (no allocation, no lock, bounded time) unless its comment or the
 * heading of its section says otherwise. "Any thread" means any thread and any phase.
 *
 * Threads: one thread at a time calls the functions of a body. There are two exceptions: functions marked "any
 * thread", and `parameter`, which may be called during a step.
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

/* Working memory for one vertex in the computation of stress or stretch: a weighted sum over the triangles of the
 * vertex. */
typedef struct tacStressSum {
  double stress[6]; /* sum of stress times weight, Pa m^2, in the order xx, yy, zz, yz, zx, xy */
  double weight;    /* sum of the weights, m^2; the weight of a triangle is twice its area */
} tacStressSum;

enum {
  TAC_BODY_MOST_COORDINATES = 160, /* limit of generalized coordinates of a body */
  TAC_BODY_TABLE_VERSION = 8,      /* value of tacBodyTable.version */
  TAC_PATCH_VERTICES = 96          /* limit of vertices in a tacPatch */
};

/* Position and orientation of a frame. */
typedef struct tacPose {
  tacVec3 position;      /* position of the frame's origin, m */
  double orientation[4]; /* orientation of the frame, unit quaternion w, x, y, z */
} tacPose;

/* ---- sites: material points at which forces act ---- */

/* Type of a tacSite. */
typedef enum tacSiteKind {
  TAC_SITE_FRAME,   /* point fixed to the body's frame */
  TAC_SITE_SURFACE, /* point in a triangle of the surface */
  TAC_SITE_SHELL,   /* point of the body's pointshell */
  TAC_SITE_FIELD,   /* point that moves with a proxy of the body's deformed field */
  TAC_SITE_PATCH,   /* weighted mean of surface vertices; passed only to kinds with step compliance */
  TAC_SITE_TIP      /* point in a surface triangle under a fingertip; passed only to kinds with `meet_fingertip` */
} tacSiteKind;

/* A material point of a body at which a force acts or whose motion is requested. Plain data. */
typedef struct tacSite {
  int32_t kind; /* type of the site, a tacSiteKind */
  /* Index, depending on `kind`. SURFACE, TIP: triangle. SHELL: point. FIELD: 65536 domain + proxy. PATCH: index in
   * tacBodyStep.patches. */
  int32_t index;
  tacVec3 at; /* weights of the triangle's corners for SURFACE and TIP; position at rest, m, for FRAME and FIELD */
} tacSite;

/* Contact patch of a fingertip. The displacement of the patch is sum w_i u_i, with the displacements u_i of the
 * vertices. A force f on the patch acts as w_i f at each vertex. */
typedef struct tacPatch {
  int32_t count;                      /* number of vertices */
  int32_t vertex[TAC_PATCH_VERTICES]; /* vertices of the surface; each vertex occurs once */
  int32_t corner[TAC_PATCH_VERTICES]; /* triangle corner at which the vertex lies, as 3 triangle + corner */
  double weight[TAC_PATCH_VERTICES];  /* weights w_i, positive, with sum 1 */
} tacPatch;

/* ---- properties of a body ---- */

/* A parameter that may be changed while a world is in use. */
typedef struct tacParameter {
  char name[160]; /* parameter name, for example "kidney.stiffness"; the body itself reports only "stiffness" */
  /* Label for display, for example "stiffness"; unit, for example "m", or "" for a plain number. */
  const char *label, *unit;
  double value; /* current value */
  bool in_tick; /* true: may be set between steps; false: slow, may be set only while no other thread uses the world */
} tacParameter;

/* A step that the world requests from a body. */
typedef struct tacBodyStep {
  double length;   /* length h of the step, s */
  tacVec3 gravity; /* gravitational acceleration that deforms the body, m/s^2; zero if the body falls freely */
  /* True: the body must use implicit Euler, as contact laws require, with velocity v = d / h at the end of the
   * step. False: the kind chooses the integrator. */
  bool euler;
  /* Number of the springs of point tools. The springs act at the last `springs` sites of the step. The force of a
   * spring is f = f0 - K u. f0 is the force at the start of the step, and u is the motion of the site in the step. */
  int springs;
  /* Stiffness K of each spring, [springs][3][3], N/m, including the effect of the spring's damping in this step. */
  const double *spring;
  const tacPatch *patches; /* patches of the sites of kind TAC_SITE_PATCH */
} tacBodyStep;

/* Result of a step. */
typedef struct tacBodyFinish {
  bool limited; /* true: the motion was shortened */
  bool refused; /* true: the motion was NaN, infinite or far too large, and the body was brought to rest in place */
} tacBodyFinish;

/* ---- display ---- */

/* Way in which a body is displayed. */
typedef enum tacBodyShown {
  TAC_SHOWN_RIGID,       /* surface that moves as a whole */
  TAC_SHOWN_COORDINATES, /* coordinates q and a displacement texture: u = U q */
  TAC_SHOWN_VERTICES     /* positions of all vertices */
} tacBodyShown;

/* Quantity that colours a body's surface. */
typedef enum tacColouring {
  TAC_COLOUR_STRESS, /* von Mises stress, Pa */
  TAC_COLOUR_STRETCH /* largest principal stretch; 1 at rest */
} tacColouring;

/* A single number in the shown part of a state, with a label for display. */
typedef struct tacShownNumber {
  const char *label, *unit; /* label and unit, for example "factor's age" and "steps" */
  int at;                   /* index of the number in the state */
} tacShownNumber;

/* Surface of a body with coordinates q, and the basis that gives the motion of the surface. The coordinates are the
 * first `size` numbers of the state.
 *
 * The arrays belong to the asset of the body. Bodies made from one asset have the same `displacements` pointer. */
typedef struct tacShownBasis {
  int size;                     /* number r of coordinates */
  bool is_free;                 /* true: no vertex is fixed, so the body also moves as a whole */
  const tacTriMesh *surface;    /* surface at rest, body's frame */
  const bool *fixed;            /* array [vertex]; true: the vertex cannot move */
  const double *displacements;  /* array U, [vertex][axis][r]: U q is the displacement of a vertex, m */
  const tacVec3 *normals;       /* array [vertex] of outward unit normals n at rest */
  const double *normal_changes; /* array N, [vertex][axis][r]: n + N q is the direction of the deformed normal */
} tacShownBasis;

/* A shape from which a basis was built, for example a vibration mode. */
typedef struct tacShownShape {
  const char *label;         /* label for display */
  const double *coordinates; /* coordinates of the shape, [r] */
} tacShownShape;

/* A sensor inside a body. */
typedef struct tacShownSensor {
  const char *name;            /* name of the sensor; may be empty */
  const char *quantity, *unit; /* quantity and unit, for example "displacement" and "m" */
  int row_count;               /* number of values: 3 for a displacement, 6 for a stress (xx yy zz yz zx xy) */
} tacShownSensor;

/* Single forces on a surface for which the response was precomputed. */
typedef struct tacKnownLoads {
  int count;         /* number of vertices at which such a force may act */
  double most;       /* largest precomputed force, N */
  tacVec3 direction; /* direction of the forces, unit vector in the body's frame; zero: any direction */
} tacKnownLoads;

/* Deformed distance field; user-defined kinds have only tacBodyDescription.field, which is at rest. */
struct tacContactField;
struct tacVertexStiffness; /* stiffness at a vertex of a surface */
struct tacPads;            /* interface for pads that hold a body; only for kinds built with the library */

/* Data of a body. Numbers and pointers stay constant during the life of the body, except `stiffness` and
 * `tip_stiffness`. The data behind a pointer may change in steps. Members that do not apply are 0 or NULL. */
typedef struct tacBodyDescription {
  const tacTriMesh *surface;     /* mesh at rest; required */
  const bool *fixed;             /* array [vertex]; true: the vertex does not move; NULL: every vertex may move */
  const tacPointshell *points;   /* points for distributed contact; NULL: none */
  const double *points_q;        /* coordinates that deform the points; NULL: the points do not deform */
  const tacDistanceField *field; /* distance field at rest; NULL: none */
  const struct tacContactField *deformed_field; /* deformed distance field; NULL: none */
  int state, shown; /* size of the state; number of first values of the state that suffice for display */
  int parameters;   /* number of parameters that may be changed */
  int coordinates;  /* number n of coordinates, at most TAC_BODY_MOST_COORDINATES; 0: no coordinate interface */
  int iterations;   /* number of iterations of Newton's method in a step; 0 means 1 */
  int sites;        /* limit of sites in a step, at least 1, for step compliance */
  /* Velocities of the coordinates, [n], if contacts must damp these velocities; NULL: no damper is needed. */
  const double *rates;
  /* Largest eigenvalue of the present tacBodyTable.stiffness over all vertices, N/m, for point tools and for the
   * registered fingertips; 0: not known. */
  double stiffness, tip_stiffness;
  /* Text for display about the method of solution, for example "finite elements"; NULL: the kind's name is
   * sufficient. */
  const char *method;
} tacBodyDescription;

/* Upper bounds for the displacement and the speed of a body's vertices. */
typedef struct tacBodyBounds {
  /* Largest distance of any vertex from its position at rest, m. If the bound is too small, tools pass through the
   * body. */
  double swelling;
  /* Largest speed of any vertex in the body's frame, m/s; 0: not known. Contacts may be found late if the speed is
   * not known. */
  double fastest;
} tacBodyBounds;

/* Functions for the display of a body. Each function may be NULL. Any thread may call the functions unless their
 * comments say otherwise. Only `vertices` is also called in ticks. */
typedef struct tacBodyLooks {
  /* Computes the positions of all vertices, m, from the shown part of a state. If `shown` is NULL, computes the
   * positions at rest. If the function is NULL, the surface is shown at rest. */
  void (*vertices)(const void *self, const double *shown, tacVec3 *vertices);
  /* Computes the value that colours each vertex, [vertex]. `shown` is as for `vertices`. The argument `vertices`
   * contains the positions that the function `vertices` computed. `room` is working memory with one entry for each
   * vertex. Returns false if the kind does not know the value. One thread at a time calls the function. This thread
   * may differ from the stepping thread, so the function must not access data that steps change. If the function is
   * NULL or returns false, stress is not shown, and stretch is computed from the surface. */
  bool (*colours)(const void *self, const double *shown, const tacVec3 *vertices, tacColouring colour,
                  tacStressSum *room, double *values);
  /* Gets a labelled number in the shown part of the state, by its index 0, 1, ... Returns false after the last
   * number. */
  bool (*number)(const void *self, int index, tacShownNumber *number);
  /* Gets a shape from which the basis was built, by its index 0, 1, ... Returns false after the last shape. */
  bool (*shape)(const void *self, int index, tacShownShape *shape);
  /* Gets a sensor by its index 0, 1, ... Returns false after the last sensor. tacBodyTable.displace computes the
   * sensor values in the same order. */
  bool (*sensor)(const void *self, int index, tacShownSensor *sensor);
  /* Gets the displacement basis of a body that is shown by coordinates. Returns false for other bodies. */
  bool (*basis)(const void *self, tacShownBasis *basis);
  /* Returns true if a force of this magnitude and direction (N, body's frame) is within the precomputed range. The
   * response then needs no extrapolation. For a kind with this function, the world stores and shows the sum of the
   * forces that press the body. NULL means that the kind has no such range. */
  bool (*covers)(const void *self, tacVec3 force);
  /* Gets the single forces whose response was precomputed. Returns false if there are no such forces. */
  bool (*known_loads)(const void *self, tacKnownLoads *loads);
  /* Computes the linear part of the precomputed response at a vertex. `mode` receives the change of one coordinate
   * due to a force of magnitude tacKnownLoads.most along x, y and z. Returns false if no precomputed force acts at
   * the vertex. */
  bool (*load_mode)(const void *self, int vertex, int coordinate, tacVec3 *mode);
  bool tractions; /* true: tacBodyTable.displace computes tractions */
} tacBodyLooks;

/* Functions of a body that computes on its own thread in parallel with the steps. All functions are required. */
typedef struct tacBodyThread {
  /* Starts the thread. Until `start` is called, `prepare` does the work of the thread. Load phase. */
  tacStatus (*start)(void *self, tacError *error);
  /* Stops the thread. May be called without `start`. Load phase. */
  void (*stop)(void *self);
  /* Returns true if a result of the thread is ready for the next step. Without a running thread, the function must
   * return true at fixed steps, so that runs are repeatable. Any thread. */
  bool (*ready)(const void *self);
  /* Takes the result of the thread. The world calls `prepare` at the beginning of a step if `ready` returned true.
   * In a replay, the world calls `prepare` in the steps in which the recording contains such a call. If no result
   * is ready, the function does nothing. */
  void (*prepare)(void *self);
} tacBodyThread;

/* Functions of a kind of body. `self` is the body's own data, created by tacBodyKind.create. */
typedef struct tacBodyTable {
  uint32_t version; /* value TAC_BODY_TABLE_VERSION; another version is refused */

  /* ---- creation, state and properties: load phase, except describe and save ---- */

  /* Frees the body. The function must accept NULL. Required. */
  void (*destroy)(void *self);
  /* Puts the body at rest, undeformed. Parameters keep their values. Required. */
  void (*reset)(void *self);
  /* Returns the description of the body. Called often. Any thread. Required. */
  tacBodyDescription (*describe)(const void *self);
  /* Writes the first `count` numbers of the state. Tick phase. `save` and `load` are NULL if the body has no state. */
  void (*save)(const void *self, int count, double *state);
  /* Restores the complete state. Returns false and changes nothing if the numbers are not valid. */
  bool (*load)(void *self, const double *state);
  /* Returns the parameter with this index, 0 to tacBodyDescription.parameters - 1. May be called during a step.
   * `parameter` and `set_parameter` are NULL if the body has no parameters. */
  tacParameter (*parameter)(const void *self, int index);
  /* Sets a parameter: between steps if tacParameter.in_tick is true, otherwise in the load phase. Returns an error
   * if the value is out of range. */
  tacStatus (*set_parameter)(void *self, int index, double value, tacError *error);
  /* Gets the mass properties. Called once, when the body is added to a world. If the function is NULL or returns
   * false, the body has no mass and cannot be free. */
  bool (*inertia)(const void *self, tacInertia *inertia);
  /* Gets the present Young's modulus (Pa) and Poisson's ratio of the material at a vertex. From these values the
   * world computes how far a fingertip dents the body, in addition to the deformation that the kind resolves. If
   * the function is NULL or returns false, the values are not known, and the world adds no deformation. */
  bool (*material)(const void *self, int vertex, double *young, double *poisson);
  /* Announces that fingertips of this radius (m) will touch the body. The world numbers the radii 1, 2, ..., and
   * `tip` is the number of this radius. A kind with static compliance computes the stiffness for these fingertips
   * here. Called before the first step. NULL means that the kind needs no preparation. */
  tacStatus (*meet_fingertip)(void *self, int tip, double radius, tacError *error);

  /* ---- geometry, in the body's frame ---- */

  /* Returns the present position of a surface vertex, m. Required. */
  tacVec3 (*vertex)(const void *self, int vertex);
  /* Returns the present outward normal at a surface vertex. The normal may have any length. Required. */
  tacVec3 (*vertex_normal)(const void *self, int vertex);
  /* Returns the present position of a site, m. Required. */
  tacVec3 (*place)(const void *self, const tacSite *site);
  /* Returns bounds of the present deformation. Called in each tick. NULL means that no vertex ever moves. */
  tacBodyBounds (*bounds)(const void *self);

  /* ---- response in coordinates: all NULL for a body without coordinates ---- */

  /* Computes the equations of the step: A [n][n], symmetric, and b [n]. The equations are linearised about the
   * present motion in this step. Called once for each iteration, and also between steps to predict the response.
   * Returns false if the result is NaN or infinite. */
  bool (*linearise)(void *self, const tacBodyStep *step, double *matrix, double *load);
  /* Adds `motion` [n] to the motion of this step. */
  void (*move)(void *self, const double *motion);
  /* Ends the step. The body accepts the motion, or refuses a motion that is NaN, infinite or far too large. */
  tacBodyFinish (*finish)(void *self, const tacBodyStep *step);
  /* Makes a complete step while no force acts on the body. If the function is NULL, the world uses linearise, move
   * and finish. */
  tacBodyFinish (*advance)(void *self, const tacBodyStep *step);
  /* Computes the derivative of a site's position with respect to the coordinates, [3][n]. For a point of a
   * pointshell with n coordinates, the world reads the derivative from the pointshell. For TAC_SITE_FRAME the
   * derivative is zero. */
  void (*rows)(const void *self, const tacSite *site, double *rows);

  /* ---- step compliance: all NULL for a body without this interface ---- */

  /* Begins a step in which forces act at `count` sites.
   *
   * `forces` (N) are the forces of the previous step. `motion` receives the motion of each site in this step under
   * these forces, m, which must be exact. `c` [3 count][3 count] receives the compliance, m/N: the derivative of
   * the motion with respect to the forces. `c` is symmetric and may be approximate. */
  void (*begin_step)(void *self, const tacBodyStep *step, int count, const tacSite *sites, const tacVec3 *forces,
                     tacVec3 *motion, double *c);
  /* Computes the motion (m) of the same sites in this step under other forces (N), from the body's own equations.
   * The world then solves the contacts again from this motion, so that an error of `c` has only a second-order
   * effect. Not called if a point tool touches the body. If the function is NULL or returns false, `c` is accurate
   * enough. */
  bool (*move_again)(void *self, const tacBodyStep *step, const tacVec3 *forces, tacVec3 *motion);
  /* Ends the step with the final forces (N) at the same sites. */
  tacBodyFinish (*end_step)(void *self, const tacBodyStep *step, const tacVec3 *forces);
  /* Computes the compliance `c` of sites in the next step, in the form of `begin_step`. Called between steps.
   * Before the first step and after a reset, the world calls the function in the load phase without sites (`count`
   * 0, `sites` and `c` NULL). The function then does the work that a tick must not do, such as a first
   * factorization. */
  void (*next_compliance)(void *self, const tacBodyStep *step, int count, const tacSite *sites, double *c);
  /* Predicts the motion (m) of sites in the next step (`first`) and in the step after the next (`second`), under
   * forces (N) that act in both steps. The world calls the function in ticks between two steps of the body, if fingers
   * press the body. If `whole` is true, the prediction starts from the present state. Otherwise the result is only the
   * additional motion due to these forces. If the function is NULL, the world assumes that the body does not move
   * between its steps. */
  void (*predict)(void *self, const tacBodyStep *step, bool whole, int count, const tacSite *sites,
                  const tacVec3 *forces, tacVec3 *first, tacVec3 *second);
  /* Returns the velocity of a site after a step, m/s. */
  tacVec3 (*velocity)(const void *self, const tacSite *site);

  /* ---- static compliance: all NULL for a body without this interface ---- */

  /* Computes the compliance c, m/N: a force f at the site `by` displaces the site `at` by c f. On a surface, c must
   * be linear in the corner weights of each site, because the world interpolates between corners. Returns false if
   * the compliance is not known. */
  bool (*compliance)(const void *self, const tacSite *at, const tacSite *by, double c[3][3]);
  /* Returns the stiffness at a vertex that a tool feels. `tip` is 0 for a point tool, and the number of the radius
   * for a fingertip (meet_fingertip). If the function is NULL, tools feel only their own contact spring. */
  const struct tacVertexStiffness *(*stiffness)(const void *self, int tip, int vertex);
  /* Computes the displacements (m) and tractions (Pa) of all vertices, and the sensor values, due to forces (N) at
   * sites. Each of the three outputs may be NULL. Any thread. Required with `compliance`. */
  void (*displace)(const void *self, int count, const tacSite *sites, const tacVec3 *forces, tacVec3 *displacements,
                   tacVec3 *tractions, double *sensors);

  /* ---- energy and estimated model error ---- */

  /* Returns the energy stored in the coordinates, J: elastic plus kinetic energy, minus the work of the step's
   * gravity on the displacement from rest. The world adds the energy of the frame. Called once for each step; it
   * must take only a part of the step's time. NaN means that the energy is not known. If the function is NULL, the
   * body stores no energy or does not know its energy. */
  double (*energy)(const void *self);
  /* Returns the estimated model error. The body approximates a full model. The estimate compares the present
   * displacements u with the expected displacements u_full of the full model at rest under the same loads. With the
   * root mean square |.| over the surface, the error is
   *
   *     |u - u_full| / |u_full|
   *
   * The value 0.1 means 10 %. For a body without a state, `forces` (N) at `sites` are the loads on the surface of
   * the body; for other bodies `count` is 0. Called in every eighth tick; it must take a fraction of a microsecond.
   * A negative result or NaN means that the error is not known. If the function is NULL, the error is not known,
   * and no error is shown. */
  double (*error_estimate)(const void *self, int count, const tacSite *sites, const tacVec3 *forces);
  /* Text with the cause of a large error estimate, for example "displacements are beyond ..."; NULL: no text */
  const char *error_cause;
  /* Text with the remedy for a large error estimate; NULL: no text */
  const char *remedy;

  /* ---- optional tables ---- */

  const tacBodyLooks *looks;   /* functions for display; NULL: the surface is shown at rest */
  const tacBodyThread *thread; /* functions of the body's own thread; NULL: no such thread */
  /* Interface for pads, for kinds built with the library; NULL: pads cannot hold the body. */
  const struct tacPads *pads;
} tacBodyTable;

TAC_END_DECLS

#endif
