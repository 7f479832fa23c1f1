package files

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
)

const (
	SettingsName      = "settings.json"
	ValidSettingsName = "settings.valid.json" // backup of the last valid settings
)

type Setting struct {
	Key     string
	Default any // bool, float64 or string
	Want    string
	Help    string
	Valid   func(v any) bool // nil if all values are valid
}

// Settings contains the settings of a data folder. Unknown keys are kept unchanged. It is safe for concurrent use.
type Settings struct {
	mu    sync.Mutex // locked while the file is written
	path  string
	known map[string]Setting
	raw   map[string]json.RawMessage
}

// OpenSettings reads the settings in dir. It replaces an invalid value with the last valid value. problems contains a
// sentence for each invalid value and each misspelt key.
//
// If settings.json is not a JSON object, it is renamed to settings.json.bad and replaced by the last valid settings, or
// by safe if there are none.
func OpenSettings(dir string, known []Setting, safe map[string]any) (s *Settings, problems []string, err error) {
	s = &Settings{path: filepath.Join(dir, SettingsName), known: map[string]Setting{}, raw: map[string]json.RawMessage{}}
	for _, k := range known {
		s.known[k.Key] = k
	}
	last := s.readValid(dir)
	err = ReadJSON(s.path, &s.raw)
	missing := errors.Is(err, fs.ErrNotExist)
	switch {
	case missing && last == nil:
		return s, nil, nil
	case missing:
		s.raw = last
		return s, []string{"settings.json is missing; the last valid settings stay in use."}, s.write(last)
	case err != nil:
		if merr := Rename(s.path, s.path+".bad"); merr != nil {
			return nil, nil, fmt.Errorf("read settings: %w", errors.Join(err, merr))
		}
		if s.raw = last; last != nil {
			return s, []string{"settings.json could not be read and was renamed to settings.json.bad; " +
				"the last valid settings stay in use."}, s.write(last)
		}
		s.raw = map[string]json.RawMessage{}
		return s, []string{"settings.json could not be read and was renamed to settings.json.bad; " +
			"indexing is paused until you resume it."}, s.Set(safe)
	}
	if s.raw == nil {
		s.raw = map[string]json.RawMessage{}
	}
	for _, key := range slices.Sorted(maps.Keys(s.raw)) {
		k, ok := s.known[key]
		if !ok {
			if near := Nearest(key, slices.Sorted(maps.Keys(s.known))); near != "" {
				problems = append(problems, fmt.Sprintf("There is no setting '%s'. Did you mean '%s'?", key, near))
			}
			continue
		}
		if _, err := k.decode(s.raw[key]); err != nil {
			delete(s.raw, key)
			if before, ok := last[key]; ok {
				s.raw[key] = before
			}
			shown, err := json.Marshal(s.Get(key))
			if err != nil {
				return nil, nil, fmt.Errorf("show setting: %w", err)
			}
			problems = append(problems, fmt.Sprintf("The setting %s must be %s; %s is used instead.", key, k.Want, shown))
		}
	}
	return s, problems, s.keepValid(s.raw)
}

func (s *Settings) readValid(dir string) (last map[string]json.RawMessage) {
	if err := ReadJSON(filepath.Join(dir, ValidSettingsName), &last); err != nil {
		return nil
	}
	return last
}

func (s *Settings) keepValid(raw map[string]json.RawMessage) error {
	dir := filepath.Dir(s.path)
	if maps.EqualFunc(raw, s.readValid(dir), func(a, b json.RawMessage) bool { return string(a) == string(b) }) {
		return nil
	}
	return WriteJSON(filepath.Join(dir, ValidSettingsName), raw)
}

func (s *Settings) write(raw map[string]json.RawMessage) error {
	if err := WriteJSON(s.path, raw); err != nil {
		return err
	}
	return s.keepValid(raw)
}

// Get returns the value of a setting, which has the type of its default.
func (s *Settings) Get(key string) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := s.known[key]
	if raw, ok := s.raw[key]; ok {
		if v, err := k.decode(raw); err == nil {
			return v
		}
	}
	return k.Default
}

func (s *Settings) All() map[string]any {
	out := map[string]any{}
	for key := range s.known {
		out[key] = s.Get(key)
	}
	return out
}

var ErrSetting = errors.New("invalid setting")

// Set changes several settings, or none of them after an error. The value nil resets a setting to its default.
func (s *Settings) Set(changes map[string]any) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := maps.Clone(s.raw)
	for key, v := range changes {
		k, ok := s.known[key]
		if !ok {
			return fmt.Errorf("%w: unknown setting %s", ErrSetting, key)
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
	if err := s.write(next); err != nil {
		return err
	}
	s.raw = next
	return nil
}

func (k Setting) decode(raw json.RawMessage) (any, error) {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return nil, err
	}
	if reflect.TypeOf(v) != reflect.TypeOf(k.Default) || (k.Valid != nil && !k.Valid(v)) {
		return nil, errInvalid
	}
	return v, nil
}
