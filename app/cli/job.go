package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/schollz/progressbar/v3"

	"searchmcp/app/cli/term"
	"searchmcp/app/socket/client"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

type bar struct {
	mu     sync.Mutex
	bar    *progressbar.ProgressBar // nil without a terminal
	rate   float64                  // files per second, or 0 while unknown
	width  int                      // columns for a description
	step   string                   // text of the current step before its counts
	share  float64                  // of the current step, in [0,1]
	began  time.Time                // events of earlier jobs are not shown
	job    chan struct{}            // receives a value when a job reports progress
	err    io.Writer
	paused bool // and the user knows
}

const (
	barWidth = 20 // the library shortens the bar to fit a description
	barLeast = 10
	barMax   = 1000       // one step is 0.1 percent
	barFrame = 12         // columns for the percentage, the bar's ends and spaces
	left     = ", about " // precedes the remaining time
)

func (v *invocation) newBar() *bar {
	b := &bar{began: time.Now(), job: make(chan struct{}, 1), err: v.Err}
	if v.asJSON || !term.IsTerminal(v.bars) {
		return b
	}
	b.width = max(term.Open(v.bars, term.Never).Width-barLeast-barFrame, 0)
	b.bar = progressbar.NewOptions(barMax, progressbar.OptionSetWriter(v.bars), progressbar.OptionSetWidth(barWidth),
		progressbar.OptionShowDescriptionAtLineEnd(),
		progressbar.OptionSetPredictTime(false), progressbar.OptionSetElapsedTime(false), progressbar.OptionClearOnFinish())
	return b
}

// counts matches "320 of 389" in the text of a step.
var counts = regexp.MustCompile(`([\d,]+) of ([\d,]+)`)

// shareOf returns the share of p to show. If the text of p has counts, it is their share, as in the window, and never
// decreases during a step. A later step without counts, such as "Finishing", keeps the share.
func (b *bar) shareOf(p client.ToolProgress) float64 {
	found := counts.FindStringSubmatch(p.Message)
	switch step, _, _ := strings.Cut(p.Message, ":"); {
	case found != nil:
		done, _ := strconv.ParseFloat(strings.ReplaceAll(found[1], ",", ""), 64) // digits only
		total, _ := strconv.ParseFloat(strings.ReplaceAll(found[2], ",", ""), 64)
		share := min(1, done/max(1, total))
		if step == b.step {
			share = max(share, b.share)
		}
		b.step, b.share = step, share
	case b.step == "":
		return p.Progress / p.Total
	}
	return b.share
}

// progress updates the bar. The bar appears with the first progress of a job, and never during a question.
func (b *bar) progress(p client.ToolProgress) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bar == nil || b.paused || p.Total <= 0 || p.Progress < 1 {
		return
	}
	rate := ""
	if b.rate >= 1 {
		rate = say(" (%s files/s)", fmt.Sprintf("%.0f", b.rate))
	}
	_ = b.bar.Set(int(barMax * b.shareOf(p)))
	b.bar.Describe(b.fit(p.Message, rate)) // draws the bar again, with the text
}

func described(text string) (head, time string) {
	head, time, _ = strings.Cut(text, left)
	head = sentence(head)
	if d, ok := strings.CutSuffix(time, " left"); ok {
		time = say(", about %s left", d)
	} else if d, ok := strings.CutSuffix(time, " for this step"); ok {
		time = say(", about %s for this step", d)
	}
	return head, time
}

// fit shortens a description to the columns beside the bar, and keeps the remaining time at its end.
func (b *bar) fit(text, rate string) string {
	head, time := described(text)
	if term.Columns(head+time+rate) <= b.width {
		return head + time + rate
	}
	if room := b.width - term.Columns(time); room > 0 {
		return term.Cut(head, room) + time
	}
	return "" // the terminal is too narrow for a text
}

func (b *bar) event(e api.Event) {
	if e.Kind != api.EventProgress || e.Progress == nil || e.Progress.Action == api.ActionUpdate {
		return
	}
	b.mu.Lock()
	b.rate = 0
	if e.Progress.Phase == api.PhaseIndexing {
		b.rate = e.Progress.FilesPerSec
	}
	b.mu.Unlock()
	p := e.Progress
	if !p.Started.After(b.began) {
		return
	}
	b.mu.Lock()
	if now := p.Phase == api.PhasePaused; now != b.paused {
		if b.paused = now; now {
			if b.bar != nil {
				_ = b.bar.Clear()
			}
			fmt.Fprintln(b.err, say("Indexing is paused. Continue it with: search-mcp resume"))
		}
	}
	b.mu.Unlock()
	select {
	case b.job <- struct{}{}:
	default:
	}
	if p.Phase == api.PhaseWaiting { // tool calls do not report 0 percent
		b.progress(client.ToolProgress{Progress: max(1, p.Percent()), Total: 100, Message: p.Text()})
	}
}

func (b *bar) finish() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bar != nil {
		_ = b.bar.Clear()
	}
}

// reporting runs call and shows its progress. Ctrl-C cancels the call.
func (v *invocation) reporting(ctx context.Context, c *client.Client, call func(context.Context, wire.Caller) error,
	stopped string) error {
	b := v.newBar()
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	err := call(ctx, client.Reporting{Client: c, Progress: b.progress})
	b.finish()
	if ctx.Err() != nil {
		return errors.New("stopped: " + stopped)
	}
	return err
}

type changed struct {
	Status        string   `json:"status"`
	ProjectPath   string   `json:"projectPath"`
	FilesIndexed  int      `json:"filesIndexed"`
	ChunksCreated int      `json:"chunksCreated"`
	Duration      string   `json:"duration"`
	Message       string   `json:"message"`
	Path          string   `json:"path"`
	Notes         []string `json:"notes"`
}

func (v *invocation) printNotes(notes []string) {
	for _, n := range notes {
		fmt.Fprintln(v.Err, sentence(n))
	}
}

func (v *invocation) change(ctx context.Context, tool string, args map[string]any, show func(changed)) error {
	b := v.newBar()
	defer b.finish()
	c, err := v.connect(ctx, true, b.event)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := wire.MethodSubscribe.Do(ctx, c, wire.Empty{}); err != nil {
		return err
	}
	waiting, pressed, stop := v.onInterrupt(ctx, c, args)
	defer stop()
	var consent api.Answer
	if v.yes {
		consent = api.Accept
	}
	var result *client.ToolResult
	called := make(chan struct{})
	go func() { // ends at the latest when c is closed
		defer close(called)
		result, err = c.CallTool(waiting, tool, args, consent, b.progress)
	}()
	for done := false; !done; {
		select {
		case <-called:
			done = true
		case <-b.job:
			if !v.noWait {
				continue
			}
			if root, p, perr := v.concerned(ctx, c, args); perr == nil && running(p) {
				b.finish()
				_ = c.Close() // before stop, which would cancel the job
				<-called
				return printAnswer(v, changed{Status: "indexing", ProjectPath: root, FilesIndexed: p.Files}, nil, func() {
					v.printf("%s\n", say("Indexing %s in the background; 'search-mcp status' shows the progress.", clean(root)))
				})
			}
		}
	}
	b.finish()
	switch {
	case v.unasked && v.agreed:
		return api.New(api.ConfirmationRequired,
			"--yes does not approve a home folder or a whole disk. Run the command in a terminal.", "no terminal", errUnasked)
	case v.unasked:
		return errUnasked
	}
	if err != nil {
		if pressed.Load() && c.Err() == nil {
			return v.interrupted(ctx, c, tool, args)
		}
		return err
	}
	var r changed
	if err := result.Decode(&r); err != nil {
		return fmt.Errorf("%s: %w", tool, err)
	}
	if v.asJSON {
		if err := v.printJSON(result.JSON); err != nil {
			return err
		}
		if r.Status == "cancelled" {
			v.asJSON = false
		}
	}
	switch {
	case r.Status == "cancelled" && (pressed.Load() || v.yes): // with --yes, the job was stopped elsewhere
		return v.interrupted(ctx, c, tool, args)
	case r.Status == "cancelled":
		return errDeclined
	case !v.asJSON:
		show(r)
	}
	return nil
}

// onInterrupt makes the first Ctrl-C cancel the job in the app, which keeps the old index. The second Ctrl-C cancels
// the returned context.
func (v *invocation) onInterrupt(ctx context.Context, c *client.Client, args map[string]any) (
	waiting context.Context, pressed *atomic.Bool, stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	pressed = &atomic.Bool{}
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt)
	done := make(chan struct{})
	var worker sync.WaitGroup
	worker.Go(func() {
		select {
		case <-signals:
		case <-done:
			return
		}
		pressed.Store(true)
		_, p, err := v.concerned(ctx, c, args)
		if err == nil && running(p) {
			fmt.Fprintln(v.Err, "\n"+say("Stopping. Press Ctrl-C again to stop waiting."))
			err = wire.MethodCancel.Do(ctx, c, wire.Ref{Ref: p.Progress.JobID})
		}
		if err != nil || !running(p) {
			cancel()
			return
		}
		select {
		case <-signals:
			cancel()
		case <-done:
		}
	})
	return ctx, pressed, func() {
		signal.Stop(signals)
		close(done)
		cancel()
		worker.Wait()
	}
}

func (v *invocation) concerned(ctx context.Context, c *client.Client, args map[string]any) (string,
	*api.Project, error) {
	result, err := c.CallTool(ctx, "get_index_status", args, "", nil)
	if err != nil {
		return "", nil, err
	}
	var at projectStatus
	if err := result.Decode(&at); err != nil {
		return "", nil, err
	}
	status, err := wire.MethodStatus.Call(ctx, c, wire.Empty{})
	if err != nil {
		return "", nil, err
	}
	return at.ProjectPath, projectAt(&status, at.ProjectPath), nil
}

func running(p *api.Project) bool {
	return p != nil && p.Progress != nil && p.Progress.JobID != "" && p.Progress.Action != api.ActionUpdate
}

func (v *invocation) interrupted(ctx context.Context, c *client.Client, tool string, args map[string]any) error {
	delete(args, "path") // get_index_status expects a project, but path is a file
	root, p, err := v.concerned(ctx, c, args)
	if err != nil {
		return err
	}
	return api.New(codeCancelled, aftermath(tool, root, p), tool+" was interrupted", errDeclined)
}

func aftermath(tool, root string, p *api.Project) string {
	switch {
	case tool == "reindex_file":
		return say("Stopped waiting. Search MCP will still read the file again.")
	case running(p):
		return say("Stopped waiting. The work on %s continues in Search MCP; 'search-mcp status' shows its progress.",
			root)
	case tool == "delete_index" && p == nil:
		return say("Stopped waiting. The index of %s has been deleted.", root)
	case tool == "create_index" && (p == nil || p.LastFull.IsZero()):
		return say("Cancelled. %s is not indexed.", root)
	case tool == "create_index" && p.Vectors < p.Chunks:
		return say(
			"Cancelled, but %s had already been read: %s can be searched by words, and Search MCP continues preparing search "+
				"by meaning. 'search-mcp delete' removes the index.",
			root, many(p.Files, "file"))
	case tool == "create_index":
		return say("%s was already indexed and stays indexed; 'search-mcp delete' removes the index.", root)
	case tool == "reindex_project":
		return say("Cancelled. The index is unchanged.")
	}
	return say("Cancelled. Nothing was changed.")
}
