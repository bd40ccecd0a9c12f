/* Stacks of civetweb's threads. It asks for 100 KiB each, of which thread-local variables of OpenBLAS and METIS take 90 on
 * x86-64: the first request would end the program. On arm64 the system refuses so small a stack, and each thread would have
 * the usual 8 MiB, all of which the servo's memory locking makes resident. civetweb has no option for it, so the function
 * by which it asks is ours, for the whole program. */
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

enum { LEAST = 512 * 1024 };

__attribute__((visibility("default"))) int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t size) {
  int (*systems)(pthread_attr_t *, size_t);
  void *found = dlsym(RTLD_NEXT, "pthread_attr_setstacksize");
  memcpy(&systems, &found, sizeof systems);
  return systems(attributes, size > LEAST ? size : LEAST);
}
