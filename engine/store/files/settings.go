package files

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"reflect"
)

// SettingsName is the name of the app's own settings in the data folder.
const SettingsName = "settings.json"

// ErrSetting is returned by Set for a key that is not known or a value that is not valid; its text says which.
var ErrSetting = errors.New("setting is not valid")

// Setting describes one key of settings.json.
type Setting struct {
	Key     string
	Default any // its type is the setting's: bool, string, float64, []any or map[string]any, as encoding/json gives them
	// Want says in words what is valid.
	Want string
	// Valid is asked about values of the right type. nil: all are.
	Valid func(v any) bool
}

// check returns v in the form that encoding/json gives, if it is valid.
func (s Setting) check(v any) (any, error) {
	if n, ok := v.(int); ok { // callers in Go write 5
		v = float64(n)
	}
	if reflect.TypeOf(v) != reflect.TypeOf(s.Default) || (s.Valid != nil && !s.Valid(v)) {
		return nil, fmt.Errorf("%w: %s must be %s, not %s", ErrSetting, s.Key, s.Want, oneLine(v))
	}
	return v, nil
}

// Settings is settings.json. Keys that it does not know, and comments, stay in the file. It is not safe for concurrent use.
type Settings struct {
	path   string
	known  map[string]Setting
	values map[string]any
	text   []byte
}

// OpenSettings reads settings.json in dir. A value that is not valid has its default and a sentence among the problems; so has everything
// if the file does not parse, which is then kept as .bak.
func OpenSettings(dir string, known []Setting) (*Settings, []string, error) {
	s := &Settings{path: filepath.Join(dir, SettingsName), known: map[string]Setting{}, values: map[string]any{}}
	for _, k := range known {
		s.known[k.Key] = k
		s.values[k.Key] = k.Default
	}
	text, err := ReadFile(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read settings: %w", err)
	}
	fields, order, err := parseObject(text)
	if err != nil {
		if werr := WriteFile(s.path+".bak", text); werr != nil {
			return nil, nil, fmt.Errorf("put settings aside: %w", werr)
		}
		return s, []string{"settings.json can't be read, so defaults are in force; it was kept as settings.json.bak. " + err.Error()}, nil
	}
	s.text = text
	var problems []string
	for _, key := range order {
		k, ok := s.known[key]
		if !ok {
			continue
		}
		var v any
		if err := json.Unmarshal(fields[key], &v); err != nil {
			return nil, nil, fmt.Errorf("read settings: %w", err)
		}
		if v, err = k.check(v); err != nil {
			problems = append(problems, err.Error()+"; the default is used.")
			continue
		}
		s.values[key] = v
	}
	return s, problems, nil
}

// Get returns a setting's value, nil for an unknown key.
func (s *Settings) Get(key string) any { return s.values[key] }

// All returns every known setting.
func (s *Settings) All() map[string]any { return maps.Clone(s.values) }

// Set changes settings, all of them or, after an error, none.
func (s *Settings) Set(changes map[string]any) error {
	valid := make(map[string]any, len(changes))
	for key, v := range changes {
		k, ok := s.known[key]
		if !ok {
			return fmt.Errorf("%w: there is no setting %s", ErrSetting, key)
		}
		v, err := k.check(v)
		if err != nil {
			return err
		}
		valid[key] = v
	}
	text, err := EditJSON(s.text, valid)
	if err != nil {
		return fmt.Errorf("edit settings: %w", err)
	}
	if err := WriteFile(s.path, text); err != nil {
		return fmt.Errorf("write settings: %w", err)
	}
	s.text = text
	maps.Copy(s.values, valid)
	return nil
}
