/* A device that is somewhere else: a client tells states over UDP or WebSocket and is told forces. This driver listens;
 * docs/network_device.md is the protocol. Options: listen=, port=, token=, wait=. */
#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>
#include "base/clock.h"
#include "base/error.h"
#include "base/socket_frame.h"
#include "base/socket_key.h"
#include "device/driver_info.h"
#include "drivers/driver_life.h"
#include "drivers/driver_options.h"
#include "drivers/network_message.h"
#include "drivers/network_page.h"

enum { MOST_STREAMS = 8, STREAM_IN = 4096, STREAM_OUT = 512, MOST_PAYLOAD = 1024 };
#define HEARTBEAT INT64_C(10000000)    /* ns: forces are sent at least this often */
#define SILENCE TAC_NS_PER_SECOND      /* a client that says nothing for so long is gone */
#define HASTE (10 * TAC_NS_PER_SECOND) /* a connection that has not become a client's by then is ended */

/* A connection over TCP: a request for the page, or a WebSocket. */
typedef struct {
  int socket; /* -1: none */
  bool upgraded, ends;
  int64_t since;
  size_t used; /* of `in` */
  unsigned char in[STREAM_IN + 1], out[STREAM_OUT];
  size_t waiting;   /* bytes of `out` that are not sent yet */
  const char *page; /* the rest of a page, after them */
  size_t page_left;
} Stream;

/* Who speaks: a datagram's sender, or a stream. */
typedef struct {
  struct sockaddr_in address;
  Stream *stream; /* NULL: UDP */
} Peer;

typedef struct {
  tacDriverLink link;
  char listen[64], token[TAC_NETWORK_TOKEN + 1];
  double port, wait;
  uint32_t period; /* us */
  int udp, tcp;
  Stream streams[MOST_STREAMS];
  /* The one client. */
  atomic_bool connected, moved; /* it said hello, and a state */
  Peer client;
  tacDeviceInfo info;               /* what it said; written before `connected` */
  uint32_t session, received, sent; /* of the newest state, and of our last message */
  int64_t last_received, last_sent; /* when */
} Network;

/* ---- sending ---- */

static void end_stream(Stream *stream) {
  if (stream->socket >= 0) close(stream->socket);
  *stream = (Stream){.socket = -1};
}

static void flush_stream(Stream *stream) {
  while (stream->waiting > 0 || stream->page_left > 0) {
    bool page = stream->waiting == 0;
    ssize_t sent = send(stream->socket, page ? (const void *)stream->page : stream->out,
                        page ? stream->page_left : stream->waiting, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (sent < 0) {
      stream->ends = true;
      stream->waiting = stream->page_left = 0;
      return;
    }
    if (page) {
      stream->page += sent;
      stream->page_left -= (size_t)sent;
    } else {
      memmove(stream->out, stream->out + sent, stream->waiting - (size_t)sent);
      stream->waiting -= (size_t)sent;
    }
  }
}

/* A stream that does not take what was sent before gets nothing more: what comes later is newer. */
static void send_stream(Stream *stream, const void *bytes, size_t size) {
  flush_stream(stream);
  if (stream->waiting > 0 || size > STREAM_OUT) return;
  memcpy(stream->out, bytes, size);
  stream->waiting = size;
  flush_stream(stream);
}

static void send_frame(Stream *stream, tacSocketOpcode opcode, const void *payload, size_t size) {
  unsigned char frame[TAC_SOCKET_MOST_HEAD + TAC_NETWORK_MOST];
  if (size > TAC_NETWORK_MOST) return;
  size_t head = tac_socket_frame_head(opcode, size, frame);
  memcpy(frame + head, payload, size);
  send_stream(stream, frame, head + size);
}

static void send_message(Network *n, const Peer *peer, const tacNetworkMessage *message) {
  unsigned char bytes[TAC_NETWORK_MOST];
  size_t size = tac_network_message_write(message, bytes);
  if (peer->stream != NULL)
    send_frame(peer->stream, TAC_SOCKET_BINARY, bytes, size);
  else
    sendto(n->udp, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL, (const struct sockaddr *)&peer->address,
           sizeof peer->address);
}

static void send_force(Network *n) {
  tacNetworkMessage answer = {.kind = TAC_NETWORK_FORCE, .session = n->session, .answers = n->received};
  tac_driver_link_force(&n->link, &answer.force, &answer.torque, &answer.live);
  answer.sequence = ++n->sent;
  send_message(n, &n->client, &answer);
  n->last_sent = tac_clock_now();
}

/* ---- what a client says ---- */

static bool is_client(const Network *n, const Peer *peer) {
  if (!atomic_load(&n->connected) || peer->stream != n->client.stream) return false;
  return peer->stream != NULL || (peer->address.sin_addr.s_addr == n->client.address.sin_addr.s_addr &&
                                  peer->address.sin_port == n->client.address.sin_port);
}

static void refuse(Network *n, const Peer *peer, const char *reason) {
  tacNetworkMessage answer = {.kind = TAC_NETWORK_REFUSAL};
  snprintf(answer.reason, sizeof answer.reason, "%s", reason);
  send_message(n, peer, &answer);
}

/* Takes the same time wherever they differ. */
static bool is_token(const Network *n, const char *token) {
  unsigned char differs = 0;
  char given[TAC_NETWORK_TOKEN + 1] = "";
  snprintf(given, sizeof given, "%s", token);
  for (int i = 0; i < TAC_NETWORK_TOKEN; ++i) differs |= (unsigned char)(given[i] ^ n->token[i]);
  return differs == 0;
}

static void send_welcome(Network *n) {
  tacNetworkMessage answer = {.kind = TAC_NETWORK_WELCOME,
                              .session = n->session,
                              .period = n->period,
                              .timeout = (uint32_t)(TAC_DRIVER_TIMEOUT / 1000000)};
  send_message(n, &n->client, &answer);
}

static void take_hello(Network *n, const Peer *peer, tacNetworkMessage *hello) {
  tacError error;
  if (is_client(n, peer)) {
    send_welcome(n); /* the last one was lost on its way */
  } else if (n->token[0] != 0 && !is_token(n, hello->token)) {
    refuse(n, peer, "the token is wrong");
  } else if (atomic_load(&n->connected)) {
    refuse(n, peer, "the driver already has a client");
  } else if (tac_driver_info_check("hello", &hello->info, &error) != TAC_OK ||
             tac_driver_info_check_limits("hello", &hello->info, &error) != TAC_OK) {
    refuse(n, peer, error.text);
  } else {
    n->client = *peer;
    n->info = hello->info;
    n->last_received = tac_clock_now();
    atomic_store(&n->connected, true);
    send_welcome(n);
  }
}

/* Datagrams may come twice or in another order: only what is newer counts. Sequences go round. */
static void take_state(Network *n, const tacNetworkMessage *message) {
  bool first = !atomic_load(&n->moved);
  if (message->session != n->session || (!first && (int32_t)(message->sequence - n->received) <= 0)) return;
  n->received = message->sequence;
  n->last_received = tac_clock_now();
  tac_driver_link_report(&n->link, &message->state);
  atomic_store(&n->moved, true);
  send_force(n);
}

static void take_message(Network *n, const Peer *peer, const unsigned char *bytes, size_t size) {
  tacNetworkMessage message;
  if (!tac_network_message_read(bytes, size, &message)) {
    unsigned version = tac_network_message_version(bytes, size);
    char reason[64];
    snprintf(reason, sizeof reason, "this driver supports version %d, not %u", TAC_NETWORK_VERSION, version);
    /* Whoever sends something else than a whole hello gets no answer: it must not be larger than what was sent. */
    if (version != 0 && version != TAC_NETWORK_VERSION && size >= tac_network_message_size(TAC_NETWORK_REFUSAL))
      refuse(n, peer, reason);
    return;
  }
  if (message.kind == TAC_NETWORK_HELLO) take_hello(n, peer, &message);
  if (!is_client(n, peer)) return;
  if (message.kind == TAC_NETWORK_STATE) take_state(n, &message);
  if (message.kind == TAC_NETWORK_BYE && message.session == n->session)
    tac_driver_link_lose(&n->link, "its client disconnected");
}

/* ---- streams ---- */

static const char *header(const Stream *stream, const char *name, char *value, size_t size) {
  size_t length = strlen(name);
  for (const char *line = strstr((const char *)stream->in, "\r\n"); line != NULL; line = strstr(line + 2, "\r\n")) {
    const char *text = line + 2;
    if (strncasecmp(text, name, length) != 0 || text[length] != ':') continue;
    text += length + 1;
    text += strspn(text, " \t");
    size_t most = strcspn(text, "\r\n");
    while (most > 0 && (text[most - 1] == ' ' || text[most - 1] == '\t')) --most;
    snprintf(value, size, "%.*s", (int)(most < size ? most : size - 1), text);
    return value;
  }
  return NULL;
}

/* A page of somebody else's site in a browser here may not move this hand: it may come from the driver's own page only,
 * whose host is this machine by its own name (a foreign name may be made to mean this machine). With a token anything
 * may come that knows it. */
static bool is_own_origin(const Network *n, const Stream *stream) {
  char origin[128], host[112], own[2][128];
  if (n->token[0] != 0 || header(stream, "Origin", origin, sizeof origin) == NULL) return true;
  snprintf(own[0], sizeof own[0], "127.0.0.1:%d", (int)n->port);
  snprintf(own[1], sizeof own[1], "localhost:%d", (int)n->port);
  return header(stream, "Host", host, sizeof host) != NULL && strncmp(origin, "http://", 7) == 0 &&
         strcmp(origin + 7, host) == 0 && (strcmp(host, own[0]) == 0 || strcmp(host, own[1]) == 0);
}

static void answer_request(Network *n, Stream *stream) {
  char key[64], version[8], upgrade[32], text[STREAM_OUT];
  const char *request = (const char *)stream->in;
  bool page = strncmp(request, "GET / ", 6) == 0 || strncmp(request, "GET /?", 6) == 0;
  bool device = strncmp(request, "GET /device ", 12) == 0;
  bool socket = device && header(stream, "Upgrade", upgrade, sizeof upgrade) != NULL &&
                strcasecmp(upgrade, "websocket") == 0 && header(stream, "Sec-WebSocket-Key", key, sizeof key) != NULL &&
                header(stream, "Sec-WebSocket-Version", version, sizeof version) != NULL && strcmp(version, "13") == 0;
  if (socket && is_own_origin(n, stream)) {
    char accept[TAC_SOCKET_ACCEPT];
    tac_socket_accept(key, accept);
    int length = snprintf(text, sizeof text,
                          "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                          "Sec-WebSocket-Accept: %s\r\n\r\n",
                          accept);
    stream->upgraded = true;
    send_stream(stream, text, (size_t)length);
    return;
  }
  const char *status = socket ? "403 Forbidden" : page ? "200 OK" : "404 Not Found";
  const char *body = socket ? "The request comes from another page; give the driver a token.\n"
                            : "Not found. The page is at /, the WebSocket of the device at /device.\n";
  uint64_t size = page ? tac_network_page_size : strlen(body);
  int length = snprintf(text, sizeof text,
                        "HTTP/1.1 %s\r\nContent-Type: text/%s; charset=utf-8\r\nContent-Length: %llu\r\n"
                        "Cache-Control: no-store\r\nX-Frame-Options: DENY\r\nConnection: close\r\n\r\n",
                        status, page ? "html" : "plain", (unsigned long long)size);
  send_stream(stream, text, (size_t)length);
  stream->page = page ? tac_network_page : body;
  stream->page_left = (size_t)size;
  stream->ends = true;
  flush_stream(stream);
}

/* Bytes of `in` that are done with. */
static size_t take_frame(Network *n, Stream *stream) {
  tacSocketFrame frame;
  tacSocketReason wrong = tac_socket_frame_read(stream->in, stream->used, TAC_SOCKET_FROM_CLIENT, MOST_PAYLOAD, &frame);
  unsigned char reason[2] = {(unsigned char)(wrong >> 8), (unsigned char)wrong};
  if (wrong != TAC_SOCKET_OPEN) {
    send_frame(stream, TAC_SOCKET_CLOSE, reason, 2);
    stream->ends = true;
    return stream->used;
  }
  if (frame.whole == 0) return 0;
  if (frame.opcode == TAC_SOCKET_PING) send_frame(stream, TAC_SOCKET_PONG, frame.payload, frame.size);
  if (frame.opcode == TAC_SOCKET_CLOSE) {
    send_frame(stream, TAC_SOCKET_CLOSE, frame.payload, frame.size < 2 ? 0 : 2);
    stream->ends = true;
  }
  if (frame.opcode == TAC_SOCKET_BINARY) take_message(n, &(Peer){.stream = stream}, frame.payload, frame.size);
  return frame.whole;
}

static size_t take_request(Network *n, Stream *stream) {
  stream->in[stream->used] = 0;
  const char *end = strstr((const char *)stream->in, "\r\n\r\n");
  if (end == NULL) {
    if (stream->used == STREAM_IN) stream->ends = true; /* longer than any request of ours */
    return 0;
  }
  answer_request(n, stream);
  return (size_t)(end + 4 - (const char *)stream->in);
}

static void read_stream(Network *n, Stream *stream) {
  ssize_t size = recv(stream->socket, stream->in + stream->used, STREAM_IN - stream->used, MSG_DONTWAIT);
  if (size <= 0) {
    if (size == 0 || (errno != EAGAIN && errno != EINTR)) stream->ends = true;
    return;
  }
  stream->used += (size_t)size;
  for (size_t done = 1; done > 0 && !stream->ends;) {
    done = stream->upgraded ? take_frame(n, stream) : take_request(n, stream);
    memmove(stream->in, stream->in + done, stream->used - done);
    stream->used -= done;
  }
}

static void accept_stream(Network *n) {
  int made = accept4(n->tcp, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC), on = 1;
  if (made < 0) return;
  for (int i = 0; i < MOST_STREAMS; ++i) {
    Stream *stream = &n->streams[i];
    if (stream->socket >= 0) continue;
    setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    stream->socket = made;
    stream->since = tac_clock_now();
    return;
  }
  close(made);
}

static void tend_stream(Network *n, Stream *stream, short events) {
  if ((events & (POLLIN | POLLHUP | POLLERR)) != 0) read_stream(n, stream);
  if ((events & POLLOUT) != 0) flush_stream(stream);
  bool client = atomic_load(&n->connected) && n->client.stream == stream;
  bool idle = !client && tac_clock_now() - stream->since > HASTE;
  if ((!stream->ends || stream->waiting + stream->page_left > 0) && !idle) return;
  if (client) tac_driver_link_lose(&n->link, "the connection to its client was closed");
  end_stream(stream);
}

/* ---- the thread ---- */

static void read_datagrams(Network *n) {
  for (int i = 0; i < 64; ++i) { /* those that wait; a flood must not keep us here */
    unsigned char bytes[TAC_NETWORK_MOST + 64];
    Peer peer = {.stream = NULL};
    socklen_t length = sizeof peer.address;
    ssize_t size = recvfrom(n->udp, bytes, sizeof bytes, MSG_DONTWAIT, (struct sockaddr *)&peer.address, &length);
    if (size < 0) return;
    take_message(n, &peer, bytes, (size_t)size);
  }
}

/* A connection that is closed while there is something to read takes back what was sent: read first. */
static void drain_stream(Stream *stream) {
  struct pollfd waits = {.fd = stream->socket, .events = POLLIN};
  shutdown(stream->socket, SHUT_WR);
  for (int64_t end = tac_clock_now() + TAC_NS_PER_SECOND / 5; tac_clock_now() < end && poll(&waits, 1, 20) >= 0;)
    if (recv(stream->socket, stream->in, STREAM_IN, MSG_DONTWAIT) == 0) return;
}

static void send_bye(Network *n) {
  tacNetworkMessage bye = {.kind = TAC_NETWORK_BYE, .session = n->session};
  if (!atomic_load(&n->connected)) return;
  send_force(n); /* it is zero by now */
  bye.sequence = ++n->sent;
  send_message(n, &n->client, &bye);
  if (n->client.stream != NULL && n->client.stream->socket >= 0) drain_stream(n->client.stream);
}

static void talk(void *context) {
  Network *n = context;
  while (!tac_driver_link_stops(&n->link)) {
    struct pollfd waits[2 + MOST_STREAMS] = {{.fd = n->udp, .events = POLLIN}, {.fd = n->tcp, .events = POLLIN}};
    for (int i = 0; i < MOST_STREAMS; ++i) {
      const Stream *stream = &n->streams[i];
      short out = stream->waiting + stream->page_left > 0 ? POLLOUT : 0;
      waits[2 + i] = (struct pollfd){.fd = stream->socket, .events = (short)(stream->ends ? out : POLLIN | out)};
    }
    poll(waits, 2 + MOST_STREAMS, 5);
    if (waits[0].revents != 0) read_datagrams(n);
    for (int i = 0; i < MOST_STREAMS; ++i)
      if (n->streams[i].socket >= 0) tend_stream(n, &n->streams[i], waits[2 + i].fd >= 0 ? waits[2 + i].revents : 0);
    if (waits[1].revents != 0) accept_stream(n);
    if (!atomic_load(&n->connected)) continue;
    int64_t now = tac_clock_now();
    if (now - n->last_sent >= HEARTBEAT && !atomic_load(&n->link.lost)) send_force(n);
    if (now - n->last_received > SILENCE) tac_driver_link_lose(&n->link, "its client sent nothing for 1 s");
  }
  send_bye(n);
}

/* ---- the driver ---- */

static tacStatus read_options(void *device, const char *options, tacError *error) {
  Network *n = device;
  const tacDriverOption table[] = {{"listen", n->listen, sizeof n->listen, NULL, 0.0, 0.0},
                                   {"port", NULL, 0, &n->port, 1.0, 65535.0},
                                   {"token", n->token, sizeof n->token, NULL, 0.0, 0.0},
                                   {"wait", NULL, 0, &n->wait, 0.0, 3600.0}};
  n->udp = n->tcp = -1;
  for (int i = 0; i < MOST_STREAMS; ++i) n->streams[i].socket = -1;
  snprintf(n->listen, sizeof n->listen, "127.0.0.1");
  n->port = TAC_NETWORK_PORT;
  n->wait = 30.0;
  return tac_driver_options_read(options, (int)(sizeof table / sizeof *table), table, error);
}

static tacStatus bind_socket(const Network *n, int type, int *made, tacError *error) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)n->port)};
  if (inet_pton(AF_INET, n->listen, &address.sin_addr) != 1)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "options: listen is %s; it must be an IPv4 address such as 127.0.0.1",
                         n->listen);
  bool beyond = (ntohl(address.sin_addr.s_addr) >> 24) != 127;
  if (beyond && n->token[0] == 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "options: listen=%s accepts clients from other machines; require a token with token=WORD",
                         n->listen);
  int s = socket(AF_INET, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1;
  if (s >= 0 && type == SOCK_STREAM) setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (s < 0 || bind(s, (struct sockaddr *)&address, sizeof address) != 0 ||
      (type == SOCK_STREAM && listen(s, 8) != 0)) {
    int reason = errno;
    if (s >= 0) close(s);
    return tac_error_set(error, TAC_ERR_FILE, "cannot listen at %s, port %d: %s", n->listen, (int)n->port,
                         strerror(reason));
  }
  *made = s;
  return TAC_OK;
}

static tacStatus wait_for_client(Network *n, tacError *error) {
  int64_t deadline = tac_clock_now() + tac_clock_nanoseconds(n->wait);
  while (!atomic_load(&n->moved) && !atomic_load(&n->link.lost) && tac_clock_now() < deadline)
    tac_clock_sleep_until(tac_clock_now() + 1000000);
  if (atomic_load(&n->moved)) return TAC_OK;
  return tac_error_set(
      error, TAC_ERR_FILE,
      "no client %s within %g s; start one (drivers/clients/network_device.py), or open http://%s:%d/ in a browser",
      atomic_load(&n->connected) ? "sent a state" : "connected", n->wait, n->listen, (int)n->port);
}

static tacStatus bind_sockets(Network *n, tacError *error) {
  tacStatus status = bind_socket(n, SOCK_DGRAM, &n->udp, error);
  return status == TAC_OK ? bind_socket(n, SOCK_STREAM, &n->tcp, error) : status;
}

static tacStatus begin(void *device, double period, tacDeviceInfo *info, tacError *error) {
  Network *n = device;
  n->period = (uint32_t)(period * 1e6);
  tacStatus status = bind_sockets(n, error);
  if (status == TAC_OK && getrandom(&n->session, sizeof n->session, 0) != sizeof n->session)
    status = tac_error_set(error, TAC_ERR_FILE, "the operating system gives no random numbers");
  if (status == TAC_OK) status = tac_driver_link_start(&n->link, "tac network", talk, n, error);
  if (status == TAC_OK) status = wait_for_client(n, error);
  if (status == TAC_OK) *info = n->info;
  return status;
}

static void end(void *device) {
  Network *n = device;
  for (int i = 0; i < MOST_STREAMS; ++i) end_stream(&n->streams[i]);
  if (n->udp >= 0) close(n->udp);
  if (n->tcp >= 0) close(n->tcp);
}

static tacStatus probe_port(void *device, tacDeviceProbe *probe, tacError *error) {
  Network *n = device;
  snprintf(probe->needs, sizeof probe->needs, "a client: over UDP at %s:%d, or a browser at http://%s:%d/", n->listen,
           (int)n->port, n->listen, (int)n->port);
  return bind_sockets(n, error);
}

static const tacDriverLife life = {sizeof(Network), read_options, begin, end, probe_port};
TAC_DRIVER_EXPORT("network", "a device over UDP or WebSocket", life)
