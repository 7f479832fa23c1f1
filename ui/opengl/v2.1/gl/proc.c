#include "proc.h"

#if defined(USE_EGL)
#include <EGL/egl.h>
static void *find(const char *name) { return (void *)eglGetProcAddress(name); }
#elif defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
// wglGetProcAddress finds only functions newer than OpenGL 1.1. The library exports the older functions.
static void *find(const char *name) {
	void *f = (void *)wglGetProcAddress(name);
	return f ? f : (void *)GetProcAddress(GetModuleHandleA("opengl32.dll"), name);
}
#elif defined(__APPLE__)
#include <dlfcn.h>
static void *find(const char *name) { return dlsym(RTLD_DEFAULT, name); }
#else
#include <GL/glx.h>
static void *find(const char *name) { return (void *)glXGetProcAddress((const GLubyte *)name); }
#endif

#define GL(result, name, parameters, arguments) result (GLCALL *gl_##name) parameters;
#include "gl.h"
#undef GL

const char *loadAll(void) {
#define GL(result, name, parameters, arguments) \
	if (!(*(void **)&gl_##name = find("gl" #name))) return "gl" #name;
#include "gl.h"
#undef GL
	return NULL;
}
