package cli

import (
	"encoding/json"
	"log/slog"
	"os"
	"reflect"

	"searchmcp/app/version"
)

// answers is the bridge's Memory: a file in the data folder with the app's answers to editors' first requests.
type answers struct {
	path string
	log  *slog.Logger
}

type answersFile struct {
	Version string                     `json:"version"`
	Answers map[string]json.RawMessage `json:"answers"`
}

// read returns the content of the file, which is only a cache, or no answers.
func (a answers) read() (f answersFile) {
	data, err := os.ReadFile(a.path)
	if err != nil || json.Unmarshal(data, &f) != nil || f.Version != version.Version || f.Answers == nil {
		return answersFile{Version: version.Version, Answers: map[string]json.RawMessage{}}
	}
	return f
}

func (a answers) Recall(key string) json.RawMessage { return a.read().Answers[key] }

// maxAnswers stops a client that invents protocol versions from filling the file.
const maxAnswers = 32

func (a answers) Remember(key string, result json.RawMessage) {
	f := a.read()
	if sameJSON(f.Answers[key], result) || len(f.Answers) >= maxAnswers {
		return
	}
	f.Answers[key] = result
	data, err := json.Marshal(f)
	if err == nil {
		err = os.WriteFile(a.path, data, 0o600) // read treats a partially written file as empty
	}
	if err != nil {
		a.log.Debug("answer not remembered", "err", err) // the next editor only waits for the app
	}
}

func sameJSON(a, b json.RawMessage) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}
