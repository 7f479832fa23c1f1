/* Loaded into every process of Wine (enter.sh). */
#include <sys/syscall.h>
#include <unistd.h>

/* Processors with AMX show it to programs, and Windows lets them use it without being asked; Linux ends them by an illegal
   instruction unless the process has asked before. Wine does not ask, and ONNX Runtime's DLL uses what it sees. Where there is no
   AMX the call fails, and nobody minds. */
#define ARCH_REQ_XCOMP_PERM 0x1023
#define XFEATURE_XTILEDATA 18

__attribute__((constructor)) static void ask(void) { syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA); }

/* What is flushed outlives a power cut; what is not outlives the end of every process all the same, and no test cuts the power.
   Without this a busy disk decides how long the tests take, as libeatmydata has it. */
int fsync(int file) { (void)file; return 0; }
int fdatasync(int file) { (void)file; return 0; }
