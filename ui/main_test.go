package ui

import (
	"os"
	"runtime/debug"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
)

// TestMain sets the time zone, because pages show local times. It also collects garbage less often, because tests build
// many windows.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}

// remembering is an app that remembers the sizes of texts for all tests. Fyne forgets them whenever a theme is set, and
// measures each text in 0.4 ms.
type remembering struct{ fyne.App }

func (a remembering) Driver() fyne.Driver { return remembered{a.App.Driver()} }

type remembered struct{ fyne.Driver }

type measured struct {
	text   string
	size   float32
	style  fyne.TextStyle
	source fyne.Resource
}

type extent struct {
	size     fyne.Size
	baseline float32
}

var extents sync.Map // measured → extent

func (d remembered) RenderedTextSize(text string, size float32, style fyne.TextStyle, source fyne.Resource) (fyne.Size,
	float32) {
	key := measured{text, size, style, source}
	if e, ok := extents.Load(key); ok {
		return e.(extent).size, e.(extent).baseline
	}
	s, baseline := d.Driver.RenderedTextSize(text, size, style, source)
	extents.Store(key, extent{s, baseline})
	return s, baseline
}
