/* What will go wrong with a scene, before it is baked and run; docs/own_organ.md lists what is looked at. Offline. */
#ifndef TACTUS_SCENE_CHECK_H
#define TACTUS_SCENE_CHECK_H

#include <tactus/scene.h>

TAC_BEGIN_DECLS

typedef enum tacFindingLevel {
  TAC_FINDING_NOTE,    /* to know; nothing is wrong */
  TAC_FINDING_WARNING, /* it runs, and is not what one means */
  TAC_FINDING_FAULT    /* it cannot be baked or run */
} tacFindingLevel;

typedef struct tacFinding {
  tacFindingLevel level;
  const char *about; /* one word: "mask", "path", "thin", ... */
  const char *text;  /* "scene.yaml:14: bodies[0].mask: what is wrong; what would be right"; one line */
} tacFinding;

/* Called for each, in the order of the file; valid only while it is called. */
typedef void tacFindingVisit(const tacFinding *finding, void *user);

/* Makes the bodies' meshes and looks at them, at the hands' paths and at contacts; bakes nothing. What cannot be made is a
 * finding. Fails where memory is short or `progress` says to stop. */
TAC_API tacStatus tac_scene_check(const tacScene *scene, const tacProgress *progress, tacFindingVisit *visit,
                                  void *user, tacError *error);

TAC_END_DECLS

#endif
