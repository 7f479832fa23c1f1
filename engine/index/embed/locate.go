package embed

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"searchmcp/assets/model"
	"searchmcp/engine/api"
)

// ModelEnv is the model file's folder, for development.
const ModelEnv = "SEARCH_MCP_MODEL"

// downloadBase is the address below which <name>-<hash>/<file> is downloaded. A build may set it with -ldflags "-X
// searchmcp/engine/index/embed.downloadBase=…".
var downloadBase string

func Downloads() bool { return downloadBase != "" }

var errNoAddress = errors.New("the model is not bundled and this build has no download address")

// LocateOptions' zero value is usable.
type LocateOptions struct {
	Dirs     []string                                // folders of bundled models; nil means next to the program
	Cache    string                                  // folder of downloaded models; "" means RFC 5.4's folder
	Base     string                                  // download address; "" means downloadBase
	Progress func(message string, done, total int64) // in bytes, up to four times a second; may be nil
	Client   *http.Client                            // nil means http.DefaultTransport without an overall deadline
	Log      *slog.Logger

	// pause waits after failed attempt n, from 1.
	pause func(ctx context.Context, n int) error
}

// Locate returns a folder with a verified model file: bundled, cached, or downloaded once (RFC 5.4).
func Locate(ctx context.Context, o LocateOptions) (string, error) {
	m, err := model.Bundled()
	if err != nil {
		return "", err
	}
	return locate(ctx, m, o)
}

func locate(ctx context.Context, m model.Manifest, o LocateOptions) (string, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Cache == "" {
		dir, err := cacheDir(m)
		if err != nil {
			return "", api.ErrModelMissing(err)
		}
		o.Cache = dir
	}
	if o.Dirs == nil {
		o.Dirs = modelDirs()
	}
	for _, dir := range append(o.Dirs[:len(o.Dirs):len(o.Dirs)], o.Cache) {
		if err := context.Cause(ctx); err != nil {
			return "", err
		}
		err := new(verified).check(filepath.Join(dir, m.Model.Name), m.Model)
		if err == nil {
			return dir, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			o.Log.Warn("embedding model skipped", "err", err)
		}
	}
	if err := download(ctx, m, o); err != nil {
		if ctxErr := context.Cause(ctx); ctxErr != nil {
			return "", ctxErr
		}
		if errors.Is(err, errNoAddress) {
			return "", api.ErrModelMissing(err)
		}
		return "", api.ErrModelDownload(err)
	}
	return o.Cache, nil
}

func modelDirs() []string {
	var dirs []string
	if env := os.Getenv(ModelEnv); env != "" {
		dirs = append(dirs, env)
	}
	if exe := executableDir(); exe != "" {
		dirs = append(dirs, filepath.Join(exe, "model"), filepath.Join(exe, "..", "share", "search-mcp", "model"))
		if runtime.GOOS == "darwin" {
			dirs = append(dirs, filepath.Join(exe, "..", "Resources", "model"))
		}
	}
	for _, root := range sourceTrees() {
		dirs = append(dirs, filepath.Join(root, "assets", "model"))
	}
	return dirs
}

func cacheDir(m model.Manifest) (string, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find the model cache: %w", err)
	}
	return filepath.Join(home, ".cache", "huggingface", "search-mcp", cacheName(m)), nil
}

func cacheName(m model.Manifest) string { return m.Name + "-" + m.Model.SHA256[:12] }

// verified remembers a file, so that a reload need not hash 23 MB again.
type verified struct {
	path  string
	size  int64
	mtime time.Time
}

func (v *verified) check(path string, want model.File) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.Size() != want.Size {
		return fmt.Errorf("%s has %d bytes, want %d", path, info.Size(), want.Size)
	}
	now := verified{path, info.Size(), info.ModTime()}
	if now == *v {
		return nil
	}
	got, err := fileSHA256(path)
	if err != nil {
		return err
	}
	if got != want.SHA256 {
		return fmt.Errorf("%s has SHA-256 %s, want %s", path, got, want.SHA256)
	}
	*v = now
	return nil
}

func fileSHA256(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("read %s: %w", path, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
