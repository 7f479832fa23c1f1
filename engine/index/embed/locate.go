package embed

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"searchmcp/assets/model"
	"searchmcp/engine/api"
)

// ModelEnv is the environment variable with the folder of the embedding model, for development.
const ModelEnv = "SEARCH_MCP_MODEL"

// downloadBase is the first part of the model's address, <base>/<name>-<hash>/<file>. A build may set it with -ldflags
// "-X searchmcp/engine/index/embed.downloadBase=…".
var downloadBase string

func Downloads() bool { return downloadBase != "" }

var errNoAddress = errors.New("the model is not bundled and this build has no download address")

// LocateOptions are the options of Locate. All are optional.
type LocateOptions struct {
	Dir      string                                  // the only folder to search; "" means the usual folders
	Progress func(message string, done, total int64) // called up to four times a second; done and total are in bytes
	Log      *slog.Logger

	base  string                                     // for tests; replaces downloadBase
	pause func(ctx context.Context, tries int) error // for tests; waits after a failed download
}

// Locate returns a folder that contains the verified embedding model. If no folder does, Locate downloads the model
// (RFC 5.4).
func Locate(ctx context.Context, o LocateOptions) (string, error) {
	m, err := model.Bundled()
	if err != nil {
		return "", err
	}
	dirs, err := modelDirs(m, o.Dir)
	if err != nil {
		return "", api.ErrModelMissing(err)
	}
	return locate(ctx, m, dirs, o)
}

// locate returns the first folder in dirs that contains the model. If none does, it downloads the model to the last
// folder.
func locate(ctx context.Context, m model.Manifest, dirs []string, o LocateOptions) (string, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	dir, err := new(verified).find(dirs, m.Model)
	if err == nil {
		return dir, nil
	}
	o.Log.Info("embedding model not found", "err", err)
	cache := dirs[len(dirs)-1]
	if err := download(ctx, m, cache, o); err != nil {
		if ctxErr := context.Cause(ctx); ctxErr != nil {
			return "", ctxErr
		}
		if errors.Is(err, errNoAddress) {
			return "", api.ErrModelMissing(err)
		}
		return "", api.ErrModelDownload(err)
	}
	return cache, nil
}

// modelDirs returns the folders in which to search for the model. The last one is the folder of downloaded models (RFC
// 5.4).
func modelDirs(m model.Manifest, dir string) ([]string, error) {
	if dir != "" {
		return []string{dir}, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, fmt.Errorf("find the model cache: %w", err)
	}
	below := []string{"model", "../share/search-mcp/model"}
	if runtime.GOOS == "darwin" {
		below = append(below, "../Resources/model")
	}
	dirs := searchDirs(ModelEnv, below, "assets/model")
	return append(dirs, filepath.Join(home, ".cache", "huggingface", "search-mcp", cacheName(m))), nil
}

func cacheName(m model.Manifest) string { return m.Name + "-" + m.Model.SHA256[:12] }

// verified remembers the last verified file. The file of 23 MB is hashed again only if it has changed.
type verified struct {
	path  string
	size  int64
	mtime time.Time
}

// find returns the first folder in dirs that contains an undamaged file. The error describes the first damaged file.
func (v *verified) find(dirs []string, want model.File) (string, error) {
	var damaged error
	for _, dir := range dirs {
		err := v.check(filepath.Join(dir, want.Name), want)
		if err == nil {
			return dir, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			damaged = cmp.Or(damaged, err)
		}
	}
	return "", cmp.Or(damaged, fmt.Errorf("%s is in none of %s", want.Name, strings.Join(dirs, ", ")))
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
