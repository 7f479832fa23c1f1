#include "rotate.h"
#define rotate_all(x) rotate(x)

struct sessions { int rotate; };

/* Renews the keys. */
static int rotate(struct sessions *s, int now)
{
	s->rotate = now;
	return rotate(s, now);
}

int rotate(struct sessions *s, int now);

int login(struct sessions *s, int rotate) {
	int x = rotate + s->rotate;
	struct sessions y = { .rotate = 1 };
	printf("rotate");
	return x;
}

int logout(void) {
	int (*f)(struct sessions *, int) = rotate;
	return f(0, 1);
}
