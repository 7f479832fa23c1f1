package worker_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"searchmcp/engine/api"
	"searchmcp/engine/host/native"
	"searchmcp/engine/host/worker"
	"searchmcp/engine/share/part"
)

func TestPartsAreReadInWorker(t *testing.T) {
	p := native.New(native.Options{Name: "unpack", Program: worker.Program, Args: []string{string(worker.Unpack)},
		Log: quiet, Memory: worker.Memory[worker.Unpack]})
	defer p.Close()
	parts := worker.NewParts(p)
	e, err := zstd.NewWriter(nil)
	must(t, err)
	hash := strings.Repeat("0", 64)
	good := `{"corpus":"docs","path":"a.md","hash":"` + hash + `","chunks":[{"ID":"` +
		api.ChunkID("a.md", hash, 0) + `","Path":"a.md","ContentHash":"` + hash + `","StartLine":1,"EndLine":2,"Decls":[{"Name":"n","Scope":["s"],"Line":1}]}]}` + "\n"
	bad := strings.Replace(good, `[{"ID"`, "["+strings.Repeat("{},", 20_000_000)+`{"ID"`, 1)
	for range 2 {
		if _, err := parts.Read(t.Context(), e.EncodeAll([]byte(bad), nil)); !errors.Is(err, part.ErrDamaged) {
			t.Errorf("20 million chunks: %v", err)
		}
		files, err := parts.Read(t.Context(), e.EncodeAll([]byte(good), nil))
		if err != nil || len(files) != 1 || files[0].Path != "a.md" || files[0].Chunks[0].Decls[0].Scope[0] != "s" {
			t.Errorf("a good one: %+v, %v", files, err)
		}
	}
	wantEqual(t, p.Starts(), 1, "the process was started: starts")
}
