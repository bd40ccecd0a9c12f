/* Scenes of a box of any kind and a hand, with parameters over decades, by number: the same number is the same scene. */
#pragma once

#include "math/random.h"
#include "physics/small_scene.h"

typedef enum RandomKind {
  RANDOM_RIGID,
  RANDOM_GREEN,
  RANDOM_COROTATIONAL,
  RANDOM_REDUCED,
  RANDOM_HYPERELASTIC,
  RANDOM_KINDS
} RandomKind;
static const char *const random_kind_names[RANDOM_KINDS] = {"rigid", "green", "corotational", "reduced",
                                                            "hyperelastic"};

/* m: half of the least side of the box, 100 x 80 x 60 mm. What is deeper in it is through. */
static const double random_half = 0.03;

static const double random_ball = 0.02;   /* m: radius of a ball in the hand */
static const double random_poisson = 0.4; /* of what deforms */

/* From this seed on, half of the fingers are fingertips; those before are points. */
enum { RANDOM_FIRST_FINGERTIP = 100 };

typedef struct RandomWorld {
  RandomKind kind;
  int seed;
  bool held;      /* the hand holds a ball; else it is a point or a fingertip */
  bool is_free;   /* the box is */
  bool signorini; /* contact by the laws; else by penalty */
  bool dynamic;   /* the coupling of the ball */
  double young, friction, mass, rate;
  double radius; /* m, of a fingertip; 0: none */
  int every;     /* ticks of a step of the bodies */
  char text[2048];
} RandomWorld;

static inline double random_decades(tacRandom *random, double least, double most) {
  return least * pow(most / least, tac_random_uniform(random, 0.0, 1.0));
}

static inline bool random_coin(tacRandom *random) {
  return tac_random_uniform(random, 0.0, 1.0) < 0.5;
}

static inline void describe_box(const RandomWorld *w, size_t size, char *to) {
  static const char *const kinds[RANDOM_KINDS] = {
      "    kind: rigid\n    points: {count: 800, levels: 2, resolution: 24}\n",
      "    kind: green\n    method: finite-elements\n    mask: 12 mm\n    volume: {bricks: 20 mm}\n    points: {count: "
      "800, levels: 2, "
      "resolution: 24}\n",
      "    kind: corotational\n    volume: {bricks: 20 mm}\n    points: {count: 800, levels: 2, resolution: 24}\n",
      "    kind: reduced\n    volume: {bricks: 20 mm}\n    basis: {from: modes, modes: 5, size: 10}\n"
      "    points: {count: 800, levels: 2, resolution: 24}\n",
      "    kind: hyperelastic\n    volume: {tets: 20 mm}\n"};
  const double volume = 0.1 * 0.08 * 0.06;
  int used = snprintf(to, size, "  - name: box\n    surface: {shape: box}\n%s    friction: %.4g\n", kinds[w->kind],
                      w->friction);
  if (w->is_free && w->kind != RANDOM_REDUCED) used += snprintf(to + used, size - (size_t)used, "    free: true\n");
  if (w->kind == RANDOM_RIGID) {
    if (w->is_free) snprintf(to + used, size - (size_t)used, "    density: %.4g kg/m3\n", w->mass / volume);
    return;
  }
  used +=
      snprintf(to + used, size - (size_t)used, "    material: {%syoung: %.4g Pa, poisson: %.1f, density: %.4g kg/m3}\n",
               w->kind == RANDOM_HYPERELASTIC ? "law: neo-hookean, " : "", w->young, random_poisson, w->mass / volume);
  if (!w->is_free) snprintf(to + used, size - (size_t)used, "    fixed: [{below: {axis: z, at: 1 mm}}]\n");
}

static inline RandomWorld make_random_world(RandomKind kind, int seed) {
  tacRandom r = tac_random_seed(1000u * (unsigned)kind + (unsigned)seed);
  RandomWorld w = {.kind = kind, .seed = seed};
  w.held = random_coin(&r);
  w.signorini = random_coin(&r);
  w.dynamic = random_coin(&r);
  w.is_free = kind != RANDOM_GREEN && random_coin(&r);
  w.young = random_decades(&r, 1e3, 1e10);
  w.friction = fmax(0.0, tac_random_uniform(&r, -0.4, 2.0)); /* none in a sixth of all */
  w.mass = random_decades(&r, 1e-6, 100.0);
  w.rate = random_decades(&r, 250.0, 1e4);
  int slower = (int)tac_random_uniform(&r, 2.0, 20.0);
  w.every = random_coin(&r) ? 1 : slower;
  if (seed >= RANDOM_FIRST_FINGERTIP && random_coin(&r) && !w.held) w.radius = tac_random_uniform(&r, 3e-3, 10e-3);
  char box[1024];
  describe_box(&w, sizeof box, box);
  int used = snprintf(w.text, sizeof w.text, "tactus: 1\nname: %s-%d\nmethod: %s\nservo: {rate: %.0f Hz}\n",
                      random_kind_names[kind], seed, w.signorini ? "signorini" : "penalty", w.rate);
  w.rate = round(w.rate);
  if (w.every > 1)
    used += snprintf(w.text + used, sizeof w.text - (size_t)used, "rate: {simulate: %.10g Hz}\n", w.rate / w.every);
  used += snprintf(w.text + used, sizeof w.text - (size_t)used, "bodies:\n%s", box);
  if (w.is_free)
    used += snprintf(w.text + used, sizeof w.text - (size_t)used, "floor: {normal: z, at: 0 m, friction: %.4g}\n",
                     w.friction);
  const char *device = "device: {kind: operator, path: [{at: [50 mm, 40 mm, 110 mm]}]}";
  if (!w.held) {
    char finger[64] = "kind: point";
    if (w.radius > 0.0) snprintf(finger, sizeof finger, "kind: fingertip, radius: %.3g mm", 1e3 * w.radius);
    snprintf(w.text + used, sizeof w.text - (size_t)used, "tools:\n  - {name: hand, %s, %s}\n", finger, device);
    return w;
  }
  char at[512];
  snprintf(
      at, sizeof at,
      "  - {name: ball, kind: rigid, analytic: [{sphere: {centre: [0, 0, 0], radius: %.0f mm}}], position: [50 mm, "
      "40 mm, 110 mm]}\n",
      1e3 * random_ball);
  char *floor = strstr(w.text, "floor:");
  char rest[256] = "";
  if (floor != NULL) {
    snprintf(rest, sizeof rest, "%s", floor);
    *floor = '\0';
  }
  used = (int)strlen(w.text);
  snprintf(w.text + used, sizeof w.text - (size_t)used,
           "%scontacts:\n  - {points: box, field: ball, friction: %.4g}\n%stools:\n  - {name: hand, kind: body, body: "
           "ball, coupling: {kind: %s}, %s}\n",
           at, w.friction, rest, w.dynamic ? "dynamic" : "static", device);
  return w;
}
