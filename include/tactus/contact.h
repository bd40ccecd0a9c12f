/* Where and how a tool touches a body. */
#ifndef TACTUS_CONTACT_H
#define TACTUS_CONTACT_H

#include <stdint.h>
#include <tactus/base.h>

TAC_BEGIN_DECLS

/* How a contact is closed: by a spring that gives way, or by the laws of Signorini and Coulomb themselves. */
typedef enum tacContactMethod { TAC_METHOD_PENALTY, TAC_METHOD_SIGNORINI } tacContactMethod;

/* Where contacts that obey laws are looked for: points of one body in the field of the other, or vertices and edges of one surface
 * against faces and edges of the other, both as they are deformed. */
typedef enum tacDetection { TAC_DETECT_POINTS, TAC_DETECT_SURFACES } tacDetection;

/* Contacts of two bodies that obey laws. */
typedef struct tacLawsDef {
  int patch; /* so many of them at most, 1 to TAC_LAWS_MOST_PATCH; 0, the default: 8, and 4 of two rigid bodies */
  double restitution;  /* 0 to 1: what is left of the speed with which they met, above 20 mm/s; default 0 */
  tacDetection detect; /* default points */
} tacLawsDef;
enum { TAC_LAWS_MOST_PATCH = 256 };

typedef enum tacContactState {
  TAC_CONTACT_NONE,
  TAC_CONTACT_STICKS,
  TAC_CONTACT_SLIDES,
  TAC_CONTACT_GRABBED
} tacContactState;

/* How a pad holds a patch of a body's surface. */
typedef enum tacPadHold {
  /* Glued: takes the vertices within the radius once, at the shape that the surface then has, and keeps them. */
  TAC_PAD_STICK,
  /* A plate: takes what comes through its plane, within its radius and as long as it presses: no tension, no
   * penetration when at rest, Coulomb friction at each vertex. */
  TAC_PAD_PRESS
} tacPadHold;

/* Where a tool touches (James and Pai 2001, Figure 8). */
typedef struct tacContact {
  tacContactState state;
  uint32_t body; /* index */
  /* -1: of a held body or of pads, which touch at many places; `at`, `normal` and `force` are their mean and sum */
  int32_t triangle;
  double weight[3]; /* barycentric coordinates of x^C in the triangle */
  tacVec3 at;       /* x^C, undeformed surface, world frame */
  tacVec3 normal;   /* n^C, outward, smooth across triangles */
  tacVec3 deformed; /* x^E, the image of x^C on the deformed surface: the proxy */
  tacVec3 force;    /* on the body by the tool, N */
} tacContact;

TAC_END_DECLS

#endif
