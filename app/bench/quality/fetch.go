package quality

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// maxPackage bounds what one package may unpack to; the largest of the pinned ones has 12 MB.
const maxPackage = 200 << 20

// Fetch makes a project's source available below cache and returns its folder. What is there already is not fetched
// again. A package whose hash is not the pinned one is refused.
func Fetch(ctx context.Context, cache string, p Project) (dir string, err error) {
	dir = filepath.Join(cache, "source", p.Name+"-"+p.SHA256[:12])
	if _, err := os.Stat(dir); err == nil {
		return filepath.Join(dir, filepath.FromSlash(p.Root)), nil
	}
	if err := fetch(ctx, dir, p); err != nil {
		return "", err
	}
	return filepath.Join(dir, filepath.FromSlash(p.Root)), nil
}

// fetch unpacks a package into dir.
func fetch(ctx context.Context, dir string, p Project) (err error) {
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return fmt.Errorf("fetch %s: %w", p.Name, err)
	}
	work, err := os.MkdirTemp(filepath.Dir(dir), ".fetch-")
	if err != nil {
		return fmt.Errorf("fetch %s: %w", p.Name, err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	file, err := download(ctx, work, p)
	if err != nil {
		return fmt.Errorf("fetch %s: %w", p.Name, err)
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("fetch %s: %w", p.Name, err)
	}
	sum := sha256.Sum256(raw)
	if got := hex.EncodeToString(sum[:]); got != p.SHA256 {
		return fmt.Errorf("fetch %s: %s has hash %s, pinned is %s", p.Name, filepath.Base(file), got, p.SHA256)
	}
	out := filepath.Join(work, "out")
	if err := unpack(ctx, file, raw, out, p); err != nil {
		return fmt.Errorf("unpack %s: %w", p.Name, err)
	}
	if err := os.Rename(out, dir); err != nil {
		return fmt.Errorf("fetch %s: %w", p.Name, err)
	}
	return nil
}

// download runs the project's client in work and returns the file that it fetched.
func download(ctx context.Context, work string, p Project) (string, error) {
	switch p.Client {
	case GoMod:
		out, err := Command(ctx, work, "go", "mod", "download", "-json", p.Package+"@"+p.Version)
		if err != nil {
			return "", err
		}
		var answer struct{ Zip string }
		if err := json.Unmarshal(out, &answer); err != nil {
			return "", fmt.Errorf("read answer of go mod download: %w", err)
		}
		return answer.Zip, nil
	case Pip:
		_, err := Command(ctx, work, "python3", "-m", "pip", "download", "--disable-pip-version-check", "-q", "--no-deps",
			"--no-binary", ":all:", p.Package+"=="+p.Version)
		return only(work, err)
	case Wheel:
		_, err := Command(ctx, work, "python3", "-m", "pip", "download", "--disable-pip-version-check", "-q", "--no-deps",
			"--only-binary", ":all:", p.Package+"=="+p.Version)
		return only(work, err)
	case Npm:
		_, err := Command(ctx, work, "npm", "pack", "--silent", p.Package+"@"+p.Version)
		return only(work, err)
	case Apt:
		_, err := Command(ctx, work, "apt-get", "download", "-q", p.Package+"="+p.Version)
		return only(work, err)
	case Source:
		config, err := listSources(ctx, filepath.Join(filepath.Dir(work), ".apt"))
		if err != nil {
			return "", err
		}
		if _, err := Command(ctx, work, "apt-get", "-c", config, "source", "-q", "--download-only", "--only-source",
			"--tar-only", p.Package+"="+p.Version); err != nil {
			return "", err
		}
		return first(filepath.Join(work, "*.orig.tar.*")) // its signature, if there is one, is behind it
	case Cargo:
		// info fetches the one crate it tells about into the registry's cache below CARGO_HOME.
		if _, err := Command(ctx, work, "cargo", "info", "-q", p.Package+"@"+p.Version); err != nil {
			return "", err
		}
		home := os.Getenv("CARGO_HOME")
		if home == "" {
			user, err := os.UserHomeDir()
			if err != nil {
				return "", err
			}
			home = filepath.Join(user, ".cargo")
		}
		return first(filepath.Join(home, "registry", "cache", "*", p.Package+"-"+p.Version+".crate"))
	case Maven:
		repo := filepath.Join(work, "maven")
		if _, err := Command(ctx, work, "mvn", "-q", "-B", "-Dmaven.repo.local="+repo, "dependency:get", "-Dtransitive=false",
			"-Dartifact="+p.Package+":"+p.Version+":jar:sources"); err != nil {
			return "", err
		}
		group, artifact, _ := strings.Cut(p.Package, ":")
		return first(filepath.Join(repo, filepath.FromSlash(strings.ReplaceAll(group, ".", "/")), artifact, p.Version,
			"*-sources.jar"))
	}
	return "", fmt.Errorf("unknown client %q", p.Client)
}

// listing guards the lists of sources: projects are fetched side by side.
var listing sync.Mutex

// listSources has apt list the source packages of Debian 12 and 13 in a folder of its own, once, and returns apt's
// configuration for it: few machines list any.
func listSources(ctx context.Context, dir string) (config string, err error) {
	listing.Lock()
	defer listing.Unlock()
	config = filepath.Join(dir, "apt.conf")
	if _, err := os.Stat(config); err == nil {
		return config, nil
	}
	if err := os.MkdirAll(filepath.Join(dir, "lists", "partial"), 0o700); err != nil {
		return "", fmt.Errorf("list sources: %w", err)
	}
	mirrors, err := Command(ctx, dir, "apt-get", "indextargets", "--format", "$(REPO_URI)", "Label: Debian")
	if err != nil {
		return "", err
	}
	mirror, _, _ := strings.Cut(string(mirrors), "\n")
	if mirror == "" {
		return "", errors.New("list sources: apt knows no mirror of Debian")
	}
	var list strings.Builder
	for _, suite := range []string{"bookworm", "trixie"} {
		fmt.Fprintf(&list, "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s %s main\n", mirror, suite)
	}
	text := fmt.Sprintf("Dir::Etc::sourcelist %q;\nDir::Etc::sourceparts \"/dev/null\";\nDir::State::lists %q;\n",
		filepath.Join(dir, "sources.list"), filepath.Join(dir, "lists"))
	part := config + ".part"
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "sources.list"), []byte(list.String()), 0o600),
		os.WriteFile(part, []byte(text), 0o600)); err != nil {
		return "", fmt.Errorf("list sources: %w", err)
	}
	if _, err := Command(ctx, dir, "apt-get", "-c", part, "update", "-q"); err != nil {
		return "", err
	}
	return config, os.Rename(part, config)
}

// Command runs a program in a folder and returns what it prints; what it complains of is in the error.
func Command(ctx context.Context, dir, name string, args ...string) ([]byte, error) {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = dir
	var complaint bytes.Buffer
	c.Stderr = &complaint
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", name, err, strings.TrimSpace(complaint.String()))
	}
	return out, nil
}

// only returns the one file in dir.
func only(dir string, err error) (string, error) {
	if err != nil {
		return "", err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	if len(entries) != 1 {
		return "", fmt.Errorf("the client left %d files", len(entries))
	}
	return filepath.Join(dir, entries[0].Name()), nil
}

func first(pattern string) (string, error) {
	found, err := filepath.Glob(pattern)
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("%s: %w", filepath.Base(pattern), fs.ErrNotExist)
	}
	if err != nil {
		return "", err
	}
	return found[0], nil
}

// unpack writes the package's files below out. Packages of npm, pip and cargo have one folder around everything, which
// is taken off; a Go module's zip has its name and version.
func unpack(ctx context.Context, file string, raw []byte, out string, p Project) error {
	if err := os.MkdirAll(out, 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(out)
	if err != nil {
		return err
	}
	defer root.Close()
	w := writer{root: root, keep: p.Keep}
	switch {
	case p.Client == Apt:
		_, err := Command(ctx, out, "dpkg-deb", "-x", file, out)
		return err
	case p.Client == Source: // often xz, which the standard library does not read
		_, err := Command(ctx, out, "tar", "-xf", file, "--strip-components=1", "--no-same-owner", "--no-same-permissions")
		return err
	case strings.HasSuffix(file, ".zip"), strings.HasSuffix(file, ".jar"), strings.HasSuffix(file, ".whl"):
		if p.Client == GoMod {
			w.strip = p.Package + "@" + p.Version + "/"
		}
		return w.zip(raw)
	}
	w.depth = 1
	return w.tar(raw)
}

type writer struct {
	root  *os.Root
	strip string // prefix taken off
	depth int    // folders taken off
	keep  string
	size  int64
}

func (w *writer) zip(raw []byte) error {
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return err
	}
	for _, f := range z.File {
		if f.FileInfo().IsDir() {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return err
		}
		err = w.write(f.Name, r)
		if cerr := r.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) tar(raw []byte) error {
	g, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	t := tar.NewReader(g)
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		if err := w.write(h.Name, t); err != nil {
			return err
		}
	}
}

func (w *writer) write(name string, r io.Reader) error {
	name = strings.TrimPrefix(path.Clean(name), w.strip)
	for range w.depth {
		_, rest, ok := strings.Cut(name, "/")
		if !ok {
			return nil
		}
		name = rest
	}
	inside := func(folder string) bool { return strings.HasPrefix(name, folder+"/") }
	if w.keep != "" && !slices.ContainsFunc(strings.Fields(w.keep), inside) {
		return nil
	}
	if err := w.root.MkdirAll(path.Dir(name), 0o700); err != nil {
		return err
	}
	f, err := w.root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	n, err := io.Copy(f, io.LimitReader(r, maxPackage-w.size))
	if w.size += n; err == nil && w.size >= maxPackage {
		err = errors.New("package is too large")
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}
