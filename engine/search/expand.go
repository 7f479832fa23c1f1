package search

import (
	"strings"

	"searchmcp/engine/store/text"
)

// abbreviations has words and their usual short forms, one group a line. A query with one of them is expanded by the
// others at a lower weight, so that "how is the configuration read" finds LoadCfg. Two hundred synonyms besides made
// the benchmark no better: vectors cover those.
const abbreviations = `
abbreviation abbr
address addr
allocate alloc
application app
argument arg
parameter param
attribute attr
authentication auth
authorization auth
buffer buf
callback cb
certificate cert
channel chan
character char
column col
command cmd
configuration config cfg conf
connection conn
context ctx
current cur
database db
decrement dec
delete del
dependency dep
description desc
destination dest dst
dictionary dict
directory folder dir
document doc
element elem
environment env
error err
exception error
event evt
execute exec
expression expr
extension ext
format fmt
function func fn
generate gen
header hdr
identifier id
image img
implementation impl
increment inc
index idx
information info
initialize init
internationalization i18n
javascript js
language lang
length len
library lib
maximum max
memory mem
message msg
middleware mw
minimum min
multiple multi
number num
object obj
operation op
original orig
package pkg
password passwd pwd
pointer ptr
position pos
previous prev
process proc
property prop
random rand
receive recv
reference ref
regular regex
repository repo
request req
response resp res
result res
separator sep
sequence seq
session sess
source src
specification spec
standard std
string str
synchronize sync
system sys
table tbl
temporary temp tmp
transaction tx txn
utility util
value val
variable var
version ver
window win
`

// abbreviationsOf maps a word to the others of its groups.
var abbreviationsOf = func() map[string][]string {
	m := map[string][]string{}
	for line := range strings.Lines(abbreviations) {
		words := strings.Fields(line)
		for _, w := range words {
			for _, o := range words {
				if o != w {
					m[w] = append(m[w], o)
				}
			}
		}
	}
	return m
}()

// expansionWeight is the weight of an expansion relative to the word in the query.
var expansionWeight = 0.5

// expand returns the query's expansion by abbreviations.
func expand(words []queryWord) []text.Term {
	var terms []text.Term
	asked := map[string]bool{}
	for _, w := range words {
		asked[w.whole] = true
	}
	for i, w := range words {
		for _, o := range abbreviationsOf[w.whole] {
			if !asked[o] {
				terms = append(terms, text.Term{Text: o, Weight: expansionWeight, Word: i + 1})
			}
		}
	}
	return terms
}
