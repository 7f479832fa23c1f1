package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"searchmcp/engine/api"
)

// With these variables this test binary is a child process that changes an index until it is killed.
const (
	crashDir  = "SEARCHMCP_CRASH_DIR"
	crashSeed = "SEARCHMCP_CRASH_SEED"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(crashDir); dir != "" {
		if err := crashChild(dir, os.Getenv(crashSeed)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(3)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func content(name string, n int) FileChunks {
	lines := make([]string, 1+n%4)
	for i := range lines {
		lines[i] = fmt.Sprintf("%s version%d line%d", name, n, i)
	}
	return file(name, lines...)
}

// crashChild prints each file's version after its commit, and each step at which the parent may kill it.
func crashChild(dir, seed string) error {
	n, err := strconv.ParseUint(seed, 10, 64)
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(n, 1))
	ctx := context.Background()
	s, err := Open(ctx, dir, Options{Tables: testTables(), ModelHash: "m", ChunkerVersion: "1",
		Static: quickVectors("table")})
	if err != nil {
		return err
	}
	crashPoint = func(name string) { fmt.Println("step", name) }
	fmt.Println("step open")
	for round := int(n) * 1000; ; round++ {
		var list []FileChunks
		corpus := api.Corpora[r.IntN(2)]
		for range 1 + r.IntN(5) {
			list = append(list, content(fmt.Sprintf("f%d.go", r.IntN(12)), round))
		}
		if err := s.Put(ctx, corpus, list); err != nil {
			return err
		}
		printCommitted(list)
		switch r.IntN(7) {
		case 0:
			name := fmt.Sprintf("f%d.go", r.IntN(12))
			if c, ok := s.CorpusOf(name); ok {
				fmt.Println("removing", name)
				if err := s.Remove(ctx, c, []string{name}); err != nil {
					return err
				}
				fmt.Println("remove", name)
			}
		case 1:
			if err := crashSwitch(ctx, s, round); err != nil {
				return err
			}
		case 2:
			if err := s.Checkpoint(); err != nil {
				return err
			}
		case 3:
			for _, c := range s.corpora {
				if err := s.forceCompact(ctx, c); err != nil {
					return err
				}
			}
		case 4:
			for _, c := range api.Corpora {
				if _, err := s.FillStatic(ctx, c, 100, round%2 == 0); err != nil {
					return err
				}
			}
		default:
			if err := fillAll(ctx, s, 7); err != nil {
				return err
			}
		}
	}
}

func crashSwitch(ctx context.Context, s *Store, round int) error {
	next, err := s.NextGeneration(ctx)
	if err != nil {
		return err
	}
	fmt.Println("rebuilding")
	list := map[api.Corpus][]FileChunks{}
	for _, c := range api.Corpora {
		for _, p := range s.corpora[c].paths() {
			list[c] = append(list[c], content(p, round))
		}
		if err := next.Put(ctx, c, list[c]); err != nil {
			return err
		}
	}
	if err := fillAll(ctx, next, 100); err != nil {
		return err
	}
	if err := s.Switch(ctx, next); err != nil {
		return err
	}
	printCommitted(slices.Concat(slices.Collect(maps.Values(list))...))
	return nil
}

func printCommitted(list []FileChunks) {
	var lines strings.Builder
	for _, f := range list {
		fmt.Fprintln(&lines, "commit", f.Path, f.Hash)
	}
	fmt.Print(lines.String())
}

func (s *Store) forceCompact(ctx context.Context, c *corpus) error {
	old := compactionLimits
	compactionLimits = thresholds{fragments: -1 << 20, versions: -1 << 20}
	defer func() { compactionLimits = old }()
	return s.compact(ctx, c, (*corpus).fragmented)
}

// After a kill at any step, an index opens, is consistent, and has every file in the last committed version or the
// version being committed.
func TestKill(t *testing.T) {
	rounds := 24
	if testing.Short() {
		rounds = 6
	}
	dir := t.TempDir()
	s := open(t, dir) // skips the test without the native library
	must(t, s.Close())
	committed := map[string]string{}
	r := rand.New(rand.NewPCG(11, 12))
	for round := range rounds {
		killAt := 1 + r.IntN(40)
		last := runChild(t, dir, round, killAt, committed)
		s, err := Open(t.Context(), dir, Options{Tables: testTables(), ModelHash: "m", ChunkerVersion: "1",
			Static: quickVectors("table")})
		if err != nil {
			t.Fatalf("round %d, killed after %q: %v", round, last, err)
		}
		report, err := s.Check(t.Context())
		must(t, err)
		for _, c := range report.Corpora {
			// Vector rows that no reader returns may remain until the next PutVectors.
			if len(c.NoRows) > 0 || c.OrphanRows > 0 || c.VectorProblem != "" {
				t.Errorf("round %d, killed after %q: %+v", round, last, c)
			}
		}
		quick(t, s, false)
		exact(t, s, false)
		checkCommitted(t, s, committed, fmt.Sprintf("round %d, killed after %q", round, last))
		fill(t, s, 50)
		clean(t, s)
		st := s.Stats()
		if st.Vectors != st.Chunks {
			t.Errorf("round %d: %d vectors of %d chunks", round, st.Vectors, st.Chunks)
		}
		must(t, s.Close())
	}
}

func TestTwoProcesses(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), crashDir+"="+dir, crashSeed+"=1")
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 3 || !strings.Contains(string(out), string(api.Busy)) {
		t.Errorf("second process: %v\n%s", err, out)
	}
	commit(t, s, api.CorpusCode, file("a.go", "still works"))
	clean(t, s)
}

// runChild kills a child at step killAt. A file that was being changed may have either version, which is recorded as
// "?".
func runChild(t *testing.T, dir string, seed, killAt int, committed map[string]string) (last string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), crashDir+"="+dir, crashSeed+"="+strconv.Itoa(seed+1))
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	lines := bufio.NewScanner(out)
	pendingSteps, killed := false, false
	for lines.Scan() {
		f := strings.Fields(lines.Text())
		switch f[0] {
		case "step":
			pendingSteps, last = true, lines.Text()
			if killAt--; killAt == 0 && !killed {
				killed = true
				must(t, cmd.Process.Kill())
			}
		case "commit":
			committed[f[1]] = f[2]
			pendingSteps = false
		case "removing":
			committed[f[1]] = "?"
		case "remove":
			delete(committed, f[1])
		case "rebuilding":
			pendingSteps = true
		}
	}
	if err := lines.Err(); err != nil {
		t.Log(err)
	}
	if _, err := io.Copy(io.Discard, out); err != nil && !errors.Is(err, os.ErrClosed) {
		t.Log(err)
	}
	if err := cmd.Wait(); !killed {
		t.Fatalf("the child exited before it was killed: %v\n%s", err, stderr.String())
	}
	if pendingSteps {
		for p := range committed {
			committed[p] = "?"
		}
	}
	return last
}

func checkCommitted(t *testing.T, s *Store, committed map[string]string, when string) {
	t.Helper()
	for p, hash := range committed {
		c, ok := s.CorpusOf(p)
		if hash == "?" {
			if ok {
				committed[p], _ = s.Fingerprint(c, p)
			} else {
				delete(committed, p)
			}
			continue
		}
		if got, _ := s.Fingerprint(c, p); !ok || got != hash {
			t.Errorf("%s: %s has fingerprint %.8s, committed was %.8s", when, p, got, hash)
		}
	}
	for p := range s.Paths() {
		if _, ok := committed[p]; !ok {
			c, _ := s.CorpusOf(p)
			committed[p], _ = s.Fingerprint(c, p)
		}
	}
	for _, c := range api.Corpora {
		for _, p := range s.corpora[c].paths() {
			e, _ := s.corpora[c].entry(p)
			found := texts(t, s, c, strings.TrimSuffix(p, ".go"))
			n := 0
			for _, f := range found {
				if strings.HasPrefix(f, p+": ") {
					n++
				}
			}
			if n != e.chunks {
				t.Errorf("%s: %d of %d chunks of %s are found", when, n, e.chunks, p)
			}
		}
	}
}
