#include "parse.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

// These are declarations of tree_sitter/api.h, which is in the library's package.
typedef struct {
	uint32_t context[4];
	const void *id, *tree;
} TSNode;

typedef struct {
	const void *tree, *id;
	uint32_t context[3];
} TSTreeCursor;

extern void *ts_parser_new(void);
extern void ts_parser_delete(void *);
extern bool ts_parser_set_language(void *, const void *);
extern void ts_parser_set_timeout_micros(void *, uint64_t);
extern void *ts_parser_parse_string(void *, const void *, const char *, uint32_t);
extern TSNode ts_tree_root_node(const void *);
extern uint32_t ts_node_start_byte(TSNode);
extern uint32_t ts_node_end_byte(TSNode);
extern uint16_t ts_node_symbol(TSNode);
extern bool ts_node_is_null(TSNode);
extern bool ts_node_is_named(TSNode);
extern bool ts_node_has_error(TSNode);
extern TSTreeCursor ts_tree_cursor_new(TSNode);
extern void ts_tree_cursor_delete(TSTreeCursor *);
extern TSNode ts_tree_cursor_current_node(const TSTreeCursor *);
extern uint16_t ts_tree_cursor_current_field_id(const TSTreeCursor *);
extern bool ts_tree_cursor_goto_first_child(TSTreeCursor *);
extern bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *);
extern bool ts_tree_cursor_goto_parent(TSTreeCursor *);
extern TSNode ts_node_child_by_field_id(TSNode, uint16_t);
extern uint32_t ts_language_symbol_count(const void *);
extern const char *ts_language_symbol_name(const void *, uint16_t);
extern int ts_language_symbol_type(const void *, uint16_t);
extern uint32_t ts_language_field_count(const void *);
extern const char *ts_language_field_name_for_id(const void *, uint16_t);

static void *grow(void *list, size_t size) {
	void *grown = realloc(list, size);
	if (!grown) {
		fprintf(stderr, "tree-sitter failed to allocate %zu bytes\n", size);
		abort();
	}
	return grown;
}

// claim is a child that is in a field of its parent.
typedef struct {
	uint32_t parent, start, end;
	uint16_t field, symbol;
} claim;

// settle sets the second fields of children, in addition to the field that the cursor returned.
static void settle(flat_node *nodes, const claim *claims, uint32_t count) {
	for (const claim *c = claims; c < claims + count; c++) {
		for (uint32_t i = c->parent + 1; i < nodes[c->parent].next; i = nodes[i].next) {
			flat_node *n = nodes + i;
			if (n->start == c->start && n->end == c->end && n->symbol == c->symbol) {
				if (n->field != c->field) {
					n->flags |= (uint8_t)(c->field << flat_outer);
				}
				break;
			}
		}
	}
}

typedef struct {
	flat_node *nodes;
	uint32_t count, room;
	claim *claims;
	uint32_t claimed, claim_room;
	uint16_t both;
	uint8_t number;
} listing;

// claim_fields adds claims for the fields of n, the last node listed.
static void claim_fields(listing *l, TSNode n) {
	for (uint16_t f = 1; f <= l->both; f++) {
		TSNode child = ts_node_child_by_field_id(n, f);
		if (ts_node_is_null(child)) {
			continue;
		}
		if (l->claimed == l->claim_room) {
			l->claim_room = 2 * l->claim_room + 64;
			l->claims = grow(l->claims, l->claim_room * sizeof *l->claims);
		}
		l->claims[l->claimed++] =
			(claim){l->count - 1, ts_node_start_byte(child), ts_node_end_byte(child), f, ts_node_symbol(child)};
	}
}

// list appends the node at a cursor.
static void list(listing *l, const TSTreeCursor *at, uint32_t parent) {
	if (l->count == l->room) {
		l->room *= 2;
		l->nodes = grow(l->nodes, l->room * sizeof *l->nodes);
	}
	TSNode n = ts_tree_cursor_current_node(at);
	// children of an error have no field
	bool alone = parent == UINT32_MAX || l->nodes[parent].symbol == UINT16_MAX;
	l->nodes[l->count] = (flat_node){
		.start = ts_node_start_byte(n),
		.end = ts_node_end_byte(n),
		.parent = parent,
		.self = l->count,
		.symbol = ts_node_symbol(n),
		.field = alone ? 0 : ts_tree_cursor_current_field_id(at),
		.flags = (ts_node_has_error(n) ? flat_error : 0) | (ts_node_is_named(n) ? flat_named : 0),
		.language = l->number,
	};
	l->count++;
	if (l->both) {
		claim_fields(l, n);
	}
}

// flatten lists a tree's nodes. both is the number of fields of its language, or 0 if no node is in two fields.
static flat_tree flatten(const void *tree, uint8_t number, uint32_t size, uint16_t both) {
	listing l = {.room = size / 3 + 64, .number = number, .both = both}; // code has about one node per three bytes
	l.nodes = grow(NULL, l.room * sizeof *l.nodes);
	TSTreeCursor at = ts_tree_cursor_new(ts_tree_root_node(tree));
	uint32_t parent = UINT32_MAX;
	list(&l, &at, parent);
	for (bool more = true; more;) {
		uint32_t last = l.count - 1;
		if (ts_tree_cursor_goto_first_child(&at)) {
			parent = last;
			list(&l, &at, parent);
			continue;
		}
		l.nodes[last].next = l.count;
		while (!ts_tree_cursor_goto_next_sibling(&at)) {
			if (parent == UINT32_MAX) {
				more = false;
				break;
			}
			l.nodes[parent].next = l.count;
			parent = l.nodes[parent].parent;
			ts_tree_cursor_goto_parent(&at);
		}
		if (more) {
			list(&l, &at, parent);
		}
	}
	ts_tree_cursor_delete(&at);
	settle(l.nodes, l.claims, l.claimed);
	free(l.claims);
	return (flat_tree){l.nodes, l.count};
}

flat_tree flat_parse(arena *a, const void *language, uint8_t number, const char *text, uint32_t size, uint64_t micros, int both) {
	flat_tree out = {NULL, 0};
	arena_enter(a);
	void *p = ts_parser_new();
	if (ts_parser_set_language(p, language)) {
		ts_parser_set_timeout_micros(p, micros);
		void *tree = ts_parser_parse_string(p, NULL, text, size);
		if (!tree) { // continue once, because a loaded machine may have exceeded the time limit
			tree = ts_parser_parse_string(p, NULL, text, size);
		}
		if (tree) {
			out = flatten(tree, number, size, both ? ts_language_field_count(language) : 0);
		}
	}
	ts_parser_delete(p); // frees memory of grammars' scanners
	arena_enter(NULL);
	arena_reset(a); // frees the tree
	return out;
}

uint32_t flat_symbols(const void *language) { return ts_language_symbol_count(language); }

const char *flat_symbol(const void *language, uint16_t symbol) { return ts_language_symbol_name(language, symbol); }

int flat_regular(const void *language, uint16_t symbol) {
	return ts_language_symbol_type(language, symbol) == 0; // TSSymbolTypeRegular
}

uint32_t flat_fields(const void *language) { return ts_language_field_count(language); }

const char *flat_field(const void *language, uint16_t field) { return ts_language_field_name_for_id(language, field); }
