#!/bin/sh
# Leads from a fresh build to the first answer: indexes a real project, asks it a question, offers to connect an editor.
# Run by `make run`. On a desktop the window leads; at a terminal without one this asks which folder; without a terminal it
# takes this repository. Either way it is the
# ordinary program with the ordinary data folder (~/.mcp/search, or SEARCH_MCP_HOME): nothing here is a rehearsal.
set -eu
cd "$(dirname "$0")/.."
repository=$PWD
search="$repository/bin/search-mcp"
data=${SEARCH_MCP_HOME:-$HOME/.mcp/search}

# Whether there is a screen for the window, as the app itself decides it.
desktop() {
	[ "${SEARCH_MCP_DESKTOP:-}" != off ] && [ -z "${SSH_CONNECTION:-}" ] && { [ -n "${DISPLAY:-}" ] || [ "$(uname)" = Darwin ]; }
}

# Opens the window, which starts the app and goes on without this terminal: in a session of its own where there is setsid,
# and deaf to the hangup from the first moment, since the terminal may close before that session is there.
window() {
	trap '' HUP
	if command -v setsid >/dev/null; then
		setsid "$repository/bin/search-mcp-window" </dev/null >/dev/null 2>&1 &
	else
		nohup "$repository/bin/search-mcp-window" </dev/null >/dev/null 2>&1 &
	fi
}

if [ -t 0 ] && [ -t 1 ] && desktop; then
	window
	cat <<TEXT

The window of Search MCP opens now and leads on: to a first project, and to your editor.
Nothing leaves the machine. Indexes go to $data; projects are only read.
To stay in the terminal instead: SEARCH_MCP_DESKTOP=off make run
TEXT
	exit 0
fi

folder=$repository
question="which files are never read because they may hold secrets"
# This file contains the question verbatim and would be its own best answer.
only="engine/**"
yes=
if [ -t 0 ] && [ -t 1 ]; then
	cat <<TEXT

Search MCP indexes a project on this machine, so that your coding assistant can search it by meaning.
Nothing leaves the machine. The index goes to $data; the project itself is only read.

TEXT
	printf 'Folder to index first [%s]: ' "$repository"
	read -r answer || answer=
	# shellcheck disable=SC2088 # the answer is text, no shell has expanded its ~
	case $answer in
	"") ;;
	"~") folder=$HOME ;;
	"~/"*) folder=$HOME/${answer#"~/"} ;;
	*) folder=$answer ;;
	esac
	[ -d "$folder" ] || { echo "There is no folder $folder." >&2; exit 1; }
	folder=$(cd "$folder" && pwd)
	if [ "$folder" != "$repository" ]; then
		only=
		printf 'A question to ask it, in your own words: '
		read -r question || question=
		[ -n "$question" ] || question="where does the program start"
	fi
else
	cat <<TEXT
No terminal to ask at, so this repository is indexed as the first project, with --yes:
  $repository  →  $data
To undo it afterwards: bin/search-mcp delete --project "$repository" --yes
TEXT
	yes=--yes
fi

printf '\n$ search-mcp index "%s" --no-wait\n' "$folder"
status=0
"$search" index "$folder" --no-wait $yes || status=$?
case $status in
0) ;;
3) echo "Nothing was indexed. Run it again whenever you like: bin/search-mcp index DIR"; exit 0 ;;
*) echo "Indexing failed; bin/search-mcp doctor and bin/search-mcp logs say more." >&2; exit "$status" ;;
esac

printf '\n$ search-mcp search "%s"\n' "$question"
"$search" search "$question" --no-pager --project "$folder" --top-k 5 ${only:+--path "$only"}

printf '\n$ search-mcp connect\n'
"$search" connect
if [ -n "$yes" ]; then
	cat <<TEXT

To give an editor or assistant this search: bin/search-mcp connect EDITOR
It shows first what it would change, and "disconnect EDITOR" takes it back.
TEXT
elif "$search" connect --json | grep '"state"' | grep -qv '"not found"'; then
	printf '\nEditor to connect now, from the list above [none]: '
	read -r editor || editor=
	# What will be changed is shown and asked about; a no, or an editor that is not there, is no failure of the first run.
	[ -z "$editor" ] || "$search" connect "$editor" || true
fi

cat <<TEXT

The app goes on running in the background and follows changes to the project. To end it: bin/search-mcp stop
TEXT
if desktop; then
	window
	echo "Its window opens now, with the icon in the tray: bin/search-mcp-window"
fi
