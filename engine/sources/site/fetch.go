package site

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
	"searchmcp/engine/files/secret"
	"searchmcp/engine/share/bucket"
)

// Limits for a fetch. An index of 64 MB contains 10,000 long pages, takes three times as much memory, and is
// transferred in a minute and a half over a slow connection.
const (
	maxIndex     = 64 << 20
	fetchTimeout = 90 * time.Second
	maxRedirects = 5
)

var errTooLarge = fmt.Errorf("it is larger than %d MB", maxIndex>>20)

type fetched struct {
	data      []byte
	etag      string
	unchanged bool
}

func Check(l api.SiteLocation) error {
	u, err := url.Parse(l.URL)
	switch {
	case strings.ContainsFunc(l.URL, unicode.IsControl):
		return errors.New("the address must be one line")
	case filepath.IsAbs(l.URL):
		return nil
	case err != nil:
		return fmt.Errorf("the address can't be read: %w", err)
	case u.User != nil:
		return errors.New("the address must not contain a password")
	case u.Scheme == "http" || u.Scheme == "https":
		if u.Host == "" {
			return errors.New("the address has no host")
		}
		return nil
	case u.Scheme == "s3":
		if u.Host == "" || strings.Trim(u.Path, "/") == "" {
			return errors.New("a bucket's address is s3://bucket/key")
		}
		_, err := bucket.ParseEndpoint(l.Endpoint)
		return err
	}
	return errors.New("the address must be an absolute path, an http(s) URL or s3://bucket/key")
}

// fetch reads the index of a site. If its ETag is still etag, fetch returns no data.
func fetch(ctx context.Context, l api.SiteLocation, etag string) (fetched, error) {
	if err := Check(l); err != nil {
		return fetched{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	var f fetched
	var err error
	switch {
	case filepath.IsAbs(l.URL):
		f, err = fetchFile(l.URL, etag)
	case strings.HasPrefix(l.URL, "s3:"):
		f, err = fetchBucket(ctx, l, etag)
	default:
		f, err = fetchWeb(ctx, l.URL, etag)
	}
	if err == nil && !f.unchanged {
		f.data, err = withoutSecrets(f.data)
	}
	if err != nil {
		return fetched{}, fmt.Errorf("fetch index: %w", err)
	}
	return f, nil
}

func withoutSecrets(data []byte) ([]byte, error) {
	r, err := secret.Redact("index.json", data)
	return r.Data, err
}

func fetchFile(path, etag string) (fetched, error) {
	f, err := policy.OpenRegular(path)
	if err != nil {
		return fetched{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return fetched{}, err
	}
	now := fmt.Sprintf("%d-%d", info.Size(), info.ModTime().UnixNano())
	if now == etag {
		return fetched{etag: now, unchanged: true}, nil
	}
	data, err := readAll(f)
	return fetched{data: data, etag: now}, err
}

func readAll(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxIndex+1))
	if err == nil && len(data) > maxIndex {
		err = errTooLarge
	}
	return data, err
}

// web follows at most maxRedirects redirects to the same host, with the same protocol or from http to https. A
// redirect to another host could reach services that only this computer can reach.
var web = &http.Client{CheckRedirect: func(r *http.Request, via []*http.Request) error {
	first := via[0].URL
	upgraded := first.Scheme == "http" && r.URL.Scheme == "https" && first.Port() == "" && r.URL.Port() == ""
	switch {
	case len(via) > maxRedirects:
		return fmt.Errorf("more than %d redirects", maxRedirects)
	case r.URL.Scheme != first.Scheme && !upgraded:
		return fmt.Errorf("redirect to %s refused", r.URL.Scheme)
	case !strings.EqualFold(r.URL.Host, first.Host):
		return fmt.Errorf("the site sends to another host; if that is meant, add %s", r.URL.Redacted())
	}
	return nil
}}

func fetchWeb(ctx context.Context, address, etag string) (fetched, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return fetched{}, err
	}
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", "search-mcp")
	if etag != "" && !strings.HasPrefix(etag, hashTag) {
		r.Header.Set("If-None-Match", etag)
	}
	resp, err := web.Do(r)
	if err != nil {
		return fetched{}, err
	}
	defer resp.Body.Close()
	switch resp.StatusCode {
	case http.StatusNotModified:
		return fetched{etag: etag, unchanged: true}, nil
	case http.StatusOK:
	default:
		return fetched{}, fmt.Errorf("the server answers %s", resp.Status)
	}
	data, err := readAll(resp.Body)
	return compare(data, resp.Header.Get("ETag"), etag), err
}

const hashTag = "sha256:"

func compare(data []byte, tag, last string) fetched {
	if tag == "" {
		sum := sha256.Sum256(data)
		tag = hashTag + hex.EncodeToString(sum[:])
	}
	return fetched{data: data, etag: tag, unchanged: tag == last}
}

func fetchBucket(ctx context.Context, l api.SiteLocation, etag string) (fetched, error) {
	at, err := url.Parse(l.URL)
	if err != nil {
		return fetched{}, err
	}
	b, err := bucket.Open(bucket.Address{Name: at.Host, Endpoint: l.Endpoint, Region: l.Region})
	if err != nil {
		return fetched{}, err
	}
	data, now, err := b.Get(ctx, strings.TrimPrefix(at.Path, "/"), etag, maxIndex)
	switch {
	case errors.Is(err, bucket.ErrTooLarge):
		return fetched{}, errTooLarge
	case err != nil:
		return fetched{}, fmt.Errorf("bucket %s: %w", at.Host, err)
	case data == nil:
		return fetched{etag: now, unchanged: true}, nil
	}
	return compare(data, now, etag), nil
}
