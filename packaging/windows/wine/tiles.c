/* Loaded into every process of Wine (enter.sh). Processors with AMX show it to programs, and Windows lets them use it without
   being asked; Linux ends them by an illegal instruction unless the process has asked before. Wine does not ask, and ONNX Runtime's
   DLL uses what it sees. Where there is no AMX the call fails, and nobody minds. */
#include <sys/syscall.h>
#include <unistd.h>

#define ARCH_REQ_XCOMP_PERM 0x1023
#define XFEATURE_XTILEDATA 18

__attribute__((constructor)) static void ask(void) { syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA); }
