package session

import (
	"context"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// rootsLife is how long roots are cached in the stateless protocol, which does not report changes.
const rootsLife = 5 * time.Minute

// rootsCache contains the client's roots. Answers from before the latest change (epoch) are dropped.
type rootsCache struct {
	known bool
	dirs  []string
	at    time.Time
	epoch int
}

func (s *Session) keepRoots(dirs []string, epoch int) {
	s.update(func(st *state) {
		if st.roots.epoch == epoch {
			st.roots = rootsCache{known: true, dirs: dirs, at: time.Now(), epoch: epoch}
		}
	})
}

func (s *Session) knownRoots() (dirs []string, epoch int, known bool) {
	st := s.now()
	c := st.roots
	if c.known && st.modern && time.Since(c.at) > rootsLife {
		return nil, c.epoch, false
	}
	return c.dirs, c.epoch, c.known
}

// Roots returns the folders of the client's roots, or nil if there are none. If ask is true, the caller must first call
// AskRoots.
func (s *Session) Roots(
	ctx context.Context, answered bool, answer *mcp.ListRootsResult,
) (dirs []string, ask bool, err error) {
	if s.Capabilities(ctx).Roots == nil {
		return nil, false, nil
	}
	dirs, epoch, known := s.knownRoots()
	if known {
		return dirs, false, nil
	}
	if server.IsModernRequest(ctx) {
		if answer == nil && !answered {
			return nil, true, nil
		}
		if answer != nil {
			dirs = folders(answer.Roots)
		}
		s.keepRoots(dirs, epoch)
		return dirs, false, nil
	}
	asking, cancel := context.WithTimeout(ctx, rootsTimeout)
	defer cancel()
	var result mcp.ListRootsResult
	if err := s.ask(asking, mcp.MethodListRoots, nil, &result); err != nil {
		if ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		s.o.Log.Warn("the client did not list its roots", "client", s.Name(), "err", err)
	} else {
		dirs = folders(result.Roots)
	}
	s.keepRoots(dirs, epoch) // also kept after a failure, so that later calls don't wait
	return dirs, false, nil
}

func (s *Session) KnownRoots() []string {
	dirs, _, _ := s.knownRoots()
	return dirs
}

func folders(roots []mcp.Root) []string {
	var dirs []string
	for _, r := range roots {
		if path := filePath(r.URI, runtime.GOOS == "windows"); filepath.IsAbs(path) {
			dirs = append(dirs, filepath.Clean(path))
		}
	}
	return dirs
}

// filePath returns the path in a file URI, or "" if the URI refers to another computer. A path in WSL is on this
// computer.
func filePath(uri string, windows bool) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return ""
	}
	local := u.Host == "" || u.Host == "localhost"
	if !windows {
		if local {
			return u.Path
		}
		return ""
	}
	path := `\\` + u.Host + u.Path
	if local {
		path = strings.TrimPrefix(u.Path, "/")
	}
	if RemoteHost(path) != "" {
		return ""
	}
	return strings.ReplaceAll(path, "/", `\`)
}
