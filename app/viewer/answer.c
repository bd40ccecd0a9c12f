#include "app/viewer/answer.h"

#include <civetweb.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include "base/clock.h"

enum { PIECE = 1 << 16 };                   /* bytes */
#define MOST_TIME (120 * TAC_NS_PER_SECOND) /* for an answer: whoever reads slower holds a thread up */

static void answer(struct mg_connection *connection, int status, const char *policy, const char *more, const char *type,
                   const void *bytes, size_t size) {
  char head[2048];
  int length = snprintf(head, sizeof head,
                        "HTTP/1.1 %d %s\r\n"
                        "Content-Type: %s\r\n"
                        "Content-Length: %zu\r\n"
                        "Connection: close\r\n"
                        "Cache-Control: no-cache\r\n"
                        "X-Content-Type-Options: nosniff\r\n"
                        "X-Frame-Options: DENY\r\n"
                        "Referrer-Policy: no-referrer\r\n"
                        "Cross-Origin-Resource-Policy: same-origin\r\n"
                        "Content-Security-Policy: %s\r\n"
                        "%s\r\n",
                        status, mg_get_response_code_text(connection, status), type, size, policy, more);
  if (length < 0 || (size_t)length >= sizeof head) return; /* a host has 255 characters at most, and all else is ours */
  if (mg_write(connection, head, (size_t)length) != length) return;
  const struct mg_request_info *request = mg_get_request_info(connection);
  const char *method = request != NULL ? request->request_method : NULL; /* NULL after bytes that are no request */
  if (method != NULL && strcmp(method, "HEAD") == 0) return;
  int64_t end = tac_clock_now() + MOST_TIME;
  for (size_t at = 0; at < size && tac_clock_now() < end; at += PIECE) {
    size_t piece = size - at < PIECE ? size - at : PIECE;
    if (mg_write(connection, (const char *)bytes + at, piece) != (int)piece) return;
  }
}

int tac_answer_bytes(struct mg_connection *connection, const char *host, const char *type, const unsigned char *bytes,
                     size_t size) {
  char policy[1024];
  snprintf(policy, sizeof policy,
           "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' blob: data:; "
           "connect-src 'self' ws://%s wss://%s; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
           host, host);
  answer(connection, 200, policy, "", type, bytes, size);
  return 200;
}

int tac_answer_text(struct mg_connection *connection, int status, const char *allow, const char *text) {
  char more[64] = "", line[1024];
  if (allow != NULL) snprintf(more, sizeof more, "Allow: %s\r\n", allow);
  snprintf(line, sizeof line, "%s\n", text);
  answer(connection, status, "default-src 'none'; frame-ancestors 'none'", more, "text/plain; charset=utf-8", line,
         strlen(line));
  return status;
}
