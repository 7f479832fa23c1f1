#include <stddef.h>

// An arena gives one parse its memory and takes all of it back at once. See arena.go.
typedef struct arena arena;

arena *arena_new(void);
void arena_free(arena *);

// arena_enter has this thread's allocations of tree-sitter come from an arena; NULL: from the C library again.
void arena_enter(arena *);

// arena_reset takes back whatever came from the arena and keeps its first block for the next parse.
void arena_reset(arena *);

// arena_size is what the arena holds, in bytes.
size_t arena_size(const arena *);

// arena_install has tree-sitter ask here for memory.
void arena_install(void);
