package hotkey

import "testing"

func TestParse(t *testing.T) {
	for s, want := range map[string]Shortcut{
		"Ctrl+Alt+Space": {Ctrl | Alt, "Space"}, "Super+Shift+K": {Super | Shift, "K"}, "F12": {0, "F12"}, "Shift+F1": {Shift,
			"F1"}, "Ctrl+7": {Ctrl, "7"},
	} {
		if got, err := Parse(s); err != nil || got != want {
			t.Errorf("%s: %+v, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "K", "Shift+K", "Ctrl+", "Ctrl+k", "Hyper+K", "Ctrl+Ctrl+K", "F0", "F25", "F01",
		"Ctrl+Esc", "Ctrl Alt K", "+K"} {
		if got, err := Parse(s); err == nil {
			t.Errorf("%q is %+v", s, got)
		}
	}
}
