// Command unpack unpacks and verifies the native libraries of a platform.
package main

import (
	"context"
	"flag"
	"fmt"
	"os/exec"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/sys/cpu"

	"searchmcp/packaging/command"
	"searchmcp/packaging/native"
)

func main() {
	dir := flag.String("dir", "packaging/native", "folder of the lock file")
	platform := flag.String("platform", runtime.GOOS+"/"+runtime.GOARCH, "goos/goarch")
	flag.Parse()
	command.Main("native libraries", func(ctx context.Context) error { return run(ctx, *dir, *platform) })
}

func run(ctx context.Context, dir, platform string) error {
	done, err := native.Unpack(ctx, dir, platform)
	if err != nil {
		return err
	}
	for _, u := range done {
		if u.Fresh {
			fmt.Printf("unpacked %s %s to %s (%.1f MB)\n", u.Library.Library, u.Library.Version, u.Path,
				float64(u.Library.File.Size)/1e6)
		}
		if u.Foreign {
			fmt.Printf("%s is taken as it is: it was built elsewhere, the lock file has no archive of it\n", u.Path)
		}
		if platform != runtime.GOOS+"/"+runtime.GOARCH {
			continue
		}
		if err := fits(u.Library, glibc(ctx)); err != nil {
			return err
		}
	}
	return nil
}

// fits returns an error if this machine can't load lib. glibc is the machine's glibc version, or "" if unknown.
func fits(lib native.Library, glibc string) error {
	if lib.MinGlibc != "" && glibc != "" && older(glibc, lib.MinGlibc) {
		return fmt.Errorf("%s needs glibc %s (Debian 12, Ubuntu 22.04 or later), this machine has %s", lib.Library,
			lib.MinGlibc, glibc)
	}
	if lib.CPU == "x86-64-v3" && runtime.GOARCH == "amd64" && !v3() {
		return fmt.Errorf(
			"%s is compiled for x86-64-v3 (a processor with AVX2, 2013 or later), which this machine lacks; make "+
				"native builds it for another", lib.Library)
	}
	return nil
}

// v3 reports whether the processor has the x86-64-v3 features (psABI, table 3.1) that x/sys detects.
func v3() bool {
	return cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2 && cpu.X86.HasFMA && cpu.X86.HasOSXSAVE
}

// glibc returns the version of glibc, or "" if it is unknown or another C library is used.
func glibc(ctx context.Context) string {
	out, err := exec.CommandContext(ctx, "getconf", "GNU_LIBC_VERSION").Output()
	if err != nil {
		return "" // getconf is missing, or is musl's, which does not know the name
	}
	_, version, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	return version
}

// older reports whether the dotted version have is older than want.
func older(have, want string) bool {
	h, w := strings.Split(have, "."), strings.Split(want, ".")
	for i := range w {
		var a int
		if i < len(h) {
			a, _ = strconv.Atoi(h[i])
		}
		b, _ := strconv.Atoi(w[i])
		if a != b {
			return a < b
		}
	}
	return false
}
