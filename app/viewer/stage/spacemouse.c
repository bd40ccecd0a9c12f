#include "app/viewer/stage/spacemouse.h"

#include <stddef.h>

#ifdef TAC_HAS_SPNAV

#include <errno.h>
#include <math.h>
#include <spnav.h>
#include <stdlib.h>
#include <sys/socket.h>

enum { EVENT_SIZE = 32 }; /* bytes on the daemon's socket */

struct tacSpaceMouse {
  tacVec3 velocity, spin;
  unsigned buttons;
};

static double axis(int counts) {
  const double full = 350.0, dead = 0.03; /* counts at full deflection; part of it that is rest */
  double value = counts / full, beyond = (fabs(value) - dead) / (1.0 - dead);
  return copysign(fmin(fmax(beyond, 0.0), 1.0), value);
}

/* spnav's z points away from the person, and its axes are left-handed with it. */
static tacVec3 axes(int x, int y, int z) {
  return (tacVec3){axis(x), axis(y), -axis(z)};
}

static void take(tacSpaceMouse *mouse, const spnav_event *event) {
  switch (event->type) {
    case SPNAV_EVENT_MOTION:
      mouse->velocity = axes(event->motion.x, event->motion.y, event->motion.z);
      mouse->spin = axes(event->motion.rx, event->motion.ry, event->motion.rz);
      break;
    case SPNAV_EVENT_BUTTON:
      if (event->button.bnum < 0 || event->button.bnum >= 32) break;
      mouse->buttons &= ~(1u << event->button.bnum);
      if (event->button.press) mouse->buttons |= 1u << event->button.bnum;
      break;
    case SPNAV_EVENT_DEV: *mouse = (tacSpaceMouse){0}; break; /* a cap that was pushed when it was unplugged */
    default: break;
  }
}

tacSpaceMouse *tac_spacemouse_open(void) {
  tacSpaceMouse *mouse = calloc(1, sizeof *mouse);
  if (mouse != NULL && spnav_open() == 0) return mouse;
  free(mouse);
  return NULL;
}

bool tac_spacemouse_read(tacSpaceMouse *mouse, tacVec3 *velocity, tacVec3 *spin, unsigned *buttons) {
  tacSpaceMouse state = {0};
  bool there = false;
  if (mouse != NULL) {
    /* spnav_poll_event says 0 for no event, an unknown one and the daemon's end alike, and takes part of an event for a
     * whole one: look first. */
    unsigned char next[EVENT_SIZE];
    ssize_t size;
    while ((size = recv(spnav_fd(), next, sizeof next, MSG_PEEK | MSG_DONTWAIT)) == EVENT_SIZE) {
      spnav_event event;
      if (spnav_poll_event(&event) != 0) take(mouse, &event);
    }
    there = size > 0 || (size < 0 && (errno == EAGAIN || errno == EINTR));
    if (there) state = *mouse;
  }
  *velocity = state.velocity;
  *spin = state.spin;
  *buttons = state.buttons;
  return there;
}

void tac_spacemouse_close(tacSpaceMouse *mouse) {
  if (mouse == NULL) return;
  spnav_close();
  free(mouse);
}

#else

tacSpaceMouse *tac_spacemouse_open(void) {
  return NULL;
}

bool tac_spacemouse_read(tacSpaceMouse *mouse, tacVec3 *velocity, tacVec3 *spin, unsigned *buttons) {
  (void)mouse;
  *velocity = *spin = (tacVec3){0.0, 0.0, 0.0};
  *buttons = 0;
  return false;
}

void tac_spacemouse_close(tacSpaceMouse *mouse) {
  (void)mouse;
}

#endif
