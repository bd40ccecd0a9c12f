/* Internal functions of scenes, in addition to <tactus/scene.h>: small versions, files, and rates of recordings. */
#pragma once

#include <tactus/scene.h>
#include "base/files/input_file.h"

/* Creates the small version of a scene, which bakes in seconds: adds the key `small` to the text of the scene. Fails
 * with TAC_ERR_FORMAT if the scene is already small, has nothing to reduce, or is not written as a block of lines. */
tacStatus tac_scene_small(const tacScene *scene, tacScene **small, tacError *error);
bool tac_scene_is_small(const tacScene *scene);

/* Reads the text of a scene file. The caller frees `input` in any case. */
tacStatus tac_scene_text_read(const char *path, tacInputFile *input, tacError *error);
/* Fails if a file that the scene needs does not exist or cannot be read. */
tacStatus tac_scene_require_files(tacScene *scene, tacError *error);

int tac_scene_body_count(const tacScene *scene);
int tac_scene_tool_count(const tacScene *scene);
int tac_scene_live_count(const tacScene *scene);

/* Functions of the files that a scene names (meshes, fields, paths). tac_scene_files calls `file` for each file.
 * Each path is relative to the working directory of the program, or absolute. */
typedef void tacSceneFileFn(const char *path, void *user);
void tac_scene_files(const tacScene *scene, tacSceneFileFn *file, void *user);
const char *tac_scene_body_kind_name(const tacScene *scene, int body); /* value of the key `kind`, such as "rigid" */

/* Returns the number of world bodies that a scene body creates. A scene body with the key `copies` creates several
 * world bodies in sequence, named "basket-001", "basket-002", ... Any other scene body creates a world body of the
 * same name. */
int tac_scene_body_copies(const tacScene *scene, int body);

/* Returns the scene body that creates body `index` of the world (tac_world_body); -1 if `index` is out of range. */
int tac_scene_body_of(const tacScene *scene, int index);
tacStatus tac_scene_set_period(tacScene *scene, double period, tacError *error); /* the rate becomes 1 / period, Hz */

/* Replaces the rate of the bodies' steps, Hz. Call before the world is created. The rate must be the servo's rate
 * divided by an integer from 1 to 100, to 0.1 %; 0 means the servo's rate. Otherwise fails with TAC_ERR_ARGUMENT,
 * and the error gives the nearest possible rates. tac_scene_set_rate fails likewise if the new rate of the servo
 * does not match. */
tacStatus tac_scene_set_simulate_rate(tacScene *scene, double rate, tacError *error);

/* Sets the rates of the servo and of the bodies' steps to the rates of a recording, bit for bit. */
tacStatus tac_scene_set_recorded_rates(tacScene *scene, const tacRecording *recording, tacError *error);

/* Gets the moduli (`young` in Pa) of a body with a uniform isotropic material, as baked, without the factor
 * `stiffness`. False for a rigid body, if groups of elements have different materials, or if the material is given
 * by 21 constants. On false, nothing is set. */
bool tac_scene_material(const tacScene *scene, int body, double *young, double *poisson);
