package activity

import (
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

const maxEntries = 1000 // entries in memory, about a working day of several assistants

// Log records calls and the events of indexes. Its entries contain queries, so it writes them to disk only at the
// user's request (Keep).
type Log struct {
	journal journal
	log     *slog.Logger

	mu    sync.Mutex
	ring  []api.Activity
	usage usage
}

// New returns a Log that stores its files in folder.
func New(folder string, log *slog.Logger) *Log {
	return &Log{
		log: log, journal: journal{path: filepath.Join(folder, "activity.jsonl")},
		usage: readUsage(filepath.Join(folder, "usage.json")),
	}
}

// Add adds an entry. It ignores calls such as list_projects, with which the command line prepares a command.
func (l *Log) Add(entry api.Activity) {
	if entry.Role == api.RoleTerminal && (entry.Tool == "get_index_status" || entry.Tool == "list_projects" ||
		entry.Error == string(api.ProjectNotDetected)) {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.push(entry)
	if l.usage.add(entry) {
		l.keepUsage()
	}
}

func (l *Log) AddUse(client string, a wire.SearchUse) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.usage.asked(client, a, time.Now())
	l.keepUsage()
}

// keepUsage writes the counts of searches to disk. The caller must have locked l.mu.
func (l *Log) keepUsage() {
	if err := l.usage.write(); err != nil {
		l.log.Warn("save counts of searches failed", "err", err)
	}
}

func (l *Log) push(entry api.Activity) {
	if len(l.ring) >= maxEntries {
		l.ring = slices.Delete(l.ring, 0, len(l.ring)-maxEntries+1)
	}
	l.ring = append(l.ring, entry)
	l.warn(l.journal.add(entry, l.ring))
}

func (l *Log) warn(err error) {
	if err != nil {
		l.log.Warn("save activity failed", "err", err)
	}
}

func (l *Log) merge(entry api.Activity) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.settle(entry)
	if n := len(l.ring); n > 0 && entry.Tool == string(api.ActionUpdate) {
		last := &l.ring[n-1]
		if last.Tool == entry.Tool && last.Project == entry.Project && last.Error == entry.Error {
			entry.Results += last.Results
			*last = entry
			return
		}
	}
	l.push(entry)
}

// settle adds the outcome of a job to the calls that ended before it. The caller must have locked l.mu.
func (l *Log) settle(job api.Activity) {
	changed := false
	for i := range l.ring {
		a := &l.ring[i]
		if a.Project != job.Project || a.Outcome != api.OutcomeGoesOn {
			continue
		}
		switch changed = true; {
		case job.Error == wire.ActivityCancelled || job.Tool == string(api.ActionDelete):
			a.Outcome = api.OutcomeStopped
		case job.Error != "":
			a.Outcome, a.Error = "", job.Error
		default:
			a.Outcome = api.OutcomeDone
		}
	}
	if changed && l.journal.file != nil {
		l.warn(l.journal.write(l.ring))
	}
}

func (l *Log) Clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ring = nil
	if err := errors.Join(l.journal.close(), l.usage.remove()); err != nil {
		l.log.Warn("remove saved activity failed", "err", err)
	}
}

// Keep starts or stops storing the entries on disk. It restores the entries of the last week, or removes the file.
func (l *Log) Keep(on bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !on {
		if err := l.journal.close(); err != nil {
			l.log.Warn("remove saved activity failed", "err", err)
		}
		return
	}
	before, err := l.journal.open(time.Now(), l.ring)
	l.warn(err)
	if len(before) == 0 {
		return
	}
	all := append(before, l.ring...)
	l.ring = slices.Clone(all[max(0, len(all)-maxEntries):])
}

func (l *Log) List() []api.Activity {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := append([]api.Activity{}, l.ring...)
	slices.Reverse(list)
	return list
}

func (l *Log) Usage() api.Usage {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.usage.clone()
}
