/* Sockets for stand-ins at the other end of a network. */
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include "test.h"

static inline struct sockaddr_in end_address(int port) {
  return (struct sockaddr_in){
      .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

/* A socket that listens at a port that the system chose. */
static inline int end_listen(int *port) {
  struct sockaddr_in address = end_address(0);
  socklen_t size = sizeof address;
  int made = socket(AF_INET, SOCK_STREAM, 0);
  ck_assert_int_ge(made, 0);
  ck_assert_int_eq(bind(made, (struct sockaddr *)&address, sizeof address), 0);
  ck_assert_int_eq(listen(made, 4), 0);
  ck_assert_int_eq(getsockname(made, (struct sockaddr *)&address, &size), 0);
  *port = ntohs(address.sin_port);
  return made;
}

/* A port that nobody has now. */
static inline int end_free_port(void) {
  int port, made = end_listen(&port);
  close(made);
  return port;
}

static inline int end_connect(int port) {
  struct sockaddr_in address = end_address(port);
  int made = socket(AF_INET, SOCK_STREAM, 0);
  ck_assert_int_eq(connect(made, (struct sockaddr *)&address, sizeof address), 0);
  return made;
}

/* Reads until the text ends so, or the other end closes. */
static inline size_t end_read_until(int from, const char *ending, char *text, size_t size) {
  size_t used = 0;
  text[0] = 0;
  while (used + 1 < size && strstr(text, ending) == NULL) {
    ssize_t got = recv(from, text + used, size - 1 - used, 0);
    if (got <= 0) break;
    used += (size_t)got;
    text[used] = 0;
  }
  return used;
}

static inline bool end_read_all(int from, void *bytes, size_t size) {
  for (size_t used = 0; used < size;) {
    ssize_t got = recv(from, (char *)bytes + used, size - used, 0);
    if (got <= 0) return false;
    used += (size_t)got;
  }
  return true;
}
