// Command renew renews the committed native libraries and the lock file. It downloads ONNX Runtime's wheel with pip and
// builds LanceDB with the recipe next to the lock file. To renew to a new version, first write that version, its wheel
// and hash into the lock file, because renew verifies downloads against it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"runtime"

	"searchmcp/packaging/command"
	"searchmcp/packaging/native"
)

type options struct {
	root     string // root of the repository
	platform string // goos/goarch
	library  string // "onnxruntime", "lancedb", or "" for both
	built    bool   // use the existing archive of LanceDB instead of building it
}

func main() {
	var o options
	flag.StringVar(&o.root, "root", ".", "the repository's root")
	flag.StringVar(&o.platform, "platform", runtime.GOOS+"/"+runtime.GOARCH, "goos/goarch; only linux/amd64 is tested")
	flag.StringVar(&o.library, "library", "", "onnxruntime or lancedb; both when empty")
	flag.BoolVar(&o.built, "built", false, "take the LanceDB archive that the recipe left, without building again")
	flag.Parse()
	command.Main("renew", func(ctx context.Context) error { return run(ctx, o) })
}

func run(ctx context.Context, o options) error {
	dir := filepath.Join(o.root, "packaging", "native")
	lock, err := native.ReadLock(dir)
	if err != nil {
		return err
	}
	renewed := 0
	for i := range lock.Libraries {
		lib := &lock.Libraries[i]
		if lib.Platform != o.platform || o.library != "" && lib.Library != o.library {
			continue
		}
		switch lib.Source.Kind {
		case "python-package":
			err = fromWheel(ctx, o, dir, lib)
		case "go-module":
			err = fromRecipe(ctx, o, dir, lib)
		default:
			err = fmt.Errorf("unknown kind of source %q", lib.Source.Kind)
		}
		if err != nil {
			return fmt.Errorf("%s for %s: %w", lib.Library, lib.Platform, err)
		}
		fmt.Printf("%s %s for %s: %d bytes, archive %d bytes\n", lib.Library, lib.Version, lib.Platform, lib.File.Size,
			lib.Archive.Size)
		renewed++
	}
	if renewed == 0 {
		return errors.New("the lock file has no such library for " + o.platform)
	}
	return lock.Write(dir)
}
