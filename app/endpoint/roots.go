package endpoint

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

// rootsLife is how long a client's roots are believed in the stateless era, which has no notice of their change.
const rootsLife = 5 * time.Minute

// rootsCache keeps a client's roots. epoch changes with each notice, so that an answer to an older question is not kept.
type rootsCache struct {
	known bool
	dirs  []string
	at    time.Time
	epoch int
}

func (s *session) forgetRoots() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.roots = rootsCache{epoch: s.roots.epoch + 1}
}

func (s *session) keepRoots(dirs []string, epoch int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.roots.epoch == epoch {
		s.roots = rootsCache{known: true, dirs: dirs, at: time.Now(), epoch: epoch}
	}
}

// knownRoots returns the roots that the client has given.
func (s *session) knownRoots() (dirs []string, epoch int, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.roots
	if c.known && s.modern && time.Since(c.at) > rootsLife {
		return nil, c.epoch, false
	}
	return c.dirs, c.epoch, c.known
}

// clientRoots returns the folders that the client's MCP roots name, asking for them once. In the stateless era it may
// return inputNeeded.
func (c *call) clientRoots(ctx context.Context) ([]string, error) {
	if c.capabilities(ctx).Roots == nil {
		return nil, nil
	}
	dirs, epoch, known := c.session.knownRoots()
	if known {
		return dirs, nil
	}
	if server.IsModernRequest(ctx) {
		answer := server.RootsResponse(c.request.Params.InputResponses, string(stepRoots))
		if answer == nil && c.round.step != stepRoots {
			id := c.srv.rounds.put(round{session: c.session.id, tool: c.tool.name, step: stepRoots})
			return nil, inputNeeded{server.NewInputRequestBuilder(id).Roots(string(stepRoots)).ToolResult()}
		}
		if answer != nil {
			dirs = folders(answer.Roots)
		}
		c.session.keepRoots(dirs, epoch)
		return dirs, nil
	}
	asking, cancel := context.WithTimeout(ctx, rootsTimeout)
	defer cancel()
	result, err := c.session.ListRoots(asking, mcp.ListRootsRequest{})
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		c.srv.log.Warn("the client did not give its roots", "client", c.session.client(), "err", err)
	} else {
		dirs = folders(result.Roots)
	}
	c.session.keepRoots(dirs, epoch) // a failure too: not every call shall wait for it
	return dirs, nil
}

// folders turns file URIs into paths and leaves out what is none.
func folders(roots []mcp.Root) []string {
	var dirs []string
	for _, r := range roots {
		if dir := fileURI(r.URI); dir != "" {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// fileURI returns the path of a file URI on this machine, "" for anything else.
func fileURI(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || (u.Host != "" && u.Host != "localhost") {
		return ""
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		path = filepath.FromSlash(strings.TrimPrefix(path, "/"))
	}
	if !filepath.IsAbs(path) {
		return ""
	}
	return filepath.Clean(path)
}
