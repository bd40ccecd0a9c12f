/* Bytes from whoever finds the port of the network device: as a datagram, or over TCP (a request, then frames) in pieces. */
#include "drivers/network.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static Network network = {.udp = -1, .tcp = -1};

static void start_again(void) {
  if (network.link.states == NULL && tac_driver_link_open(&network.link, NULL) != TAC_OK) abort();
  network.port = TAC_NETWORK_PORT;
  network.session = 0x12345678;
  atomic_store(&network.connected, false);
  atomic_store(&network.moved, false);
  atomic_store(&network.link.lost, false);
  for (int i = 0; i < MOST_STREAMS; ++i) network.streams[i].socket = -1;
}

/* What the thread does with one connection, whose other end sends `data` in pieces of `piece` bytes. */
static void feed_stream(const uint8_t *data, size_t size, size_t piece) {
  int ends[2];
  Stream *stream = &network.streams[0];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) != 0) return;
  *stream = (Stream){.socket = ends[0], .since = tac_clock_now()};
  for (size_t at = 0; at < size && stream->socket >= 0; at += piece) {
    size_t part = size - at < piece ? size - at : piece;
    if (send(ends[1], data + at, part, MSG_NOSIGNAL) < 0) break;
    tend_stream(&network, stream, POLLIN | POLLOUT);
    if (stream->used > STREAM_IN || stream->waiting > STREAM_OUT) abort();
    unsigned char answer[4096];
    while (recv(ends[1], answer, sizeof answer, MSG_DONTWAIT) > 0) continue;
  }
  end_stream(stream);
  close(ends[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  start_again();
  if (data[0] == 0)
    take_message(&network, &(Peer){.stream = NULL}, data + 1, size - 1);
  else
    feed_stream(data + 1, size - 1, data[0]);
  if (atomic_load(&network.connected) && (network.info.dof != 3 && network.info.dof != 6)) abort();
  return 0;
}
