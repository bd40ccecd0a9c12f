/* What the viewer's clients see of contacts that obey laws: the sections `contacts` and `coupling` of a frame
 * (docs/viewer_protocol.md). */
#pragma once

#include <tactus/servo.h>
#include "app/viewer/protocol/protocol.h"

/* Bytes that they cannot exceed, if `requests` includes them. */
size_t tac_contact_section_most_bytes(unsigned requests);
/* Contacts, near ones that do not touch among them, and how all are coupled; returns how many sections were written. `moment` may be NULL: nothing is known. */
int tac_contact_section_write(const tacContactMoment *moment, unsigned requests, tacByteWriter *writer);
