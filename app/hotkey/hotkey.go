package hotkey

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Ways in which a desktop tells of a shortcut.
const (
	ByPortal  = "portal"  // the desktop asks its person itself, who may choose other keys
	ByX11     = "x11"     // the key is ours while the app runs
	ByWindows = "windows" // the same
)

var (
	// ErrNone: this desktop lets no program have a shortcut.
	ErrNone = errors.New("the desktop gives programs no global shortcuts")
	// ErrTaken: another program has it.
	ErrTaken = errors.New("another program has this shortcut")
)

// Modifier is a set of keys that are held.
type Modifier int

// The modifiers.
const (
	Ctrl Modifier = 1 << iota
	Alt
	Shift
	Super
)

var modifiers = map[string]Modifier{"Ctrl": Ctrl, "Alt": Alt, "Shift": Shift, "Super": Super}

// Shortcut is keys that are pressed together. Key is a capital letter, a digit, F1 to F24 or Space.
type Shortcut struct {
	Held Modifier
	Key  string
}

// Parse reads a shortcut as a person sees it: Ctrl+Alt+Space. Without Ctrl, Alt or Super it would take a key away from
// typing.
func Parse(s string) (Shortcut, error) {
	parts := strings.Split(s, "+")
	var out Shortcut
	for _, name := range parts[:len(parts)-1] {
		m, known := modifiers[name]
		if !known || out.Held&m != 0 {
			return Shortcut{}, fmt.Errorf("shortcut %q: %q is none of Ctrl, Alt, Shift, Super", s, name)
		}
		out.Held |= m
	}
	out.Key = parts[len(parts)-1]
	switch {
	case !validKey(out.Key):
		return Shortcut{}, fmt.Errorf("shortcut %q: %q is no letter, digit, F key or Space", s, out.Key)
	case out.Held&^Shift == 0 && !function(out.Key):
		return Shortcut{}, fmt.Errorf("shortcut %q needs Ctrl, Alt or Super", s)
	}
	return out, nil
}

func validKey(k string) bool {
	if len(k) == 1 {
		return k[0] >= 'A' && k[0] <= 'Z' || k[0] >= '0' && k[0] <= '9'
	}
	return k == "Space" || function(k)
}

// function reports F1 to F24.
func function(k string) bool {
	n, err := strconv.Atoi(strings.TrimPrefix(k, "F"))
	return err == nil && len(k) > 1 && k[0] == 'F' && n >= 1 && n <= 24 && k == "F"+strconv.Itoa(n)
}

// Options say where to listen.
type Options struct {
	Shortcut Shortcut
	App      string   // the app's ID, by which a desktop remembers what its person chose
	Title    string   // what the shortcut does, for the desktop's own list
	Env      []string // of the person's session
	Pressed  func()
	// Ready is told how the desktop tells of it, once it does.
	Ready func(by string)
}

// Watch calls Pressed for each press until ctx ends. It returns ErrNone, ErrTaken, or what went wrong.
func Watch(ctx context.Context, o Options) error { return watch(ctx, o) }

// value is that of a variable in an environment, "" if it has none.
func value(env []string, name string) string {
	for _, e := range env {
		if v, ok := strings.CutPrefix(e, name+"="); ok {
			return v
		}
	}
	return ""
}
