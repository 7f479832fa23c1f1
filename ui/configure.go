package ui

import (
	"context"
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"searchmcp/engine/api"
	"searchmcp/ui/present"
)

// configForm is the sheet that edits a project's config.json.
type configForm struct {
	w       *Window
	project api.Project
	text    string         // the file as it was read
	before  present.Config // its fields

	include, exclude, docs *entry
	size, files, idle      *entry
	gitignore, indexDocs   *widget.Check
	hints                  *widget.Check
	strategy               *widget.RadioGroup
	matches                *text // what the exclude patterns would take out
	problems               map[string]*paragraph
	asked                  string // patterns that matches is about
}

type configText struct {
	text     string
	problems []string
}

// configure opens the settings of a project.
func (w *Window) configure(p api.Project) {
	later(w, func(ctx context.Context, b Backend) (configText, error) {
		text, problems, err := b.Config(ctx, p.Root())
		return configText{text, problems}, err
	}, func(c configText, err error) {
		if err != nil {
			w.failed(err)
			return
		}
		f := &configForm{w: w, project: p, text: c.text, problems: map[string]*paragraph{}}
		if f.before, err = present.ParseConfig(c.text); err != nil {
			w.failed(err)
			return
		}
		w.form = f
		w.open(&sheet{
			title: fmt.Sprintf("%s: %s", p.Name, tr("Settings")), body: f.build(), first: f.exclude,
			buttons: []fyne.CanvasObject{newButton("Cancel", w.closeSheet), primary("Save", f.save)},
		})
		f.show(c.problems)
	})
}

func (f *configForm) build() fyne.CanvasObject {
	list := func(value string) *entry { return newLines(value, f.w.closeSheet) }
	short := func(value string) *entry { return newEntry(value, f.w.closeSheet) }
	b := f.before
	f.include, f.exclude, f.docs = list(b.Include), list(b.Exclude), list(b.DocPatterns)
	f.size, f.files, f.idle = short(b.MaxFileSize), short(b.MaxFiles), short(b.LazyIdleThreshold)
	f.gitignore, f.indexDocs = widget.NewCheck(tr("Leave out what .gitignore names"), nil), widget.NewCheck(tr("Index documents too"), nil)
	f.hints = widget.NewCheck(tr("Explain the tools to assistants in more words"), nil)
	f.gitignore.SetChecked(b.RespectGitignore)
	f.indexDocs.SetChecked(b.IndexDocs)
	f.hints.SetChecked(b.EnhancedToolDescriptions)
	var names []string
	chosen := ""
	for _, s := range present.Strategies {
		names = append(names, tr(s.Text))
		if s.Value == b.Strategy {
			chosen = tr(s.Text)
		}
	}
	f.strategy = widget.NewRadioGroup(names, nil)
	f.strategy.SetSelected(chosen)
	f.matches = caption("")
	f.exclude.OnChanged = func(string) { f.preview() }
	return column(gapGroup,
		f.field("Leave out", present.FieldExclude, "One pattern a line. ** stands for any folders.", f.exclude, f.matches),
		f.field("Index only", present.FieldInclude, "", f.include),
		f.field("Documents", present.FieldDocs, "Searched apart from code.", f.docs, f.indexDocs),
		section("Read changes", f.strategy),
		f.field("Idle seconds before reading", present.FieldIdle, "", f.idle),
		f.field("Largest file", present.FieldSize, "Such as 500KB or 2MB.", f.size),
		f.field("Ask again above this many files", present.FieldFiles, "", f.files),
		f.gitignore, f.hints)
}

func (f *configForm) field(title, name, hint string, objects ...fyne.CanvasObject) fyne.CanvasObject {
	parts := slices.Clone(objects)
	if hint != "" {
		parts = slices.Insert(parts, 1, quiet(tr(hint)))
	}
	p := newParagraph("", theme.ColorNameWarning)
	p.box.Hide()
	f.problems[name] = p
	return section(title, append(parts, p.box)...)
}

// show puts the validation's sentences under the fields they are about.
func (f *configForm) show(problems []string) {
	for name, p := range f.problems {
		s := present.ProblemOfField(problems, name)
		p.set(s)
		if s == "" {
			p.box.Hide()
		} else {
			p.box.Show()
		}
	}
	f.w.relayout()
}

// preview counts the indexed files that the last pattern under «Leave out» takes away.
func (f *configForm) preview() {
	patterns := present.Patterns(f.exclude.Text)
	old := present.Patterns(f.before.Exclude)
	fresh := slices.DeleteFunc(patterns, func(p string) bool { return slices.Contains(old, p) })
	if len(fresh) == 0 {
		f.asked = ""
		f.matches.set("")
		return
	}
	pattern := fresh[len(fresh)-1]
	f.asked = pattern
	later(f.w, func(ctx context.Context, b Backend) (api.FileResults, error) {
		return b.Files(ctx, f.project.Root(), api.FileQuery{Pattern: pattern, Limit: 1})
	}, func(r api.FileResults, err error) {
		if f.asked != pattern {
			return // the person has typed on
		}
		switch {
		case err != nil:
			f.matches.set(fmt.Sprintf("%s is not a pattern yet", pattern))
		case r.Total == 0:
			f.matches.set(fmt.Sprintf("%s matches no indexed file", pattern))
		default:
			f.matches.set(fmt.Sprintf("%s takes out %s, such as %s", pattern, present.Count(r.Total, "file"), r.Matches[0]))
		}
	})
}

func (f *configForm) read() present.Config {
	c := present.Config{
		Include: f.include.Text, Exclude: f.exclude.Text, DocPatterns: f.docs.Text, RespectGitignore: f.gitignore.Checked,
		IndexDocs: f.indexDocs.Checked, EnhancedToolDescriptions: f.hints.Checked, MaxFileSize: f.size.Text,
		MaxFiles: f.files.Text, LazyIdleThreshold: f.idle.Text, Strategy: f.before.Strategy,
	}
	for _, s := range present.Strategies {
		if tr(s.Text) == f.strategy.Selected {
			c.Strategy = s.Value
		}
	}
	return c
}

func (f *configForm) save() {
	now := f.read()
	text, err := now.Patch(f.text, f.before)
	if err != nil {
		f.w.failed(err)
		return
	}
	if text == f.text {
		f.w.closeSheet()
		return
	}
	later(f.w, func(ctx context.Context, b Backend) (configText, error) {
		saved, problems, err := b.SetConfig(ctx, f.project.Root(), text)
		return configText{saved, problems}, err
	}, func(c configText, err error) {
		if err != nil {
			f.w.failed(err)
			return
		}
		if len(c.problems) == 0 {
			f.w.closeSheet()
			return
		}
		f.text, f.before = c.text, now
		f.show(c.problems)
	})
}

// settingRow is a label, what explains it, and the control at the right.
func settingRow(label, hint string, control fyne.CanvasObject) fyne.CanvasObject {
	words := []fyne.CanvasObject{plain(tr(label))}
	if hint != "" {
		h := newText(tr(hint), theme.SizeNameCaptionText, colorMuted)
		h.elide = true
		words = append(words, h)
	}
	return container.New(fixed{height: 44}, container.NewBorder(nil, nil, nil, centred(control), centred(column(2, words...))))
}
