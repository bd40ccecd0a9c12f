/* How equilibria of a body are followed from rest to a load. */
#ifndef TACTUS_LOAD_PATH_H
#define TACTUS_LOAD_PATH_H

typedef enum tacLoadPathMethod {
  TAC_PATH_SERIES,    /* asymptotic-numerical: a power series in the load for each factorisation */
  TAC_PATH_INCREMENTS /* explicit: a linearisation for each increment of the load */
} tacLoadPathMethod;

#endif
