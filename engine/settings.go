package engine

import (
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/host/disk"
	"searchmcp/engine/sources"
	"searchmcp/engine/store/files"
)

const (
	settingThreads = "threads"
	settingCacheMB = "vectorCacheMB"
	settingPaused  = "paused"
	settingUnload  = "modelIdleMinutes"
	settingRecord  = "activity"     // read by app/endpoint
	settingKept    = "activityKept" // keep calls for a week; read by app/endpoint
	settingBattery = "pauseOnBattery"
	settingLoad    = "pauseUnderLoad"
	settingLight   = "light"
)

// The settings from settingDocuments to settingArchives each enable the tools of one source.
const (
	settingDocuments = "documents"
	settingSites     = "sites"
	settingNamed     = "namedIndexes"
	settingArchives  = "archives"
	settingNamedMB   = "namedIndexMB"
	settingFolders   = "documentFolders" // absolute paths, one per line
)

func KnownSettings() []files.Setting {
	number := func(low, high float64) func(any) bool {
		return func(v any) bool { n := v.(float64); return n >= low && n <= high && n == float64(int(n)) }
	}
	return []files.Setting{
		toggle(settingDocuments, true, "Whether documents are served: `docs://` resources and `search_documents`."),
		toggle(settingSites, true, "Whether the tools of sites are served."),
		toggle(settingNamed, true, "Whether the tools of named indexes are served."),
		toggle(settingArchives, true, "Whether `searchLocalArchives` is served."),
		{Key: settingNamedMB, Default: float64(sources.DefaultNamedBytes >> 20),
			Want: "a whole number of megabytes from 1 to 4096", Valid: number(1, 4096),
			Help: "The maximum memory for all named indexes together."},
		{Key: settingFolders, Default: "", Want: "absolute paths of folders, one per line",
			Help: "Folders whose documents are served in every session.", Valid: func(v any) bool {
				return !slices.ContainsFunc(lines(v.(string)), func(dir string) bool { return !filepath.IsAbs(dir) })
			}},
		{Key: settingThreads, Default: float64(0), Want: "a whole number from 0 (every core) to 64",
			Help:  "How many texts are converted to vectors at the same time. 0 means one per core.",
			Valid: number(0, 64)},
		{Key: settingCacheMB, Default: float64(1024), Want: "a whole number of megabytes from 64 to 1048576",
			Help: "The maximum disk space for the cache of vectors, which all projects share. With a smaller cache, a " +
				"rebuild takes longer.",
			Valid: number(64, 1<<20)},
		toggle(settingPaused, false, "Whether indexing of all projects is paused. Searches still work."),
		toggle(settingRecord, true,
			"Whether calls are recorded for the Activity page. The record stays in memory on this machine."),
		toggle(settingKept, false, "Whether this record, including the queries, is kept for seven days, in "+
			"`activity.jsonl` in the data folder. If you turn this off, the file is deleted."),
		toggle(settingBattery, false,
			"Whether computing vectors waits while the machine runs on battery. Search by words still works."),
		toggle(settingLoad, false, "Whether computing vectors waits while other programs use the processor."),
		toggle(settingLight, false, "Whether search by meaning uses only quick vectors, so that no model runs, for "+
			"files or for queries. Quick vectors provide about two thirds of the model's improvement over search by words."),
		{Key: settingUnload, Default: float64(1), Want: "a whole number of minutes from 1 to 1440",
			Help: "How long the model stays in memory after its last use.", Valid: number(1, 1440)},
	}
}

func toggle(key string, on bool, help string) files.Setting {
	return files.Setting{Key: key, Default: on, Want: "true or false", Help: help}
}

type settings struct{ *files.Settings }

// openSettings opens the settings in dir. If the setting "paused" can't be read, indexing is paused.
func openSettings(dir string, log *slog.Logger) (s settings, problems []string, err error) {
	s.Settings, problems, err = files.OpenSettings(dir, KnownSettings(), map[string]any{settingPaused: true})
	for _, p := range problems {
		log.Warn("settings", "problem", p)
	}
	return s, problems, err
}

func (s settings) on(key string) bool { return s.Get(key).(bool) }

func (s settings) number(key string) int { return int(s.Get(key).(float64)) }

func (s settings) paused() bool { return s.on(settingPaused) }

func (s settings) threads() int { return s.number(settingThreads) }

func (s settings) namedBytes() int64 { return int64(s.number(settingNamedMB)) << 20 }

func (s settings) folders() []string { return lines(s.Get(settingFolders).(string)) }

func lines(text string) (out []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

func (e *Engine) Settings() map[string]any { return e.settings.All() }

func (e *Engine) SetSettings(changes map[string]any) (map[string]any, error) {
	paused := e.settings.paused()
	if err := e.settings.Set(changes); err != nil {
		if errors.Is(err, files.ErrSetting) {
			return nil, api.New(api.InvalidArgument, "That setting can't be changed: "+err.Error()+".",
				"settings: expected known names and values: "+err.Error(), err)
		}
		return nil, disk.Error(err, e.opt.Data)
	}
	if e.embedder != nil {
		e.embedder.SetThreads(e.settings.threads())
	}
	e.throttle.Reset()
	e.Registry.Wake() // the setting may have stopped the computation of vectors
	if e.settings.paused() != paused {
		e.Registry.ApplyPause()
	}
	e.Sources.Reset(e.settings.namedBytes())
	e.Hub.Publish(api.Event{Kind: api.EventSettings})
	return e.settings.All(), nil
}

func (e *Engine) setFolders(paths []string) error {
	_, err := e.SetSettings(map[string]any{settingFolders: strings.Join(paths, "\n")})
	return err
}

// Pause pauses the project at root, or all projects if root is "".
func (e *Engine) Pause(root string) error { return e.setPaused(root, true) }

func (e *Engine) Resume(root string) error { return e.setPaused(root, false) }

func (e *Engine) setPaused(root string, on bool) error {
	if root != "" {
		return e.Registry.SetPaused(root, on)
	}
	if err := e.settings.Set(map[string]any{settingPaused: on}); err != nil {
		return err
	}
	e.Registry.ApplyPause()
	e.Hub.Publish(api.Event{Kind: api.EventSettings})
	return nil
}

func (e *Engine) Paused() bool { return e.settings.paused() }
