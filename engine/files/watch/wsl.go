package watch

import (
	"errors"
	"strings"
)

var errWSL = errors.New("no notifications for folders in WSL")

func inWSL(path string) bool {
	rest, ok := strings.CutPrefix(strings.ReplaceAll(path, "/", `\`), `\\`)
	host, _, _ := strings.Cut(rest, `\`)
	return ok && (strings.EqualFold(host, "wsl$") || strings.EqualFold(host, "wsl.localhost"))
}

// noSource sets no watches, so that folders in WSL are polled. Windows reports no changes in them.
type noSource struct{}

func (noSource) Add(string) error    { return errWSL }
func (noSource) Remove(string) error { return nil }
func (noSource) Close() error        { return nil }
