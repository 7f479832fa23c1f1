#include <stdint.h>
#include <stdlib.h>

#ifdef _WIN32
#define GLCALL __stdcall
#else
#define GLCALL
#endif

// A pointer for each function, defined in proc.c, and a call through it.
#define GL(result, name, parameters, arguments) \
	extern result (GLCALL *gl_##name) parameters; \
	static inline result call##name parameters { return gl_##name arguments; }
#include "gl.h"
#undef GL

// loadAll fills the pointers and returns the name of a function that is missing, or NULL.
const char *loadAll(void);
