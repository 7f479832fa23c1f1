package engine

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"searchmcp/engine/api"
)

// victimEnv makes this program run an engine to be killed.
const (
	victimEnv     = "SEARCH_MCP_TEST_VICTIM"
	victimRootEnv = "SEARCH_MCP_TEST_ROOT"
)

func victim(data string) int {
	ctx := context.Background()
	e, err := Open(ctx, Options{Data: data, Log: slog.New(slog.DiscardHandler), model: hashModel{}})
	if err != nil {
		fmt.Println("open:", err)
		return 1
	}
	root := os.Getenv(victimRootEnv)
	j, err := e.Create(ctx, root, api.Approval{})
	if err != nil {
		fmt.Println("create:", err)
		return 1
	}
	fmt.Println("up")
	<-j.Done()
	if _, err := j.Result(); err != nil {
		fmt.Println("index:", err)
		return 1
	}
	for {
		if j, err = e.Reindex(ctx, root, api.Approval{}); err != nil {
			fmt.Println("reindex:", err)
			return 1
		}
		<-j.Done()
		if _, err := j.Result(); err != nil {
			fmt.Println("rebuild:", err)
			return 1
		}
	}
}

func startVictim(t *testing.T, data, root string) (end func(os.Signal)) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run", "^$")
	cmd.Env = append(os.Environ(), victimEnv+"="+data, victimRootEnv+"="+root)
	out, err := cmd.StdoutPipe()
	must(t, err)
	cmd.Stderr = cmd.Stdout
	must(t, cmd.Start())
	lines := bufio.NewScanner(out)
	said := make(chan string, 1)
	go func() {
		first := true
		for lines.Scan() {
			if first && lines.Text() == "up" {
				said <- "up"
				first = false
			} else if !strings.HasPrefix(lines.Text(), "ok") {
				t.Log("victim: " + lines.Text())
			}
		}
		if err := lines.Err(); err != nil {
			t.Errorf("victim: %v", err)
		}
		close(said)
	}()
	select {
	case s := <-said:
		if s != "up" {
			t.Fatal("the victim did not open its engine")
		}
	case <-time.After(patience):
		t.Fatal("the victim does not come up")
	}
	return func(sig os.Signal) {
		_ = cmd.Process.Signal(sig) // it may have ended already and reported the reason
		for range said {
		}
		_ = cmd.Wait()
	}
}

func TestCrashIsRecorded(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		signal os.Signal
		died   bool
	}{{syscall.SIGABRT, true}, {os.Kill, false}} {
		if runtime.GOOS == "windows" && tc.signal != os.Kill {
			continue // Windows has no other signals
		}
		data := t.TempDir()
		startVictim(t, data, tree(t, shop))(tc.signal)
		text, err := os.ReadFile(filepath.Join(data, logsDir, crashOutput))
		must(t, err)
		if died := strings.Contains(string(text), "SIGABRT"); died != tc.died {
			t.Errorf("after %v: %q", tc.signal, text)
		}
	}
}

func TestTruthAfterKills(t *testing.T) { everySeed(t, testKills) }

func testKills(t *testing.T, seed uint64) {
	s := newScene(t, seed)
	data := t.TempDir()
	rounds := 4
	for range rounds {
		end := startVictim(t, data, s.root)
		alive := time.NewTimer(time.Duration(s.rng.IntN(900)) * time.Millisecond)
		s.burst(1 + s.rng.IntN(10))
		<-alive.C
		end(os.Kill)
		s.log("killed")
		if s.rng.IntN(2) == 0 {
			s.burst(1 + s.rng.IntN(10))
		}
	}
	e := openFast(t, data)
	took := becomesTrue(t, e, s.root)
	t.Logf("%d kills, %d operations, true after %s", rounds, s.done, took.Round(time.Millisecond))
}
