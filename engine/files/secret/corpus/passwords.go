package corpus

import (
	_ "embed" // embeds the forms
	"fmt"
	"html"
	"net/url"
	"strings"
)

const (
	Configuration Sort = "configuration"
	Code          Sort = "code"
	Command       Sort = "command"
	Prose         Sort = "prose"
)

var (
	//go:embed testdata/passwords.txt
	passwords string
	//go:embed testdata/harmless.txt
	harmlessLines string
	//go:embed testdata/kept.txt
	keptLines string
)

func Passwords(seed uint64) Corpus {
	m := newMaker(seed)
	intro, forms := sections(passwords)
	chosen := strings.Split(strings.TrimSpace(intro[strings.LastIndex(intro, ":\n")+2:]), "\n")
	m.Shuffle(len(chosen), func(i, k int) { chosen[i], chosen[k] = chosen[k], chosen[i] })
	for i, f := range forms {
		sort, path, _ := strings.Cut(f.Path, " ")
		f.Path = "shop/" + path
		m.password(f, Sort(sort), "chosen", chosen[i%len(chosen)])
		m.password(f, Sort(sort), "random",
			m.of(alnum, 6+m.IntN(6))+m.of("!#+-_.*", 1)+m.of(alnum, 5))
	}
	for _, f := range harmless(harmlessLines) {
		f.Path = "harmless/" + f.Path
		m.out.Files = append(m.out.Files, f)
	}
	return m.out
}

// harmless parses text into files. Lines that begin with "~" must not be redacted.
func harmless(text string) []Document {
	_, files := sections(text)
	for i, f := range files {
		for line := range strings.Lines(f.Text) {
			if kept, ok := strings.CutPrefix(line, "~"); ok {
				files[i].Kept = append(files[i].Kept, strings.TrimSpace(kept))
			}
		}
		files[i].Text = strings.ReplaceAll("\n"+f.Text, "\n~", "\n")[1:]
	}
	return files
}

func (m *maker) password(d Document, sort Sort, kind, value string) {
	var parts []string
	for name, escape := range map[string]func(string) string{"": func(v string) string { return v },
		":url": url.QueryEscape, ":xml": html.EscapeString} {
		mark := "‹password" + name + "›"
		if strings.Contains(d.Text, mark) {
			v := escape(value)
			d.Text = strings.ReplaceAll(d.Text, mark, v)
			parts = append(parts, v[:len(v)/2], v[len(v)/2:])
		}
	}
	m.add(d, Secret{Sort: sort, Kind: kind, Parts: parts})
}

func sections(text string) (intro string, out []Document) {
	intro, rest, _ := strings.Cut("\n"+text, "\n==> ")
	for part := range strings.SplitSeq(rest, "\n==> ") {
		path, body, ok := strings.Cut(part, " <==\n")
		if !ok {
			panic(fmt.Sprintf("corpus: %q is no header", part[:min(len(part), 40)]))
		}
		out = append(out, Document{Path: path, Text: strings.TrimSuffix(body, "\n") + "\n"})
	}
	return intro, out
}
