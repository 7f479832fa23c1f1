#include <stdbool.h>
#include <stdint.h>

// How the library lays its trees and languages out (its subtree.h, tree.h and parser.h, at the version in go.mod), as
// far as parse.c reads them. TestFlat compares what comes of it with the library's own nodes in every language.

typedef struct {
	uint32_t bytes, row, column;
} ts_length;

// ts_small is a token that fits into a pointer, told by its lowest bit.
typedef struct {
	bool is_small : 1, visible : 1, named : 1, extra : 1, has_changes : 1, is_missing : 1, is_keyword : 1;
	uint8_t symbol;
	uint16_t parse_state;
	uint8_t padding_columns, padding_rows : 4, lookahead_bytes : 4, padding_bytes, size_bytes;
} ts_small;

// ts_large is any other node. Its children stand right before it.
typedef struct {
	uint32_t ref_count;
	ts_length padding, size;
	uint32_t lookahead_bytes, error_cost, child_count;
	uint16_t symbol, parse_state;
	bool visible : 1, named : 1, extra : 1, fragile_left : 1, fragile_right : 1, has_changes : 1, has_external_tokens : 1,
		has_external_scanner_state_change : 1, depends_on_column : 1, is_missing : 1, is_keyword : 1;
	union {
		struct { // where there are children
			uint32_t visible_child_count, named_child_count, visible_descendant_count;
			int32_t dynamic_precedence;
			uint16_t repeat_depth, production;
		};
		void *external; // aligns the union
	};
} ts_large;

typedef union {
	ts_small small;
	const ts_large *large;
} ts_subtree;

typedef struct {
	uint16_t field;
	uint8_t child;
	bool inherited;
} ts_field_entry;

typedef struct {
	uint32_t version, symbols, aliases, tokens, external_tokens, states, large_states, productions, fields;
	uint16_t longest_aliases; // of one production
	const void *tables[4], *symbol_names, *field_names;
	const struct {
		uint16_t index, length;
	} *field_slices;
	const ts_field_entry *field_entries;
	const struct {
		bool visible, named, supertype;
	} *metadata;
	const uint16_t *public_symbols, *alias_map, *alias_sequences;
} ts_language;
