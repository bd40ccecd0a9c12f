/* A fixed crew of threads that does one job after the other together: nothing is started or allocated after
 * creation. */
#pragma once

#include "base/error.h"

typedef struct tacCrew tacCrew;
typedef void (*tacCrewFn)(int member, void *context);

enum { TAC_CREW_MOST = 64 };

/* `count` members, 1 to TAC_CREW_MOST: the caller of tac_crew_run is one of them. */
tacStatus tac_crew_create(int count, tacCrew **crew, tacError *error);
void tac_crew_destroy(tacCrew *crew); /* NULL is allowed */
int tac_crew_count(const tacCrew *crew);
/* Calls job(member, context) once for each member, 0 being the caller's thread; returns when all are through. One
 * caller at a time. */
void tac_crew_run(tacCrew *crew, tacCrewFn job, void *context);
