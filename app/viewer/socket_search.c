#include "app/viewer/socket_search.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/socket.h>

typedef int (*NameFn)(int descriptor, struct sockaddr *restrict name, socklen_t *restrict size);

/* Whether getsockname or getpeername gives `port` and, where it is not NULL, `address`. */
static bool name_is(NameFn get_name, int descriptor, const struct in_addr *address, int port) {
  struct sockaddr_in name = {0};
  socklen_t size = sizeof name;
  return get_name(descriptor, (struct sockaddr *)&name, &size) == 0 && name.sin_family == AF_INET &&
         ntohs(name.sin_port) == port && (address == NULL || name.sin_addr.s_addr == address->s_addr);
}

static bool listens(int descriptor) {
  int value = 0;
  socklen_t size = sizeof value;
  return getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &value, &size) == 0 && value != 0;
}

/* A negative `remote_port` asks for the listener at `address`, another for the connection with `address`. */
static int search(const char *address, int remote_port, int port) {
  struct in_addr wanted;
  if (inet_pton(AF_INET, address, &wanted) != 1) return -1;
  DIR *folder = opendir("/proc/self/fd");
  if (folder == NULL) return -1;
  int found = -1;
  for (const struct dirent *entry; found < 0 && (entry = readdir(folder)) != NULL;) {
    char *end;
    int descriptor = (int)strtol(entry->d_name, &end, 10);
    if (end == entry->d_name || *end != '\0') continue; /* . and .. */
    bool fits = remote_port < 0 ? name_is(getsockname, descriptor, &wanted, port) && listens(descriptor)
                                : name_is(getpeername, descriptor, &wanted, remote_port) &&
                                      name_is(getsockname, descriptor, NULL, port);
    if (fits) found = descriptor;
  }
  closedir(folder);
  return found;
}

int tac_socket_search_connection(const char *remote, int remote_port, int port) {
  return remote_port < 0 ? -1 : search(remote, remote_port, port);
}

int tac_socket_search_listener(const char *address, int port) {
  return search(address, -1, port);
}
