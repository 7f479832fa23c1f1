package share

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"searchmcp/engine/share/bucket"
	"searchmcp/engine/share/part"
	"searchmcp/engine/store/vector"
)

var (
	ErrNone      = errors.New("no shared index at this location")
	ErrDamaged   = part.ErrDamaged
	ErrOvertaken = errors.New("another publication was made meanwhile")
)

type place struct {
	at     Location
	bucket *bucket.Bucket
}

func newPlace(at Location) (*place, error) {
	b, err := bucket.Open(bucket.Address{Name: at.Bucket, Endpoint: at.Endpoint, Region: at.Region})
	if err != nil {
		return nil, err
	}
	return &place{at: at, bucket: b}, nil
}

func (p *place) manifest(ctx context.Context, etag string) (m Manifest, now string, changed bool, err error) {
	data, now, err := p.bucket.Get(ctx, p.at.key(manifestName), etag, manifestLimit)
	switch {
	case errors.Is(err, bucket.ErrNone):
		return m, "", false, fmt.Errorf("%w: %w", ErrNone, err)
	case errors.Is(err, bucket.ErrTooLarge):
		return m, "", false, fmt.Errorf("%w: %w", ErrDamaged, err)
	case err != nil || data == nil:
		return m, now, false, err
	}
	m, err = parseManifest(data)
	return m, now, err == nil, err
}

func (p *place) putManifest(ctx context.Context, m Manifest, etag string) error {
	data, err := json.MarshalIndent(m, "", "\t")
	if err != nil {
		return fmt.Errorf("write manifest: %w", err)
	}
	condition := bucket.IfAbsent
	if etag != "" {
		condition = bucket.IfUnchanged(etag)
	}
	err = p.bucket.Put(ctx, p.at.key(manifestName), "application/json", append(data, '\n'), condition)
	if errors.Is(err, bucket.ErrChanged) {
		return fmt.Errorf("%w: %w", ErrOvertaken, err)
	}
	return err
}

func (p *place) part(ctx context.Context, of Part) ([]byte, error) {
	data, _, err := p.bucket.Get(ctx, p.at.key(of.name()), "", of.Size)
	if errors.Is(err, bucket.ErrNone) || errors.Is(err, bucket.ErrTooLarge) {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != of.SHA256 {
		return nil, fmt.Errorf("read %s: %w: its content has another hash", of.name(), ErrDamaged)
	}
	return data, nil
}

func (p *place) remote(folder string) (vector.Remote, error) {
	s, err := p.bucket.Secrets()
	if err != nil {
		return vector.Remote{}, err
	}
	return vector.Remote{
		URI: "s3://" + p.at.Bucket + "/" + p.at.key(folder), Endpoint: p.at.Endpoint, Region: p.at.Region,
		AccessKey: s.AccessKeyID, Secret: s.SecretAccessKey, Session: s.SessionToken,
	}, nil
}

const copiesAtOnce = 8

func (p *place) copyBelow(ctx context.Context, from, to string) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(copiesAtOnce)
	prefix := p.at.key(from) + "/"
	var listing error
	for o, err := range p.bucket.List(ctx, prefix) {
		if err != nil {
			listing = err
			break
		}
		g.Go(func() error { return p.bucket.Copy(ctx, o.Key, p.at.key(to)+"/"+strings.TrimPrefix(o.Key, prefix)) })
	}
	return cmp.Or(g.Wait(), listing) // a failed copy also cancels the listing
}

func (p *place) removeBelow(ctx context.Context, folder string, age time.Duration, keep func(name string) bool) error {
	base := p.at.key("")
	for o, err := range p.bucket.List(ctx, p.at.key(folder)) {
		if err != nil {
			return err
		}
		if time.Since(o.Modified) < age || keep(strings.TrimPrefix(o.Key, base)) {
			continue
		}
		if err := p.bucket.Remove(ctx, o.Key); err != nil {
			return err
		}
	}
	return nil
}
