#include "app/viewer/server/origin.h"

#include <arpa/inet.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

bool tac_origin_is_local(const char *address) {
  struct in_addr parsed;
  return inet_pton(AF_INET, address, &parsed) == 1 && ntohl(parsed.s_addr) >> 24 == 127;
}

bool tac_origin_host_valid(const char *host) {
  const char *allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:[]";
  size_t length = strlen(host);
  return length > 0 && length <= 255 && strspn(host, allowed) == length;
}

bool tac_origin_host_local(const char *host, const char *address, int port) {
  const char *names[] = {address, "127.0.0.1", "localhost", "[::1]"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    char allowed[64];
    snprintf(allowed, sizeof allowed, "%s:%d", names[i], port);
    if (strcasecmp(host, allowed) == 0) return true;
    if (port == 80 && strcasecmp(host, names[i]) == 0) return true; /* browsers leave it out */
  }
  return false;
}

bool tac_origin_same(const char *origin, const char *host) {
  const char *schemes[] = {"http://", "https://"};
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; ++i) {
    size_t length = strlen(schemes[i]);
    if (strncasecmp(origin, schemes[i], length) == 0 && strcasecmp(origin + length, host) == 0) return true;
  }
  return false;
}

bool tac_origin_token_equal(const char *given, const char *token) {
  size_t length = strlen(given), wanted = strlen(token);
  volatile unsigned difference = length != wanted; /* volatile: no compiler may leave the loop early */
  for (size_t i = 0; i < wanted; ++i)
    difference = difference | ((unsigned char)token[i] ^ (unsigned char)(i < length ? given[i] : 0));
  return difference == 0;
}
