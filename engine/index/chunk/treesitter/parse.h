#include <stdint.h>

#include "arena.h"

// flat_node is a node of a tree in a list that goes down before it goes on. tree.Node is the same in Go.
typedef struct {
	uint32_t start, end; // bytes
	uint32_t self, next; // its place in the list; that behind the last node below it
	uint32_t parent;     // place; that of the root is UINT32_MAX
	uint16_t symbol;
	uint8_t field; // of the parent that it is, 0 for none
	uint8_t flags;
	uint8_t language; // number
} flat_node;

enum {
	flat_error = 1, // flags: it is an error or has one below it
	flat_outer = 1, // bits of flags before another field that it is
	flat_named = 128,
};

typedef struct {
	flat_node *nodes; // NULL: the time was over. Who asked frees them.
	uint32_t count;
} flat_tree;

// flat_parse parses a text with an arena's memory, which is given up when it returns. number is what its nodes are told
// to be of, micros bounds the time. In some grammars a node is two fields at once; both tells to look for them, which
// takes a while.
flat_tree flat_parse(arena *, const void *language, uint8_t number, const char *text, uint32_t size, uint64_t micros,
	int both);

// What there is to know of a language by numbers.
uint32_t flat_symbols(const void *language);
const char *flat_symbol(const void *language, uint16_t symbol);
int flat_regular(const void *language, uint16_t symbol);
uint32_t flat_fields(const void *language); // the last one's number
const char *flat_field(const void *language, uint16_t field);
