// Command sbom writes the bill of materials of a release as CycloneDX 1.6 JSON: every Go module linked into the
// programs, Go's library, the native libraries, the Rust crates inside LanceDB and the embedding model, each with
// version, hash where there is one, and licence with its text. It reads what packaging/licences wrote and fails if that
// has become untrue, so that the two can't differ. Same inputs give the same bytes: the date is SOURCE_DATE_EPOCH's and
// the serial number a hash.
//
// It knows the form of those files and packaging/native's lock file; it must not know what the programs do. It starts
// no goroutine.
package main

import (
	"context"
	"errors"
	"flag"

	"searchmcp/packaging/command"
)

// options are the command's flags.
type options struct {
	root     string // the repository
	version  string // of the release
	platform string // goos/goarch, for the native libraries
	out      string
}

func main() {
	var o options
	flag.StringVar(&o.root, "root", ".", "the repository's root")
	flag.StringVar(&o.version, "version", "", "version of the release")
	flag.StringVar(&o.platform, "platform", "linux/amd64", "goos/goarch of the release")
	flag.StringVar(&o.out, "o", "", "file to write")
	flag.Parse()
	command.Main("sbom", func(ctx context.Context) error { return run(ctx, o) })
}

func run(ctx context.Context, o options) error {
	if o.version == "" || o.out == "" {
		return errors.New("-version and -o are required")
	}
	date, err := command.Date()
	if err != nil {
		return err
	}
	list, err := collect(ctx, o.root, o.platform)
	if err != nil {
		return err
	}
	data, err := render(o.version, o.platform, date, list)
	if err != nil {
		return err
	}
	return command.Write(o.out, data)
}
