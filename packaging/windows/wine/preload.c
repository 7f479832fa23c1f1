/* Loaded into every process of Wine (enter.sh). */
#include <sys/syscall.h>
#include <unistd.h>

/* On Linux, a process must request AMX before its first AMX instruction, or the instruction is illegal. Wine does not
   request it, but ONNX Runtime's DLL uses it. Without AMX, the call fails and has no effect. */
#define ARCH_REQ_XCOMP_PERM 0x1023
#define XFEATURE_XTILEDATA 18

__attribute__((constructor)) static void ask(void) { syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA); }

/* Flushing protects only against power cuts, which no test simulates, and slows the tests down. */
int fsync(int file) { (void)file; return 0; }
int fdatasync(int file) { (void)file; return 0; }
