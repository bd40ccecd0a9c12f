/* What the program asks of a scene beyond <tactus/scene.h>: its small version, its files, rates of a recording. */
#pragma once

#include <tactus/scene.h>

/* The small version of a scene (key `small`), which bakes in seconds: its text with that key. TAC_ERR_FORMAT where it is small
 * already, has nothing that could be less, or is not written as a block of lines. */
tacStatus tac_scene_small(const tacScene *scene, tacScene **small, tacError *error);
bool tac_scene_is_small(const tacScene *scene);

int tac_scene_body_count(const tacScene *scene);
int tac_scene_tool_count(const tacScene *scene);
int tac_scene_live_count(const tacScene *scene);

/* The files that it names (meshes, fields, paths), as seen from where the program runs, one call for each. */
typedef void tacSceneFileFn(const char *path, void *user);
void tac_scene_files(const tacScene *scene, tacSceneFileFn *file, void *user);
const char *tac_scene_body_kind_name(const tacScene *scene, int body); /* as the key `kind` has it: "rigid" */

/* A body with `copies` stands for several bodies of the world, "basket-001", "basket-002", ..., one after the other in its
 * place; any other stands for one of its own name. So the world has as many bodies as the sum of these numbers, */
int tac_scene_body_copies(const tacScene *scene, int body);

/* and body `index` of the world (tac_world_body) is of this body of the scene; -1: there is no such body. */
int tac_scene_body_of(const tacScene *scene, int index);
tacStatus tac_scene_set_period(tacScene *scene, double period, tacError *error); /* the same, s */

/* Another rate of the bodies' steps than the file's, Hz, before the world is made: that of the servo over 1 to 100, to
 * 0.1 %; 0 is the servo's. Otherwise TAC_ERR_ARGUMENT with the nearest ones, as above where the servo's new rate does
 * not go with it. */
tacStatus tac_scene_set_simulate_rate(tacScene *scene, double rate, tacError *error);

/* Both as they were in a recording, bit for bit, whatever the file says. */
tacStatus tac_scene_set_recorded_rates(tacScene *scene, const tacRecording *recording, tacError *error);

/* The material of a body that is isotropic and everywhere the same, Pa, as it is baked (without the factor `stiffness`). False,
 * and nothing is set, where groups differ, where it is given by its 21 numbers, and for a rigid body. */
bool tac_scene_material(const tacScene *scene, int body, double *young, double *poisson);
