//go:build unix

package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"searchmcp/app/socket/client"
	"searchmcp/app/socket/ipc"
	"searchmcp/app/socket/wire"
)

// programs links this test binary as search-mcp and fake-app, and returns the environment to use them.
func programs(t *testing.T) (program, data string, env []string) {
	t.Helper()
	self, err := os.Executable()
	check(t, err)
	dir := t.TempDir()
	for _, name := range []string{"search-mcp", "fake-app"} {
		check(t, os.Symlink(self, filepath.Join(dir, name)))
	}
	data = filepath.Join(dir, "data")
	t.Cleanup(func() { stopFake(t, data) })
	env = append(os.Environ(), ipc.DataEnv+"="+data, "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return filepath.Join(dir, "search-mcp"), data, env
}

const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n"

// TestParentDeath checks that a bridge ends when its parent is killed, even if another process keeps its stdin open.
func TestParentDeath(t *testing.T) {
	program, _, env := programs(t)
	inR, inW, err := os.Pipe()
	check(t, err)
	defer inW.Close()
	outR, outW, err := os.Pipe()
	check(t, err)
	defer outR.Close()
	parent := exec.Command("sh", "-c", `"$0" mcp <&3 >&4 & wait`, program)
	parent.Env, parent.ExtraFiles = env, []*os.File{inR, outW}
	check(t, parent.Start())
	inR.Close()
	outW.Close()
	if _, err := io.WriteString(inW, ping); err != nil {
		t.Fatal(err)
	}
	out := bufio.NewReader(outR)
	if line, err := out.ReadString('\n'); err != nil || !strings.Contains(line, `"result"`) {
		t.Fatalf("got %q, %v", line, err)
	}
	check(t, parent.Process.Kill())
	if err := parent.Wait(); err == nil {
		t.Error("the parent was not killed")
	}
	if rest, err := io.ReadAll(out); err != nil || len(rest) > 0 { // ReadAll returns when the bridge has ended
		t.Errorf("after its parent's death the bridge wrote %q, %v", rest, err)
	}
}

// TestBrokenStdout checks that a bridge whose editor stops reading ends silently.
func TestBrokenStdout(t *testing.T) {
	program, _, env := programs(t)
	cmd := exec.Command(program, "mcp")
	cmd.Env = env
	in, err := cmd.StdinPipe()
	check(t, err)
	defer in.Close()
	out, err := cmd.StdoutPipe()
	check(t, err)
	check(t, cmd.Start())
	out.Close()
	if _, err := io.WriteString(in, ping); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the bridge ended with %v", err)
	}
}

// TestInterrupt checks that the first Ctrl-C cancels the job in the app and waits for its end.
func TestInterrupt(t *testing.T) {
	program, data, env := programs(t)
	cmd := exec.Command(program, "index", "slow")
	cmd.Env = env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	check(t, cmd.Start())
	// Either process may start the app.
	c, err := client.Connect(context.Background(), client.Options{DataDir: data,
		Launcher: &client.Launcher{Program: filepath.Join(filepath.Dir(program), "fake-app"), Env: env}})
	check(t, err)
	defer c.Close()
	for {
		s, err := wire.MethodStatus.Call(context.Background(), c, wire.Empty{})
		check(t, err)
		if s.Projects[0].Progress != nil {
			break
		}
	}
	check(t, cmd.Process.Signal(syscall.SIGINT))
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != exitDeclined {
		t.Errorf("index ended with %v", err)
	}
	if !strings.Contains(stderr.String(), "\nStopping.") || !strings.Contains(stderr.String(),
		"Cancelled. /demo is not indexed.") {
		t.Errorf("stderr %q", stderr.String())
	}
}
