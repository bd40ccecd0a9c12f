/* What surfaces are coloured by, as sections `field` of a frame (docs/viewer_protocol.md): stress, stretch and the pressure of contacts
 * at each vertex of a body. */
#pragma once

#include <tactus/scene.h>
#include "app/viewer/protocol/protocol.h"
#include "base/memory/owned.h"

/* Of one world; room for the largest of its bodies. */
typedef struct tacFieldSections tacFieldSections;

/* Refers to the world. */
tacStatus tac_field_sections_create(const tacScene *scene, const tacWorld *world, tacFieldSections **sections,
                                    tacError *error);
void tac_field_sections_destroy(tacFieldSections *sections); /* NULL is allowed */
TAC_OWNED_TYPE(tacFieldSections, tac_field_sections_destroy)

/* What a body may be coloured by: bits of TAC_VIEW_REQUEST_*, SURFACES standing for displacement. */
unsigned tac_field_sections_known(const tacFieldSections *sections, int body);

/* Bytes that the sections of a body cannot exceed. */
size_t tac_field_sections_most_bytes(const tacFieldSections *sections, int body, unsigned requests);
/* Returns how many were written. */
int tac_field_sections_write(tacFieldSections *sections, int body, const tacSnapshot *snapshot, unsigned requests,
                             tacByteWriter *writer);
