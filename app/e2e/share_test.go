package e2e

import (
	"encoding/json"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"searchmcp/engine/api"
)

// TestSharedIndex publishes a project's index to a bucket from one computer, as a CI job does, and adds it on another,
// with the real programs, the real model, and credentials from the environment and from ~/.aws.
func TestSharedIndex(t *testing.T) {
	t.Parallel()
	const key, secret = "AKIATEAMTEST", "only-for-this-test"
	backend := s3mem.New()
	check(t, backend.CreateBucket("team"))
	server := httptest.NewServer(gofakes3.New(backend).Server())
	defer server.Close()
	location := "s3://team/search/archive?endpoint=" + server.URL + "&region=eu-central-1"

	ci := newWorld(t)
	ci.env = append(ci.env, "AWS_ACCESS_KEY_ID="+key, "AWS_SECRET_ACCESS_KEY="+secret)
	source := ci.copyGo("project", "encoding/csv")
	if out, code := ci.cli("share", "publish", "--project", source, location); code == 0 ||
		!strings.Contains(out, "approval") {
		t.Fatalf("published without a yes: exit %d\n%s", code, out)
	}
	var published api.SharedIndex
	out := ci.mustCLI("share", "publish", "--yes", "--json", "--project", source, location)
	if err := json.Unmarshal([]byte(out[strings.LastIndex(out, "\n{")+1:]), &published); err != nil ||
		published.Files == 0 {
		t.Fatalf("published %+v, %v:\n%s", published, err, out)
	}

	user := newWorld(t)
	root := user.copyGo("project", "encoding/csv")
	user.write(filepath.Join(user.home, ".aws/credentials"), "[default]\naws_access_key_id = "+key+
		"\naws_secret_access_key = "+secret+"\n")
	if out, code := user.cli("share", "add", "--project", root, location); code == 0 {
		t.Fatalf("added without a yes:\n%s", out)
	}
	user.mustCLI("share", "add", "--yes", "--project", root, location)
	var status string
	user.await("the files to be compared", func() bool {
		status = user.mustCLI("status", "--project", root)
		return strings.Contains(status, "Ready ·")
	})
	if !strings.Contains(status, "Shared index s3://team/search/archive") {
		t.Errorf("status does not report the shared index:\n%s", status)
	}
	user.wantCLI(0, "reader.go", "search", "--project", root, "reader of records")
	user.noSecret(key, secret)
	ci.noSecret(key, secret)
}

// noSecret checks that no credentials are in the data folder.
func (w *world) noSecret(secrets ...string) {
	w.t.Helper()
	for path, data := range w.dataFiles() {
		for _, secret := range secrets {
			if strings.Contains(string(data), secret) {
				w.t.Errorf("%s contains a credential", path)
			}
		}
	}
}
