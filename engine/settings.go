package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"sync"

	"searchmcp/engine/api"
	"searchmcp/engine/embed"
	"searchmcp/engine/store/files"
)

// The app's own settings (settings.json). Keys are stable: scripts and the window name them.
const (
	settingThreads     = "threads"
	settingCacheMB     = "vectorCacheMB"
	settingPaused      = "paused"
	settingUnload      = "modelIdleMinutes"
	settingAccelerator = "accelerator"    // embed.Accelerator, read at the start
	settingRecord      = "activity"       // whether calls and indexing are noted for the person to see; the endpoint heeds it
	settingUpdate      = "updateCheck"    // may the app ask for newer versions? app/update does
	settingBattery     = "pauseOnBattery" // vectors wait for the mains
	settingLoad        = "pauseUnderLoad" // vectors wait while other programs want the processor
)

// SettingsReference describes every setting, for the reference.
func SettingsReference() []files.Setting { return knownSettings() }

// knownSettings describes every setting with its default and what is valid.
func knownSettings() []files.Setting {
	number := func(low, high float64) func(any) bool {
		return func(v any) bool { n := v.(float64); return n >= low && n <= high && n == float64(int(n)) }
	}
	return append(sourceSettings(), []files.Setting{
		{Key: settingThreads, Default: float64(0), Want: "a whole number from 0 (measured) to 64",
			Help: "How many texts are turned into vectors at once. 0: as many as make it fastest on this machine.", Valid: number(0, 64)},
		{Key: settingCacheMB, Default: float64(1024), Want: "a whole number of megabytes from 64 to 1048576",
			Help: "How much disk the cache of vectors may use. It is shared by all projects; with a smaller one a rebuild takes longer.", Valid: number(64, 1<<20)},
		{Key: settingAccelerator, Default: "", Want: `"" for the processor, or "coreml", "directml" or "cuda"`,
			Help: "What the model runs on. Untested: where it does not work the processor is used, and it may be slower. Heeded at the " +
				"next start; all vectors are made again then.",
			Valid: func(v any) bool { return slices.Contains(embed.Accelerators, embed.Accelerator(v.(string))) }},
		{Key: settingPaused, Default: false, Want: "true or false",
			Help: "Whether indexing is paused everywhere. Searches go on."},
		{Key: settingRecord, Default: true, Want: "true or false",
			Help: "Whether calls are noted for you to see on the page Activity. The notes stay on this machine, in memory."},
		{Key: settingUpdate, Default: false, Want: "true or false",
			Help: "Whether the app may ask a signed feed for newer versions. It only tells; it fetches and installs nothing."},
		{Key: settingBattery, Default: false, Want: "true or false",
			Help: "Whether vectors wait while the machine runs on battery. Search by words goes on."},
		{Key: settingLoad, Default: false, Want: "true or false",
			Help: "Whether vectors wait while other programs want the processor."},
		{Key: settingUnload, Default: float64(5), Want: "a whole number of minutes from 1 to 1440",
			Help: "After how long without a use the model leaves the memory.", Valid: number(1, 1440)},
	}...)
}

// settings guards settings.json.
type settings struct {
	mu   sync.Mutex // held over the write of the file: it has no other writer
	file *files.Settings
}

func openSettings(dir string, log *slog.Logger) (*settings, error) {
	f, problems, err := files.OpenSettings(dir, knownSettings())
	if err != nil {
		return nil, err
	}
	for _, p := range problems {
		log.Warn("settings", "problem", p)
	}
	return &settings{file: f}, nil
}

func (s *settings) number(key string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, _ := s.file.Get(key).(float64)
	return int(n)
}

func (s *settings) text(key string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, _ := s.file.Get(key).(string)
	return text
}

func (s *settings) paused() bool { return s.on(settingPaused) }

func (s *settings) on(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	on, _ := s.file.Get(key).(bool)
	return on
}

func (s *settings) all() map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.file.All()
}

func (s *settings) set(changes map[string]any) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.file.Set(changes)
}

// Settings returns every setting.
func (e *Engine) Settings() map[string]any { return e.settings.all() }

// SetSettings changes the given keys and puts them into force.
func (e *Engine) SetSettings(changes map[string]any) (map[string]any, error) {
	if err := e.settings.set(changes); err != nil {
		if errors.Is(err, files.ErrSetting) {
			return nil, api.New(api.InvalidArgument, "That setting can't be changed: "+err.Error()+".", err.Error(), err)
		}
		return nil, diskError(err, e.opt.Data)
	}
	if e.embedder != nil {
		e.embedder.SetThreads(e.settings.number(settingThreads))
	}
	e.rest.forget()
	for _, p := range e.list() {
		p.actor.RetryVectors() // vectors may have waited for what was switched off
	}
	if on := e.settings.paused(); on != e.paused.Load() {
		e.paused.Store(on)
		for _, p := range e.list() {
			p.applyPause(on)
		}
	}
	e.sources.named.SetLimit(int64(e.settings.number(settingNamedMB)) << 20)
	e.sources.forget()
	e.hub.Publish(api.Event{Kind: api.EventSettings})
	return e.settings.all(), nil
}

// threads is how many texts are embedded at once, for estimates.
func (e *Engine) threads() int {
	if n := e.settings.number(settingThreads); n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}

// defaults are what a project's configuration falls back to: the data folder's config.json over the RFC's own values.
func (e *Engine) defaults() api.Config {
	c, problems, err := files.LoadConfig(filepath.Join(e.opt.Data, files.ConfigName), api.DefaultConfig())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		e.log.Warn("global configuration not used", "err", err)
	}
	for _, p := range problems {
		e.log.Warn("global configuration", "problem", p)
	}
	return c
}

// loadConfig reads a project's configuration. last is the one in force, nil at the start; it is kept when the file cannot
// be used. The sentences say what a person should know.
func (e *Engine) loadConfig(dir string, last *api.Config) (api.Config, []string) {
	base := e.defaults()
	c, problems, err := files.LoadConfig(filepath.Join(dir, files.ConfigName), base)
	switch {
	case err == nil, errors.Is(err, fs.ErrNotExist):
		return c, problems
	case last != nil:
		return *last, []string{"config.json can't be read; the last valid configuration stays in force. " + err.Error()}
	}
	return base, []string{"config.json can't be read; defaults are in force, so what it excluded may be indexed. " + err.Error()}
}

// ConfigText returns a project's config.json as it stands, and what is wrong with it.
func (e *Engine) ConfigText(root string) (string, []string, error) {
	p, err := e.projectOf(root)
	if err != nil {
		return "", nil, err
	}
	text, err := files.ReadFile(filepath.Join(p.dir, files.ConfigName))
	if errors.Is(err, fs.ErrNotExist) {
		text, err = files.RenderConfig(p.actor.Config()), nil
	}
	if err != nil {
		return "", nil, fmt.Errorf("read configuration: %w", err)
	}
	_, problems, err := files.ParseConfig(text, e.defaults())
	if err != nil {
		problems = append(problems, err.Error())
	}
	return string(text), problems, nil
}

// SetConfigText replaces a project's config.json and puts it into force. A text that is no configuration at all is refused
// and nothing is written; invalid fields are kept in the file and reported.
func (e *Engine) SetConfigText(ctx context.Context, root, text string) ([]string, error) {
	p, err := e.projectOf(root)
	if err != nil {
		return nil, err
	}
	_, problems, err := files.ParseConfig([]byte(text), e.defaults())
	if err != nil {
		return nil, api.New(api.InvalidArgument, "That is not a valid configuration: "+err.Error()+".", err.Error(), err)
	}
	if err := files.WriteFile(filepath.Join(p.dir, files.ConfigName), []byte(text)); err != nil {
		return nil, diskError(fmt.Errorf("write configuration: %w", err), p.dir)
	}
	return problems, e.reload(ctx, p)
}

// reload puts a project's configuration and folders, as they stand on disk, into force.
func (e *Engine) reload(ctx context.Context, p *project) error {
	last := p.actor.Config()
	cfg, warnings := e.loadConfig(p.dir, &last)
	p.mu.Lock()
	roots := p.rec.roots(cfg)
	p.mu.Unlock()
	return p.configure(ctx, roots, cfg, warnings)
}

// followConfigs keeps the configurations in force that people write with their editors: each project's and the data folder's.
func (e *Engine) followConfigs() {
	e.configs.Add(filepath.Join(e.opt.Data, files.ConfigName), func() {
		for _, p := range e.list() {
			e.followChange(p)
		}
	})
	e.wg.Add(1)
	go func() {
		defer e.wg.Done()
		if err := e.configs.Run(e.ctx); err != nil {
			e.log.Warn("changes of config.json are noticed at the next start only", "err", err)
		}
	}()
}

// followConfig keeps one project's configuration in force until ctx ends.
func (e *Engine) followConfig(ctx context.Context, p *project) {
	forget := e.configs.Add(filepath.Join(p.dir, files.ConfigName), func() { e.followChange(p) })
	context.AfterFunc(ctx, forget)
}

// followChange puts a project's configuration into force if it is another than the one that is. It returns at once.
func (e *Engine) followChange(p *project) {
	if e.ctx.Err() != nil {
		return
	}
	e.wg.Add(1)
	go func() {
		defer e.wg.Done()
		p.configuring.Lock()
		defer p.configuring.Unlock()
		last := p.actor.Config()
		cfg, warnings := e.loadConfig(p.dir, &last)
		if reflect.DeepEqual(cfg, last) && slices.Equal(warnings, p.actor.Warnings()) {
			return
		}
		e.log.Info("configuration changed", "project", p.id, "warnings", len(warnings))
		if err := e.reload(e.ctx, p); err != nil && e.ctx.Err() == nil {
			e.log.Error("changed configuration not put into force", "project", p.id, "err", err)
		}
	}()
}
