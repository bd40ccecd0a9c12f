#include "base/memory/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/large_pages.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POISONING 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define POISONING 1
#endif

#ifdef POISONING
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

tacArena tac_arena_over(void *memory, size_t capacity) {
  ASAN_POISON_MEMORY_REGION(memory, capacity);
  return (tacArena){.base = memory, .capacity = capacity};
}

tacStatus tac_arena_create(size_t capacity, const char *what, tacArena *arena, tacError *error) {
  *arena = (tacArena){0};
  if (capacity > PTRDIFF_MAX - TAC_ARENA_ALIGNMENT) return tac_error_memory(error, SIZE_MAX, what);
  size_t rounded = (capacity / TAC_ARENA_ALIGNMENT + 1) * TAC_ARENA_ALIGNMENT;
  void *memory = aligned_alloc(TAC_ARENA_ALIGNMENT, rounded);
  if (memory == NULL) return tac_error_memory(error, rounded, what);
  tac_large_pages(memory, rounded);
  memset(memory, 0, rounded);
  *arena = tac_arena_over(memory, capacity);
  arena->owned = memory;
  return TAC_OK;
}

void tac_arena_destroy(tacArena *arena) {
  ASAN_UNPOISON_MEMORY_REGION(arena->base, arena->capacity);
  free(arena->owned);
  *arena = (tacArena){0};
}

/* `at` moved up to the next multiple of the alignment in memory, plus `size`; SIZE_MAX where that overflows. */
static size_t end_of_block(const tacArena *arena, size_t at, size_t size) {
  size_t padding = -((uintptr_t)arena->base + at) & (TAC_ARENA_ALIGNMENT - 1);
  size_t end = 0;
  if (__builtin_add_overflow(at, padding, &end) || __builtin_add_overflow(end, size, &end)) return SIZE_MAX;
  return end;
}

void *tac_arena_array(tacArena *arena, size_t count, size_t item_size) {
  size_t size = 0;
  if (__builtin_mul_overflow(count, item_size, &size)) size = SIZE_MAX;
  arena->wanted = end_of_block(arena, arena->wanted, size);
  if (arena->wanted > arena->most_wanted) arena->most_wanted = arena->wanted;
  size_t end = end_of_block(arena, arena->used, size);
  if (end > arena->capacity || arena->base == NULL) { /* NULL: memory is only measured */
    ++arena->refused;
    return NULL;
  }
  arena->used = end;
  unsigned char *block = arena->base + (end - size);
  ASAN_UNPOISON_MEMORY_REGION(block, size);
  return block;
}

tacArenaMark tac_arena_mark(const tacArena *arena) {
  return (tacArenaMark){.used = arena->used, .wanted = arena->wanted};
}

void tac_arena_release(tacArena *arena, tacArenaMark mark) {
  ASAN_POISON_MEMORY_REGION(arena->base + mark.used, arena->used - mark.used);
  arena->used = mark.used;
  arena->wanted = mark.wanted;
}

void tac_arena_reset(tacArena *arena) {
  tac_arena_release(arena, (tacArenaMark){0});
}
