package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"searchmcp/engine/host/worker"
)

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
	`"clientInfo":{"name":"bench","version":"1"}}}` + "\n"

// readyRounds is the number of bridges that are started while the app is running.
const readyRounds = 5

// measureReady starts the bridge like an editor and measures the time until the answer to initialize. The first
// bridge also starts the app.
func measureReady(ctx context.Context, p *process) error {
	bin, err := p.build(ctx, "search-mcp", "search-mcp-app")
	if err != nil {
		return err
	}
	program := filepath.Join(bin, "search-mcp")
	env := p.shippedEnv("home")
	run := func(args ...string) *exec.Cmd {
		cmd := exec.CommandContext(ctx, program, args...)
		cmd.Env = env
		return cmd
	}
	for round := range readyRounds + 1 {
		key := "ready.bridge"
		if round == 0 {
			key = "ready.app"
		}
		took, err := initializeTime(run("mcp"))
		if err != nil {
			return errors.Join(err, run("stop").Run())
		}
		p.millis(key, took)
	}
	if out, err := run("stop").CombinedOutput(); err != nil {
		return fmt.Errorf("stop the app: %w\n%s", err, out)
	}
	return nil
}

// shippedEnv returns the environment of the built programs, with the named data folder and without a desktop.
// They start their own worker program instead of this program.
func (p *process) shippedEnv(data string) []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, worker.ProgramEnv+"=") })
	return append(env, "SEARCH_MCP_HOME="+filepath.Join(p.data, data), "SEARCH_MCP_DESKTOP=off")
}

// build builds programs in a folder with links to the libraries and the model, and returns the folder.
func (p *process) build(ctx context.Context, programs ...string) (bin string, err error) {
	bin = filepath.Join(p.data, "bin")
	for _, program := range programs {
		cgo := "0" // as in releases
		if program != "search-mcp" && program != "search-mcp-app" {
			cgo = "1"
		}
		cmd := exec.CommandContext(ctx, "go", "build", "-o", filepath.Join(bin, program), "./app/cmd/"+program)
		cmd.Env = append(os.Environ(), "CGO_ENABLED="+cgo)
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("build %s: %w\n%s", program, err, out)
		}
	}
	for name, from := range map[string]string{
		"lib": "packaging/native/" + runtime.GOOS + "-" + runtime.GOARCH + "/lib", "model": "assets/model",
	} {
		target, err := filepath.Abs(from)
		if err != nil {
			return "", fmt.Errorf("link to %s: %w", name, err)
		}
		if err := os.Symlink(target, filepath.Join(bin, name)); err != nil && !errors.Is(err, os.ErrExist) {
			return "", fmt.Errorf("link to %s: %w", name, err)
		}
	}
	return bin, nil
}

// initializeTime starts a bridge and returns the time until the answer to initialize.
func initializeTime(bridge *exec.Cmd) (time.Duration, error) {
	in, err := bridge.StdinPipe()
	if err != nil {
		return 0, err
	}
	out, err := bridge.StdoutPipe()
	if err != nil {
		return 0, err
	}
	began := time.Now()
	if err := bridge.Start(); err != nil {
		return 0, err
	}
	if _, err := io.WriteString(in, initialize); err != nil {
		return 0, errors.Join(err, bridge.Wait())
	}
	_, err = bufio.NewReader(out).ReadString('\n')
	took := time.Since(began)
	if err := errors.Join(err, in.Close(), bridge.Wait()); err != nil {
		return 0, fmt.Errorf("initialize: %w", err)
	}
	return took, nil
}
