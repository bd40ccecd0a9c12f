/* The messages of the network device; docs/network_device.md describes every byte. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <tactus/device.h>

enum { TAC_NETWORK_VERSION = 1, TAC_NETWORK_PORT = 7625, TAC_NETWORK_MOST = 192 }; /* MOST: bytes of a message */

typedef enum tacNetworkKind {
  TAC_NETWORK_HELLO = 1, /* client: what it is */
  TAC_NETWORK_WELCOME,   /* driver: the session begins */
  TAC_NETWORK_STATE,     /* client: where the hand is */
  TAC_NETWORK_FORCE,     /* driver: what it is to feel */
  TAC_NETWORK_BYE,       /* either */
  TAC_NETWORK_REFUSAL    /* driver: why not */
} tacNetworkKind;

enum { TAC_NETWORK_HEAD = 16, TAC_NETWORK_TOKEN = 32, TAC_NETWORK_NAME = 32, TAC_NETWORK_REASON = 96 };

typedef struct tacNetworkMessage {
  tacNetworkKind kind;
  uint32_t session, sequence;
  /* of a hello */
  char token[TAC_NETWORK_TOKEN + 1];
  tacDeviceInfo info;
  /* of a welcome */
  uint32_t period, timeout; /* us, ms */
  /* of a state */
  uint64_t time; /* ns, of the client's clock */
  tacDeviceState state;
  /* of a force */
  uint32_t answers; /* the sequence of the newest state */
  bool live;        /* the servo writes */
  tacVec3 force, torque;
  /* of a refusal */
  char reason[TAC_NETWORK_REASON + 1];
} tacNetworkMessage;

/* Bytes of a message of this kind, 0 where there is no such kind. */
size_t tac_network_message_size(unsigned kind);
/* Returns the size. */
size_t tac_network_message_write(const tacNetworkMessage *message, unsigned char bytes[TAC_NETWORK_MOST]);
/* False where these bytes are no message of this version. What a field holds is not judged. */
bool tac_network_message_read(const unsigned char *bytes, size_t size, tacNetworkMessage *message);
/* The version of what would be a message, were it ours; 0: it is something else. */
unsigned tac_network_message_version(const unsigned char *bytes, size_t size);
