#include "arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// This is a declaration of tree_sitter/api.h, which is in the library's package.
extern void ts_set_allocator(void *(*)(size_t), void *(*)(size_t, size_t), void *(*)(void *, size_t), void (*)(void *));

enum {
	step = 16,               // size classes are multiples of 16 bytes up to 1 KB
	steps = 64,
	classes = steps + 64,    // and powers of two for larger sizes
	block_size = 2 << 20,    // a tree takes about 30 times its text, so most files need one block
};

typedef struct block {
	struct block *next;
	size_t size;
} block;

// header precedes each allocation.
typedef struct {
	arena *owner; // NULL for the C library
	size_t class; // size class, or the size if the C library allocated it
} header;

struct arena {
	block *blocks; // the block in use comes first
	char *at, *end;
	void *freed[classes]; // free memory by class; each piece begins with the address of the next
};

// The arena that this thread uses. On Windows, gcc's thread-local variables need a library that is usually missing.
#ifdef _WIN32
#include <windows.h>

static DWORD slot;

static void install_current(void) { slot = TlsAlloc(); }
static void set_current(arena *a) { TlsSetValue(slot, a); }
static arena *get_current(void) { return TlsGetValue(slot); }
#else
static __thread arena *current;

static void install_current(void) {}
static void set_current(arena *a) { current = a; }
static arena *get_current(void) { return current; }
#endif

static void *need(void *p, size_t size) {
	if (!p) {
		fprintf(stderr, "tree-sitter failed to allocate %zu bytes\n", size);
		abort();
	}
	return p;
}

static size_t class_of(size_t size) {
	if (size <= steps * step) {
		return size == 0 ? 1 : (size + step - 1) / step;
	}
	return steps + 64 - __builtin_clzll(size - 1) - 10; // the first of these is 1,025 to 2,048 bytes
}

static size_t size_of(size_t class) {
	return class <= steps ? class * step : (size_t)1 << (class - steps + 10);
}

// grow adds a block for size bytes.
static void grow(arena *a, size_t size) {
	size_t whole = size + sizeof(block) < block_size ? block_size : size + sizeof(block);
	block *b = need(malloc(whole), whole);
	*b = (block){a->blocks, whole};
	a->blocks = b;
	a->at = (char *)(b + 1);
	a->end = (char *)b + whole;
}

static void *arena_malloc(size_t size) {
	arena *a = get_current();
	header *h;
	if (!a) {
		h = need(malloc(sizeof(header) + size), size);
		*h = (header){NULL, size};
		return h + 1;
	}
	size_t class = class_of(size), whole = sizeof(header) + size_of(class);
	void *p = a->freed[class];
	if (p) {
		a->freed[class] = *(void **)p;
		return p;
	}
	if ((size_t)(a->end - a->at) < whole) {
		grow(a, whole);
	}
	h = (header *)a->at;
	a->at += whole;
	*h = (header){a, class};
	return h + 1;
}

static void *arena_calloc(size_t count, size_t size) {
	if (size && count > SIZE_MAX / size) {
		need(NULL, SIZE_MAX);
	}
	return memset(arena_malloc(count * size), 0, count * size);
}

static void arena_release(void *p) {
	if (!p) {
		return;
	}
	header *h = (header *)p - 1;
	if (!h->owner) {
		free(h);
		return;
	}
	*(void **)p = h->owner->freed[h->class];
	h->owner->freed[h->class] = p;
}

static void *arena_realloc(void *p, size_t size) {
	if (!p) {
		return arena_malloc(size);
	}
	header *h = (header *)p - 1;
	size_t had = h->owner ? size_of(h->class) : h->class;
	if (had >= size) {
		return p;
	}
	void *q = memcpy(arena_malloc(size), p, had);
	arena_release(p);
	return q;
}

void arena_install(void) {
	install_current();
	ts_set_allocator(arena_malloc, arena_calloc, arena_realloc, arena_release);
}

arena *arena_new(void) {
	arena *a = need(calloc(1, sizeof(arena)), sizeof(arena));
	grow(a, 0);
	return a;
}

void arena_enter(arena *a) { set_current(a); }

void arena_reset(arena *a) {
	while (a->blocks->next) { // the first block is last in the list
		block *b = a->blocks;
		a->blocks = b->next;
		free(b);
	}
	memset(a->freed, 0, sizeof a->freed);
	a->at = (char *)(a->blocks + 1);
	a->end = (char *)a->blocks + a->blocks->size;
}

size_t arena_size(const arena *a) {
	size_t sum = 0;
	for (block *b = a->blocks; b; b = b->next) {
		sum += b->size;
	}
	return sum;
}

void arena_free(arena *a) {
	arena_reset(a);
	free(a->blocks);
	free(a);
}
