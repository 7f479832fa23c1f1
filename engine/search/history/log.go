package history

import (
	"cmp"
	"maps"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"

	"searchmcp/engine/files/repo"
	"searchmcp/engine/search/commit"
	"searchmcp/engine/store/text"
)

// maxMessage is the maximum number of bytes indexed of a commit message. 250 and 700 bytes did not rank better.
const maxMessage = 2000

var trailer = regexp.MustCompile(`(?m)^[A-Z][a-z]+(?:-[A-Za-z]+)+: .*$`)

// Log indexes commits by the words of their messages and of the names of changed files.
type Log struct {
	files    [][]string // changed files of each commit, the newest commit first
	lengths  []float64  // number of words in each commit
	mean     float64
	terms    []string // sorted
	postings [][]posting
	scopes   map[string][]int32 // commits by scope, as indexes of files
}

type posting struct{ commit, count int32 }

// NewLog indexes commits, which must be sorted with the newest first.
func NewLog(commits []repo.Commit) *Log {
	l := &Log{scopes: map[string][]int32{}}
	byTerm := map[string][]posting{}
	var words text.Tokenizer
	for i, c := range commits {
		n := 0
		words.Tokens(wordsOf(c), func(tok []byte, whole bool) {
			if whole || len(tok) < 2 {
				return
			}
			n++
			list := byTerm[string(tok)]
			if last := len(list) - 1; last >= 0 && list[last].commit == int32(i) {
				list[last].count++
				return
			}
			byTerm[string(tok)] = append(list, posting{int32(i), 1})
		})
		for _, scope := range commit.Scope(strings.TrimSpace(c.Message)) {
			l.scopes[scope] = append(l.scopes[scope], int32(i))
		}
		l.files, l.lengths = append(l.files, c.Files), append(l.lengths, float64(n))
		l.mean += float64(n) / float64(len(commits))
	}
	l.terms = slices.Sorted(maps.Keys(byTerm))
	for _, term := range l.terms {
		l.postings = append(l.postings, slices.Clip(byTerm[term]))
	}
	return l
}

func wordsOf(c repo.Commit) string {
	message := strings.ToValidUTF8(c.Message[:min(len(c.Message), maxMessage)], "")
	var b strings.Builder
	b.WriteString(trailer.ReplaceAllString(message, ""))
	for _, f := range c.Files {
		b.WriteByte(' ')
		b.WriteString(strings.TrimSuffix(path.Base(f), path.Ext(f)))
	}
	return b.String()
}

// Parameters of BM25. b is lower than usual, because large changes have longer messages.
const (
	k1 = 1.2
	b  = 0.5
)

const (
	closest    = 30  // number of best commits used; 10 and 100 did not rank better
	saturation = 0.5 // sum of commits' scores for which a file gets the score 0.5
)

// Files scores files in (0,1) by the commits that match the words best. The words must be in lower case.
func (l *Log) Files(words []string) map[string]float64 {
	if l == nil {
		return nil
	}
	scores, most := l.score(words)
	var found []int
	for i, s := range scores {
		if s > 0 {
			found = append(found, i)
		}
	}
	slices.SortFunc(found, func(i, j int) int { return cmp.Or(cmp.Compare(scores[j], scores[i]), cmp.Compare(i, j)) })
	files := map[string]float64{}
	for _, i := range found[:min(closest, len(found))] {
		for _, f := range l.files[i] {
			files[f] += scores[i] / most
		}
	}
	for f, s := range files {
		files[f] = s / (s + saturation)
	}
	return files
}

// score returns the BM25 score of each commit, and the highest possible score.
func (l *Log) score(words []string) (scores []float64, highest float64) {
	scores = make([]float64, len(l.files))
	counts := make([]int32, len(l.files)) // occurrences of a word in each commit
	for _, w := range words {
		var having []int32
		prefix := w[:min(len(w), text.MinFamily)]
		from, _ := slices.BinarySearch(l.terms, prefix)
		for i := from; i < len(l.terms) && strings.HasPrefix(l.terms[i], prefix); i++ {
			if !text.Related(w, l.terms[i]) {
				continue
			}
			for _, p := range l.postings[i] {
				if counts[p.commit] == 0 {
					having = append(having, p.commit)
				}
				counts[p.commit] += p.count
			}
		}
		n, all := float64(len(having)), float64(len(l.files))
		rarity := math.Log(1 + (all-n+0.5)/(n+0.5))
		highest += rarity * (k1 + 1)
		for _, c := range having {
			count := float64(counts[c])
			scores[c] += rarity * count * (k1 + 1) / (count + k1*(1-b+b*l.lengths[c]/l.mean))
			counts[c] = 0
		}
	}
	return scores, highest
}

// folderWeight is the weight of a file's folder in a score. The next commit often changes other files of the folder.
const folderWeight = 0.7

// Scope returns a function that scores paths in [0,1] by the commits with a scope such as "router", and the number of
// these commits. A path scores higher if more of the commits changed the file or its folder.
func (l *Log) Scope(names []string) (changed func(path string) float64, commits int) {
	if l == nil {
		return nil, 0
	}
	files, folders, most := map[string]int{}, map[string]int{}, 0
	seen := map[int32]bool{}
	for _, name := range names {
		for _, i := range l.scopes[name] {
			if seen[i] {
				continue
			}
			seen[i] = true
			own := map[string]bool{}
			for _, f := range l.files[i] {
				files[f]++
				most = max(most, files[f])
				own[path.Dir(f)] = true
			}
			for folder := range own {
				folders[folder]++
			}
		}
	}
	return func(p string) float64 {
		return folderWeight*float64(folders[path.Dir(p)])/float64(max(1, len(seen))) +
			(1-folderWeight)*float64(files[p])/float64(max(1, most))
	}, len(seen)
}
