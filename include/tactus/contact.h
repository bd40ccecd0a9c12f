/* Types that describe contacts: contact methods, contact states, and where and how a tool touches a body.
 *
 * Example:
 *
 *     tacContact last_contact(const tacWorld *world);  // defined by the program: tacToolOutput.contact after a step
 *     void draw_arrow(tacVec3 from, tacVec3 force);    // defined by the program
 *     tacContact contact = last_contact(world);
 *     if (contact.state != TAC_CONTACT_NONE) draw_arrow(contact.deformed, contact.force);
 *
 * Units: m, N. Positions and directions are in the world frame. Forces act on the body unless stated otherwise.
 *
 * Phases and threads: this header has no functions. The definitions are given to a world in the load phase; a tick
 * fills tacContact. All types are plain data and may be copied between threads. */
#ifndef TACTUS_CONTACT_H
#define TACTUS_CONTACT_H

#include <stdint.h>
#include <tactus/base.h>

TAC_BEGIN_DECLS

/* How contact forces are computed. */
typedef enum tacContactMethod {
  /* Springs that yield with penetration: one for each point in contact (tacTickReport.points) if both bodies are at
   * rest or have coordinates. If one of them is free or has no coordinates: contact laws with the compliance of such
   * springs, at a few points (tacTickReport.laws). */
  TAC_METHOD_PENALTY,
  TAC_METHOD_SIGNORINI /* contact laws of Signorini (no penetration, no tension) and Coulomb (friction) */
} tacContactMethod;

/* How contacts that obey contact laws are detected. */
typedef enum tacDetection {
  TAC_DETECT_POINTS, /* points of one body in the distance field of the other */
  /* Vertices and edges of one surface against faces and edges of the other, both as deformed. */
  TAC_DETECT_SURFACES
} tacDetection;

/* Options of contacts between two bodies that obey contact laws (TAC_METHOD_SIGNORINI). */
typedef struct tacLawsDef {
  /* Limit of contacts between the two bodies, 1 to TAC_LAWS_MOST_PATCH. 0, the default: 4 for two rigid bodies, 32 for
   * a pair with a body without inertia, 48 for a body whose nodes move on their own, else 8. */
  int patch;
  double restitution;  /* 0 to 1: ratio of the speeds after and before an impact faster than 20 mm/s; default 0 */
  tacDetection detect; /* default TAC_DETECT_POINTS */
} tacLawsDef;

enum { TAC_LAWS_MOST_PATCH = 256 }; /* largest tacLawsDef.patch */

/* State of a contact. */
typedef enum tacContactState {
  TAC_CONTACT_NONE,   /* no contact */
  TAC_CONTACT_STICKS, /* static friction */
  TAC_CONTACT_SLIDES, /* sliding friction */
  TAC_CONTACT_GRABBED /* held by the tool: no sliding and no release */
} tacContactState;

/* How a pad holds a patch of a body's surface. */
typedef enum tacPadHold {
  /* Glued: the pad takes the vertices within its radius once, in the shape that the surface then has, and keeps
   * them. */
  TAC_PAD_STICK,
  /* A plate: the pad takes vertices that come through its plane within its radius, for as long as they press. No
   * tension, no penetration at rest, Coulomb friction at each vertex. */
  TAC_PAD_PRESS
} tacPadHold;

/* Where a tool touches a body (James and Pai 2001, Figure 8). */
typedef struct tacContact {
  tacContactState state; /* TAC_CONTACT_NONE: the tool touches nothing */
  uint32_t body;         /* index of the touched body; 0 without contact */
  /* Triangle of the surface that contains x^C. -1 for a held body or pads, which touch at many places: `at` and
   * `normal` are then means, and `force` is the sum. 0 without contact. */
  int32_t triangle;
  double weight[3]; /* barycentric coordinates of x^C in the triangle */
  tacVec3 at;       /* x^C, m: contact point on the undeformed surface */
  tacVec3 normal;   /* n^C: outward normal at x^C, continuous across triangles */
  tacVec3 deformed; /* x^E, m: image of x^C on the deformed surface, the proxy */
  tacVec3 force;    /* N, exerted by the tool on the body */
} tacContact;

TAC_END_DECLS

#endif
