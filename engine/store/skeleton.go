package store

import (
	"context"
	"iter"
	"time"

	"searchmcp/engine/api"
)

// Store is one project's index.
type Store struct{}

func Open(ctx context.Context, dir string, o Options) (*Store, error)                  { return nil, ErrClosed }
func Backup(dir string, cause error) ([]string, error)                                 { return nil, ErrClosed }
func (s *Store) Close() error                                                          { return ErrClosed }
func (s *Store) VectorProblem() error                                                  { return ErrClosed }
func (s *Store) Outdated() bool                                                        { return false }
func (s *Store) Put(ctx context.Context, corpus api.Corpus, files []FileChunks) error  { return ErrClosed }
func (s *Store) Remove(ctx context.Context, corpus api.Corpus, paths []string) error   { return ErrClosed }
func (s *Store) Touch(stamps map[string]Stamp) error                                   { return ErrClosed }
func (s *Store) Stamp(path string) (Stamp, time.Time, bool)                            { return Stamp{}, time.Time{}, false }
func (s *Store) Paths() iter.Seq[string]                                               { return nil }
func (s *Store) Fingerprint(corpus api.Corpus, path string) (string, bool)             { return "", false }
func (s *Store) CorpusOf(path string) (api.Corpus, bool)                               { return "", false }
func (s *Store) Missing(ctx context.Context, c api.Corpus, n int) ([]api.Chunk, error) { return nil, ErrClosed }
func (s *Store) Prefer(corpus api.Corpus, paths ...string)                             {}
func (s *Store) PutVectors(ctx context.Context, c api.Corpus, rows []VectorRow) error  { return ErrClosed }
func (s *Store) View() *View                                                           { return nil }
func (s *Store) NextGeneration(ctx context.Context) (*Store, error)                    { return nil, ErrClosed }
func (s *Store) Switch(ctx context.Context, next *Store) error                         { return ErrClosed }
func (s *Store) Abandon(next *Store) error                                             { return ErrClosed }
func (s *Store) NeedsCompaction() bool                                                 { return false }
func (s *Store) Compact(ctx context.Context) error                                     { return ErrClosed }
func (s *Store) Check(ctx context.Context) (CheckReport, error)                        { return CheckReport{}, ErrClosed }
func (s *Store) Repair(ctx context.Context, r CheckReport) error                       { return ErrClosed }
func (s *Store) RebuildVectors(ctx context.Context) error                              { return ErrClosed }
func (s *Store) Fold() error                                                           { return ErrClosed }
func (s *Store) Stats() Stats                                                          { return Stats{} }
func (s *Store) Metadata() Metadata                                                    { return Metadata{} }
func (s *Store) UpdateMetadata(change func(*Metadata)) error                           { return ErrClosed }

// View is a reader of one generation.
type View struct{}

func (v *View) Release() {}
func (v *View) Text(ctx context.Context, corpus api.Corpus, q TextQuery) ([]TextHit, error) {
	return nil, ErrClosed
}
func (v *View) Nearest(ctx context.Context, corpus api.Corpus, vec api.Vector, k int, f Filter) ([]VectorHit, error) {
	return nil, ErrClosed
}
func (v *View) Chunks(ctx context.Context, corpus api.Corpus, ids []string) (map[string]api.Chunk, error) {
	return nil, ErrClosed
}
func (v *View) Current(corpus api.Corpus, path, contentHash string) bool { return false }
func (v *View) Paths(corpus api.Corpus) []string                         { return nil }
