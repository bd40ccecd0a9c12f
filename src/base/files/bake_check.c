#include "base/files/bake_check.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 3 }; /* of a check in a file: samples, worst, allowed */

void tac_worst_add(tacWorst *worst, double error, int place) {
  if (worst->samples++ == 0 || !(error <= worst->error)) {
    if (worst->samples > 1 && isnan(worst->error)) return; /* the first of them */
    worst->error = error;
    worst->place = place;
  }
}

void tac_worst_join(tacWorst *worst, const tacWorst *next) {
  if (next->samples == 0) return;
  int samples = worst->samples + next->samples;
  tac_worst_add(worst, next->error, next->place);
  worst->samples = samples;
}

tacStatus tac_bake_checks_add(tacBakeChecks *checks, const char *what, const tacWorst *worst, double allowed,
                              const char *place_name, tacError *error) {
  if (worst->samples == 0) return TAC_OK; /* there was nothing to compare */
  if (checks->count < TAC_BAKE_MOST_CHECKS) {
    tacBakeCheck *check = &checks->checks[checks->count++];
    snprintf(check->what, sizeof check->what, "%s", what);
    check->samples = worst->samples;
    check->worst = worst->error;
    check->allowed = allowed;
  }
  if (worst->error <= allowed) return TAC_OK;
  char place[80] = "";
  if (place_name != NULL) snprintf(place, sizeof place, ", at %.48s %d", place_name, worst->place);
  return tac_error_set(error, TAC_ERR_CHECK,
                       "the bake result is wrong and was discarded: %s differ by %.3g%s, but at most %.3g is "
                       "allowed; bake again, and report a repeated failure",
                       what, worst->error, place, allowed);
}

void tac_bake_checks_join(tacBakeChecks *checks, const tacBakeChecks *part) {
  for (int i = 0; i < part->count; ++i) {
    const tacBakeCheck *from = &part->checks[i];
    int at = 0;
    while (at < checks->count && strcmp(checks->checks[at].what, from->what) != 0) ++at;
    if (at == TAC_BAKE_MOST_CHECKS) return;
    tacBakeCheck *to = &checks->checks[at];
    if (at == checks->count) {
      checks->checks[checks->count++] = *from;
      continue;
    }
    int samples = to->samples <= INT_MAX - from->samples ? to->samples + from->samples : INT_MAX;
    if (from->worst * to->allowed > to->worst * from->allowed) *to = *from;
    to->samples = samples;
  }
}

void tac_bake_checks_put(tacChunkTransfer *to, const tacBakeChecks *checks) {
  double numbers[NUMBERS * TAC_BAKE_MOST_CHECKS];
  char names[TAC_BAKE_MOST_CHECKS * TAC_BAKE_CHECK_TEXT];
  size_t length = 0;
  for (int i = 0; i < checks->count; ++i) {
    const tacBakeCheck *check = &checks->checks[i];
    numbers[NUMBERS * i] = check->samples;
    numbers[NUMBERS * i + 1] = check->worst;
    numbers[NUMBERS * i + 2] = check->allowed;
    memcpy(names + length, check->what, strlen(check->what) + 1);
    length += strlen(check->what) + 1;
  }
  tac_chunk_transfer_put(to, "checks", TAC_CHUNK_F64, NUMBERS * (uint64_t)checks->count, numbers);
  tac_chunk_transfer_put(to, "check names", TAC_CHUNK_U8, length, names);
}

/* Fills a check from its numbers and the name at `text`; NULL where they cannot be, else what comes after the name. */
static const char *take_check(const double n[NUMBERS], const char *text, const char *end, tacBakeCheck *check) {
  const char *last = text < end ? memchr(text, 0, (size_t)(end - text)) : NULL;
  if (last == NULL || last == text || last - text >= TAC_BAKE_CHECK_TEXT) return NULL;
  for (const char *c = text; c < last; ++c)
    if (*c < ' ' || *c > '~') return NULL;
  if (!(n[0] >= 1.0 && n[0] <= INT_MAX && n[0] == floor(n[0])) || !isfinite(n[2])) return NULL;
  *check = (tacBakeCheck){.samples = (int)n[0], .worst = n[1], .allowed = n[2]};
  memcpy(check->what, text, (size_t)(last - text) + 1);
  return last + 1;
}

void tac_bake_checks_take(tacChunkTransfer *from, tacBakeChecks *checks) {
  int count = -1, length = -1;
  *checks = (tacBakeChecks){0};
  double *numbers = tac_chunk_transfer_take(from, "checks", TAC_CHUNK_F64, NUMBERS, &count);
  char *names = tac_chunk_transfer_take(from, "check names", TAC_CHUNK_U8, 1, &length);
  const char *text = names, *end = from->status == TAC_OK ? names + length : names;
  for (int i = 0; from->status == TAC_OK && i < count; ++i) {
    tacBakeCheck *check = &checks->checks[i];
    text = i < TAC_BAKE_MOST_CHECKS ? take_check(numbers + NUMBERS * (size_t)i, text, end, check) : NULL;
    if (text == NULL)
      from->status =
          tac_error_set(from->error, TAC_ERR_FORMAT, "%s: bake check %d of the file is not valid", from->path, i);
    else if (!(check->worst <= check->allowed))
      from->status = tac_error_set(from->error, TAC_ERR_CHECK,
                                   "%s: the file is a failed bake: %s differ by %.3g, but at most %.3g is allowed; "
                                   "bake again",
                                   from->path, check->what, check->worst, check->allowed);
    else
      checks->count = i + 1;
  }
  if (from->status != TAC_OK) *checks = (tacBakeChecks){0};
  free(numbers);
  free(names);
}
