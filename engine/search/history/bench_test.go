package history

import (
	"testing"

	"searchmcp/engine/files/repo"
)

// BenchmarkThisRepository reads the commits of this repository, indexes and searches them: the three costs of a
// history.
func BenchmarkThisRepository(b *testing.B) {
	commits, err := repo.Commits(b.Context(), "../../..", MaxCommits)
	if err != nil {
		b.Skip("no repository: ", err)
	}
	b.Run("read", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := repo.Commits(b.Context(), "../../..", MaxCommits); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("index", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			NewLog(commits)
		}
	})
	log := NewLog(commits)
	b.Run("ask", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			log.Files([]string{"where", "index", "rebuilt", "model", "change", "person"})
		}
	})
	b.Run("scope", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			log.Scope([]string{"search"})
		}
	})
}
