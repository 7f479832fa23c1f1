package ui

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"

	"fyne.io/fyne/v2"

	"searchmcp/ui/page"
)

type preferences struct {
	Texts   map[string]string   `json:"texts"`
	Lists   map[string][]string `json:"lists"`
	Numbers map[string]float64  `json:"numbers"`
	Flags   map[string]bool     `json:"flags"`
}

// KeepPreferences sets p to the values in the file at path and writes every later change to it. Fyne truncates its own
// file before it writes, so a crash could leave it empty.
func KeepPreferences(p fyne.Preferences, path string) {
	if err := restore(p, path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		fyne.LogError("Preferences not read", err)
	}
	keep := func() {
		if err := write(p, path); err != nil {
			fyne.LogError("Preferences not kept", err)
		}
	}
	keep()
	p.AddChangeListener(keep)
}

func restore(p fyne.Preferences, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var had preferences
	if err := json.Unmarshal(text, &had); err != nil {
		return err
	}
	each(had.Texts, p.SetString)
	each(had.Lists, p.SetStringList)
	each(had.Numbers, p.SetFloat)
	each(had.Flags, p.SetBool)
	return nil
}

func each[V any](all map[string]V, set func(string, V)) {
	for key, v := range all {
		set(key, v)
	}
}

func write(p fyne.Preferences, path string) (err error) {
	now := preferences{
		Texts:   map[string]string{},
		Lists:   map[string][]string{},
		Numbers: map[string]float64{},
		Flags:   map[string]bool{prefClosed: p.Bool(prefClosed)},
	}
	for _, key := range []string{page.PrefTheme, page.PrefOpener} {
		if v := p.String(key); v != "" {
			now.Texts[key] = v
		}
	}
	for _, key := range []string{page.PrefAsked, page.PrefSaved, page.PrefIgnored} {
		now.Lists[key] = p.StringList(key)
	}
	for _, key := range []string{prefWidth, prefHeight} {
		if v := p.Float(key); v > 0 {
			now.Numbers[key] = v
		}
	}
	text, err := json.Marshal(now)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}
