package endpoint

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"searchmcp/app/endpoint/session"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

// begin calls create_index for /p/new on a connection without questions, and returns when the job runs.
func begin(t *testing.T, p *peer, f *fake, meta map[string]any) (id string, job *fakeJob) {
	t.Helper()
	if meta == nil {
		meta = map[string]any{}
	}
	meta[wire.MetaConsent] = api.Accept
	params := map[string]any{"name": "create_index", "arguments": map[string]any{"project": "/p/new"}, "_meta": meta}
	id = p.request("tools/call", params)
	synctest.Wait()
	return id, f.job(t, "/p/new", api.ActionCreate)
}

func confirmed(t *testing.T, h *host) *peer {
	p := h.peer(t, &wire.Hello{Role: api.RoleTerminal})
	p.consent = api.Accept
	p.handshake(nil)
	return p
}

func TestProgressRisesAndEndsBeforeTheAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.hold = true
		p := confirmed(t, serve(t, f))
		began := time.Now()
		// Decoding this number would change it.
		id, job := begin(t, p, f, map[string]any{"progressToken": json.RawMessage("12345678901234567891")})
		steps := []func(*api.Progress){
			func(p *api.Progress) { p.Phase = api.PhaseIndexing; p.FilesDone = 100 },
			func(p *api.Progress) { p.Phase = api.PhaseIndexing; p.FilesDone = 50 }, // must not be sent
			func(p *api.Progress) {
				p.Phase, p.ChunksTotal, p.ChunksDone, p.Left = api.PhaseEmbedding, 1000, 10, 90*time.Second
			},
			func(p *api.Progress) { p.ChunksDone = 900 },
			func(p *api.Progress) { p.Phase = api.PhaseFinishing },
		}
		for _, step := range steps {
			<-time.After(12 * time.Second)
			job.set(step)
		}
		<-time.After(time.Second)
		job.finish(api.IndexStats{FilesIndexed: 450, ChunksCreated: 1000, Duration: 61 * time.Second}, nil)
		r := decode(t, p.answer(id))
		if r.field(t, "status") != "success" || r.field(t, "duration") != "1m 1s" || r.field(t, "chunksCreated") != 1000.0 {
			t.Errorf("%s", r.Structured)
		}
		elapsed := time.Since(began)
		last, n, words := -1.0, 0, ""
		for _, m := range p.kept { // everything before the answer
			if string(m["method"]) != `"notifications/progress"` {
				continue
			}
			var note struct {
				ProgressToken json.RawMessage
				Progress      float64
				Total         float64
				Message       string
			}
			must(t, json.Unmarshal(m["params"], &note))
			if note.Progress <= last || note.Progress > note.Total || string(note.ProgressToken) != "12345678901234567891" {
				t.Errorf("after %v: %s", last, m["params"])
			}
			last, n, words = note.Progress, n+1, words+note.Message+"\n"
		}
		if n < 5 || n > int(elapsed/session.ProgressEvery) {
			t.Errorf("%d notifications in %s", n, elapsed)
		}
		for _, part := range []string{"Reading files: 100 of 450",
			"Search by meaning: 10 of 1,000 passages, about 1m 30s left", "Finishing"} {
			wantPart(t, words, part, "words")
		}
		if n < int(elapsed/heartbeat) {
			t.Errorf("%d notifications in %s: some heartbeat is missing", n, elapsed)
		}
		select {
		case m := <-p.in:
			t.Errorf("after the answer came %s", m)
		default:
		}
	})
}

// TestPausedJobIsNotWaitedFor checks that a call without a token is answered after 25 seconds, and that a paused job is
// answered at once with the reason even to a client that can wait.
func TestPausedJobIsNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.hold = true
		p := confirmed(t, serve(t, f))
		began := time.Now()
		silent, _ := begin(t, p, f, nil)
		if r := decode(t, p.answer(silent)); time.Since(began) > 25*time.Second || r.field(t, "status") != "indexing" {
			t.Errorf("without a token, after %s: %s", time.Since(began), r.Structured)
		}
		id, job := begin(t, p, f, map[string]any{"progressToken": "t"})
		job.set(func(p *api.Progress) { p.Phase = api.PhaseIndexing })
		<-time.After(2 * patience)
		began = time.Now()
		job.set(func(p *api.Progress) { p.Phase = api.PhasePaused })
		if r := decode(t, p.answer(id)); time.Since(began) > time.Second || r.field(t, "status") != "indexing" {
			t.Errorf("paused, after %s: %s", time.Since(began), r.Structured)
		}
		job.finish(api.IndexStats{}, nil)
	})
}

func TestFailedJob(t *testing.T) {
	for _, test := range []struct {
		err  error
		want string
	}{
		{context.Canceled, `"status":"cancelled"`},
		{api.ErrDiskFull(90, 4, errBroken),
			`"code":"DISK_FULL","userMessage":"Not enough disk space to create the search index.`},
		{errBroken, `"code":"INTERNAL_ERROR"`},
	} {
		synctest.Test(t, func(t *testing.T) {
			f := newFake()
			f.hold = true
			p := confirmed(t, serve(t, f))
			id, job := begin(t, p, f, nil)
			job.finish(api.IndexStats{}, test.err)
			if r := decode(t, p.answer(id)); !strings.Contains(string(r.Structured), test.want) ||
				strings.Contains(string(r.Structured), "secret") {
				t.Errorf("%s, want %s", r.Structured, test.want)
			}
		})
	}
}

func TestIndexInProgressAtStart(t *testing.T) {
	f := newFake("shop")
	f.projects[0].State = api.StateEmbedding
	f.projects[0].Progress = &api.Progress{Phase: api.PhaseEmbedding, ChunksDone: 5, ChunksTotal: 10, Started: time.Now()}
	p := confirmed(t, serve(t, f))
	r := p.tool("create_index", map[string]any{"project": "shop"})
	wantField(t, r, "status", "indexing")
	wantText(t, r, `"percent":55`)
	wantEqual(t, len(f.deeds()), 0, "deeds")
	r = p.tool("get_index_status", map[string]any{"project": "shop"})
	wantField(t, r, "status", "embedding", "Search by meaning: 5 of 10 passages")
}

func TestReasonOfWaitingVectors(t *testing.T) {
	f := newFake("shop")
	f.projects[0].State, f.projects[0].Waiting = api.StateEmbedding, "Plug it in."
	p := confirmed(t, serve(t, f))
	for _, tool := range []string{"get_index_status", "list_projects"} {
		wantText(t, p.tool(tool, map[string]any{"project": "shop"}), `"waiting":"Plug it in."`)
	}
}

func TestActivityOfJobs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.hold = true
		h := serve(t, f)
		p := confirmed(t, h)
		last := func() string {
			synctest.Wait()
			all := h.activity.List()
			if len(all) == 0 {
				return "nothing"
			}
			return fmt.Sprint(all[0].Tool, " ", all[0].Allowed, " ", all[0].Outcome, all[0].Error)
		}
		id, job := begin(t, p, f, map[string]any{"progressToken": 1})
		p.raw(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`)
		wantEqual(t, last(), "create_index true indexing", "the client left")
		id, _ = begin(t, p, f, map[string]any{"progressToken": 2})
		job.finish(api.IndexStats{}, nil)
		p.answer(id)
		wantEqual(t, last(), "create_index false success", "done")
	})
}
