// Command licences writes the licences of the Go modules in the programs or, with -crates, of the Rust crates in
// LanceDB. It fails if a licence is missing.
package main

import (
	"context"
	"flag"
	"fmt"

	"searchmcp/packaging/command"
)

func main() {
	out := flag.String("o", "assets/licences/go-modules.txt", "file to write")
	crates := flag.String("crates", "", "folder of a Cargo.toml: write its crates' licences instead")
	target := flag.String("target", "x86_64-unknown-linux-gnu", "with -crates: the Rust target")
	root := flag.String("root", ".", "the repository's root")
	flag.Parse()
	command.Main("licences", func(ctx context.Context) error { return run(ctx, *root, *out, *crates, *target) })
}

func run(ctx context.Context, root, out, crates, target string) error {
	var (
		list  []component
		title string
		err   error
	)
	if crates != "" {
		title = "Licences of the Rust crates in the LanceDB library"
		list, err = crateComponents(ctx, crates, target)
	} else {
		title = "Licences of the Go modules in the programs"
		list, err = moduleComponents(ctx, root)
	}
	if err != nil {
		return err
	}
	if err := command.Write(out, render(title, list)); err != nil {
		return err
	}
	fmt.Printf("%s: %d components\n", out, len(list))
	return nil
}
