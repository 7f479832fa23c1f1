package files

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
)

// SettingsName is the file of the app's own settings in the data folder.
const SettingsName = "settings.json"

// Setting describes one of the app's settings.
type Setting struct {
	Key     string
	Default any // bool, float64 or string: what JSON knows
	Want    string
	Help    string           // what it is for, for the reference
	Valid   func(v any) bool // given a value of Default's type; nil: any
}

// Settings is settings.json: known keys with their defaults, and unknown ones kept as they are.
type Settings struct {
	path  string
	known map[string]Setting
	raw   map[string]json.RawMessage
}

// OpenSettings reads settings.json in dir. problems has a sentence for each invalid value, which counts as absent. A
// file that is no JSON object is quarantined as settings.json.bad and the defaults apply; problems says so.
func OpenSettings(dir string, known []Setting) (s *Settings, problems []string, err error) {
	s = &Settings{path: filepath.Join(dir, SettingsName), known: map[string]Setting{}, raw: map[string]json.RawMessage{}}
	for _, k := range known {
		s.known[k.Key] = k
	}
	err = ReadJSON(s.path, &s.raw)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s, nil, nil
	case err != nil:
		s.raw = map[string]json.RawMessage{}
		if merr := quarantine(s.path); merr != nil {
			return nil, nil, fmt.Errorf("read settings: %w", errors.Join(err, merr))
		}
		return s, []string{"settings.json could not be read and was set aside as settings.json.bad; the defaults are used."},
			nil
	}
	if s.raw == nil {
		s.raw = map[string]json.RawMessage{}
	}
	for _, key := range slices.Sorted(maps.Keys(s.raw)) {
		if k, ok := s.known[key]; ok {
			if _, err := k.decode(s.raw[key]); err != nil {
				delete(s.raw, key)
				problems = append(problems, fmt.Sprintf("The setting %s must be %s; its default is used.", key, k.Want))
			}
		}
	}
	return s, problems, nil
}

// Get returns a known setting's value, of its default's type.
func (s *Settings) Get(key string) any {
	k := s.known[key]
	if raw, ok := s.raw[key]; ok {
		if v, err := k.decode(raw); err == nil {
			return v
		}
	}
	return k.Default
}

// All returns every known setting.
func (s *Settings) All() map[string]any {
	out := map[string]any{}
	for key := range s.known {
		out[key] = s.Get(key)
	}
	return out
}

// ErrSetting wraps what is wrong with a change of the settings.
var ErrSetting = errors.New("invalid setting")

// Set changes the given keys, all of them or none, and writes the file. A nil value takes a setting back to its
// default.
func (s *Settings) Set(changes map[string]any) error {
	next := maps.Clone(s.raw)
	for key, v := range changes {
		k, ok := s.known[key]
		if !ok {
			return fmt.Errorf("%w: there is no setting %s", ErrSetting, key)
		}
		if v == nil {
			delete(next, key)
			continue
		}
		raw, err := json.Marshal(v)
		if err != nil {
			return fmt.Errorf("%w: %s: %w", ErrSetting, key, err)
		}
		if _, err := k.decode(raw); err != nil {
			return fmt.Errorf("%w: %s must be %s", ErrSetting, key, k.Want)
		}
		next[key] = raw
	}
	if err := WriteJSON(s.path, next); err != nil {
		return fmt.Errorf("write settings: %w", err)
	}
	s.raw = next
	return nil
}

func (k Setting) decode(raw json.RawMessage) (any, error) {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return nil, err
	}
	same := false
	switch k.Default.(type) {
	case bool:
		_, same = v.(bool)
	case float64:
		_, same = v.(float64)
	case string:
		_, same = v.(string)
	}
	if !same || (k.Valid != nil && !k.Valid(v)) {
		return nil, errInvalid
	}
	return v, nil
}
