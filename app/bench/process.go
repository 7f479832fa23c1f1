package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"searchmcp/engine"
)

// samples maps the key of a figure to its samples.
type samples map[string][]float64

func (s samples) add(key string, value float64) { s[key] = append(s[key], value) }

// measured is a sample as a line of a phase's output.
type measured struct {
	Key   string  `json:"key"`
	Value float64 `json:"value"`
}

// child runs a phase once in its own process and adds its samples. common is the data folder of phases that share
// one.
func (s samples) child(ctx context.Context, o options, p phase, common string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	data := common
	if p.data == ownData {
		if data, err = os.MkdirTemp("", "search-mcp-bench-"); err != nil {
			return err
		}
		defer os.RemoveAll(data)
	}
	args := []string{"-phase", p.name, "-data", data, "-project", o.project, "-profile", o.profiles}
	if o.size > 0 {
		args = append(args, "-size", strconv.Itoa(o.size))
	}
	if o.quick {
		args = append(args, "-quick")
	}
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	lines := bufio.NewScanner(out)
	var bad error
	for lines.Scan() {
		var m measured
		if bad == nil {
			if bad = json.Unmarshal(lines.Bytes(), &m); bad == nil {
				s.add(m.Key, m.Value)
			}
		}
	}
	if err := errors.Join(lines.Err(), cmd.Wait()); err != nil {
		return err
	}
	return bad
}

// process is a running phase.
type process struct {
	options
	out *output
}

// output writes samples. Several goroutines may use it.
type output struct {
	mu sync.Mutex
	w  *json.Encoder
}

func runPhase(ctx context.Context, o options) error {
	for _, p := range phases {
		if p.name == o.phase {
			if !p.unwatched {
				go watch()
			}
			return p.run(ctx, &process{options: o, out: &output{w: json.NewEncoder(os.Stdout)}})
		}
	}
	return fmt.Errorf("unknown phase %q", o.phase)
}

func (p *process) emit(key string, value float64) {
	p.out.mu.Lock()
	defer p.out.mu.Unlock()
	if err := p.out.w.Encode(measured{key, value}); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
	}
}

// logf prints the progress of a long phase to standard error.
func (p *process) logf(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "bench: %s: "+format+"\n", append([]any{p.phase}, args...)...)
}

func (p *process) seconds(key string, d time.Duration) { p.emit(key, d.Seconds()) }
func (p *process) millis(key string, d time.Duration)  { p.emit(key, float64(d.Microseconds())/1000) }

// engine returns the options of an engine whose data is in the phase's data folder.
func (p *process) engine() engine.Options {
	return engine.Options{Data: filepath.Join(p.data, "data"), Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
}

// profile starts a CPU profile. stop ends it and writes a heap profile.
func (p *process) profile(name string) (stop func()) {
	if p.profiles == "" {
		return func() {}
	}
	complain := func(err error) {
		if err != nil {
			fmt.Fprintf(os.Stderr, "bench: write profile of %s: %v\n", name, err)
		}
	}
	if err := os.MkdirAll(p.profiles, 0o755); err != nil {
		complain(err)
		return func() {}
	}
	f, err := os.Create(filepath.Join(p.profiles, "cpu-"+name+".prof"))
	if err == nil {
		err = pprof.StartCPUProfile(f)
	}
	if err != nil {
		complain(err)
		return func() {}
	}
	return func() {
		pprof.StopCPUProfile()
		complain(f.Close())
		h, err := os.Create(filepath.Join(p.profiles, "heap-"+name+".prof"))
		if err == nil {
			runtime.GC() // heap profiles show the state of the last collection
			err = pprof.WriteHeapProfile(h)
			complain(h.Close())
		}
		complain(err)
	}
}

// pss returns the memory of this process and its workers in MB, or 0 without /proc. It adds their proportional
// set sizes (PSS), so it counts a shared page only once.
func pss() float64 {
	sum := field("/proc/self/smaps_rollup", "Pss:")
	for _, pid := range children() {
		sum += field("/proc/"+pid+"/smaps_rollup", "Pss:")
	}
	return sum
}

// highest contains the bits of the highest memory in MB as a float64. Only watch writes it.
var highest atomic.Uint64

// watch measures the highest memory of all processes together until the program exits. Reading the PSS takes
// milliseconds, so watch reads it only when the RSS, which is never smaller, has grown.
func watch() {
	most := 0.0
	for range time.Tick(250 * time.Millisecond) {
		pages := field("/proc/self/status", "VmRSS:")
		for _, pid := range children() {
			pages += field("/proc/"+pid+"/status", "VmRSS:")
		}
		if pages < 1.02*most { // fewer reads during slow growth
			continue
		}
		most = pages
		if now := pss(); now > peak() {
			highest.Store(math.Float64bits(now))
		}
	}
}

// peak returns the highest memory so far in MB.
func peak() float64 { return math.Float64frombits(highest.Load()) }

// children returns the process IDs of this process's workers.
func children() []string {
	files, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil {
		return nil
	}
	var pids []string
	for _, f := range files {
		if text, err := os.ReadFile(f); err == nil {
			pids = append(pids, strings.Fields(string(text))...)
		}
	}
	return pids
}

// field returns a field of a file in /proc in MB. The file contains kB.
func field(file, name string) float64 {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if v, ok := strings.CutPrefix(line, name); ok {
			kb := 0.0
			if _, err := fmt.Sscan(v, &kb); err == nil {
				return kb / 1024
			}
		}
	}
	return 0
}

// processor returns the processor time of this process and its workers, including workers that have exited, or 0
// without /proc.
func processor() time.Duration {
	sum := processorOf("self")
	for _, pid := range children() {
		sum += processorOf(pid)
	}
	return sum
}

// processorOf returns the processor time of a process and its exited children.
func processorOf(pid string) time.Duration {
	const tick = 10 * time.Millisecond // USER_HZ is 100 on every Linux
	text, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return 0
	}
	// After the program's name, which ends with the last parenthesis, fields 12 to 15 are utime, stime, cutime and
	// cstime (proc(5)).
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) < 15 {
		return 0
	}
	total := 0
	for _, f := range fields[11:15] {
		n, err := strconv.Atoi(f)
		if err != nil {
			return 0
		}
		total += n
	}
	return time.Duration(total) * tick
}

// used returns the processor seconds and the voluntary context switches of all threads of processes, or zeros without
// /proc.
func used(pids []string) (seconds float64, wakes int) {
	var tasks []string
	for _, pid := range pids {
		more, _ := filepath.Glob("/proc/" + pid + "/task/*") // fails only for an invalid pattern
		tasks = append(tasks, more...)
	}
	for _, dir := range tasks {
		var ns int64
		if text, err := os.ReadFile(filepath.Join(dir, "schedstat")); err == nil {
			if _, err := fmt.Sscan(string(text), &ns); err == nil {
				seconds += float64(ns) / 1e9
			}
		}
		text, err := os.ReadFile(filepath.Join(dir, "status"))
		if err != nil {
			continue // the thread has exited
		}
		for line := range strings.Lines(string(text)) {
			if v, ok := strings.CutPrefix(line, "voluntary_ctxt_switches:"); ok {
				n := 0
				if _, err := fmt.Sscan(v, &n); err == nil {
					wakes += n
				}
			}
		}
	}
	return seconds, wakes
}
