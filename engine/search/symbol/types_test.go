package symbol_test

import (
	"path"
	"slices"
	"strings"
	"testing"

	"searchmcp/engine/index/chunk"
	"searchmcp/engine/search/symbol"
)

// project is files by path, read as a finder reads them.
type project struct {
	t     *testing.T
	files map[string]string
}

func (p project) file(file, name string) symbol.File {
	if !strings.Contains(p.files[file], name) {
		return symbol.File{}
	}
	return extract(p.t, file, p.files[file], name)
}

func (p project) In(file, name string) (out []symbol.Candidate) {
	for _, d := range p.file(file, name).Definitions {
		out = append(out, symbol.Candidate{Path: file, Language: chunk.Language(file, nil), Definition: d})
	}
	return out
}

func (p project) Named(name string) (out []symbol.Candidate) {
	paths := make([]string, 0, len(p.files))
	for file := range p.files {
		paths = append(paths, file)
	}
	slices.Sort(paths)
	for _, file := range paths {
		out = append(out, p.In(file, name)...)
	}
	return out
}

func (p project) Imports(file string) []string {
	return extract(p.t, file, p.files[file], "rotate").Imports
}
func (p project) Late() bool { return false }

// Receivers are followed through other files. A line says which types' rotate it means behind "use:"; "none" where it
// is none of the project's.
func TestTypes(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"go: fields, results, elements, embedding": {
			"auth/a.go": "package auth\ntype Sessions struct{ Base }\ntype Base struct{}\nfunc (b *Base) rotate() {}\n" +
				"type Log struct{}\nfunc (l Log) rotate() {}\n" +
				"type Server struct { sessions *Sessions; logs []Log; byName map[string]*Log; all inodes }\ntype inodes []Log\n" +
				"func New() (*Server, error) { return nil, nil }\n",
			"auth/b.go": "package auth\nimport \"net/http\"\nfunc use(s *Server, w http.ResponseWriter) {\n" +
				"\ts.sessions.rotate() // use: Base\n\ts.logs[0].rotate() // use: Log\n" +
				"\tfor _, l := range s.byName {\n\t\tl.rotate() // use: Log\n\t}\n\tx, err := New()\n" +
				"\tx.sessions.rotate() // use: Base\n\tx.all[0].rotate() // use: Log\n" +
				"\tw.Header().rotate() // use: none\n\tvar y any\n\tif l, ok := y.(Log); ok {\n\t\tl.rotate() // use: Log\n\t}\n" +
				"\tswitch v := y.(type) {\n\tcase *Sessions:\n\t\tv.rotate() // use: Base\n\t}\n}\n",
		},
		"python: imports, attributes, inheritance, results": {
			"shop/base.py":     "class Base:\n    def rotate(self): pass\n",
			"shop/log.py":      "class Log:\n    def rotate(self): pass\n",
			"shop/__init__.py": "from .sessions import Sessions\n",
			"shop/sessions.py": "from .base import Base as Root\nfrom .log import Log\nclass Sessions(Root):\n" +
				"    def __init__(self):\n        self.log = Log()\n" +
				"    def run(self):\n        self.rotate()  # use: Base\n        self.log.rotate()  # use: Log\n" +
				"        super().rotate()  # use: Base\n",
			"app.py": "import json\nimport shop\nfrom shop.sessions import Sessions as S\ndef make() -> S:\n    return S()\n" +
				"def use(logs: list[S]):\n    make().rotate()  # use: Base\n" +
				"    make().log.rotate()  # use: Log\n    for s in logs:\n        s.log.rotate()  # use: Log\n" +
				"    x = json.loads('')\n    x.rotate()  # use: none\n    shop.Sessions().log.rotate()  # use: Log\n",
		},
		"python: isinstance, classes in functions": {
			"a.py": "class Log:\n    def rotate(self): pass\nclass Sessions:\n    def rotate(self): pass\n" +
				"def use(x):\n    if isinstance(x, Log):\n        x.rotate()  # use: Log\n" +
				"    elif isinstance(x, (Sessions, Other)):\n        x.rotate()  # use: Sessions\n" +
				"    class Mine(Sessions):\n        pass\n    m = Mine()\n    m.rotate()  # use: Sessions\n" +
				"    return x.rotate() if isinstance(x, Log) else None  # use: Log\n",
		},
		"typescript: unions, generics, patterns, literals": {
			"src/types.ts": "export interface Log { kind: 'log'; rotate: number }\n" +
				"export interface Sessions { kind: 'sessions'; rotate: number }\nexport type Any = Log | Sessions\n" +
				"export class Store {\n  private logs: Map<string, Log> = new Map()\n  constructor(public one: Sessions) {}\n" +
				"  find(): Promise<Log> { return null as any }\n  each(f: (s: Sessions) => void): void {}\n" +
				"  put(x: Any): void {}\n  all(): Log[] { return [] }\n  get(): Log | undefined { return this.logs.get('a') }\n}\n",
			"src/use.ts": "import { Store, Any } from './types'\nasync function use(s: Store, a: Any) {\n" +
				"  s.one.rotate // use: Sessions\n  const l = await s.find()\n  l.rotate // use: Log\n" +
				"  s.all().filter(x => x.rotate) // use: Log\n" +
				"  a.rotate // use: Log Sessions\n  s.put({ kind: 'log', rotate: 1 }) // use: Log\n" +
				"  const { rotate } = s.one // use: Sessions\n  s.get()?.rotate // use: Log\n" +
				"  JSON.parse('').rotate // use: none\n}\n",
		},
		"javascript: constructors": {
			"lib/log.js": "class Log {\n  rotate() { return this }\n}\nexports.Log = Log;\n",
			"lib/use.js": "const { Log } = require('./log.js');\nclass Store {\n  constructor() {\n    this.log = new Log();\n" +
				"  }\n  rotate() {}\n  use() {\n    this.log.rotate().rotate(); // use: Log\n" +
				"    this.rotate(); // use: Store\n  }\n}\n",
		},
		"javascript: modules and object literals": {
			"lib/disk.js": "module.exports = class Disk {\n  rotate() {}\n}\n",
			"lib/keys.js": "const keys = { rotate() { return 1 }, log: { rotate: 2 } }\nmodule.exports = keys\n",
			"lib/own.js":  "exports = module.exports = {\n  rotate() {},\n  again() { this.rotate() } // use: .\n}\n",
			"lib/es.mjs":  "import Any from './any.mjs'\nnew Any().rotate() // use: Renewer\n",
			"lib/any.mjs": "export default class Renewer {\n  rotate() {}\n}\n",
			"lib/use.js": "const Any = require('./disk')\nconst all = require('./keys')\nconst other = require('other')\n" +
				"new Any().rotate() // use: Disk\n" +
				"all.rotate() // use: keys\nall.log.rotate // use: log\nother.rotate() // use: none\n",
		},
		"javascript: functions that make objects, modules taken apart": {
			"lib/log.js": "function Log() {}\nLog.prototype = {\n  rotate: function() {},\n" +
				"  again: function() {\n    this.rotate() // use: Log\n  }\n}\nmodule.exports = Log\n",
			"lib/all.js":  "exports.rotate = () => 1\n",
			"lib/keys.js": "const keys = { rotate: 1 }\nmodule.exports = keys\n",
			"lib/own.js": "const rotate = require('rotate')\nmodule.exports = {\n  get rotate() { return 1 },\n" +
				"  again() { return this.rotate } // use: .\n}\nmodule.exports.other = module.exports.rotate // use: .\n",
			"lib/use.mjs": "import all from './all.js'\nexport const {\n  rotate, // use: .\n} = all\n",
			"lib/use.js":  "const {\n  rotate: turn // use: keys\n} = require('./keys')\nnew (require('./log'))()\n",
		},
		"typescript: callbacks in literals, call signatures, looked up types, instanceof": {
			"src/types.ts": "export class Log { rotate() {} }\nexport class Sessions { rotate() {} }\n" +
				"export interface Run { (a: number, log: Log): void }\nexport type Each = (s: Sessions) => void\n" +
				"export interface Options { run: Run; each: Each; both(a: Sessions, b: Log): void }\n" +
				"export function start(o: Options): void {}\n",
			"src/use.ts": "import { start, Log, Sessions } from './types'\nstart({\n" +
				"  run: (_, l) => l.rotate(), // use: Log\n  each: s => s.rotate(), // use: Sessions\n" +
				"  both: (a, b) => b.rotate(), // use: Log\n})\nfunction f(x: unknown) {\n" +
				"  if (x instanceof Sessions) {\n    x.rotate() // use: Sessions\n  }\n}\n" +
				"type T = Log['rotate'] // use: Log\n",
		},
		"javascript: what gives itself": {
			"lib/a.js": "var x = exports = module.exports = x()\nvar y = z()\nvar z = y()\nvar again = again()\n" +
				"var half = half\n",
			"lib/b.js": "const x = require('./a')\nmodule.exports = require('./b')\nx().rotate() // use: Log\n" +
				"x.y().rotate() // use: Log\n" +
				"x.again().rotate() // use: Log\nx.half().rotate() // use: Log\nrequire('./b')().rotate() // use: Log\n" +
				"class Log { rotate() {} }\n",
		},
		"c: structs in structs": {
			"a.h": "typedef struct log { int rotate; } log;\nstruct sessions { log *l; int rotate; };\n",
			"a.c": "#include \"a.h\"\nvoid use(struct sessions *s) {\n  s->l->rotate = 1; /* use: log */\n" +
				"  s->rotate = 2; /* use: sessions */\n  log x = { .rotate = 1 }; /* use: log */\n}\n",
		},
		"c: macros in declarations": {
			"a.h": "typedef struct state_s {\n  int rotate;\n} FAR state;\ntypedef state FAR *statep;\n" +
				"struct other { int rotate; };\n",
			"a.c": "#include \"a.h\"\nint ZEXPORT renew(statep s) {\n  s->rotate =\n#ifdef FAST\n" +
				"    s->rotate == 2 ? 1 : /* use: state_s */\n#endif\n    0;\n  return s->rotate; /* use: state_s */\n}\n",
		},
		"cpp: bases, smart pointers, auto": {
			"a.h": "class Base {\n public:\n  void rotate() {}\n};\nclass Sessions : public Base {\n};\nclass Log {\n" +
				" public:\n  void rotate() {}\n  Sessions* owner();\n};\n",
			"a.cc": "#include \"a.h\"\nvoid use(std::unique_ptr<Log> l, std::vector<Sessions*> all) {\n" +
				"  l->rotate(); // use: Log\n  auto s = l->owner();\n  s->rotate(); // use: Base\n  for (auto* x : all) {\n" +
				"    x->rotate(); // use: Base\n  }\n}\n",
		},
		"cpp: fields without this, in and outside of the class": {
			"a.h": "namespace db {\nclass Log {\n public:\n  void rotate();\n};\nclass Sessions {\n public:\n" +
				"  void rotate();\n};\nclass Store {\n public:\n  void again() { log_->rotate(); } // use: Log\n" +
				"  void other();\n  Log* log_;\n  std::unique_ptr<Sessions> all_;\n};\n}\n",
			"a.cc": "#include \"a.h\"\nnamespace db {\nvoid Store::other() {\n  log_->rotate(); // use: Log\n" +
				"  all_->rotate(); // use: Sessions\n  this->log_->rotate(); // use: Log\n}\n}\n",
		},
		"rust: results and wrappers": {
			"src/lib.rs": "pub struct Log {}\nimpl Log {\n    pub fn rotate(&self) {}\n" +
				"    pub fn open() -> Result<Self, Error> { todo!() }\n}\npub struct Sessions { pub log: Arc<Mutex<Log>> }\n" +
				"impl Sessions {\n    pub fn rotate(&self) {}\n}\n",
			"src/use.rs": "use crate::{Log, Sessions};\nfn use_(s: &Sessions, all: Vec<Log>) {\n" +
				"    s.log.lock().unwrap().rotate(); // use: Log\n    s.rotate(); // use: Sessions\n" +
				"    let l = Log::open().unwrap();\n    l.rotate(); // use: Log\n" +
				"    for x in all.iter() {\n        x.rotate(); // use: Log\n    }\n}\n",
		},
		"php: traits, interfaces, parents": {
			"Keys.php": "<?php\ntrait Renews\n{\n    public function rotate(): void {}\n}\ntrait Counts\n{\n}\n" +
				"class Keys\n{\n    use Counts, Renews;\n}\n",
			"Log.php": "<?php\nclass Log\n{\n    public function rotate(): void {}\n}\nclass Sub extends Log\n{\n" +
				"    private Keys $keys;\n    public function again(): void\n    {\n" +
				"        $this->keys->rotate(); // use: Renews\n" +
				"        parent::rotate(); // use: Log\n        $this->rotate(); // use: Log\n    }\n}\n",
		},
		"php: comments, what a constructor sets, instanceof": {
			"a.php": "<?php\nclass Log\n{\n    public function rotate() {}\n}\nclass Keys\n{\n" +
				"    public function rotate() {}\n}\nclass Store\n{\n    /** @var Log|null */\n    private $log;\n" +
				"    private $keys;\n    public function __construct() { $this->keys = new Keys(); }\n    /**\n" +
				"     * @param Keys $k the keys\n     * @return Log\n     */\n    public function use($k, $x)\n    {\n" +
				"        $this->log->rotate(); // use: Log\n        $this->keys->rotate(); // use: Keys\n" +
				"        $k->rotate(); // use: Keys\n        $this->use(1, 2)->rotate(); // use: Log\n" +
				"        if ($x instanceof Keys) {\n            $x->rotate(); // use: Keys\n        }\n" +
				"        if ($this->any instanceof Keys) {\n            $this->any->rotate(); // use: Keys\n        }\n    }\n}\n",
		},
		"java: fields, var, inheritance": {
			"A.java": "class Base { void rotate() {} }\nclass Sessions extends Base { Log log; List<Log> logs; Log first() { " +
				"return null; } }\nclass Log { void rotate() {} }\n",
			"B.java": "class B {\n  Sessions s;\n  void use() {\n    s.rotate(); // use: Base\n" +
				"    s.log.rotate(); // use: Log\n    var x = s.first();\n    x.rotate(); // use: Log\n" +
				"    for (Log l : s.logs) { l.rotate(); } // use: Log\n  }\n" +
				"  void two(Log l, Sessions s) {\n    l.rotate(); // use: Log\n    s.rotate(); // use: Base\n  }\n}\n",
		},
	} {
		t.Run(name, func(t *testing.T) { checkUses(t, files) })
	}
}

// checkUses compares what each line's uses mean with what it says behind "use:": the types whose rotate it is, "none",
// or "maybe" for a use that may be one of them.
func checkUses(t *testing.T, files map[string]string) {
	t.Helper()
	p := project{t, files}
	any := slices.Repeat([]bool{true}, len(p.Named("rotate")))
	r := symbol.Resolver{Candidates: p.Named("rotate"), Types: symbol.NewTypes(p)}
	for file, text := range files {
		lines := strings.Split(text, "\n")
		meant, possible := map[int][]string{}, map[int]bool{}
		f := p.file(file, "rotate")
		for _, u := range f.References {
			if u.Role == symbol.Text || u.Local {
				continue
			}
			use := symbol.Use{Path: file, Language: chunk.Language(file, nil), Imports: f.Imports, Reference: u}
			found := r.Resolve(use)
			possible[u.Line] = possible[u.Line] || len(found) == 0 && r.May(use, any)
			for _, i := range found {
				if o := path.Base(r.Candidates[i].Owner()); !slices.Contains(meant[u.Line], o) {
					meant[u.Line] = append(meant[u.Line], o)
				}
			}
		}
		for i, line := range lines {
			_, want, ok := strings.Cut(line, "use: ")
			if !ok {
				continue
			}
			want = strings.TrimSpace(strings.TrimSuffix(want, "*/"))
			slices.Sort(meant[i+1])
			got := strings.Join(meant[i+1], " ")
			if got == "" && want == "maybe" && possible[i+1] {
				got = "maybe"
			}
			if got == "" {
				got = "none"
			}
			if got != want {
				t.Errorf("%s:%d %s: %s", file, i+1, strings.TrimSpace(line), got)
			}
		}
	}
}
