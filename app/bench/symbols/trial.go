package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"searchmcp/app/bench/quality"
	"searchmcp/app/bench/quality/token"
	"searchmcp/engine/worker"
)

// question takes two steps: what does something, and who calls that.
type question struct {
	project, text string
	words         string   // what somebody without the tools would look for, a regular expression
	name          string   // what does it
	callers       []string // who calls that, as Type.function
}

// questions have answers that were read from the code.
var questions = []question{
	{"chi", "which handler answers when no route is found", "not.?found|404", "NotFoundHandler",
		[]string{"Mux.ServeHTTP", "Mux.routeHTTP", "SupressNotFound"}},
	{"flask", "handle an exception that a view function raised", "handle.*exception|exception.*raised",
		"handle_user_exception",
		[]string{"Flask.full_dispatch_request"}},
	{"raft", "handle a request for a vote and decide if it is granted",
		"grant.*vote|vote.*grant|request.?vote", "requestVote",
		[]string{"Raft.processRPC"}},
	{"raft", "restore the state machine from a snapshot", "restore.*snapshot|snapshot.*restore", "fsmRestoreAndMeasure",
		[]string{"Raft.tryRestoreSingleSnapshot", "Raft.runFSM"}},
	{"requests", "is the authorization header dropped on a redirect to another host",
		"strip.*auth|auth.*redirect|redirect.*auth", "should_strip_auth",
		[]string{"SessionRedirectMixin.rebuild_auth"}},
	{"starlette", "put the middleware around the application", "middleware.?stack|add.*middleware",
		"build_middleware_stack",
		[]string{"Starlette.__call__"}},
	{"bbolt", "make pages of finished transactions free for reuse", "free.*page|page.*free|reuse", "release",
		[]string{"DB.freePages"}},
	{"commander", "suggest a similar name for an unknown option or command", "suggest|similar", "suggestSimilar",
		[]string{"Command.unknownOption", "Command.unknownCommand"}},
	{"rxjs", "throw errors of synchronous subscriptions at the end",
		"sync.*error|error.*sync|throw.*error", "errorContext",
		[]string{"Observable.subscribe", "Subject.next", "Subject.error", "Subject.complete"}},
	{"hiredis", "read bytes from the socket into the reader", "read.*buffer|buffer.*read", "redisBufferRead",
		[]string{"redisGetReply", "redisAsyncRead", "redisSSLAsyncRead"}},
}

// sourceOf are a project's files that somebody who looks for code would give to grep.
var sourceOf = map[string][]string{"go": {"--include=*.go", "--exclude=*_test.go"}, "python": {"--include=*.py",
	"--exclude-dir=tests"},
	"javascript": {"--include=*.js", "--exclude-dir=tests"}, "typescript": {"--include=*.ts", "--exclude-dir=spec",
		"--exclude-dir=spec-dtslint"},
	"c": {"--include=*.c", "--include=*.h"}}

// manyLines is how much of what grep prints somebody reads who does not know yet where to look.
const manyLines = 40

// trial puts the questions to the programs as they are shipped, through the bridge and somebody else's client, and
// beside it to grep. Both are driven by fixed rules and told the name that the second step asks for.
func (o *options) trial(ctx context.Context, work string, w io.Writer) error {
	a, err := startShipped(ctx, work)
	if err != nil {
		return err
	}
	fmt.Fprintln(w,
		"| question, then who calls that | by | calls | name shown at first | callers found | others named | tokens read "+
			"|\n|---|---|---|---|---|---|---|")
	for _, q := range questions {
		p, err := project(q.project)
		if err != nil {
			return err
		}
		source, err := quality.Fetch(ctx, o.cache, p)
		if err != nil {
			return err
		}
		dir := filepath.Join(work, p.Name)
		if _, err := os.Stat(dir); err == nil {
			// an earlier question's
		} else if err := errors.Join(os.CopyFS(dir, os.DirFS(source)), os.MkdirAll(filepath.Join(dir, ".git"),
			0o700)); err != nil {
			return err
		}
		tools, err := a.answer(ctx, dir, q)
		if err != nil {
			return fmt.Errorf("%s: %w", q.project, err)
		}
		shell, err := byGrep(ctx, dir, q, p.Language)
		if err != nil {
			return fmt.Errorf("%s: %w", q.project, err)
		}
		for _, r := range []*read{tools, shell} {
			fmt.Fprintf(w, "| %s: %s | %s | %d | %t | %d of %d | %d | %d |\n", q.project, q.text, r.by, r.calls, r.shown,
				r.right(q), len(q.callers), r.others(q), r.tokens)
		}
	}
	n, err := a.described(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\nOnce a conversation, for what the two tools say of themselves: %d tokens.\n", n)
	return a.stop()
}

// read is what was read for an answer.
type read struct {
	by            string
	calls, tokens int
	shown         bool // the first step shows the name that the second asks for
	callers       []string
}

func (r *read) take(text string) error {
	n, err := token.Count(text)
	r.calls++
	r.tokens += n
	return err
}

func (r *read) right(q question) int {
	n := 0
	for _, c := range q.callers {
		if slices.Contains(r.callers, c) {
			n++
		}
	}
	return n
}

func (r *read) others(q question) int {
	n := 0
	for _, c := range r.callers {
		if !slices.Contains(q.callers, c) {
			n++
		}
	}
	return n
}

// shipped is a client of the programs as they are shipped.
type shipped struct {
	c   *client.Client
	bin string
	env []string
}

// Elicit answers as a person who agrees.
func (a *shipped) Elicit(context.Context, mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	r := &mcp.ElicitationResult{}
	r.Action, r.Content = mcp.ElicitationResponseActionAccept, map[string]any{"confirm": true}
	return r, nil
}

// startShipped builds the programs and starts a bridge, and through it the app.
func startShipped(ctx context.Context, work string) (*shipped, error) {
	bin := filepath.Join(work, "bin")
	for program, cgo := range map[string]string{"search-mcp": "0", "search-mcp-app": "0", "search-mcp-worker": "1"} {
		cmd := exec.CommandContext(ctx, "go", "build", "-o", filepath.Join(bin, program), "./app/cmd/"+program)
		cmd.Env = append(os.Environ(), "CGO_ENABLED="+cgo)
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("build %s: %w\n%s", program, err, out)
		}
	}
	top, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	native := filepath.Join(top, "packaging", "native", runtime.GOOS+"-"+runtime.GOARCH, "lib")
	if err := errors.Join(os.Symlink(native, filepath.Join(bin, "lib")), os.Symlink(filepath.Join(top, "assets", "model"),
		filepath.Join(bin, "model"))); err != nil {
		return nil, err
	}
	// this process' own
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, worker.ProgramEnv+"=") })
	a := &shipped{bin: bin, env: append(env, "SEARCH_MCP_HOME="+filepath.Join(work, "home"), "SEARCH_MCP_DESKTOP=off")}
	tr := transport.NewStdioWithOptions(filepath.Join(bin, "search-mcp"), a.env, []string{"mcp"},
		transport.WithCommandFunc(func(ctx context.Context, command string, env, args []string) (*exec.Cmd, error) {
			cmd := exec.CommandContext(ctx, command, args...)
			cmd.Env, cmd.Dir = env, work
			return cmd, nil
		}))
	a.c = client.NewClient(tr, client.WithElicitationHandler(a),
		client.WithLegacyProtocolOnly()) //nolint:staticcheck // most editors still begin so
	if err := a.c.Start(ctx); err != nil {
		return nil, err
	}
	hello := mcp.InitializeRequest{}
	hello.Params.ProtocolVersion = mcp.LATEST_LEGACY_PROTOCOL_VERSION
	hello.Params.ClientInfo = mcp.Implementation{Name: "trial", Version: "1"}
	hello.Params.Capabilities.Elicitation = &mcp.ElicitationCapability{}
	_, err = a.c.Initialize(ctx, hello)
	return a, err
}

func (a *shipped) stop() error {
	_ = a.c.Close()
	cmd := exec.Command(filepath.Join(a.bin, "search-mcp"), "stop")
	cmd.Env = a.env
	return cmd.Run()
}

func (a *shipped) call(ctx context.Context, tool string, args map[string]any, r *read, out any) error {
	req := mcp.CallToolRequest{}
	req.Params.Name, req.Params.Arguments = tool, args
	res, err := a.c.CallTool(ctx, req)
	if err != nil {
		return fmt.Errorf("%s: %w", tool, err)
	}
	text, err := json.Marshal(res.StructuredContent)
	if err != nil || res.IsError {
		return fmt.Errorf("%s: %s, %w", tool, text, err)
	}
	if r != nil {
		if err := r.take(string(text)); err != nil {
			return err
		}
	}
	return json.Unmarshal(text, out)
}

// vectorWait is how long vectors are waited for: on a busy machine they are not made, and words answer.
const vectorWait = 30 * time.Second

// answer asks search_code for what does it, and find_symbol for who uses the first result's declaration.
func (a *shipped) answer(ctx context.Context, dir string, q question) (*read, error) {
	if err := a.call(ctx, "create_index", map[string]any{"project": dir}, nil, &struct{}{}); err != nil &&
		!strings.Contains(err.Error(), "ALREADY_INDEXED") {
		return nil, err // an earlier question may have made it
	}
	for began := time.Now(); ; {
		var s struct {
			Status               string
			Vectors, TotalChunks int
		}
		if err := a.call(ctx, "get_index_status", map[string]any{"project": dir}, nil, &s); err != nil {
			return nil, err
		}
		if s.Status == "ready" && s.Vectors >= s.TotalChunks || s.Status != "indexing" && time.Since(began) > vectorWait {
			break
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	r := &read{by: "search_code, find_symbol"}
	var found struct {
		Results []struct {
			Path, Text, Breadcrumb string
			StartLine              int
		}
	}
	if err := a.call(ctx, "search_code", map[string]any{"query": q.text, "project": dir}, r, &found); err != nil {
		return nil, err
	}
	for _, h := range found.Results {
		r.shown = r.shown || strings.Contains(h.Text, q.name) || strings.HasSuffix(h.Breadcrumb, q.name)
	}
	var uses struct {
		Uses, Tests []struct{ Calls []string }
	}
	if err := a.call(ctx, "find_symbol", map[string]any{"name": q.name, "uses": true, "project": dir}, r,
		&uses); err != nil {
		return nil, err
	}
	for _, f := range uses.Uses {
		for _, c := range f.Calls {
			if _, in, ok := strings.Cut(c, " "); ok {
				r.callers = append(r.callers, shortName(in))
			}
		}
	}
	slices.Sort(r.callers)
	r.callers = slices.Compact(r.callers)
	return r, nil
}

// described counts the tokens of what the two tools say of themselves, which a model reads once.
func (a *shipped) described(ctx context.Context) (int, error) {
	list, err := a.c.ListTools(ctx, mcp.ListToolsRequest{})
	if err != nil {
		return 0, fmt.Errorf("list tools: %w", err)
	}
	total := 0
	for _, tool := range list.Tools {
		if tool.Name != "search_code" && tool.Name != "find_symbol" {
			continue
		}
		text, err := json.Marshal(map[string]any{"name": tool.Name, "description": tool.Description,
			"inputSchema": tool.InputSchema})
		if err != nil {
			return 0, err
		}
		n, err := token.Count(string(text))
		if err != nil {
			return 0, err
		}
		total += n
	}
	return total, nil
}

// shortName is a function with its type, without what is around that.
func shortName(in string) string {
	parts := strings.Split(in, ".")
	return strings.Join(parts[max(0, len(parts)-2):], ".")
}

// heading begins a function or class, by language: a class, what a method belongs to, and a function's name.
var heading = map[string]*regexp.Regexp{
	"go":     regexp.MustCompile(`^(?:func (?:\((?:\w+ )?\*?(?P<type>\w+)\) )?(?P<name>\w+))`),
	"python": regexp.MustCompile(`^(?:class (?P<class>\w+)|\s*(?:async )?def (?P<name>\w+))`),
	"javascript": regexp.MustCompile(
		`^(?:(?:export )?(?:default )?(?:abstract )?class (?P<class>\w+)|(?:export )?(?:async )?function (?P<name>\w+)|  ` +
			`(?:(?:static|async|private|protected|public|override) )*(?P<method>[a-z_]\w*)(?:<[^(]*>)?\([^;]*$)`),
	"c": regexp.MustCompile(`^[a-z][\w \t*]*?\b(?P<name>\w+)\([^;]*$`),
}

// byGrep is what a careful person does: the question's words in code alone, and no more than a screen of it; then the
// name, in code; then for each call the lines from the beginning of its function, as if that were known, or all
// headings of the file with its calls, whichever is less to read.
func byGrep(ctx context.Context, dir string, q question, language string) (*read, error) {
	r := &read{by: "grep, and reading"}
	run := func(most int, args ...string) (string, error) {
		c := exec.CommandContext(ctx, "grep", append(append(args, sourceOf[language]...), ".")...)
		c.Dir = dir
		out, _ := c.Output() // no match is an error
		lines := strings.SplitAfterN(string(out), "\n", most+1)
		text := strings.Join(lines[:min(len(lines), most)], "")
		return text, r.take(text)
	}
	words, err := run(manyLines, "-rniIE", "-e", q.words)
	if err != nil {
		return nil, err
	}
	r.shown = strings.Contains(words, q.name)
	out, err := run(1000, "-rnwIF", "-e", q.name)
	if err != nil {
		return nil, err
	}
	head := heading[language]
	if head == nil {
		head = heading["javascript"]
	}
	headings, calls := map[string]string{}, map[string]string{}
	for line := range strings.Lines(out) {
		parts := strings.SplitN(line, ":", 3)
		if len(parts) < 3 || !strings.Contains(parts[2], q.name+"(") || head.MatchString(strings.TrimRight(parts[2], "\n")) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, parts[0]))
		if err != nil {
			return nil, err
		}
		n := 0
		if _, err := fmt.Sscan(parts[1], &n); err != nil {
			return nil, err
		}
		owner, name, first := "", "", n
		lines := strings.Split(string(text), "\n")
		var all strings.Builder
		for i, l := range lines[:n] {
			m := head.FindStringSubmatch(l)
			if m == nil || notFunctions[group(head, m, "method")] {
				continue
			}
			fmt.Fprintf(&all, "%d:%s\n", i+1, l)
			if i+1 == n {
				continue
			}
			if class := group(head, m, "class"); class != "" {
				owner, name = class, ""
				continue
			}
			if name, first = group(head, m, "name")+group(head, m, "method"), i+1; language == "go" {
				owner = group(head, m, "type")
			} else if !strings.HasPrefix(l, " ") {
				owner = ""
			}
		}
		headings[parts[0]] = all.String()
		calls[parts[0]] += strings.Join(lines[first-1:n], "\n") + "\n"
		r.callers = append(r.callers, strings.TrimPrefix(owner+"."+name, "."))
	}
	for path, context := range calls {
		a, err := token.Count(context)
		if err != nil {
			return nil, err
		}
		b, err := token.Count(headings[path])
		if err != nil {
			return nil, err
		}
		r.calls++
		r.tokens += min(a, b)
	}
	slices.Sort(r.callers)
	r.callers = slices.Compact(r.callers)
	return r, nil
}

// notFunctions are words that stand where a method's name may.
var notFunctions = map[string]bool{"if": true, "for": true, "while": true, "switch": true, "catch": true,
	"return": true, "super": true}

// group is what a named group of an expression matched.
func group(re *regexp.Regexp, m []string, name string) string {
	if i := re.SubexpIndex(name); i >= 0 {
		return m[i]
	}
	return ""
}
