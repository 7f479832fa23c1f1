/*
 * A ring buffer of bytes.
 */
#include <stdlib.h>
#include "ring.h"

#define RING_MIN 16
#define RING_NEXT(r, i) (((i) + 1) % (r)->cap)

/* A ring of cap bytes, one of them always free. */
struct ring {
	size_t head, tail, cap;
	unsigned char *data;
};

typedef enum { RING_OK, RING_FULL = 2 } ring_status;
typedef int (*ring_visit)(unsigned char byte, void *arg);

static const char *const names[] = { "ok", "full" };
int ring_count;

#ifdef RING_DEBUG
/* Prints the ring. */
static void ring_dump(const struct ring *r)
{
	(void)r;
}
#endif

/* Makes a ring, or returns NULL. */
struct ring *ring_new(size_t cap)
{
	struct ring *r = malloc(sizeof *r);
	if (r == NULL || cap < RING_MIN)
		return NULL;
	r->head = r->tail = 0;
	r->cap = cap;
	r->data = malloc(cap);
	return r;
}

ring_status ring_put(struct ring *r, unsigned char byte)
{
	if (RING_NEXT(r, r->head) == r->tail)
		return RING_FULL;
	r->data[r->head] = byte;
	r->head = RING_NEXT(r, r->head);
	return RING_OK;
}
