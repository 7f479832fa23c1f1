#include <stddef.h>

// A region gives one parse its memory and takes all of it back at once. See region_linux.go.
typedef struct region region;

region *region_new(void);
void region_free(region *);

// region_enter has this thread's allocations of tree-sitter come from the region until region_leave.
void region_enter(region *);
void region_leave(void);

// region_reset takes back whatever came from the region and keeps its first block for the next parse.
void region_reset(region *);

// region_size is what the region holds of the system's memory, in bytes.
size_t region_size(const region *);

// region_install makes tree-sitter ask here for memory.
void region_install(void);
