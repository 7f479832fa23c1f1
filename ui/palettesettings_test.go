package ui

import (
	"slices"
	"strings"
	"testing"
)

func TestPaletteCommand(t *testing.T) {
	w, _ := newTest(t, busy(), VariantLight)
	w.Go(PageSettings, "")
	if !slices.ContainsFunc(words(w), func(s string) bool { return strings.Contains(s, paletteCommand) }) {
		t.Errorf("the command is not among %q", words(w))
	}
	press(t, w, "Copy")
	if got := w.app.Clipboard().Content(); got != paletteCommand {
		t.Errorf("copied %q", got)
	}
}
