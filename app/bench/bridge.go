package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// assistant is an MCP client from another library. It connects to the built programs through the bridge.
type assistant struct {
	c   *client.Client
	bin string // folder of the built programs
	env []string
}

// Elicit accepts the product's request for confirmation.
func (a *assistant) Elicit(context.Context, mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	r := &mcp.ElicitationResult{}
	r.Action, r.Content = mcp.ElicitationResponseActionAccept, map[string]any{"confirm": true}
	return r, nil
}

// newAssistant builds the programs and starts a bridge in root, which starts the app with the named data folder.
func (p *process) newAssistant(ctx context.Context, root, data string) (*assistant, error) {
	bin, err := p.build(ctx, "search-mcp", "search-mcp-app", "search-mcp-worker")
	if err != nil {
		return nil, err
	}
	a := &assistant{bin: bin, env: p.shippedEnv(data)}
	tr := transport.NewStdioWithOptions(filepath.Join(bin, "search-mcp"), a.env, []string{"mcp"},
		transport.WithCommandFunc(func(ctx context.Context, command string, env, args []string) (*exec.Cmd, error) {
			cmd := exec.CommandContext(ctx, command, args...)
			cmd.Env, cmd.Dir = env, root
			return cmd, nil
		}))
	//lint:ignore SA1019 most editors still begin with initialize
	a.c = client.NewClient(tr, client.WithElicitationHandler(a), client.WithLegacyProtocolOnly())
	if err := a.c.Start(ctx); err != nil {
		return nil, err
	}
	init := mcp.InitializeRequest{}
	init.Params.ProtocolVersion = mcp.LATEST_LEGACY_PROTOCOL_VERSION
	init.Params.ClientInfo = mcp.Implementation{Name: "bench", Version: "1"}
	init.Params.Capabilities.Elicitation = &mcp.ElicitationCapability{}
	_, err = a.c.Initialize(ctx, init)
	return a, err
}

// call calls a tool and decodes its answer into out. It returns an error if the answer is marked as an error.
func (a *assistant) call(ctx context.Context, tool string, args map[string]any, out any) error {
	req := mcp.CallToolRequest{}
	req.Params.Name, req.Params.Arguments = tool, args
	res, err := a.c.CallTool(ctx, req)
	if err != nil {
		return fmt.Errorf("%s: %w", tool, err)
	}
	text, err := json.Marshal(res.StructuredContent)
	if err != nil {
		return err
	}
	if res.IsError {
		return fmt.Errorf("%s: %s", tool, text)
	}
	return json.Unmarshal(text, out)
}

func (a *assistant) ask(ctx context.Context, question string) (results int, err error) {
	var r struct{ Results []json.RawMessage }
	err = a.call(ctx, "search_code", map[string]any{"query": question}, &r)
	return len(r.Results), err
}

// rounds searches for every query the given number of times, pauses after each search, and emits its duration.
func (a *assistant) rounds(ctx context.Context, p *process, key string, rounds int, pause time.Duration) error {
	for range rounds {
		for _, q := range questions {
			began := time.Now()
			if _, err := a.ask(ctx, q); err != nil {
				return err
			}
			p.millis(key, time.Since(began))
			if err := wait(ctx, pause); err != nil {
				return err
			}
		}
	}
	return nil
}

func (a *assistant) stop() error {
	_ = a.c.Close() // the bridge exits at the end of its input
	return a.command("stop")
}

// command runs "search-mcp NAME".
func (a *assistant) command(name string) error {
	cmd := exec.Command(filepath.Join(a.bin, "search-mcp"), name)
	cmd.Env = a.env
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("search-mcp %s: %w\n%s", name, err, out)
	}
	return nil
}

// pids returns the process IDs of the built programs (app, workers and bridge).
func (a *assistant) pids() (pids []string) {
	exes, _ := filepath.Glob("/proc/[0-9]*/exe") // fails only for an invalid pattern
	for _, exe := range exes {
		if program, err := os.Readlink(exe); err == nil && filepath.Dir(program) == a.bin {
			pids = append(pids, filepath.Base(filepath.Dir(exe)))
		}
	}
	return pids
}

// pss returns the memory (PSS) of all processes of the built programs in MB.
func (a *assistant) pss() (mb float64) {
	for _, pid := range a.pids() {
		mb += field("/proc/"+pid+"/smaps_rollup", "Pss:")
	}
	return mb
}

const (
	// thinkTime is the pause between two searches while vectors are computed. An assistant reads the answer meanwhile.
	thinkTime = 300 * time.Millisecond
	// pollInterval is the time between two requests for the project's status.
	pollInterval = 100 * time.Millisecond
	// idleTime is the time without searches after which the app returns memory to the system.
	idleTime = time.Minute
	// longIdleTime is the additional time until memory is measured again.
	longIdleTime = 9 * time.Minute
)

func measureBridge(ctx context.Context, p *process) error {
	return p.throughBridge(ctx, "bridge.", p.project)
}

func (p *process) throughBridge(ctx context.Context, key, dir string) error {
	a, err := p.newAssistant(ctx, dir, "home")
	if err != nil {
		return err
	}
	bare, err := p.newBareTexts(ctx, dir)
	if err == nil {
		err = p.threeStates(ctx, a, key, bare)
	}
	return errors.Join(err, a.stop())
}

// progress contains the fields of get_index_status that the measurement uses.
type progress struct {
	Status                          string
	TotalFiles                      int
	TotalChunks, DocChunks, Vectors int
}

func (a *assistant) progress(ctx context.Context) (s progress, err error) {
	err = a.call(ctx, "get_index_status", nil, &s)
	return s, err
}

// threeStates indexes the project and measures searches while vectors are computed, immediately afterwards, and when
// the app is idle.
func (p *process) threeStates(ctx context.Context, a *assistant, key string, bare *bareTexts) error {
	began := time.Now()
	created := make(chan error, 1)
	go func() {
		var r struct{ Status string }
		created <- a.call(ctx, "create_index", nil, &r)
	}()
	for n := 0; n == 0; { // a search fails until the index exists
		select {
		case err := <-created:
			return fmt.Errorf("create_index ended before a search had results: %w", err)
		case <-time.After(pollInterval):
		}
		n, _ = a.ask(ctx, questions[0])
	}
	p.seconds(key+"useful", time.Since(began))
	if err := a.until(ctx, func(s progress) bool { return s.Status == "embedding" || s.Status == "ready" }); err != nil {
		return err
	}
	p.seconds(key+"text", time.Since(began))
	if err := a.rounds(ctx, p, key+"during", 5, thinkTime); err != nil {
		return err
	}
	paused, err := p.alternate(ctx, a, key, bare)
	if err != nil {
		return err
	}
	if err := a.until(ctx, func(s progress) bool { return s.Status == "ready" }); err != nil {
		return err
	}
	after, err := a.progress(ctx)
	if err != nil {
		return err
	}
	p.emit(key+"chunks", float64(after.TotalChunks+after.DocChunks))
	p.seconds(key+"all", time.Since(began)-paused)
	if err := errors.Join(<-created, a.rounds(ctx, p, key+"after", 10, 0)); err != nil {
		return err
	}
	if err := wait(ctx, idleTime+10*time.Second); err != nil {
		return err
	}
	p.emit(key+"minute", a.pss())
	if err := a.rounds(ctx, p, key+"rest", 20, 0); err != nil {
		return err
	}
	if p.quick {
		return nil
	}
	if err := wait(ctx, idleTime+longIdleTime); err != nil {
		return err
	}
	p.emit(key+"minutes", a.pss())
	return nil
}

// until requests the project's status until reached returns true for it.
func (a *assistant) until(ctx context.Context, reached func(progress) bool) error {
	for {
		s, err := a.progress(ctx)
		if err != nil || reached(s) {
			return err
		}
		if err := wait(ctx, pollInterval); err != nil {
			return err
		}
	}
}
