package ui

import (
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"slices"
	"sync"

	"fyne.io/fyne/v2"

	"searchmcp/ui/page"
)

// Preferences are the window's settings and the history of searches, in a file of the data folder. Fyne's own file is
// outside of the data folder, and a crash could leave it empty. Only the methods below may be called.
type Preferences struct {
	fyne.Preferences
	path string
	mu   sync.Mutex
	kept values
}

type values struct {
	Texts   map[string]string   `json:"texts"`
	Lists   map[string][]string `json:"lists"`
	Numbers map[string]float64  `json:"numbers"`
	Flags   map[string]bool     `json:"flags"`
}

// OpenPreferences reads the file at path. If it does not exist, OpenPreferences takes the values of old. In either case
// old loses them, because its file is outside of the data folder.
func OpenPreferences(old fyne.Preferences, path string) *Preferences {
	p := &Preferences{path: path}
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &p.kept)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		p.change(func() { p.kept = valuesOf(old) })
	case err != nil:
		fyne.LogError("Preferences not read", err)
	}
	for _, key := range slices.Concat(textKeys, listKeys, numberKeys, []string{prefClosed}) {
		old.RemoveValue(key)
	}
	return p
}

var (
	textKeys   = []string{page.PrefTheme, page.PrefLanguage, page.PrefOpener}
	listKeys   = []string{page.PrefAsked, page.PrefSaved, page.PrefIgnored}
	numberKeys = []string{prefWidth, prefHeight}
)

func valuesOf(old fyne.Preferences) values {
	v := values{map[string]string{}, map[string][]string{}, map[string]float64{},
		map[string]bool{prefClosed: old.Bool(prefClosed)}}
	for _, key := range textKeys {
		v.Texts[key] = old.String(key)
	}
	for _, key := range listKeys {
		v.Lists[key] = old.StringList(key)
	}
	for _, key := range numberKeys {
		v.Numbers[key] = old.Float(key)
	}
	return v
}

func (p *Preferences) String(key string) string                { return get(p, p.kept.Texts, key) }
func (p *Preferences) SetString(key, v string)                 { set(p, &p.kept.Texts, key, v) }
func (p *Preferences) StringList(key string) []string          { return get(p, p.kept.Lists, key) }
func (p *Preferences) SetStringList(key string, v []string)    { set(p, &p.kept.Lists, key, v) }
func (p *Preferences) Bool(key string) bool                    { return get(p, p.kept.Flags, key) }
func (p *Preferences) SetBool(key string, v bool)              { set(p, &p.kept.Flags, key, v) }
func (p *Preferences) SetFloat(key string, v float64)          { set(p, &p.kept.Numbers, key, v) }
func (p *Preferences) StringWithFallback(key, v string) string { return cmp.Or(p.String(key), v) }

func (p *Preferences) FloatWithFallback(key string, v float64) float64 {
	return cmp.Or(get(p, p.kept.Numbers, key), v)
}

func (p *Preferences) RemoveValue(key string) {
	p.change(func() {
		delete(p.kept.Texts, key)
		delete(p.kept.Lists, key)
	})
}

func get[V any](p *Preferences, m map[string]V, key string) V {
	p.mu.Lock()
	defer p.mu.Unlock()
	return m[key]
}

func set[V any](p *Preferences, m *map[string]V, key string, v V) {
	p.change(func() {
		if *m == nil {
			*m = map[string]V{}
		}
		(*m)[key] = v
	})
}

// change runs f and writes the file.
func (p *Preferences) change(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f()
	if err := p.write(); err != nil {
		fyne.LogError("Preferences not kept", err)
	}
}

func (p *Preferences) write() error {
	text, err := json.Marshal(p.kept)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(p.path+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(p.path+".new", p.path)
}
