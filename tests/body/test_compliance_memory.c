/* Stored compliances between sites: what is stored, and when it is computed again. */
#include "body/compliance_memory.h"

#include "test.h"

/* A body whose compliance depends on both sites and on its stiffness. */
typedef struct Pad {
  double stiffness;
  int calls;
} Pad;

static bool compliance(const void *self, const tacSite *at, const tacSite *by, double c[3][3]) {
  Pad *pad = (Pad *)(uintptr_t)self;
  ++pad->calls;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c[i][j] = (at->at.x + 10.0 * by->at.x + 100.0 * i + 1000.0 * j) / pad->stiffness;
  return by->index >= 0;
}

static const tacBodyTable table = {.compliance = compliance};
static const tacSite here = {TAC_SITE_SURFACE, 1, {0.2, 0.5, 0.3}}, there = {TAC_SITE_SURFACE, 2, {0.6, 0.1, 0.3}};

static double first_of(tacComplianceMemory *memory, int key, Pad *pad, const tacSite *at, const tacSite *by) {
  const tacBody body = {&table, pad};
  tacMat3 c;
  ck_assert(tac_compliance_memory_find(memory, key, &body, at, by, &c));
  ck_assert_double_eq_tol(c.m[1][2] - c.m[0][0], 2100.0 / pad->stiffness, 1e-12 * 2100.0);
  return c.m[0][0];
}

TAC_TEST(a_compliance_is_computed_once_for_each_body_and_pair_of_sites) {
  tacComplianceMemory *memory;
  Pad soft = {.stiffness = 1.0}, hard = {.stiffness = 2.0};
  tac_test_ok(tac_compliance_memory_create(4, &memory, &error), error);
  for (int turn = 0; turn < 2; ++turn) { /* the second turn finds all compliances in the table */
    ck_assert_double_eq(first_of(memory, 0, &soft, &here, &there), 0.2 + 10.0 * 0.6);
    ck_assert_double_eq(first_of(memory, 0, &soft, &there, &here), 0.6 + 10.0 * 0.2);
    ck_assert_double_eq(first_of(memory, 1, &hard, &here, &there), 0.5 * (0.2 + 10.0 * 0.6));
  }
  ck_assert_int_eq(soft.calls, 2);
  ck_assert_int_eq(hard.calls, 1);
  tac_compliance_memory_destroy(memory);
}

TAC_TEST(cleared_compliances_are_computed_again) {
  tacComplianceMemory *memory;
  Pad pad = {.stiffness = 1.0};
  tac_test_ok(tac_compliance_memory_create(4, &memory, &error), error);
  double before = first_of(memory, 0, &pad, &here, &there);
  pad.stiffness = 4.0;
  tac_compliance_memory_forget(memory);
  ck_assert_double_eq(first_of(memory, 0, &pad, &here, &there), 0.25 * before);
  tac_compliance_memory_forget(NULL);
  tac_compliance_memory_destroy(memory);
}

TAC_TEST(unknown_compliances_are_not_stored) {
  const tacSite none = {TAC_SITE_SURFACE, -1, {0.0, 0.0, 0.0}};
  tacComplianceMemory *memory;
  Pad pad = {.stiffness = 1.0};
  const tacBody body = {&table, &pad};
  tacMat3 c;
  tac_test_ok(tac_compliance_memory_create(4, &memory, &error), error);
  for (int turn = 0; turn < 2; ++turn) ck_assert(!tac_compliance_memory_find(memory, 0, &body, &here, &none, &c));
  ck_assert_int_eq(pad.calls, 2);
  tac_compliance_memory_destroy(memory);
}
