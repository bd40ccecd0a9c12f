#include "app/viewer/server/client.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>
#include "base/clock.h"
#include "base/files/little_endian.h"
#include "base/memory/array.h"
#include "base/threads/hold.h"

#define MILLISECOND (TAC_NS_PER_SECOND / 1000)
#define PING_AFTER (15 * TAC_NS_PER_SECOND) /* of silence */
#define DEAD_AFTER (60 * TAC_NS_PER_SECOND) /* of silence: it has gone without a word */
#define CLOSE_TIMEOUT (1000 * MILLISECOND)  /* for what is half sent, our reason and its answer */
#define CLOSE_TIMEOUT_AT_STOP (300 * MILLISECOND)

enum { MOST_MESSAGES = 2000 };                 /* in a second; a pointer that moves sends 1,000 at most */
enum { MOST_UNSHOWN = 2 };                     /* frames under way: one is drawn while the next one travels */
static const size_t most_waiting = 256u << 20; /* bytes */

typedef struct Waiting {
  struct Waiting *next;
  tacPacket *packet;
} Waiting;

/* A WebSocket frame on its way out. */
typedef struct Outgoing {
  unsigned char head[TAC_SOCKET_MOST_HEAD + TAC_SOCKET_CONTROL]; /* with the payload of a control frame */
  size_t head_size, at;                                          /* bytes; `at` counts through head and packet */
  tacPacket *packet;                                             /* NULL for control frames */
  bool closes;
} Outgoing;

struct tacViewClient {
  int number, socket, wake; /* wake: an eventfd that ends the loop's waiting */

  pthread_mutex_t mutex; /* of what follows */
  Waiting *first, **end;
  size_t waiting;                    /* bytes, with those of the packet that is being sent */
  Waiting *first_ticks, **end_ticks; /* for the next frame */
  int ticks_count, ticks_due;        /* all, and those that came before the frame */
  tacPacket *frame;
  uint32_t unshown[MOST_UNSHOWN];
  int unshown_count;
  bool greeted;           /* it has been sent something of its own */
  tacSocketReason reason; /* to close */

  /* Of the loop alone. */
  Outgoing out; /* head_size 0: none */
  unsigned char in[4096];
  size_t in_size;
  unsigned char pong[TAC_SOCKET_CONTROL];
  size_t pong_size;
  bool pong_due, ping_due;
  int64_t received, pinged; /* when */
  int64_t second;           /* begin of the one in which messages are counted */
  int messages;
  int64_t deadline; /* of the goodbye, once one has begun */
  unsigned char close_payload[2];
  size_t close_payload_size;
  bool closing, closed, answered; /* a goodbye has begun, has been sent, came from the client */
  bool ended;
};

tacStatus tac_view_client_create(int number, int socket, tacViewClient **client, tacError *error) {
  *client = NULL;
  tacViewClient *c = tac_array_create(1, sizeof *c, "a client", error);
  if (c == NULL) return TAC_ERR_MEMORY;
  c->number = number;
  c->socket = socket;
  c->end = &c->first;
  c->end_ticks = &c->first_ticks;
  c->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (c->wake < 0) {
    free(c);
    return tac_error_set(error, TAC_ERR_MEMORY, "no file descriptor for client %d: %s", number, strerror(errno));
  }
  pthread_mutex_init(&c->mutex, NULL);
  *client = c;
  return TAC_OK;
}

/* With the mutex: the first that waits, which leaves; NULL: none. The reference is the caller's. */
static tacPacket *take_first(Waiting **first, Waiting ***end) {
  Waiting *taken = *first;
  if (taken == NULL) return NULL;
  tacPacket *packet = taken->packet;
  *first = taken->next;
  if (*first == NULL) *end = first;
  free(taken);
  return packet;
}

/* With the mutex. False where memory is short. */
static bool add_last(Waiting ***end, tacPacket *packet) {
  Waiting *added = malloc(sizeof *added);
  if (added == NULL) return false;
  *added = (Waiting){.packet = tac_packet_share(packet)};
  **end = added;
  *end = &added->next;
  return true;
}

/* With the mutex; there must be some. */
static tacPacket *take_ticks(tacViewClient *c) {
  --c->ticks_count;
  if (c->ticks_due > 0) --c->ticks_due;
  return take_first(&c->first_ticks, &c->end_ticks);
}

/* With the mutex. */
static void drop_waiting(tacViewClient *c) {
  while (c->first != NULL) tac_packet_release(take_first(&c->first, &c->end));
  while (c->ticks_count > 0) tac_packet_release(take_ticks(c));
  c->waiting = 0;
  tac_packet_release(c->frame);
  c->frame = NULL;
}

void tac_view_client_destroy(tacViewClient *client) {
  if (client == NULL) return;
  drop_waiting(client);
  tac_packet_release(client->out.packet);
  close(client->wake);
  pthread_mutex_destroy(&client->mutex);
  free(client);
}

int tac_view_client_number(const tacViewClient *client) {
  return client->number;
}

static void wake(tacViewClient *c) {
  uint64_t one = 1;
  ssize_t written = write(c->wake, &one, sizeof one); /* fails only where it is awake already */
  (void)written;
}

/* With the mutex. The first reason stays. */
static void ask_to_close(tacViewClient *c, tacSocketReason reason) {
  if (c->reason == TAC_SOCKET_OPEN) c->reason = reason;
  drop_waiting(c);
  wake(c);
}

void tac_view_client_close(tacViewClient *client, tacSocketReason reason) {
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&client->mutex);
  ask_to_close(client, reason);
}

void tac_view_client_send(tacViewClient *client, tacPacket *packet, bool to_all) {
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&client->mutex);
  if (client->reason != TAC_SOCKET_OPEN || (!client->greeted && to_all)) return;
  client->greeted = true;
  size_t size = tac_packet_size(packet);
  if (size > most_waiting || client->waiting > most_waiting - size) {
    ask_to_close(client, TAC_SOCKET_POLICY);
  } else if (!add_last(&client->end, packet)) {
    ask_to_close(client, TAC_SOCKET_FAILED);
  } else {
    client->waiting += size;
    wake(client);
  }
}

static bool takes_frames(const tacViewClient *c) {
  return c->reason == TAC_SOCKET_OPEN && c->greeted && c->unshown_count < MOST_UNSHOWN;
}

void tac_view_client_frame(tacViewClient *client, tacPacket *packet) {
  if (tac_packet_size(packet) < TAC_VIEW_HEAD) return; /* none has no number */
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&client->mutex);
  if (!takes_frames(client)) return;
  tac_packet_release(client->frame);
  client->frame = tac_packet_share(packet);
  client->ticks_due = client->ticks_count;
  wake(client);
}

void tac_view_client_ticks(tacViewClient *client, tacPacket *packet, int most) {
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&client->mutex);
  if (client->reason == TAC_SOCKET_OPEN && client->greeted && add_last(&client->end_ticks, packet) &&
      ++client->ticks_count > most)
    tac_packet_release(take_ticks(client));
}

bool tac_view_client_wants_frame(tacViewClient *client) {
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&client->mutex);
  return takes_frames(client);
}

/* ---- The loop. ---- */

static void put_control(tacViewClient *c, tacSocketOpcode opcode, const unsigned char *payload, size_t size) {
  c->out = (Outgoing){.closes = opcode == TAC_SOCKET_CLOSE};
  size_t head = tac_socket_frame_head(opcode, size, c->out.head);
  if (size > 0) memcpy(c->out.head + head, payload, size);
  c->out.head_size = head + size;
}

/* Gives up what waits and says why, within the goodbye's time. 0: without a reason. */
static void begin_close(tacViewClient *c, int reason) {
  if (c->closing) return;
  c->closing = true;
  c->deadline = tac_clock_now() + (reason == TAC_SOCKET_GOING_AWAY ? CLOSE_TIMEOUT_AT_STOP : CLOSE_TIMEOUT);
  c->close_payload[0] = (unsigned char)(reason >> 8);
  c->close_payload[1] = (unsigned char)reason;
  c->close_payload_size = reason != 0 ? sizeof c->close_payload : 0;
  tac_view_client_close(c, TAC_SOCKET_GOING_AWAY); /* nothing is added any more */
  if (c->out.at > 0) return;                       /* what is half sent must go first */
  tac_packet_release(c->out.packet);
  c->out = (Outgoing){0};
}

/* The next frame to send, where none is half sent. */
static void choose_outgoing(tacViewClient *c) {
  if (c->out.head_size > 0 || c->closed) return;
  if (c->closing) {
    put_control(c, TAC_SOCKET_CLOSE, c->close_payload, c->close_payload_size);
  } else if (c->pong_due) {
    c->pong_due = false;
    put_control(c, TAC_SOCKET_PONG, c->pong, c->pong_size);
  } else if (c->ping_due) {
    c->ping_due = false;
    put_control(c, TAC_SOCKET_PING, NULL, 0);
  } else {
    tacPacket *packet = NULL;
    pthread_mutex_lock(&c->mutex);
    if (c->first != NULL) {
      packet = take_first(&c->first, &c->end);
    } else if (c->frame != NULL && c->ticks_due > 0) {
      packet = take_ticks(c);
      c->waiting += tac_packet_size(packet);
    } else if (c->frame != NULL) {
      packet = c->frame;
      c->frame = NULL;
      c->waiting += tac_packet_size(packet);
      c->unshown[c->unshown_count++] = tac_little_endian_u32(tac_packet_bytes(packet) + 4);
    }
    pthread_mutex_unlock(&c->mutex);
    if (packet == NULL) return;
    c->out = (Outgoing){.packet = packet};
    c->out.head_size = tac_socket_frame_head(TAC_SOCKET_BINARY, tac_packet_size(packet), c->out.head);
  }
}

static void finish_outgoing(tacViewClient *c) {
  if (c->out.closes) {
    c->closed = true;
    c->ended = c->answered;
    shutdown(c->socket, SHUT_WR);
  }
  if (c->out.packet != NULL) {
    pthread_mutex_lock(&c->mutex);
    size_t size = tac_packet_size(c->out.packet);
    c->waiting -= size < c->waiting ? size : c->waiting; /* none where all was dropped meanwhile */
    pthread_mutex_unlock(&c->mutex);
    tac_packet_release(c->out.packet);
  }
  c->out = (Outgoing){0};
}

static void send_some(tacViewClient *c) {
  Outgoing *out = &c->out;
  size_t packet_size = out->packet != NULL ? tac_packet_size(out->packet) : 0;
  size_t of_head = out->at < out->head_size ? out->head_size - out->at : 0;
  size_t of_packet = of_head > 0 ? 0 : out->at - out->head_size;
  struct iovec parts[2] = {{out->head + out->head_size - of_head, of_head}, {NULL, packet_size - of_packet}};
  if (out->packet != NULL) parts[1].iov_base = tac_packet_bytes(out->packet) + of_packet;
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = out->packet != NULL ? 2 : 1};
  ssize_t sent = sendmsg(c->socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent < 0) {
    c->ended = errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR;
    return;
  }
  out->at += (size_t)sent;
  if (out->at == out->head_size + packet_size) finish_outgoing(c);
}

/* A frame was shown, and those before it with it. */
static void note_shown(tacViewClient *c, uint32_t frame) {
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&c->mutex);
  for (int i = 0; i < c->unshown_count; ++i)
    if (c->unshown[i] == frame) {
      c->unshown_count -= i + 1;
      memmove(c->unshown, c->unshown + i + 1, (size_t)c->unshown_count * sizeof *c->unshown);
      break;
    }
}

static void take_frame(tacViewClient *c, const tacSocketFrame *frame, const tacViewHandler *handler) {
  if (c->received - c->second >= TAC_NS_PER_SECOND) {
    c->second = c->received;
    c->messages = 0;
  }
  if (++c->messages > MOST_MESSAGES) {
    begin_close(c, TAC_SOCKET_POLICY);
    return;
  }
  switch (frame->opcode) {
    case TAC_SOCKET_BINARY: {
      tacViewMessage message;
      if (!tac_view_message_read(frame->payload, frame->size, &message)) {
        begin_close(c, TAC_SOCKET_MALFORMED);
        return;
      }
      if (message.kind == TAC_VIEW_SHOWN) note_shown(c, message.shown.frame);
      handler->message(handler->context, c->number, &message);
      return;
    }
    case TAC_SOCKET_PING: /* only the latest needs an answer (RFC 6455, 5.5.3) */
      memcpy(c->pong, frame->payload, frame->size);
      c->pong_size = frame->size;
      c->pong_due = true;
      return;
    case TAC_SOCKET_PONG:
    case TAC_SOCKET_CONTINUED: /* not of a client */
    case TAC_SOCKET_TEXT: return;
    case TAC_SOCKET_CLOSE:
      c->answered = true;
      begin_close(c, tac_socket_frame_reason(frame));
      return;
  }
}

static void receive(tacViewClient *c, const tacViewHandler *handler) {
  ssize_t got = recv(c->socket, c->in + c->in_size, sizeof c->in - c->in_size, MSG_DONTWAIT);
  if (got <= 0) {
    c->ended = got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
    return;
  }
  c->in_size += (size_t)got;
  c->received = tac_clock_now();
  size_t at = 0;
  while (!c->closing) {
    tacSocketFrame frame;
    tacSocketReason refused =
        tac_socket_frame_read(c->in + at, c->in_size - at, TAC_SOCKET_FROM_CLIENT, TAC_VIEW_MOST_BYTES, &frame);
    if (refused != TAC_SOCKET_OPEN) begin_close(c, refused);
    if (frame.whole == 0) break;
    take_frame(c, &frame, handler);
    at += frame.whole;
  }
  if (c->closing) at = c->in_size; /* nothing more is of interest; read on, or the system resets what we said */
  c->in_size -= at;
  memmove(c->in, c->in + at, c->in_size);
}

/* Returns when to look again. */
static int64_t check_deadlines(tacViewClient *c) {
  int64_t now = tac_clock_now();
  if (c->closing) {
    c->ended |= now >= c->deadline;
    return c->deadline;
  }
  int64_t dead = c->received + DEAD_AFTER, ping = (c->pinged > c->received ? c->pinged : c->received) + PING_AFTER;
  c->ended |= now >= dead;
  if (now >= ping) {
    c->ping_due = true;
    c->pinged = now;
    ping = now + PING_AFTER;
  }
  return ping < dead ? ping : dead;
}

void tac_view_client_run(tacViewClient *client, const tacViewHandler *handler) {
  client->received = client->pinged = client->second = tac_clock_now();
  while (!client->ended) {
    pthread_mutex_lock(&client->mutex);
    tacSocketReason reason = client->reason;
    pthread_mutex_unlock(&client->mutex);
    if (reason != TAC_SOCKET_OPEN) begin_close(client, reason);
    int64_t until = check_deadlines(client);
    choose_outgoing(client);
    struct pollfd polled[2] = {
        {.fd = client->socket, .events = (short)(POLLIN | (client->out.head_size > 0 ? POLLOUT : 0))},
        {.fd = client->wake, .events = POLLIN}};
    int64_t wait = (until - tac_clock_now()) / MILLISECOND + 1;
    if (poll(polled, 2, wait > 0 ? (int)wait : 0) <= 0) continue;
    uint64_t count;
    if (polled[1].revents != 0 && read(client->wake, &count, sizeof count) < 0) continue; /* it never fails */
    if ((polled[0].revents & ~POLLOUT) != 0) receive(client, handler);
    if (!client->ended && (polled[0].revents & POLLOUT) != 0) send_some(client);
  }
  shutdown(client->socket, SHUT_RDWR);
}
