#include "region_linux.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// Weak, for this file is linked once by itself before the library is beside it.
extern void ts_set_allocator(void *(*)(size_t), void *(*)(size_t, size_t), void *(*)(void *, size_t), void (*)(void *)) __attribute__((weak));

enum {
	align = 16,
	steps = 64,             // classes of size in steps of 16 bytes, up to 1 KB
	classes = steps + 64,   // and by powers of two beyond
	block_size = 2 << 20,   // a tree takes some 30 times its text, so most files need no second one
};

// block is memory of the system.
typedef struct block {
	struct block *next;
	size_t size;
} block;

// header stands before each piece of memory.
typedef struct {
	region *owner; // NULL: malloc's
	size_t class;  // of the size; the size itself where malloc gave it
} header;

struct region {
	block *blocks; // the one in use first
	char *at, *end;
	void *idle[classes]; // pieces that were freed, by class; each begins with the address of the next
};

static __thread region *current;

static void out_of_memory(size_t size) {
	fprintf(stderr, "tree-sitter failed to allocate %zu bytes\n", size);
	abort();
}

static unsigned class_of(size_t size) {
	if (size <= steps * align) {
		return size == 0 ? 1 : (unsigned)((size + align - 1) / align);
	}
	return (unsigned)(steps + 64 - __builtin_clzl(size - 1)) - 10; // 1025 to 2048 bytes are the first
}

static size_t size_of(unsigned class) {
	return class <= steps ? (size_t)class * align : (size_t)1 << (class - steps + 10);
}

// grow adds a block with room for size bytes.
static int grow(region *r, size_t size) {
	size_t want = size + sizeof(block) + align;
	want = want < block_size ? block_size : (want + 4095) & ~(size_t)4095;
	block *b = mmap(NULL, want, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (b == MAP_FAILED) {
		return 0;
	}
	b->next = r->blocks;
	b->size = want;
	r->blocks = b;
	r->at = (char *)b + align;
	r->end = (char *)b + want;
	return 1;
}

static void *region_malloc(size_t size) {
	region *r = current;
	header *h;
	if (!r) {
		h = malloc(size + sizeof(header));
		if (!h) {
			out_of_memory(size);
		}
		h->owner = NULL;
		h->class = size;
		return h + 1;
	}
	unsigned class = class_of(size);
	if (r->idle[class]) {
		void *p = r->idle[class];
		r->idle[class] = *(void **)p;
		return p;
	}
	size_t whole = size_of(class) + sizeof(header);
	if ((size_t)(r->end - r->at) < whole && !grow(r, whole)) {
		out_of_memory(size);
	}
	h = (header *)r->at;
	r->at += whole;
	h->owner = r;
	h->class = class;
	return h + 1;
}

static void *region_calloc(size_t count, size_t size) {
	if (size && count > SIZE_MAX / size) {
		out_of_memory(SIZE_MAX);
	}
	return memset(region_malloc(count * size), 0, count * size);
}

static void region_release(void *p) {
	if (!p) {
		return;
	}
	header *h = (header *)p - 1;
	if (!h->owner) {
		free(h);
		return;
	}
	*(void **)p = h->owner->idle[h->class];
	h->owner->idle[h->class] = p;
}

static void *region_realloc(void *p, size_t size) {
	if (!p) {
		return region_malloc(size);
	}
	header *h = (header *)p - 1;
	size_t had = h->owner ? size_of((unsigned)h->class) : h->class;
	if (had >= size && h->owner) {
		return p;
	}
	void *q = region_malloc(size);
	memcpy(q, p, had < size ? had : size);
	region_release(p);
	return q;
}

void region_install(void) {
	if (ts_set_allocator) {
		ts_set_allocator(region_malloc, region_calloc, region_realloc, region_release);
	}
}

region *region_new(void) { return calloc(1, sizeof(region)); }

void region_enter(region *r) { current = r; }
void region_leave(void) { current = NULL; }

void region_reset(region *r) {
	while (r->blocks && r->blocks->next) { // the first one stands last
		block *b = r->blocks;
		r->blocks = b->next;
		munmap(b, b->size);
	}
	memset(r->idle, 0, sizeof r->idle);
	if (r->blocks) {
		r->at = (char *)r->blocks + align;
		r->end = (char *)r->blocks + r->blocks->size;
	}
}

size_t region_size(const region *r) {
	size_t sum = 0;
	for (block *b = r->blocks; b; b = b->next) {
		sum += b->size;
	}
	return sum;
}

void region_free(region *r) {
	while (r->blocks) {
		block *b = r->blocks;
		r->blocks = b->next;
		munmap(b, b->size);
	}
	free(r);
}
