#include <stddef.h>

// An arena is the memory of one parse, which is freed at once. See arena.go.
typedef struct arena arena;

arena *arena_new(void);
void arena_free(arena *);

// arena_enter makes tree-sitter allocate from an arena in this thread, or from the C library if the arena is NULL.
void arena_enter(arena *);

// arena_reset frees all allocations of an arena and keeps its first block for the next parse.
void arena_reset(arena *);

// arena_size returns the size of an arena's blocks in bytes.
size_t arena_size(const arena *);

// arena_install makes tree-sitter use these functions for its memory.
void arena_install(void);
