#include "app/viewer/server/socket_search.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

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

static pthread_mutex_t copying = PTHREAD_MUTEX_INITIALIZER; /* no copy of a descriptor is there while one is searched */

/* The number of an entry of /proc/self/fd; -1 for . and .. */
static int descriptor_of(const struct dirent *entry) {
  char *end;
  int descriptor = (int)strtol(entry->d_name, &end, 10);
  return end != entry->d_name && *end == '\0' ? descriptor : -1;
}

/* A negative `remote_port` asks for the listener at `address`, another for the connection with `address`. */
static int search(const char *address, int remote_port, int port) {
  struct in_addr wanted;
  if (inet_pton(AF_INET, address, &wanted) != 1) return -1;
  DIR *folder = opendir("/proc/self/fd");
  if (folder == NULL) return -1;
  int found = -1;
  pthread_mutex_lock(&copying);
  for (const struct dirent *entry; found < 0 && (entry = readdir(folder)) != NULL;) {
    int descriptor = descriptor_of(entry);
    if (descriptor < 0) continue;
    bool fits = remote_port < 0 ? name_is(getsockname, descriptor, &wanted, port) && listens(descriptor)
                                : name_is(getpeername, descriptor, &wanted, remote_port) &&
                                      name_is(getsockname, descriptor, NULL, port);
    if (fits) found = descriptor;
  }
  pthread_mutex_unlock(&copying);
  closedir(folder);
  return found;
}

int tac_socket_search_connection(const char *remote, int remote_port, int port) {
  return remote_port < 0 ? -1 : search(remote, remote_port, port);
}

int tac_socket_search_listener(const char *address, int port) {
  return search(address, -1, port);
}

enum { ESTABLISHED = 1 }; /* TCP_ESTABLISHED of <netinet/tcp.h>, whose tcp_info does not count bytes */

static bool is_unanswered(int descriptor, int port, tacUnansweredSocket *unanswered) {
  struct tcp_info info = {0};
  struct sockaddr_in name = {0};
  struct pollfd ended = {.fd = descriptor, .events = POLLRDHUP};
  socklen_t size = sizeof info, name_size = sizeof name, cookie_size = sizeof unanswered->cookie;
  bool known = name_is(getsockname, descriptor, NULL, port) &&
               getpeername(descriptor, (struct sockaddr *)&name, &name_size) == 0 &&
               getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 &&
               size >= offsetof(struct tcp_info, tcpi_bytes_sent) + sizeof info.tcpi_bytes_sent && /* Linux 4.19 */
               getsockopt(descriptor, SOL_SOCKET, SO_COOKIE, &unanswered->cookie, &cookie_size) == 0;
  unanswered->remote = name.sin_addr.s_addr;
  unanswered->remote_port = ntohs(name.sin_port);
  return known && info.tcpi_state == ESTABLISHED && info.tcpi_bytes_sent == 0 && poll(&ended, 1, 0) == 0;
}

int tac_socket_search_unanswered(int port, int most, tacUnansweredSocket *unanswered) {
  DIR *folder = opendir("/proc/self/fd");
  if (folder == NULL) return 0;
  int count = 0;
  for (const struct dirent *entry; count < most && (entry = readdir(folder)) != NULL;) {
    int descriptor = descriptor_of(entry);
    if (descriptor >= 0 && is_unanswered(descriptor, port, &unanswered[count])) ++count;
  }
  closedir(folder);
  return count;
}

static bool is_among(const tacUnansweredSocket *wanted, int count, const tacUnansweredSocket *unanswered) {
  for (int i = 0; i < count; ++i)
    if (unanswered[i].cookie == wanted->cookie) return true;
  return false;
}

void tac_socket_search_end_unanswered(int port, int count, const tacUnansweredSocket *unanswered) {
  DIR *folder = opendir("/proc/self/fd");
  if (folder == NULL) return;
  pthread_mutex_lock(&copying);
  for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    tacUnansweredSocket found;
    int named = descriptor_of(entry), own = -1;
    /* The number may be another's at any moment; that of a copy is ours. */
    if (named >= 0 && is_unanswered(named, port, &found)) own = fcntl(named, F_DUPFD_CLOEXEC, 0);
    if (own < 0) continue;
    if (is_unanswered(own, port, &found) && is_among(&found, count, unanswered)) shutdown(own, SHUT_RD);
    close(own);
  }
  pthread_mutex_unlock(&copying);
  closedir(folder);
}
