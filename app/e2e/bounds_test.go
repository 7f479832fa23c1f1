package e2e

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"
)

// Limits of one call with any arguments.
const (
	callTime   = 2 * time.Second
	callMemory = 200 << 20
	callAnswer = 10_000 // characters
)

// longTexts returns arguments below 100 KB that are, or could be, slow for a pattern, a query or a parser.
func longTexts() map[string]string {
	const most = 100_000
	fill := func(s string) string { return strings.Repeat(s, most/len(s)) }
	return map[string]string{
		"glob of the review": strings.Repeat("{,**/}", 40) + "z",
		"nested braces":      strings.Repeat("{a,", 250) + strings.Repeat("}", 250),
		"stars":              strings.Repeat("*a", 500) + "z",
		"one word":           fill("a"),
		"different words":    differentWords(most),
		"parentheses":        fill("("),
		"up":                 fill("../"),
		"path":               fill("a/"),
		"typing error":       "continer/haep/heap.go" + strings.Repeat("x", 40),
	}
}

func differentWords(size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size-16; i++ {
		fmt.Fprintf(&b, "word%dOf_it ", i*7919)
	}
	return b.String()
}

// TestNoArgumentTakesLong calls tools with every long text in each argument. If several tools have an argument with the
// same name, they take turns. Each call is limited to two seconds of CPU time and 200 MB. Afterwards the app must be
// unchanged.
func TestNoArgumentTakesLong(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("memory is read from /proc")
	}
	w := newWorld(t)
	root := w.copyGo("shelf", "container", "text/tabwriter")
	w.write(filepath.Join(root, "README.md"), "# Shelf\n\nHeaps and lists.\n")
	w.mustCLI("index", root, "--yes")
	w.await("the index", func() bool { return w.state(root) == "ready" })
	w.write(filepath.Join(w.home, "site.json"), fmt.Sprintf(siteIndex, "mysite"))
	w.mustCLI("site", "add", "site.json")
	e := w.connect(root)
	e.answerWith(mcp.ElicitationResponseActionDecline)
	list := e.list()
	texts := longTexts()
	tools, asked := map[string]int{}, map[string]int{} // tools with an argument of a name, and calls made with it
	for _, tool := range list {
		for name := range longArguments(t, tool, "") {
			tools[name]++
		}
	}
	for _, tool := range list {
		for _, name := range slices.Sorted(maps.Keys(longArguments(t, tool, ""))) {
			for i, kind := range slices.Sorted(maps.Keys(texts)) {
				if i%tools[name] != asked[name]%tools[name] {
					continue // it is another tool's turn
				}
				if tool.Name == "create_index" && kind == "up" {
					continue // a whole disk, whose preview has its own limit
				}
				args := ordinary(t, tool)
				args[name] = longArguments(t, tool, texts[kind])[name]
				before, began := w.resetPeak(), w.processor()
				ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
				answer, err := e.c.CallTool(ctx, request(tool.Name, args))
				cancel()
				took, memory := w.processor()-began, w.memory("VmHWM")-before
				if err != nil {
					t.Fatalf("%s with %s in %s: %v", tool.Name, kind, name, err)
				}
				if text := answerText(answer); utf8.RuneCountInString(text) > callAnswer ||
					strings.Contains(text, "INTERNAL_ERROR") || took > callTime || memory > callMemory {
					t.Errorf("%s with %s in %s: %v, %d MB, %d bytes: %.300s", tool.Name, kind, name, took, memory>>20, len(text), text)
				}
			}
			asked[name]++
		}
	}
	var h hits
	if e.call("search_code", map[string]any{"query": "smallest element of a heap", "project": root},
		&h); h.rank("container/heap/") == 0 {
		t.Errorf("after all that: %s", h.paths())
	}
}

// longArguments returns text as a value for each argument that takes a text, by name.
func longArguments(t *testing.T, tool mcp.Tool, text string) map[string]any {
	t.Helper()
	out := map[string]any{}
	for name, p := range schemaOf(t, tool).Properties {
		switch p.Type {
		case "boolean", "number", "integer":
		case "array":
			out[name] = strings.SplitAfter(text, " ")
		case "object":
			out[name] = map[string]any{text: text}
		default:
			out[name] = text
		}
	}
	return out
}

type toolSchema struct {
	Properties map[string]struct{ Type string }
	Required   []string
}

func schemaOf(t *testing.T, tool mcp.Tool) (s toolSchema) {
	t.Helper()
	decode(t, string(must(json.Marshal(tool.InputSchema))), &s)
	return s
}

// ordinary returns valid arguments for a tool.
func ordinary(t *testing.T, tool mcp.Tool) map[string]any {
	t.Helper()
	args := map[string]any{}
	for _, name := range schemaOf(t, tool).Required {
		args[name] = cmp.Or(map[string]string{"pattern": "**/*.go", "path": "container/heap/heap.go"}[name], "heap")
	}
	return args
}

// resetPeak resets the kernel's peak memory of the app and returns the current memory.
func (w *world) resetPeak() int64 {
	w.t.Helper()
	check(w.t, os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", w.pid()), []byte("5"), 0))
	return w.memory("VmRSS")
}

// processor returns the CPU time of the app and its workers, which does not depend on other programs.
func (w *world) processor() time.Duration {
	w.t.Helper()
	const tick = 10 * time.Millisecond // fixed by the kernel (USER_HZ)
	app := strconv.Itoa(w.pid())
	var ticks int64
	add := func(pid string, columns ...int) {
		text, err := os.ReadFile("/proc/" + pid + "/stat")
		if err != nil {
			return // the process has ended, so the app's time includes it
		}
		fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		for _, c := range columns {
			n, err := strconv.ParseInt(fields[c], 10, 64)
			if err != nil {
				w.t.Fatalf("%s: %v", text, err)
			}
			ticks += n
		}
	}
	lists, err := filepath.Glob("/proc/" + app + "/task/*/children")
	check(w.t, err)
	for _, list := range lists {
		pids, err := os.ReadFile(list)
		if err != nil {
			continue // the thread has ended
		}
		for pid := range strings.FieldsSeq(string(pids)) {
			add(pid, 11, 12)
		}
	}
	add(app, 11, 12, 13, 14) // including ended workers
	return time.Duration(ticks) * tick
}

// memory returns a line of the app's /proc/PID/status in bytes.
func (w *world) memory(line string) int64 {
	w.t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", w.pid()))
	check(w.t, err)
	m := regexp.MustCompile(line + `:\s+(\d+) kB`).FindSubmatch(text)
	if m == nil {
		w.t.Fatalf("no %s in %s", line, text)
	}
	kb, err := strconv.ParseInt(string(m[1]), 10, 64)
	check(w.t, err)
	return kb << 10
}

// TestStopDuringWork checks that the app ends within thirty seconds while three sessions keep it busy.
func TestStopDuringWork(t *testing.T) {
	w := newWorld(t)
	root := w.copyGo("shelf", "container")
	w.mustCLI("index", root, "--yes")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var calls sync.WaitGroup
	slow := "{" + strings.Repeat("**/*e*e*e*e,", 80) + "z}"
	for range 3 {
		busy := w.connect(root)
		for range 4 {
			calls.Go(func() {
				for ctx.Err() == nil {
					if _, err := busy.c.CallTool(ctx, request("search_code", map[string]any{"query": "reader",
						"path": slow})); err != nil {
						return // the app has ended
					}
				}
			})
		}
	}
	began := time.Now()
	w.mustCLI("stop")
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("the app took %v to end", took)
	}
	cancel()
	calls.Wait()
}

func request(tool string, args map[string]any) mcp.CallToolRequest {
	req := mcp.CallToolRequest{}
	req.Params.Name, req.Params.Arguments = tool, args
	return req
}
