package main

import (
	_ "embed" // embeds the forms
	"fmt"
	"html"
	"math/rand/v2"
	"net/url"
	"strings"

	"searchmcp/engine/files/secret/corpus"
)

var (
	//go:embed testdata/passwords.txt
	passwordForms string
	//go:embed testdata/harmless.txt
	harmlessLines string
)

// passwordCorpus returns files with ordinary passwords, and files without secrets. Their templates were written without
// knowledge of the rules.
func passwordCorpus(seed uint64) (out corpus.Corpus) {
	r := rand.New(rand.NewPCG(seed, 19))
	of := func(alphabet string, n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = alphabet[r.IntN(len(alphabet))]
		}
		return string(b)
	}
	intro, forms := corpus.Sections(passwordForms)
	chosen := strings.Split(strings.TrimSpace(intro[strings.LastIndex(intro, ":\n")+2:]), "\n")
	r.Shuffle(len(chosen), func(i, k int) { chosen[i], chosen[k] = chosen[k], chosen[i] })
	seen := map[string]bool{}
	add := func(d corpus.Document, sort, kind, value string) {
		s := corpus.Secret{Sort: corpus.Sort(sort), Kind: kind}
		for name, escape := range map[string]func(string) string{"": func(v string) string { return v },
			":url": url.QueryEscape, ":xml": html.EscapeString} {
			mark := "‹password" + name + "›"
			if strings.Contains(d.Text, mark) {
				v := escape(value)
				d.Text = strings.ReplaceAll(d.Text, mark, v)
				s.Parts = append(s.Parts, v[:len(v)/2], v[len(v)/2:])
			}
		}
		base := d.Path
		for n := 2; seen[d.Path]; n++ {
			d.Path = fmt.Sprintf("more%d/%s", n, base)
		}
		seen[d.Path], s.Path = true, d.Path
		out.Files, out.Secrets = append(out.Files, d), append(out.Secrets, s)
	}
	for i, f := range forms {
		sort, path, _ := strings.Cut(f.Path, " ")
		f.Path = "shop/" + path
		add(f, sort, "chosen", chosen[i%len(chosen)])
		add(f, sort, "random", of(corpus.Alnum, 6+r.IntN(6))+of("!#+-_.*", 1)+of(corpus.Alnum, 5))
	}
	for _, f := range corpus.Harmless(harmlessLines) {
		f.Path = "harmless/" + f.Path
		out.Files = append(out.Files, f)
	}
	return out
}

func kinds(c corpus.Corpus) int {
	kinds := map[string]bool{}
	for _, x := range c.Secrets {
		kinds[string(x.Sort)+" "+x.Kind] = true
	}
	return len(kinds)
}
