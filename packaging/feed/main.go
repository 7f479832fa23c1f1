// Command feed makes what the app reads to learn of new versions (app/update): a key pair once, and a signed feed for
// each release. It knows app/update's form of a feed; it must not publish anything, nor keep a key elsewhere than in
// the file it is told.
//
//	feed key -o private.key                       prints the public key, for FEED_KEY of the build
//	feed sign -key private.key -sequence 12 -version 1.4.0 -page https://… -summary "…" -o feed
//	                                              with -next PUBLIC it announces the key that will sign later ones
//	feed show -key PUBLIC[,PUBLIC…] feed          verifies and prints a feed
package main

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"searchmcp/app/update"
	"searchmcp/packaging/command"
)

func main() {
	command.Main("feed", func(context.Context) error { return run(os.Args[1:], os.Stdout) })
}

func run(args []string, out io.Writer) error {
	if len(args) == 0 {
		return errors.New("key, sign or show is missing")
	}
	switch args[0] {
	case "key":
		return makeKey(args[1:], out)
	case "sign":
		return sign(args[1:], out)
	case "show":
		return show(args[1:], out)
	}
	return fmt.Errorf("unknown command %q", args[0])
}

// makeKey writes the seed of a new private key, base64, readable by its owner only. It overwrites none.
func makeKey(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("key", flag.ContinueOnError)
	path := flags.String("o", "", "file for the private key; must not exist")
	if err := flags.Parse(args); err != nil {
		return err
	}
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		return fmt.Errorf("make key: %w", err)
	}
	f, err := os.OpenFile(*path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("write key: %w", err)
	}
	_, err = fmt.Fprintln(f, base64.StdEncoding.EncodeToString(private.Seed()))
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write key: %w", err)
	}
	fmt.Fprintln(out, base64.StdEncoding.EncodeToString(public))
	return nil
}

func sign(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("sign", flag.ContinueOnError)
	keyFile := flags.String("key", "", "file of the private key")
	path := flags.String("o", "", "file to write")
	days := flags.Int("days", 90, "the feed expires after so many days: sign a new one before, also without a release")
	var f update.Feed
	flags.Int64Var(&f.Sequence, "sequence", 0, "number of this feed, higher than any before")
	flags.StringVar(&f.Version, "version", "", "newest release")
	flags.StringVar(&f.Page, "page", "", "https address of the release")
	flags.StringVar(&f.Summary, "summary", "", "what it brings, one line")
	flags.StringVar(&f.NextKey, "next", "", "public key, base64, that will sign feeds from some time on")
	if err := flags.Parse(args); err != nil {
		return err
	}
	text, err := os.ReadFile(*keyFile)
	if err != nil {
		return fmt.Errorf("read key: %w", err)
	}
	seed, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(seed) != ed25519.SeedSize {
		return fmt.Errorf("read key: %s holds no private key", *keyFile)
	}
	f.Issued = time.Now().UTC().Truncate(time.Second)
	f.Expires = f.Issued.AddDate(0, 0, *days)
	data, err := update.Sign(f, ed25519.NewKeyFromSeed(seed))
	if err != nil {
		return err
	}
	if err := command.Write(*path, data); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: version %s, number %d, until %s\n", *path, f.Version, f.Sequence,
		f.Expires.Format(time.DateOnly))
	return nil
}

func show(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("show", flag.ContinueOnError)
	key := flags.String("key", "", "public keys, base64, separated by commas")
	if err := flags.Parse(args); err != nil {
		return err
	}
	public, err := update.ParseKeys(*key)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(flags.Arg(0))
	if err != nil {
		return fmt.Errorf("read feed: %w", err)
	}
	f, _, err := update.Open(data, public...)
	if err != nil {
		return err
	}
	enc := json.NewEncoder(out)
	enc.SetIndent("", "  ")
	return enc.Encode(f)
}
