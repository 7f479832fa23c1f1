#include <stdint.h>

#include "arena.h"

// flat_node is a node of a tree in a list in preorder. It has the layout of tree.Node in Go.
typedef struct {
	uint32_t start, end; // bytes
	uint32_t self, next; // its index in the list, and the index after its last descendant
	uint32_t parent;     // index, or UINT32_MAX for the root
	uint16_t symbol;
	uint8_t field; // field of the parent, or 0
	uint8_t flags;
	uint8_t language; // number of the language
} flat_node;

enum {
	flat_error = 1, // flag: the node is or contains an error
	flat_outer = 1, // offset of a second field in flags, in bits
	flat_named = 128,
};

typedef struct {
	flat_node *nodes; // NULL if the time limit was exceeded; the caller frees them
	uint32_t count;
} flat_tree;

// flat_parse parses a text with the memory of an arena, which it resets. number is the number of the language, and
// micros the time limit. If both is true, it also finds second fields of nodes, which some grammars have and which
// takes more time.
flat_tree flat_parse(arena *, const void *language, uint8_t number, const char *text, uint32_t size, uint64_t micros,
	int both);

// These functions return the symbols and fields of a language by number.
uint32_t flat_symbols(const void *language);
const char *flat_symbol(const void *language, uint16_t symbol);
int flat_regular(const void *language, uint16_t symbol);
uint32_t flat_fields(const void *language); // number of the last field
const char *flat_field(const void *language, uint16_t field);
