/* What is above a frequency of three signals: a Butterworth filter of second order. */
#pragma once

#include <tactus/base.h>

typedef struct tacHighPass {
  double b, a1, a2;
  double in[3][2], out[3][2];
} tacHighPass;

tacHighPass tac_high_pass_begin(double frequency, double period); /* Hz, s between samples */
/* The square of what passes of the next sample. */
double tac_high_pass_square(tacHighPass *filter, tacVec3 signal);
