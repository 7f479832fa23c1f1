// Package settings defines the settings of the app, and reads and changes their values.
package settings

import (
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/host/disk"
	"searchmcp/engine/sources"
	"searchmcp/engine/store/files"
)

// Keys of settings.
const (
	Threads   = "threads"
	CacheMB   = "vectorCacheMB"
	Paused    = "paused"
	ModelIdle = "modelIdleMinutes"
	OnBattery = "pauseOnBattery"
	UnderLoad = "pauseUnderLoad"
	Light     = "light"
	NamedMB   = "namedIndexMB"
	Folders   = "documentFolders" // absolute paths, one per line
)

// Known returns all settings. A setting that is read only by app/endpoint has no constant.
func Known() []files.Setting {
	number := func(low, high float64) func(any) bool {
		return func(v any) bool { n := v.(float64); return n >= low && n <= high && n == float64(int(n)) }
	}
	return []files.Setting{
		toggle("documents", true, "Whether documents are served: `docs://` resources and `search_documents`."),
		toggle("sites", true, "Whether the tools of sites are served."),
		toggle("namedIndexes", true, "Whether the tools of named indexes are served."),
		toggle("archives", true, "Whether `searchLocalArchives` is served."),
		{Key: NamedMB, Default: float64(sources.DefaultNamedBytes >> 20),
			Want: "a whole number of megabytes from 1 to 4096", Valid: number(1, 4096),
			Help: "The maximum memory for all named indexes together."},
		{Key: Folders, Default: "", Want: "absolute paths of folders, one per line",
			Help: "Folders whose documents are served in every session.", Valid: func(v any) bool {
				return !slices.ContainsFunc(lines(v.(string)), func(dir string) bool { return !filepath.IsAbs(dir) })
			}},
		{Key: Threads, Default: float64(0), Want: "a whole number from 0 (every core) to 64",
			Help:  "How many texts are converted to vectors at the same time. 0 means one per core.",
			Valid: number(0, 64)},
		{Key: CacheMB, Default: float64(1024), Want: "a whole number of megabytes from 64 to 1048576",
			Help: "The maximum disk space for the cache of vectors, which all projects share. With a smaller cache, a " +
				"rebuild takes longer.",
			Valid: number(64, 1<<20)},
		{Key: api.SettingLanguage, Default: "", Want: "en, de or empty",
			Help: "The language of the window, the tray and the terminal's results. If it is empty, they use the language " +
				"of the system.",
			Valid: func(v any) bool { return v == "" || v == "en" || v == "de" }},
		toggle(Paused, false, "Whether indexing of all projects is paused. Searches still work."),
		toggle("activity", true,
			"Whether calls are recorded for the Activity page. The record stays in memory on this machine."),
		toggle("activityKept", false, "Whether this record, including the queries, is kept for seven days, in "+
			"`activity.jsonl` in the data folder. If you turn this off, the file is deleted."),
		toggle(OnBattery, false,
			"Whether computing vectors waits while the machine runs on battery. Search by words still works."),
		toggle(UnderLoad, false, "Whether computing vectors waits while other programs use the processor."),
		toggle(Light, false, "Whether search by meaning uses only quick vectors, so that no model runs, for "+
			"files or for queries. Quick vectors provide about two thirds of the model's improvement over search by words."),
		{Key: ModelIdle, Default: float64(1), Want: "a whole number of minutes from 1 to 1440",
			Help: "How long the model stays in memory after its last use.", Valid: number(1, 1440)},
	}
}

func toggle(key string, on bool, help string) files.Setting {
	return files.Setting{Key: key, Default: on, Want: "true or false", Help: help}
}

// Settings is safe for concurrent use.
type Settings struct {
	*files.Settings
	dir     string
	changed func(paused bool)
}

// Open opens the settings in the data folder dir. If the setting "paused" can't be read, indexing is paused. Set calls
// changed after each change; paused reports whether the setting "paused" has changed.
func Open(dir string, log *slog.Logger, changed func(paused bool)) (s *Settings, problems []string, err error) {
	s = &Settings{dir: dir, changed: changed}
	s.Settings, problems, err = files.OpenSettings(dir, Known(), map[string]any{Paused: true})
	for _, p := range problems {
		log.Warn("settings", "problem", p)
	}
	return s, problems, err
}

// Set changes several settings, or none of them after an error.
func (s *Settings) Set(changes map[string]any) error {
	paused := s.Paused()
	if err := s.Settings.Set(changes); err != nil {
		if errors.Is(err, files.ErrSetting) {
			return api.New(api.InvalidArgument, "That setting can't be changed: "+err.Error()+".",
				"settings: expected known names and values: "+err.Error(), err)
		}
		return disk.Error(err, s.dir)
	}
	s.changed(s.Paused() != paused)
	return nil
}

// On returns the value of a setting that is true or false.
func (s *Settings) On(key string) bool { return s.Get(key).(bool) }

func (s *Settings) number(key string) int { return int(s.Get(key).(float64)) }

func (s *Settings) Paused() bool { return s.On(Paused) }

func (s *Settings) Threads() int { return s.number(Threads) }

func (s *Settings) CacheBytes() int64 { return int64(s.number(CacheMB)) << 20 }

func (s *Settings) NamedBytes() int64 { return int64(s.number(NamedMB)) << 20 }

func (s *Settings) ModelIdle() time.Duration { return time.Duration(s.number(ModelIdle)) * time.Minute }

func (s *Settings) Folders() []string { return lines(s.Get(Folders).(string)) }

func (s *Settings) SetFolders(paths []string) error {
	return s.Set(map[string]any{Folders: strings.Join(paths, "\n")})
}

func lines(text string) (out []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}
