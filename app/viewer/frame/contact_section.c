#include "app/viewer/frame/contact_section.h"

#include <math.h>

enum { HEAD = 8, CONTACT_BYTES = 48 };

size_t tac_contact_section_most_bytes(unsigned requests) {
  size_t bytes = 0;
  if ((requests & TAC_VIEW_REQUEST_CONTACTS) != 0)
    bytes += TAC_VIEW_SECTION_HEAD + HEAD + (size_t)CONTACT_BYTES * TAC_SERVO_MOST_CONTACTS;
  if ((requests & TAC_VIEW_REQUEST_COUPLING) != 0)
    bytes += TAC_VIEW_SECTION_HEAD + HEAD + 9 * (size_t)TAC_SERVO_MOST_COUPLED * TAC_SERVO_MOST_COUPLED + 8;
  return bytes;
}

static void write_contact(const tacShownContact *c, tacByteWriter *w) {
  tac_byte_writer_vec3(w, c->at);
  tac_byte_writer_vec3(w, c->normal);
  tac_byte_writer_vec3(w, c->force);
  tac_byte_writer_f32(w, c->friction);
  tac_byte_writer_u32(w, (uint32_t)c->state);
  for (int i = 0; i < 2; ++i) tac_byte_writer_u16(w, c->body[i] >= 0 ? (unsigned)c->body[i] : 0xFFFFu);
}

static void write_contacts(const tacContactMoment *m, tacByteWriter *w) {
  size_t section = tac_byte_writer_begin(w, TAC_VIEW_CONTACTS);
  TAC_WRITE_U32(w, m->count, 0);
  for (int i = 0; i < m->count; ++i) write_contact(&m->contacts[i], w);
  tac_byte_writer_end(w, section);
}

/* By the square root, so that weak couplings are told from none. */
static void write_coupling(const tacContactMoment *m, tacByteWriter *w) {
  size_t section = tac_byte_writer_begin(w, TAC_VIEW_COUPLING);
  int rows = 3 * m->coupled;
  double most = 0.0;
  for (int i = 0; i < rows; ++i) most = fmax(most, m->delassus[i * rows + i]);
  tac_byte_writer_u32(w, (uint32_t)m->coupled);
  tac_byte_writer_f32(w, most);
  for (int i = 0; i < rows * rows; ++i) {
    double share = most > 0.0 ? fabs(m->delassus[i]) / most : 0.0;
    tac_byte_writer_u8(w, share < 1.0 ? (unsigned)lround(255.0 * sqrt(share)) : share >= 1.0 ? 255u : 0u);
  }
  tac_byte_writer_end(w, section);
}

int tac_contact_section_write(const tacContactMoment *moment, unsigned requests, tacByteWriter *w) {
  bool contacts = (requests & TAC_VIEW_REQUEST_CONTACTS) != 0, coupling = (requests & TAC_VIEW_REQUEST_COUPLING) != 0;
  if (moment == NULL) return 0;
  if (contacts) write_contacts(moment, w);
  if (coupling) write_coupling(moment, w);
  return contacts + coupling;
}
