/* Who may ask the viewer's server. A page from elsewhere can make a browser send requests here; the browser then
 * says whom it believes to ask (Host) and for which page (Origin), and neither lies. */
#pragma once

#include <stdbool.h>

/* Whether the address (IPv4) can be reached from this machine only. */
bool tac_origin_is_local(const char *address);
/* Whether a Host header is well-formed: a name or address, and perhaps a port. */
bool tac_origin_host_valid(const char *host);
/* Whether it names our port of this machine: as `address`, 127.0.0.1, localhost or [::1]. A name that somebody else
 * made lead to this machine is none of these. */
bool tac_origin_host_local(const char *host, const char *address, int port);
/* Whether a page of `origin` was served by `host` itself; with https, by a proxy before us. */
bool tac_origin_same(const char *origin, const char *host);
/* Takes the same time wherever they differ. */
bool tac_origin_token_equal(const char *given, const char *token);
