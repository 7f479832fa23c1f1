package ui

import (
	"runtime"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
	"searchmcp/ui/present"
)

const logLines = 500

type logView struct {
	w      *Window
	lines  []string
	shown  []string // the lines that match the filter
	filter *entry
	level  *chooser
	list   *pickList
	box    fyne.CanvasObject
}

func newLogView(w *Window) *logView {
	l := &logView{w: w, filter: w.newEntry("", nil)}
	l.filter.SetPlaceHolder(tr("Filter"))
	l.filter.OnChanged = func(string) { l.draw() }
	l.level = w.newChooser([]option{{name: tr("Everything")}, {key: "WARN", name: tr("Warnings")},
		{key: "ERROR", name: tr("Errors")}},
		"", func(string) { l.fetch() })
	l.list = newPickList(callHeight, func() int { return len(l.shown) },
		func() fyne.CanvasObject { return newCallRow() },
		func(i int, o fyne.CanvasObject) {
			v := present.LogLineOf(l.shown[i], w.now())
			c := present.Call{Time: v.Time, Lead: v.Message, Detail: v.Detail, Plain: true}
			if gravities[v.Level] != "" {
				c.Failed, c.Result = true, tr(gravities[v.Level])
			}
			o.(*callRow).set(c, nil)
		})
	l.list.moved = func(i int) {
		line := l.shown[i]
		v := present.LogLineOf(line, w.now())
		body := column(gapGroup, prose(v.Message), caption(present.Join(v.Time, v.Level)))
		if v.Detail != "" {
			body.Add(code(strings.ReplaceAll(v.Detail, " · ", "\n")))
		}
		w.open(&sheet{title: tr("Log line"), body: body, still: true, from: l.list, row: i,
			buttons: []fyne.CanvasObject{primary("Copy", func() { w.copy(line) })}})
	}
	head := container.NewBorder(nil, nil, wide(152, l.level), newButton("Copy for a bug report", l.report), l.filter)
	l.box = below(gapSmall, head, l.list.inMargin())
	return l
}

var gravities = map[string]present.Text{"WARN": "Warning", "ERROR": "Error"}

func (l *logView) fetch() {
	q := wire.LogQuery{Lines: logLines, Level: l.level.chosen}
	request(l.w, wire.MethodLogs, q, func(lines []string, err error) {
		if err == nil {
			l.lines = lines
			l.draw()
		}
	})
}

func (l *logView) draw() {
	l.shown = present.Filter(l.lines, l.filter.Text)
	l.list.Refresh()
	l.list.scroll.ScrollToBottom()
}

func (l *logView) report() {
	lines := l.shown
	request(l.w, wire.MethodDoctor, wire.ProjectRef{}, func(f []api.Finding, err error) {
		if err != nil {
			f = append(f, api.Finding{Subject: "self-examination", Text: err.Error()})
		}
		l.w.copy(present.Report(l.w.model.Version, runtime.GOOS+"/"+runtime.GOARCH, f, lines, l.w.home))
	})
}
