package activity

import (
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"searchmcp/engine/api"
)

// kept is what a person can still scroll through: a working day of several assistants.
const kept = 1000

// Log is the ring of the last calls and of what happened to the indexes, with the sums of the day. Queries are in it,
// so it is kept in memory only, unless a person wants it kept for a week (Keep).
type Log struct {
	journal journal // under mu
	log     *slog.Logger

	mu    sync.Mutex
	ring  []api.Activity
	today api.Today
	day   time.Time // midnight before what today sums up

	written map[string]time.Time // the last uses that are on disk
}

// New makes an empty log. file is where it is kept if a person wants that; "" never.
func New(file string, log *slog.Logger) *Log {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	l := &Log{journal: journal{path: file}, log: log}
	if text, err := os.ReadFile(l.usesFile()); err == nil {
		_ = json.Unmarshal(text, &l.today.Last) // what is broken is written anew with the next use
	}
	l.written = maps.Clone(l.today.Last)
	return l
}

// usesFile is where it stands when each editor asked last, which outlives the app; "" without a data folder.
func (l *Log) usesFile() string {
	if l.journal.path == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(l.journal.path), "editors.json")
}

// used writes when each editor asked last, once a minute at most. It is called with the lock held.
func (l *Log) used(client string) {
	at := l.today.Last[client]
	if l.usesFile() == "" || at.Sub(l.written[client]) < time.Minute {
		return
	}
	text, err := json.Marshal(l.today.Last)
	if err == nil {
		err = os.WriteFile(l.usesFile(), text, 0o600) // half of it, after a crash, is as none
	}
	if err != nil {
		l.log.Warn("last use of an editor not kept", "err", err)
	}
	l.written = maps.Clone(l.today.Last)
}

// Add notes a call, but not what a command in the terminal finds out before it begins: which projects there are, and
// that it stands in none, it says itself.
func (l *Log) Add(entry api.Activity) {
	if entry.Role == api.RoleTerminal && (entry.Tool == "get_index_status" || entry.Tool == "list_projects" ||
		entry.Error == string(api.ProjectNotDetected)) {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.push(entry)
}

// push is called with the lock held.
func (l *Log) push(entry api.Activity) {
	if len(l.ring) >= kept {
		l.ring = slices.Delete(l.ring, 0, len(l.ring)-kept+1)
	}
	l.ring = append(l.ring, entry)
	l.sum(entry)
	if err := l.journal.add(entry, l.ring); err != nil {
		l.log.Warn("activity not kept", "err", err)
	}
}

// sum is called with the lock held.
func (l *Log) sum(entry api.Activity) {
	if day := midnight(entry.Time); day.After(l.day) {
		last := l.today.Last
		l.day, l.today = day, api.Today{Last: last}
	}
	if entry.Client == "" || entry.Role != api.RoleAssistant {
		return
	}
	if l.today.Last == nil {
		l.today.Last = map[string]time.Time{}
	}
	if entry.Time.After(l.today.Last[entry.Client]) {
		l.today.Last[entry.Client] = entry.Time
		l.used(entry.Client)
	}
	if entry.Query == "" || midnight(entry.Time).Before(l.day) {
		return
	}
	if l.today.Searches == nil {
		l.today.Searches = map[string]int{}
	}
	l.today.Searches[entry.Client]++
	if entry.FileBytes > 0 {
		l.today.AnswerBytes += int64(entry.AnswerBytes)
		l.today.FileBytes += entry.FileBytes
	}
}

func midnight(t time.Time) time.Time {
	y, m, d := t.Local().Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.Local)
}

// merge adds an entry, in place of the last one if both are updates of one project: saving often is one thing that
// happens.
func (l *Log) merge(entry api.Activity) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := len(l.ring); n > 0 && entry.Tool == string(api.ActionUpdate) {
		last := &l.ring[n-1]
		if last.Tool == entry.Tool && last.Project == entry.Project && last.Error == entry.Error {
			*last = entry
			return
		}
	}
	l.push(entry)
}

// Clear forgets everything, what is kept on disk too.
func (l *Log) Clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ring, l.today, l.day, l.written = nil, api.Today{}, time.Time{}, nil
	if err := errors.Join(l.journal.close(), gone(os.Remove(l.usesFile()))); err != nil {
		l.log.Warn("kept activity not removed", "err", err)
	}
}

// Keep has the log kept on disk for a week, or not: then nothing of it is on disk when this returns. What was kept
// before comes back with the first on.
func (l *Log) Keep(on bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !on {
		if err := l.journal.close(); err != nil {
			l.log.Warn("kept activity not removed", "err", err)
		}
		return
	}
	before, err := l.journal.open(time.Now(), l.ring)
	if err != nil {
		l.log.Warn("activity not kept", "err", err)
	}
	if len(before) == 0 {
		return
	}
	all := append(before, l.ring...)
	l.ring, l.today, l.day = nil, api.Today{Last: l.today.Last}, time.Time{}
	for _, entry := range all[max(0, len(all)-kept):] {
		l.ring = append(l.ring, entry)
		l.sum(entry)
	}
}

// List returns the entries, newest first.
func (l *Log) List() []api.Activity {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := append([]api.Activity{}, l.ring...)
	slices.Reverse(list)
	return list
}

// Today returns what assistants did since midnight.
func (l *Log) Today() api.Today {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := api.Today{Last: map[string]time.Time{}, Searches: map[string]int{}}
	for client, at := range l.today.Last {
		now.Last[client] = at
	}
	if !midnight(time.Now()).Equal(l.day) {
		return now
	}
	for client, n := range l.today.Searches {
		now.Searches[client] = n
	}
	now.AnswerBytes, now.FileBytes = l.today.AnswerBytes, l.today.FileBytes
	return now
}
