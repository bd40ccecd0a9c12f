/* Types for contacts: contact methods, contact states, and contacts between a tool and a body.
 *
 * Example:
 *
 *     tacContact last_contact(const tacWorld *world);  // defined by the program: tacToolOutput.contact after a step
 *     void draw_arrow(tacVec3 from, tacVec3 force);    // defined by the program
 *     tacContact contact = last_contact(world);
 *     if (contact.state != TAC_CONTACT_NONE) draw_arrow(contact.deformed, contact.force);
 *
 * Units: m, N. Positions and directions are in the world frame. Forces act on the body unless a comment says
 * otherwise.
 *
 * Phases and threads: this header has no functions. A program passes the definitions to a world in the load phase.
 * A tick fills tacContact, and tac_world_contacts fills tacShownContact. All types are plain data and may be copied between threads. */
#ifndef TACTUS_CONTACT_H
#define TACTUS_CONTACT_H

#include <stdint.h>
#include <tactus/base.h>

TAC_BEGIN_DECLS

/* Method that computes contact forces. */
typedef enum tacContactMethod {
  /* Penalty springs. If both bodies are at rest or have coordinates, each point in contact has one spring
   * (tacTickReport.points). If one of the bodies is free or has no coordinates, contact laws with the compliance of
   * such springs act at a few points (tacTickReport.laws). */
  TAC_METHOD_PENALTY,
  TAC_METHOD_SIGNORINI /* contact laws of Signorini (no penetration, no tension) and Coulomb (friction) */
} tacContactMethod;

/* Method that detects contacts that obey contact laws. */
typedef enum tacDetection {
  TAC_DETECT_POINTS, /* points of one body are tested against the distance field of the other body */
  /* Vertices and edges of one deformed surface are tested against faces and edges of the other deformed surface. */
  TAC_DETECT_SURFACES
} tacDetection;

/* Options for contacts between two bodies if the contacts obey contact laws (TAC_METHOD_SIGNORINI). */
typedef struct tacLawsDef {
  /* Limit of contacts between the two bodies, 1 to TAC_LAWS_MOST_PATCH; default 0: automatic. The automatic limit
   * is 4 for two rigid bodies and 32 for a pair with a body without inertia. It is 48 for a pair with a body whose
   * nodes move independently, and 8 for all other pairs. */
  int patch;
  double restitution;  /* ratio of the speeds after and before an impact faster than 20 mm/s, 0 to 1; default 0 */
  tacDetection detect; /* detection method; default TAC_DETECT_POINTS */
} tacLawsDef;

enum { TAC_LAWS_MOST_PATCH = 256 }; /* largest value of tacLawsDef.patch */

/* State of a contact. */
typedef enum tacContactState {
  TAC_CONTACT_NONE,   /* no contact */
  TAC_CONTACT_STICKS, /* sticking contact (static friction) */
  TAC_CONTACT_SLIDES, /* sliding contact (sliding friction) */
  TAC_CONTACT_GRABBED /* contact held by the tool: the contact neither slides nor separates */
} tacContactState;

/* Way in which a pad holds a patch of a body's surface. */
typedef enum tacPadHold {
  /* Glued pad: the pad attaches once to the vertices within its radius, in the present shape of the surface, and
   * holds these vertices. */
  TAC_PAD_STICK,
  /* Pressing plate: the pad holds vertices within its radius that pass through its plane, as long as the vertices
   * press against the pad. There is no tension, no penetration at rest, and Coulomb friction at each vertex. */
  TAC_PAD_PRESS
} tacPadHold;

/* Contact of a tool with a body (James and Pai 2001, Figure 8). */
typedef struct tacContact {
  tacContactState state; /* state of the contact; TAC_CONTACT_NONE: the tool touches nothing */
  uint32_t body;         /* index of the touched body; 0 without contact */
  /* Index of the surface triangle that contains x^C; 0 without contact. The index is -1 for a held body or for
   * pads, which have many contact points. Then `at` and `normal` are means over these points, and `force` is the
   * sum. */
  int32_t triangle;
  double weight[3]; /* barycentric coordinates of x^C in the triangle */
  tacVec3 at;       /* contact point x^C on the undeformed surface, m */
  tacVec3 normal;   /* outward normal n^C at x^C, continuous across triangles */
  tacVec3 deformed; /* image x^E of x^C on the deformed surface (the proxy), m */
  tacVec3 force;    /* force of the tool on the body, N */
} tacContact;

/* A contact between two bodies that obeys the laws of Signorini and Coulomb. All vectors are in the world frame. */
typedef struct tacShownContact {
  int32_t body[2]; /* indices of the two bodies; -1: an object that never moves, or the tip of a point tool */
  tacVec3 at;      /* point at which the force acts on both bodies, m */
  tacVec3 normal;  /* unit normal, out of the second body into the first body */
  tacVec3 force;   /* force on the first body, N; the opposite force acts on the second body */
  double friction; /* Coulomb's coefficient of friction */
  tacContactState state;
} tacShownContact;

TAC_END_DECLS

#endif
