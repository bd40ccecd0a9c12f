#include "drivers/network_message.h"

#include <string.h>
#include "base/files/little_endian.h"

static const char magic[] = "TACD";

size_t tac_network_message_size(unsigned kind) {
  static const size_t sizes[] = {[TAC_NETWORK_HELLO] = 168, [TAC_NETWORK_WELCOME] = 24, [TAC_NETWORK_STATE] = 88,
                                 [TAC_NETWORK_FORCE] = 72,  [TAC_NETWORK_BYE] = 16,     [TAC_NETWORK_REFUSAL] = 112};
  return kind < sizeof sizes / sizeof *sizes ? sizes[kind] : 0;
}

static void put_number(double value, unsigned char *bytes) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  tac_little_endian_put_u64(bits, bytes);
}

static double number(const unsigned char *bytes) {
  uint64_t bits = tac_little_endian_u64(bytes);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static void put_vector(tacVec3 v, unsigned char *bytes) {
  put_number(v.x, bytes);
  put_number(v.y, bytes + 8);
  put_number(v.z, bytes + 16);
}

static tacVec3 vector(const unsigned char *bytes) {
  return (tacVec3){number(bytes), number(bytes + 8), number(bytes + 16)};
}

size_t tac_network_message_write(const tacNetworkMessage *m, unsigned char bytes[TAC_NETWORK_MOST]) {
  size_t size = tac_network_message_size((unsigned)m->kind);
  memset(bytes, 0, TAC_NETWORK_MOST);
  memcpy(bytes, magic, 4);
  bytes[4] = TAC_NETWORK_VERSION;
  bytes[5] = (unsigned char)m->kind;
  tac_little_endian_put_u32(m->session, bytes + 8);
  tac_little_endian_put_u32(m->sequence, bytes + 12);
  unsigned char *body = bytes + TAC_NETWORK_HEAD;
  switch (m->kind) {
    case TAC_NETWORK_HELLO:
      body[0] = (unsigned char)m->info.dof;
      memcpy(body + 8, m->token, strnlen(m->token, TAC_NETWORK_TOKEN));
      memcpy(body + 40, m->info.name, strnlen(m->info.name, TAC_NETWORK_NAME));
      put_number(m->info.force_limit, body + 72);
      put_number(m->info.torque_limit, body + 80);
      put_number(m->info.stiffness_limit, body + 88);
      put_number(m->info.resolution, body + 96);
      put_vector(m->info.workspace.lower, body + 104);
      put_vector(m->info.workspace.upper, body + 128);
      break;
    case TAC_NETWORK_WELCOME:
      tac_little_endian_put_u32(m->period, body);
      tac_little_endian_put_u32(m->timeout, body + 4);
      break;
    case TAC_NETWORK_STATE:
      tac_little_endian_put_u64(m->time, body);
      put_vector(m->state.position, body + 8);
      for (int i = 0; i < 4; ++i) put_number(m->state.orientation[i], body + 32 + 8 * i);
      tac_little_endian_put_u32(m->state.buttons, body + 64);
      break;
    case TAC_NETWORK_FORCE:
      tac_little_endian_put_u32(m->answers, body);
      body[4] = m->live;
      put_vector(m->force, body + 8);
      put_vector(m->torque, body + 32);
      break;
    case TAC_NETWORK_BYE: break;
    case TAC_NETWORK_REFUSAL: memcpy(body, m->reason, strnlen(m->reason, TAC_NETWORK_REASON)); break;
  }
  return size;
}

unsigned tac_network_message_version(const unsigned char *bytes, size_t size) {
  return size >= TAC_NETWORK_HEAD && memcmp(bytes, magic, 4) == 0 ? bytes[4] : 0;
}

bool tac_network_message_read(const unsigned char *bytes, size_t size, tacNetworkMessage *m) {
  *m = (tacNetworkMessage){0};
  if (tac_network_message_version(bytes, size) != TAC_NETWORK_VERSION || size != tac_network_message_size(bytes[5]))
    return false;
  m->kind = (tacNetworkKind)bytes[5];
  m->session = tac_little_endian_u32(bytes + 8);
  m->sequence = tac_little_endian_u32(bytes + 12);
  const unsigned char *body = bytes + TAC_NETWORK_HEAD;
  switch (m->kind) {
    case TAC_NETWORK_HELLO:
      m->info.dof = body[0];
      memcpy(m->token, body + 8, TAC_NETWORK_TOKEN);
      memcpy(m->info.name, body + 40, TAC_NETWORK_NAME);
      m->info.force_limit = number(body + 72);
      m->info.torque_limit = number(body + 80);
      m->info.stiffness_limit = number(body + 88);
      m->info.resolution = number(body + 96);
      m->info.workspace = (tacBox){vector(body + 104), vector(body + 128)};
      break;
    case TAC_NETWORK_WELCOME:
      m->period = tac_little_endian_u32(body);
      m->timeout = tac_little_endian_u32(body + 4);
      break;
    case TAC_NETWORK_STATE:
      m->time = tac_little_endian_u64(body);
      m->state.position = vector(body + 8);
      for (int i = 0; i < 4; ++i) m->state.orientation[i] = number(body + 32 + 8 * i);
      m->state.buttons = tac_little_endian_u32(body + 64);
      break;
    case TAC_NETWORK_FORCE:
      m->answers = tac_little_endian_u32(body);
      m->live = body[4] != 0;
      m->force = vector(body + 8);
      m->torque = vector(body + 32);
      break;
    case TAC_NETWORK_BYE: break;
    case TAC_NETWORK_REFUSAL: memcpy(m->reason, body, TAC_NETWORK_REASON); break;
  }
  return true;
}
