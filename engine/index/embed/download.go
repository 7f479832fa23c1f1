package embed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"searchmcp/assets/model"
	"searchmcp/engine/api"
)

const (
	// downloadTries is the number of attempts to download a file. All attempts take about a minute without a network.
	downloadTries = 6
	firstPause    = time.Second
	longestPause  = 20 * time.Second
	// stallTimeout is the maximum time without data on a connection.
	stallTimeout  = 30 * time.Second
	progressEvery = 250 * time.Millisecond
)

var errPermanent = errors.New("permanent error")

type downloader struct {
	url      string
	want     model.File
	dir      string
	o        LocateOptions
	reported time.Time
}

// download downloads the model to dir. A file has the suffix ".part" until its size and SHA-256 are verified.
func download(ctx context.Context, m model.Manifest, dir string, o LocateOptions) error {
	base := cmp.Or(o.base, downloadBase)
	if base == "" {
		return errNoAddress
	}
	if o.Progress == nil {
		o.Progress = func(string, int64, int64) {}
	}
	if o.pause == nil {
		o.pause = backOff
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make model cache: %w", err)
	}
	d := &downloader{
		url:  strings.TrimRight(base, "/") + "/" + cacheName(m) + "/" + m.Model.Name,
		want: m.Model, dir: dir, o: o,
	}
	o.Progress(startMessage(m.Model.Size), 0, m.Model.Size)
	if err := d.fetch(ctx); err != nil {
		return err
	}
	o.Progress(api.ModelFetched, m.Model.Size, m.Model.Size)
	return nil
}

func startMessage(size int64) string {
	return fmt.Sprintf(api.FetchingModel, (size+999_999)/1_000_000)
}

func backOff(ctx context.Context, n int) error {
	select {
	case <-time.After(min(firstPause<<(n-1), longestPause)):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (d *downloader) part() string { return filepath.Join(d.dir, d.want.Name+".part") }

func (d *downloader) fetch(ctx context.Context) error {
	var err error
	for n := 1; ; n++ {
		if err = d.try(ctx); err == nil {
			return nil
		}
		if ctx.Err() != nil || errors.Is(err, errPermanent) || n == downloadTries {
			return fmt.Errorf("download model: %w", err)
		}
		d.o.Log.Warn("model download interrupted", "try", n, "err", err)
		if err := d.o.pause(ctx, n); err != nil {
			return err
		}
	}
}

func (d *downloader) try(ctx context.Context) error {
	f, err := os.OpenFile(d.part(), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("%w: %w", errPermanent, err)
	}
	defer f.Close()
	if err := d.receive(ctx, f); err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil { // Windows can't remove or rename open files
		return fmt.Errorf("%w: write %s: %w", errPermanent, d.part(), err)
	}
	if err := new(verified).check(d.part(), d.want); err != nil {
		return fmt.Errorf("%w: wrong file: %w", errPermanent, errors.Join(err, os.Remove(d.part())))
	}
	if err := os.Rename(d.part(), filepath.Join(d.dir, d.want.Name)); err != nil {
		return fmt.Errorf("%w: %w", errPermanent, err)
	}
	return nil
}

func (d *downloader) receive(ctx context.Context, f *os.File) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stall := time.AfterFunc(stallTimeout, func() { cancel(fmt.Errorf("no data received for %v", stallTimeout)) })
	defer stall.Stop()

	req, err := http.NewRequestWithContext(ctx, http.MethodGet, d.url, nil)
	if err != nil {
		return fmt.Errorf("%w: %w", errPermanent, err)
	}
	req.Header.Set("Accept-Encoding", "identity") // the received bytes are the bytes of the file
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("connect: %w", cmp.Or(context.Cause(ctx), err))
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		err := fmt.Errorf("server answered %s", answer.Status)
		if c := answer.StatusCode; c < 500 && c != http.StatusRequestTimeout && c != http.StatusTooManyRequests {
			err = fmt.Errorf("%w: %w", errPermanent, err)
		}
		return err
	}
	if n := answer.ContentLength; n >= 0 && n != d.want.Size {
		return fmt.Errorf("%w: server offers %d bytes, want %d", errPermanent, n, d.want.Size)
	}
	w := &progressWriter{d: d, f: f, stall: stall}
	// The additional byte detects a file that is too long.
	_, err = io.Copy(w, io.LimitReader(answer.Body, d.want.Size+1))
	switch {
	case w.err != nil:
		return fmt.Errorf("%w: write %s: %w", errPermanent, d.part(), w.err)
	case err != nil:
		return fmt.Errorf("connection lost after %d bytes: %w", w.done, cmp.Or(context.Cause(ctx), err))
	case w.done < d.want.Size:
		return fmt.Errorf("connection ended after %d of %d bytes", w.done, d.want.Size)
	}
	return nil
}

type progressWriter struct {
	d     *downloader
	f     *os.File
	done  int64
	stall *time.Timer
	err   error
}

func (w *progressWriter) Write(p []byte) (int, error) {
	w.stall.Reset(stallTimeout)
	n, err := w.f.Write(p)
	w.done += int64(n)
	w.err = err
	if now := time.Now(); now.Sub(w.d.reported) >= progressEvery {
		w.d.reported = now
		w.d.o.Progress(startMessage(w.d.want.Size), min(w.done, w.d.want.Size), w.d.want.Size)
	}
	return n, err
}
