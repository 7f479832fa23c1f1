#include "parse.h"
#include "subtree.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

// of tree_sitter/api.h, which stands with the library's package
typedef struct {
	uint32_t context[4];
	const void *id, *tree;
} TSNode;

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

// claim is a field of a node, and the child that it is.
typedef struct {
	uint32_t parent, start, end;
	uint16_t field, symbol;
} claim;

// settle gives children the fields that they are besides the one that the cursor told.
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

static uint32_t padding(ts_subtree s) { return s.small.is_small ? s.small.padding_bytes : s.large->padding.bytes; }

static uint32_t size_of(ts_subtree s) { return s.small.is_small ? s.small.size_bytes : s.large->size.bytes; }

static bool failed(ts_subtree s) {
	return s.small.is_small ? s.small.is_missing : s.large->is_missing || s.large->error_cost > 0;
}

// level is a node of the library's whose children are being listed. Hidden ones are not listed, but their children are.
typedef struct {
	const ts_subtree *children;
	const uint16_t *aliases; // symbols that take the place of the children's own, NULL for none
	const ts_field_entry *fields, *fields_end;
	uint32_t count, at, structural; // structural counts children that the grammar names: no comments
	uint32_t position;              // where child at starts
	uint32_t node, parent;          // its place in the list, UINT32_MAX for a hidden one; the parent of what is listed
	uint8_t field;                  // which field a hidden one is
} level;

static level level_of(const ts_language *l, const ts_large *n, uint32_t position) {
	level v = {.children = (const ts_subtree *)n - n->child_count, .count = n->child_count, .position = position};
	if (n->production) {
		v.aliases = l->alias_sequences + n->production * l->longest_aliases;
	}
	if (l->fields) {
		v.fields = l->field_entries + l->field_slices[n->production].index;
		v.fields_end = v.fields + l->field_slices[n->production].length;
	}
	return v;
}

// field_of is the field that the child at hand is.
static uint8_t field_of(const level *v) {
	for (const ts_field_entry *f = v->fields; f < v->fields_end; f++) {
		if (!f->inherited && f->child == v->structural) {
			return (uint8_t)f->field;
		}
	}
	return v->field;
}

typedef struct {
	flat_node *nodes;
	uint32_t count, room;
	claim *claims;
	uint32_t claimed, claim_room;
	level *levels;
	uint32_t depth, level_room;
	const ts_language *language;
	const void *tree;
	uint16_t both;
	uint8_t number;
} listing;

static void go_down(listing *l, level v) {
	if (l->depth == l->level_room) {
		l->level_room = 2 * l->level_room + 64;
		l->levels = grow(l->levels, l->level_room * sizeof *l->levels);
	}
	l->levels[l->depth++] = v;
}

// claim_fields notes what the fields of the newest node are, which s is.
static void claim_fields(listing *l, const ts_subtree *s, uint16_t alias) {
	const flat_node *made = l->nodes + l->count - 1;
	TSNode n = {{made->start, 0, 0, alias}, s, l->tree};
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

// list adds a node, and goes down to its children.
static void list(listing *l, const ts_subtree *s, uint16_t alias, uint32_t start, uint32_t parent, uint8_t field) {
	if (l->count == l->room) {
		l->room *= 2;
		l->nodes = grow(l->nodes, l->room * sizeof *l->nodes);
	}
	uint16_t symbol = alias ? alias : s->small.is_small ? s->small.symbol : s->large->symbol;
	if (symbol != UINT16_MAX) {
		symbol = l->language->public_symbols[symbol];
	}
	bool named = symbol == UINT16_MAX || (l->language->metadata[symbol].named && l->language->metadata[symbol].visible);
	l->nodes[l->count] = (flat_node){
		.start = start,
		.end = start + size_of(*s),
		.parent = parent,
		.self = l->count,
		.next = l->count + 1,
		.symbol = symbol,
		.field = field,
		.flags = (failed(*s) ? flat_error : 0) | (named ? flat_named : 0),
		.language = l->number,
	};
	l->count++;
	if (l->both) {
		claim_fields(l, s, alias);
	}
	if (!s->small.is_small && s->large->child_count && s->large->visible_child_count) {
		level v = level_of(l->language, s->large, start);
		v.node = v.parent = l->count - 1;
		go_down(l, v);
	}
}

// list_child lists a level's next child, or goes down to the children of a hidden one.
static void list_child(listing *l, level *v) {
	const ts_subtree *s = v->children + v->at;
	bool extra = s->small.is_small ? s->small.extra : s->large->extra;
	bool visible = s->small.is_small ? s->small.visible : s->large->visible;
	uint32_t start = v->position, parent = v->parent;
	uint16_t alias = 0;
	uint8_t field = 0;
	if (!extra) {
		field = field_of(v);
		alias = v->aliases ? v->aliases[v->structural] : 0;
		v->structural++;
	}
	if (++v->at < v->count) {
		v->position = start + size_of(*s) + padding(v->children[v->at]);
	}
	if (visible || alias) { // what stands in an error is nobody's field
		list(l, s, alias, start, parent, l->nodes[parent].symbol == UINT16_MAX ? 0 : field);
	} else if (!s->small.is_small && s->large->child_count && s->large->visible_child_count) {
		level hidden = level_of(l->language, s->large, start);
		hidden.node = UINT32_MAX;
		hidden.parent = parent;
		hidden.field = field;
		go_down(l, hidden);
	}
}

// flatten lists a tree's nodes. both is how many fields its language has, 0 where no node is two.
static flat_tree flatten(const void *tree, const void *language, uint8_t number, uint32_t size, uint16_t both) {
	uint32_t room = size / 3 + 64; // code has a node in three bytes
	listing l = {.room = room, .language = language, .number = number, .tree = tree, .both = both};
	l.nodes = grow(NULL, l.room * sizeof *l.nodes);
	TSNode root = ts_tree_root_node(tree);
	list(&l, root.id, 0, ts_node_start_byte(root), UINT32_MAX, 0);
	while (l.depth) {
		level *v = l.levels + l.depth - 1;
		if (v->at < v->count) {
			list_child(&l, v);
			continue;
		}
		if (v->node != UINT32_MAX) {
			l.nodes[v->node].next = l.count;
		}
		l.depth--;
	}
	settle(l.nodes, l.claims, l.claimed);
	free(l.claims);
	free(l.levels);
	return (flat_tree){l.nodes, l.count};
}

flat_tree flat_parse(arena *a, const void *language, uint8_t number, const char *text, uint32_t size, uint64_t micros, int both) {
	flat_tree out = {NULL, 0};
	arena_enter(a);
	void *p = ts_parser_new();
	if (ts_parser_set_language(p, language)) {
		ts_parser_set_timeout_micros(p, micros);
		void *tree = ts_parser_parse_string(p, NULL, text, size);
		if (!tree) { // the limit is of the clock, and a machine under load stalls: it goes on where it stopped, once
			tree = ts_parser_parse_string(p, NULL, text, size);
		}
		if (tree) {
			out = flatten(tree, language, number, size, both ? ts_language_field_count(language) : 0);
		}
	}
	ts_parser_delete(p); // some grammars' scanners have memory of their own
	arena_enter(NULL);
	arena_reset(a); // the tree with it
	return out;
}

uint32_t flat_symbols(const void *language) { return ts_language_symbol_count(language); }

const char *flat_symbol(const void *language, uint16_t symbol) { return ts_language_symbol_name(language, symbol); }

int flat_regular(const void *language, uint16_t symbol) {
	return ts_language_symbol_type(language, symbol) == 0; // TSSymbolTypeRegular
}

uint32_t flat_fields(const void *language) { return ts_language_field_count(language); }

const char *flat_field(const void *language, uint16_t field) { return ts_language_field_name_for_id(language, field); }
