package quality

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"searchmcp/engine/files/repo"
)

func TestCommitsOf(t *testing.T) {
	got := commitsOf(`2023-08-29  Ann Other  <ann@example.org>

	tar: skip what is there already
	Say so with -v.
	* src/extract.c, src/common.h (skip): New.
	* NEWS: Mention it.

2023-08-28  Ann Other  <ann@example.org>

	* gst/tcp/gsttcp.c:
	  tcp: close the socket

2023-08-27  Ann Other  <ann@example.org>

	no file at all
`)
	want := []repo.Commit{
		{Message: "tar: skip what is there already\nSay so with -v.\n", Files: []string{"src/extract.c", "src/common.h"}},
		{Message: "tcp: close the socket\n", Files: []string{"gst/tcp/gsttcp.c"}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
