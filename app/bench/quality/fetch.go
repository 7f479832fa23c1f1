package quality

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Cache returns the folder for sources and vectors, which is in the user's cache folder.
func Cache() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find cache folder: %w", err)
	}
	return filepath.Join(dir, "searchmcp", "quality"), nil
}

// Fetch downloads a project's source to the cache folder, unless it is cached, and returns its folder. It returns an
// error if the hash of the package differs from the pinned hash.
func Fetch(ctx context.Context, p Project) (dir string, err error) {
	cache, err := Cache()
	if err != nil {
		return "", err
	}
	dir = filepath.Join(cache, "source", p.Name+"-"+p.SHA256[:12])
	if _, err := os.Stat(dir); err != nil {
		if err := fetch(ctx, dir, p); err != nil {
			return "", fmt.Errorf("fetch %s: %w", p.Name, err)
		}
	}
	return filepath.Join(dir, filepath.FromSlash(p.Root)), nil
}

func fetch(ctx context.Context, dir string, p Project) (err error) {
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return err
	}
	work, err := os.MkdirTemp(filepath.Dir(dir), ".fetch-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	file, err := download(ctx, work, p)
	if err != nil {
		return err
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(raw)
	if got := hex.EncodeToString(sum[:]); got != p.SHA256 {
		return fmt.Errorf("%s has SHA-256 %s, want %s", filepath.Base(file), got, p.SHA256)
	}
	out := filepath.Join(work, "out")
	if err := unpack(ctx, file, out, p); err != nil {
		return fmt.Errorf("unpack: %w", err)
	}
	return os.Rename(out, dir)
}

// download runs the project's client in the folder work and returns the downloaded file.
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
	case Pip, Wheel:
		kind := "--no-binary"
		if p.Client == Wheel {
			kind = "--only-binary"
		}
		_, err := Command(ctx, work, "python3", "-m", "pip", "download", "--disable-pip-version-check", "-q", "--no-deps",
			kind, ":all:", p.Package+"=="+p.Version)
		return first(filepath.Join(work, "*"), err)
	case Npm:
		_, err := Command(ctx, work, "npm", "pack", "--silent", p.Package+"@"+p.Version)
		return first(filepath.Join(work, "*"), err)
	case Apt:
		_, err := Command(ctx, work, "apt-get", "download", "-q", p.Package+"="+p.Version)
		return first(filepath.Join(work, "*"), err)
	case Source:
		config, err := listSources(ctx, filepath.Join(filepath.Dir(work), ".apt"))
		if err != nil {
			return "", err
		}
		_, err = Command(ctx, work, "apt-get", "-c", config, "source", "-q", "--download-only", "--only-source",
			"--tar-only", p.Package+"="+p.Version)
		return first(filepath.Join(work, "*.orig.tar.*"), err) // a signature file comes after it
	case Cargo:
		// cargo info downloads the crate to the registry's cache in CARGO_HOME.
		_, err := Command(ctx, work, "cargo", "info", "-q", p.Package+"@"+p.Version)
		home := os.Getenv("CARGO_HOME")
		if home == "" {
			user, err := os.UserHomeDir()
			if err != nil {
				return "", err
			}
			home = filepath.Join(user, ".cargo")
		}
		return first(filepath.Join(home, "registry", "cache", "*", p.Package+"-"+p.Version+".crate"), err)
	case Maven:
		repo := filepath.Join(work, "maven")
		_, err := Command(ctx, work, "mvn", "-q", "-B", "-Dmaven.repo.local="+repo, "dependency:get", "-Dtransitive=false",
			"-Dartifact="+p.Package+":"+p.Version+":jar:sources")
		group, artifact, _ := strings.Cut(p.Package, ":")
		return first(filepath.Join(repo, filepath.FromSlash(strings.ReplaceAll(group, ".", "/")), artifact, p.Version,
			"*-sources.jar"), err)
	}
	return "", fmt.Errorf("unknown client %q", p.Client)
}

// listing protects the lists of source packages, because projects are fetched concurrently.
var listing sync.Mutex

// listSources fetches apt's lists of the source packages of Debian 12 and 13 into dir, unless they exist, and returns
// an apt configuration that uses them. Most machines have no lists of source packages.
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
		return "", errors.New("list sources: apt has no Debian mirror")
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

// Command runs a program in dir and returns its standard output. An error contains its standard error.
func Command(ctx context.Context, dir, name string, args ...string) ([]byte, error) {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = dir
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", name, err, strings.TrimSpace(stderr.String()))
	}
	return out, nil
}

// first returns the first file that matches pattern. It returns err if err is not nil.
func first(pattern string, err error) (string, error) {
	if err != nil {
		return "", err
	}
	found, err := filepath.Glob(pattern)
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("%s: %w", filepath.Base(pattern), fs.ErrNotExist)
	}
	if err != nil {
		return "", err
	}
	return found[0], nil
}

// unpack writes the package's files to the folder out. It removes the top folder of packages of npm, pip and cargo,
// and the name and version in a Go module's zip. The hash is verified before, so the package is trusted.
func unpack(ctx context.Context, file, out string, p Project) error {
	if err := os.MkdirAll(out, 0o700); err != nil {
		return err
	}
	if p.Client == Apt {
		_, err := Command(ctx, out, "dpkg-deb", "-x", file, out)
		return err
	}
	if slices.Contains([]string{".zip", ".jar", ".whl"}, filepath.Ext(file)) {
		z, err := zip.OpenReader(file)
		if err != nil {
			return err
		}
		defer z.Close()
		var top fs.FS = z
		if p.Client == GoMod {
			if top, err = fs.Sub(z, p.Package+"@"+p.Version); err != nil {
				return err
			}
		}
		return os.CopyFS(out, top)
	}
	args := []string{"-xf", file, "--strip-components=1", "--no-same-owner", "--no-same-permissions", "--wildcards",
		"--no-wildcards-match-slash"}
	for folder := range strings.FieldsSeq(p.Keep) {
		args = append(args, "*/"+folder)
	}
	_, err := Command(ctx, out, "tar", args...)
	return err
}
