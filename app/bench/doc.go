// Command bench measures the product. It prints every figure with its target (of RFC 11 or our own), its spread, and
// a baseline measured in the same run. It asserts nothing, because figures depend on the machine and its load.
//
//	go -C app/bench run -exec "env -C ../.." . [-quick] [-scale] [-only PHASES] [-project DIR] [-profile DIR] [-write]
//
// Without -project it indexes k8s.io/client-go, which has more than 2,000 files, and which go mod download fetches.
//
//   - -scale instead measures projects of 1,000 to 50,000 files and a project of 2 GB (20 minutes on two cores).
//   - -write updates the tables in BENCHMARKS.md.
//
// Each phase runs in its own process, so that its memory is measured without that of other phases. The process is
// this program with -phase. It writes one JSON object per sample to standard output. Figures of single packages come
// from the Go benchmarks of these packages, which bench runs.
package main
