/* Scenes with instruments: trocars, jaws, grips. */
#include "math/geometry/vec3.h"
#include "physics/played_scene.h"
#include "scene/scene_parts.h"
#include "scene/scene_text.h"
#include "world/world.h"
#include "world/world_tick.h"

static const char base[] =
    "tactus: 1\n"                                                                                              /* 1 */
    "bodies:\n"                                                                                                /* 2 */
    "  - {name: rod, kind: rigid, analytic: [{box: {lower: [-9 mm, 0, 0], upper: [0, 1 mm, 1 mm]}}]}\n"        /* 3 */
    "  - {name: left, kind: rigid, analytic: [{box: {lower: [0, 0, 0], upper: [9 mm, 1 mm, 1 mm]}}]}\n"        /* 4 */
    "  - {name: right, kind: rigid, analytic: [{box: {lower: [0, 0, -1 mm], upper: [9 mm, 1 mm, 0]}}]}\n"      /* 5 */
    "tools:\n"                                                                                                 /* 6 */
    "  - name: grasper\n"                                                                                      /* 7 */
    "    kind: body\n"                                                                                         /* 8 */
    "    body: rod\n"                                                                                          /* 9 */
    "    grasp: [-9 mm, 0, 0]\n"                                                                               /* 10 */
    "    trocar: [-5 mm, 0, 0]\n"                                                                              /* 11 */
    "    jaws:\n"                                                                                              /* 12 */
    "      - {body: left, hinge: [0, 0, 1 mm], axis: [0, 1, 0]}\n"                                             /* 13 */
    "      - {body: right, hinge: [0, 0, 0], axis: [0, -1, 0]}\n"                                              /* 14 */
    "    close: {angle: 0.4 rad, time: 0.2 s, torque: 5 mNm}\n"                                                /* 15 */
    "    device: {kind: operator, path: [{at: [-9 mm, 0, 0]}, {at: [-9 mm, 0, 0], after: 0.3 s, grip: 0.4},\n" /* 16 */
    "             {at: [-9 mm, 0, 0], after: 1 s}]}\n";                                                        /* 17 */

TAC_TEST(every_error_names_its_line) {
  static const Mistake cases[] = {
      {"body: left", "body: loft", "s:13: tools[0].jaws[0].body: unknown body loft; did you mean left?"},
      {"axis: [0, 1, 0]", "axis: [0, 0, 0]",
       "s:13: tools[0].jaws[0].axis: the direction is zero; write it like axis: [0, 1, 0]"},
      {", axis: [0, 1, 0]", "", "s:13: tools[0].jaws[0]: a jaw needs axis; write it like axis: [0.2, 0.2, 0.2]"},
      {"torque: 5 mNm", "torque: 5 N", "s:15: tools[0].close.torque: 5 N is not a torque; write it like 0.5 Nm"},
      {"grip: 0.4", "grip: 1.4",
       "s:16: tools[0].device.path[1].grip: 1.4 is out of range; the allowed range is 0 to "
       "1"},
      {"trocar: [-5 mm, 0, 0]", "trocar: [-5 mm, 0]", "s:11: tools[0].trocar: the list has 2 values, but 3 are needed"},
      {"    jaws:\n      - {body: left, hinge: [0, 0, 1 mm], axis: [0, 1, 0]}\n"
       "      - {body: right, hinge: [0, 0, 0], axis: [0, -1, 0]}\n",
       "", "s:12: tools[0].close: the tool has no jaws"},
      {"      - {body: right", "      - {body: rod, hinge: [0, 0, 0], axis: [0, 1, 0]}\n      - {body: right",
       "s:12: tools[0].jaws: too many jaws (3); at most 2 are allowed"},
  };
  check_reading(base, sizeof cases / sizeof *cases, cases, BEGINS);
}

/* What only the world knows. */
TAC_TEST(worlds_reject_impossible_definitions) {
  static const Mistake cases[] = {
      {"body: right", "body: rod", "s:7: tools[0]: tool grasper: body rod is used for two parts of the tool"},
      {"body: right", "body: left", "s:7: tools[0]: tool grasper: body left is used for two parts of the tool"},
      {"trocar: [-5 mm", "trocar: [-9 mm", "s:7: tools[0]: tool grasper: its grasp is 0 m from the pivot"},
      {"    grasp: [", "    reach: 1 mm\n    grasp: [",
       "s:7: tools[0]: tool grasper: its button closes the jaws, so "
       "it cannot have a reach"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    tacWorld *world = NULL;
    error = (tacError){0};
    const char *text = edited(base, cases[i].from, cases[i].to);
    TAC_OWN(tacScene, scene) = bake(text, "s");
    ck_assert_int_ne(tac_scene_world(scene, &world, &error), TAC_OK);
    ck_assert_msg(strncmp(error.text, cases[i].message, strlen(cases[i].message)) == 0, "%s", error.text);
  }
}

/* The scene's numbers are those of the world, and its hand's grip comes to the jaws, through the servo: after its ramp they
 * are as far closed as it says. */
TAC_TEST(hand_paths_set_the_opening_of_jaws) {
  tacBodyId jaws[TAC_MOST_JAWS];
  tacVec3 pivot;
  TAC_OWN(tacScene, scene) = bake(base, "s");
  TAC_OWN(tacWorld, world) = world_of(scene);
  ck_assert_int_eq(tac_world_tool_jaws(world, 0, jaws), 2);
  ck_assert_str_eq(tac_world_body_name(world, jaws[0]), "left");
  ck_assert_str_eq(tac_world_body_name(world, jaws[1]), "right");
  ck_assert(tac_world_tool_trocar(world, 0, &pivot));
  ck_assert_double_lt(tac_vec3_distance(pivot, tac_vec3(-0.005, 0.0, 0.0)), 1e-15);
  TAC_FREED(end_played, Played, played) = play_scene(scene, world, "closed.tacrec", 1.2);
  double closed = 0.4 * 102.0 / 255.0; /* 0.4 in 255ths */
  ck_assert_double_eq_tol(tac_world_tool_jaw_angle(world, 0), closed, 1e-6);
  tacPose pose;
  tac_world_body_motion(world, jaws[0], &pose, NULL, NULL, NULL);
  ck_assert_double_eq_tol(2.0 * atan2(pose.orientation[2], pose.orientation[0]), closed, 1e-6);
  tac_world_body_motion(world, jaws[1], &pose, NULL, NULL, NULL);
  ck_assert_double_eq_tol(2.0 * atan2(pose.orientation[2], pose.orientation[0]), -closed, 1e-6);
}
