package cli

import (
	"encoding/json"
	"log/slog"
	"os"
	"reflect"

	"searchmcp/app/version"
)

// answers is the bridge's memory: a file of the data folder with the app's answers to the first requests of editors.
// Those of another version than this program's count for nothing.
type answers struct {
	path string
	log  *slog.Logger
}

type answersFile struct {
	Version string                     `json:"version"`
	Answers map[string]json.RawMessage `json:"answers"`
}

// read returns an empty file for one that is not there or can't be read: it is a cache.
func (a answers) read() answersFile {
	f := answersFile{Version: version.Version, Answers: map[string]json.RawMessage{}}
	var found answersFile
	if data, err := os.ReadFile(a.path); err == nil && json.Unmarshal(data, &found) == nil &&
		found.Version == f.Version && found.Answers != nil {
		return found
	}
	return f
}

// Recall returns a remembered result, nil for none.
func (a answers) Recall(key string) json.RawMessage { return a.read().Answers[key] }

// maxAnswers is far above the number of the protocol's versions: a client that makes versions up must not fill the
// file.
const maxAnswers = 32

// Remember keeps a result, if it is another than before.
func (a answers) Remember(key string, result json.RawMessage) {
	f := a.read()
	if sameJSON(f.Answers[key], result) || len(f.Answers) >= maxAnswers {
		return
	}
	f.Answers[key] = result
	data, err := json.Marshal(f)
	if err == nil {
		err = os.WriteFile(a.path, data, 0o600) // one that is half written is read as none
	}
	if err != nil {
		a.log.Debug("answer not remembered", "err", err) // the next editor waits for the app, no more
	}
}

func sameJSON(a, b json.RawMessage) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}
