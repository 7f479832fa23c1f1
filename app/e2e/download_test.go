package e2e

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// withDownload installs the programs like a package without a model, which downloads the model from address.
func withDownload(t *testing.T, address string) string {
	t.Helper()
	dir := t.TempDir()
	check(t, buildApp(dir, "-ldflags", "-X searchmcp/engine/index/embed.downloadBase="+address))
	check(t, os.Remove(filepath.Join(dir, "model")))
	return dir
}

// TestModelIsDownloaded checks that the first run of a package without a model reports both sentences of RFC 5.4 as
// progress and in the status. It repeats an interrupted download, refuses a wrong file, and mentions the connection
// only if it fails, with the sentences of RFC 6.2.
func TestModelIsDownloaded(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" || os.Geteuid() != 0 {
		t.Skip("hiding the model from the programs needs root on Linux")
	}
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	check(t, err)
	address := "http://" + listener.Addr().String()
	check(t, listener.Close()) // no answer at first
	w := newWorld(t)
	w.bin, w.fresh = withDownload(t, address), true
	w.startWithoutModel()
	e := w.connect(w.copyGo("shelf", "container/ring"))
	var created struct{ Status string }
	var status struct {
		Status, Message string
		Problem         *struct{ Code, UserMessage, DeveloperMessage string }
	}
	done := make(chan struct{})
	go func() { defer close(done); e.call("create_index", nil, &created) }()
	other := w.connect(filepath.Join(w.home, "shelf"))
	percent := regexp.MustCompile(`\(one-time, ~24MB\) [1-9]\d? %`)
	const start = "Downloading embedding model... (one-time, ~24MB)"
	w.await("the download in status", func() bool {
		status.Problem = nil
		other.call("get_index_status", nil, &status)
		return strings.Contains(status.Message, start)
	})
	if strings.Contains(status.Message, "internet connection") || status.Problem != nil {
		t.Errorf("while it goes on: %+v", status)
	}
	listener, err = (&net.ListenConfig{}).Listen(t.Context(), "tcp", listener.Addr().String())
	check(t, err)
	var damage, interrupted atomic.Bool
	server := &http.Server{Handler: http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		file := must(os.ReadFile(filepath.Join("..", "..", "assets", "model", filepath.Base(r.URL.Path))))
		if damage.Load() {
			file[len(file)/2]++
		}
		slowly := time.NewTicker(50 * time.Millisecond)
		defer slowly.Stop()
		for part := range slices.Chunk(file, len(file)/60) { // three seconds
			<-slowly.C
			_, _ = out.Write(part) // the client may be gone
			out.(http.Flusher).Flush()
			if !interrupted.Swap(true) {
				panic(http.ErrAbortHandler)
			}
		}
	})}
	go func() { _ = server.Serve(listener) }()
	defer server.Close()
	w.await("how far it is", func() bool {
		other.call("get_index_status", nil, &status)
		return percent.MatchString(status.Message)
	})
	<-done
	if created.Status != "success" {
		t.Errorf("%+v", created)
	}
	all := fmt.Sprint(e.notes(mcp.MethodNotificationProgress))
	if !strings.Contains(all, start) || !strings.Contains(all, "message:Done! Model cached for future use. ") {
		t.Errorf("reported as progress:\n%s", all)
	}
	w.await("vectors", func() bool { other.call("get_index_status", nil, &status); return status.Status == "ready" })

	// A wrong file is not used, and not downloaded again before the next start.
	failing := newWorld(t)
	failing.bin, failing.fresh = w.bin, true
	damage.Store(true)
	failing.startWithoutModel()
	refused := failing.connect(failing.copyGo("shelf", "container/ring"))
	refused.call("create_index", nil, nil)
	failing.await("the failure in status", func() bool {
		status.Problem = nil
		refused.call("get_index_status", nil, &status)
		return status.Problem != nil
	})
	if p := status.Problem; p.Code != "MODEL_DOWNLOAD_FAILED" || p.UserMessage !=
		"Couldn't set up the search engine. Please check your internet connection and try again." ||
		!strings.HasPrefix(p.DeveloperMessage, "MODEL_DOWNLOAD_FAILED: ") ||
		!strings.Contains(p.DeveloperMessage, "wrong file: ") {
		t.Errorf("%+v", p)
	}
}
