/* What clients see of contacts that obey laws. */
#include "app/viewer/frame/contact_section.h"

#include <math.h>
#include <stdlib.h>
#include "packet_reader.h"

enum { BOTH = TAC_VIEW_REQUEST_CONTACTS | TAC_VIEW_REQUEST_COUPLING };

/* Three contacts, of which the second does not touch, and W of two of them. */
static tacContactMoment *make_moment(void) {
  tacContactMoment *m = calloc(1, sizeof *m);
  m->count = 3;
  for (int i = 0; i < 3; ++i)
    m->contacts[i] = (tacShownContact){.body = {i, i == 0 ? -1 : 7},
                                       .at = {i + 0.25, 1.0, 2.0},
                                       .normal = {0.0, 0.0, 1.0},
                                       .force = {0.5, 0.0, 3.0 + i},
                                       .friction = 0.5,
                                       .state = i == 0   ? TAC_CONTACT_STICKS
                                                : i == 1 ? TAC_CONTACT_NONE
                                                         : TAC_CONTACT_SLIDES};
  m->coupled = 2;
  for (int i = 0; i < 36; ++i) m->delassus[i] = i % 7 == 0 ? 4e-5 + 1e-6 * i : -1e-6 * i;
  return m;
}

/* Writes into a buffer of the bytes that are said to suffice. */
static Reader written(const tacContactMoment *moment, unsigned requests, int sections) {
  size_t most = tac_contact_section_most_bytes(requests);
  tacByteWriter w = {tac_test_alloc(most + 1), most, 0};
  ck_assert_int_eq(tac_contact_section_write(moment, requests, &w), sections);
  ck_assert_uint_le(w.at, most);
  return (Reader){w.bytes, w.at, 0};
}

TAC_TEST(contacts_are_sent_with_force_and_friction) {
  TAC_MEMORY(tacContactMoment, m) = make_moment();
  Reader r = written(m, TAC_VIEW_REQUEST_CONTACTS, 1);
  check_u32(&r, 10, 8 + 3 * 48, 3, 0); /* the near one, too */
  for (int i = 0; i < 3; ++i) {
    const tacShownContact *c = &m->contacts[i];
    ck_assert_double_eq(tac_vec3_distance(read_vec3(&r), c->at), 0.0);
    ck_assert_double_eq(tac_vec3_distance(read_vec3(&r), c->normal), 0.0);
    ck_assert_double_eq(tac_vec3_distance(read_vec3(&r), c->force), 0.0);
    ck_assert_double_eq(read_f32(&r), 0.5);
    ck_assert_uint_eq(read_u32(&r), (unsigned)c->state);
    ck_assert_uint_eq(read_u16(r.bytes + r.at), (unsigned)i);
    ck_assert_uint_eq(read_u16(r.bytes + r.at + 2), i == 0 ? 65535u : 7u);
    r.at += 4;
  }
  ck_assert_uint_eq(r.at, r.size);
}

TAC_TEST(couplings_are_scaled_by_the_largest_diagonal_entry) {
  TAC_MEMORY(tacContactMoment, m) = make_moment();
  Reader r = written(m, BOTH, 2);
  r.at = 8 + 8 + 3 * 48;
  check_u32(&r, 11, 48, 2); /* 36 numbers, padded */
  double most = read_f32(&r);
  ck_assert_double_eq_tol(most, 7.5e-5, 1e-11);
  for (int i = 0; i < 36; ++i) {
    double share = r.bytes[r.at++] / 255.0;
    ck_assert_double_eq_tol(share, sqrt(fabs(m->delassus[i]) / 7.5e-5), 0.5 / 255.0 + 1e-9);
  }
}

TAC_TEST(the_largest_number_of_contacts_fits) {
  TAC_MEMORY(tacContactMoment, m) = make_moment();
  m->count = TAC_SERVO_MOST_CONTACTS;
  for (int i = 0; i < m->count; ++i) m->contacts[i] = m->contacts[0];
  m->coupled = TAC_SERVO_MOST_COUPLED;
  m->delassus[0] = NAN; /* worlds say no such thing; a byte holds none */
  m->delassus[1] = INFINITY;
  Reader r = written(m, BOTH, 2);
  ck_assert_uint_eq(r.size, 8 + 8 + 48 * 256 + 8 + 8 + 9 * 64 * 64);
}

TAC_TEST(unrequested_or_unknown_contacts_are_not_written) {
  TAC_MEMORY(tacContactMoment, m) = make_moment();
  ck_assert_uint_eq(written(NULL, BOTH, 0).size, 0);
  ck_assert_uint_eq(written(m, TAC_VIEW_REQUEST_SURFACES, 0).size, 0);
  *m = (tacContactMoment){0}; /* of a world without contacts: the sections say so */
  ck_assert_uint_eq(written(m, BOTH, 2).size, 8 + 8 + 8 + 8);
}
