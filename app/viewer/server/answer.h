/* The server's answers over HTTP: one request, one answer, and the connection is closed. */
#pragma once

#include <stddef.h>

struct mg_connection; /* civetweb's */

/* All return the status. HEAD gets the head alone. */
/* `host` is where the page's socket is: a Host header that is valid (origin.h). */
int tac_answer_bytes(struct mg_connection *connection, const char *host, const char *type, const unsigned char *bytes,
                     size_t size);
/* A file of any size, to be saved under `name` (letters that need no quotes). */
int tac_answer_file(struct mg_connection *connection, const char *path, const char *name);
/* A line that says why. `allow`: the methods that would do, for status 405; else NULL. */
int tac_answer_text(struct mg_connection *connection, int status, const char *allow, const char *text);
