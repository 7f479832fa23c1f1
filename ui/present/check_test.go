package present

import (
	"fmt"
	"testing"

	"searchmcp/engine/api"
)

func TestChecks(t *testing.T) {
	got := Checks([]api.Finding{
		{OK: true, Subject: "disk", Text: "12.0 GB free"},
		{OK: true, Subject: "worker", Text: "/usr/lib/x, of the app's version"},
		{OK: true, Subject: "ONNX Runtime", Text: "/usr/lib/y"},
		{Subject: "project notes", Text: "away", Detail: "ENOENT: /x", Remedy: "plug it in"},
		{Subject: "project notes", Text: "away", Detail: "ENOENT: /x", Remedy: "plug it in"},
		{OK: true, Subject: "project notes", Text: "88 files, 500 chunks; fingerprints agree"},
	})
	want := "[{false notes [away] [ENOENT: /x] [plug it in]} {true Disk space [Fine] [] []} {true " +
		"Program files [Fine] [] []}]"
	if fmt.Sprint(got) != want {
		t.Errorf("%v\nwant %s", got, want)
	}
}
