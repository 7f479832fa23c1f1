// Command bench measures the product and prints every figure with its target (RFC 11 and what we set ourselves), how
// far it is from it, its spread, and a baseline that was measured in the same run. Nothing is asserted: a machine that
// is busy or small gives other figures, not failures.
//
//	go -C app/bench run -exec "env -C ../.." . [-quick] [-scale] [-only PHASES] [-project DIR] [-profile DIR] [-write]
//
// Without -project it takes k8s.io/client-go from the module cache (go mod download fetches it), more than 2,000 real
// files.
// -scale measures projects of 1,000 to 50,000 files and one of 2 GB instead, which takes twenty minutes on two cores.
//
//	-write puts the tables into BENCHMARKS.md.
//
// Each phase runs in a process of its own, this program again with -phase, so that memory is the phase's and not the
// harness's; it writes its samples to its standard output, a JSON object a line. What belongs into a package's own
// tests is measured by that package's Go benchmarks, which are run and read here.
package main
