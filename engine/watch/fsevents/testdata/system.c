// The functions of macOS that the package calls, with Apple's prototypes, so that what comes over is what a C compiler
// says it is. A stream tells of three events on a thread of its own; what it was made with is in the first one's path.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef const void *CFTypeRef, *CFAllocatorRef, *CFStringRef, *CFArrayRef;
typedef long CFIndex;
typedef double CFTimeInterval;
typedef unsigned char Boolean;
typedef uint32_t FSEventStreamCreateFlags, FSEventStreamEventFlags;
typedef uint64_t FSEventStreamEventId;
typedef struct stream *FSEventStreamRef;
typedef const struct stream *ConstFSEventStreamRef;
typedef void (*FSEventStreamCallback)(ConstFSEventStreamRef stream, void *info, size_t n, void *paths,
	const FSEventStreamEventFlags *flags, const FSEventStreamEventId *ids);
typedef struct {
	CFIndex version;
	void *info;
	const void *(*retain)(const void *);
	void (*release)(const void *);
	CFStringRef (*copyDescription)(const void *);
} FSEventStreamContext;
typedef struct { char label[64]; } *dispatch_queue_t;

struct array { CFIndex n; char *value; };
struct stream {
	FSEventStreamCallback callback;
	FSEventStreamContext context;
	char made[4096];
	dispatch_queue_t queue;
	pthread_t thread;
	int running;
};

int living; // objects that were made and not released
const struct { CFIndex version; } kCFTypeArrayCallBacks = {7};

static void *make(size_t size) { __sync_fetch_and_add(&living, 1); return calloc(1, size); }

CFStringRef CFStringCreateWithFileSystemRepresentation(CFAllocatorRef a, const char *name) {
	if (a || !*name) return NULL;
	char *copy = make(strlen(name) + 1);
	return strcpy(copy, name);
}

CFArrayRef CFArrayCreate(CFAllocatorRef a, const void **values, CFIndex n, const void *callbacks) {
	if (a || n != 1 || callbacks != &kCFTypeArrayCallBacks) return NULL;
	struct array *list = make(sizeof *list);
	list->n = n;
	list->value = (char *)values[0];
	return list;
}

void CFRelease(CFTypeRef object) { __sync_fetch_and_sub(&living, 1); free((void *)object); }

dispatch_queue_t dispatch_queue_create(const char *label, void *attributes) {
	dispatch_queue_t q = make(sizeof *q);
	snprintf(q->label, sizeof q->label, "%s%s", label, attributes ? " concurrent" : "");
	return q;
}

void dispatch_release(dispatch_queue_t q) { CFRelease(q); }

FSEventStreamRef FSEventStreamCreate(CFAllocatorRef a, FSEventStreamCallback callback, FSEventStreamContext *context,
	CFArrayRef paths, FSEventStreamEventId since, CFTimeInterval latency, FSEventStreamCreateFlags flags) {
	const struct array *list = paths;
	if (a || context->version || context->retain || context->release || context->copyDescription) return NULL;
	struct stream *s = make(sizeof *s);
	s->callback = callback;
	s->context = *context;
	snprintf(s->made, sizeof s->made, "%s since %llx latency %.3f flags %x", list->value, (unsigned long long)since,
		latency, flags);
	return s;
}

void FSEventStreamSetDispatchQueue(FSEventStreamRef s, dispatch_queue_t q) {
	s->queue = q;
	strcat(strcat(s->made, " on "), q->label);
}

static void *tell(void *of) {
	struct stream *s = of;
	char name[] = "/r/u\xcc\x88.go", *paths[] = {s->made, name, ""};
	FSEventStreamEventFlags flags[] = {0x10100, 0xffffffff, 0};
	FSEventStreamEventId ids[] = {1, 1ull << 63, 3};
	s->callback(s, s->context.info, 3, paths, flags, ids);
	memset(name, '#', sizeof name - 1);
	s->callback(s, s->context.info, 0, NULL, NULL, NULL);
	return NULL;
}

Boolean FSEventStreamStart(FSEventStreamRef s) {
	if (strstr(s->made, "/refused")) return 0;
	s->running = 1;
	return !pthread_create(&s->thread, NULL, tell, s);
}

void FSEventStreamStop(FSEventStreamRef s) {
	if (s->running) pthread_join(s->thread, NULL);
	s->running = 0;
	tell(s); // as a call that was under way
}

void FSEventStreamInvalidate(FSEventStreamRef s) {
	if (s->running) abort();
	tell(s);
}

void FSEventStreamRelease(FSEventStreamRef s) { CFRelease(s); }

int alive(void) { return living; }
