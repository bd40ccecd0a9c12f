#include "app/viewer/server/answer.h"

#include <civetweb.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/clock.h"
#include "base/files/input_file.h"
#include "base/memory/array.h"

enum { PIECE = 1 << 16 };                   /* bytes */
#define MOST_TIME (120 * TAC_NS_PER_SECOND) /* for an answer: whoever reads slower holds a thread up */
#define MOST_FILE_TIME (1800 * TAC_NS_PER_SECOND)

static const char no_policy[] = "default-src 'none'; frame-ancestors 'none'";

/* False where nothing more is to be sent: the request was for the head alone, or the client has gone. */
static bool answer_head(struct mg_connection *connection, int status, const char *policy, const char *more,
                        const char *type, size_t size) {
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
  if (length < 0 || (size_t)length >= sizeof head)
    return false; /* a host has 255 characters at most, and all else is ours */
  if (mg_write(connection, head, (size_t)length) != length) return false;
  const struct mg_request_info *request = mg_get_request_info(connection);
  const char *method = request != NULL ? request->request_method : NULL; /* NULL after bytes that are no request */
  return method == NULL || strcmp(method, "HEAD") != 0;
}

static void answer(struct mg_connection *connection, int status, const char *policy, const char *more, const char *type,
                   const void *bytes, size_t size) {
  if (!answer_head(connection, status, policy, more, type, size)) return;
  int64_t end = tac_clock_now() + MOST_TIME;
  for (size_t at = 0; at < size && tac_clock_now() < end; at += PIECE) {
    size_t piece = size - at < PIECE ? size - at : PIECE;
    if (mg_write(connection, (const char *)bytes + at, piece) != (int)piece) return;
  }
}

int tac_answer_file(struct mg_connection *connection, const char *path, const char *name) {
  int file = -1;
  size_t size = 0, filled = 0;
  char more[256];
  unsigned char *bytes = tac_array_create(PIECE, 1, "a piece of a file", NULL);
  if (bytes == NULL || tac_input_file_open(path, &file, &size, NULL) != TAC_OK) {
    free(bytes);
    return tac_answer_text(connection, 404, NULL, "the file cannot be read");
  }
  snprintf(more, sizeof more, "Content-Disposition: attachment; filename=\"%.120s\"\r\n", name);
  bool sending = answer_head(connection, 200, no_policy, more, "application/octet-stream", size);
  int64_t end = tac_clock_now() + MOST_FILE_TIME;
  for (size_t at = 0; sending && at < size && tac_clock_now() < end; at += filled) {
    size_t piece = size - at < PIECE ? size - at : PIECE;
    sending = tac_input_file_read_at(file, path, at, piece, bytes, &filled, NULL) == TAC_OK && filled == piece &&
              mg_write(connection, bytes, piece) == (int)piece;
  }
  close(file);
  free(bytes);
  return 200;
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
  answer(connection, status, no_policy, more, "text/plain; charset=utf-8", line, strlen(line));
  return status;
}
