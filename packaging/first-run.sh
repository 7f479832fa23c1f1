#!/bin/sh
# Indexes a first project, searches it and offers to connect an editor. `make run` runs it after the build. On a desktop it opens the window
# instead. At a terminal without a desktop it asks for a folder, and without a terminal it indexes this repository. It uses the normal data
# folder (~/.mcp/search, or SEARCH_MCP_HOME).
set -eu
cd "$(dirname "$0")/.."
repository=$PWD
search="$repository/bin/search-mcp"
data=${SEARCH_MCP_HOME:-$HOME/.mcp/search}

# desktop reports whether the window can be shown, by the same rules as the app.
desktop() {
	[ "${SEARCH_MCP_DESKTOP:-}" != off ] && [ -z "${SSH_CONNECTION:-}" ] && { [ -n "${DISPLAY:-}" ] || [ "$(uname)" = Darwin ]; }
}

# window opens the window, which starts the app. Both keep running when this terminal closes: they get a session of their own if setsid exists,
# and ignore the hangup signal until then.
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

The window of Search MCP opens now. In it you add a first project and connect your editor.
Nothing leaves this machine. Indexes are stored in $data. Your projects are only read.
To stay in the terminal instead: SEARCH_MCP_DESKTOP=off make run
TEXT
	exit 0
fi

folder=$repository
question="which files are never read because they may hold secrets"
# Search only engine, because this file contains the question and would be the best result.
only="engine/**"
yes=
if [ -t 0 ] && [ -t 1 ]; then
	cat <<TEXT

Search MCP indexes a project on this machine, so that your coding assistant can search it by meaning.
Nothing leaves this machine. The index is stored in $data. The project is only read.

TEXT
	printf 'Folder to index first [%s]: ' "$repository"
	read -r answer || answer=
	# shellcheck disable=SC2088 # the shell has not expanded the ~ in the answer
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
		printf 'What do you want to find in it, in your own words? '
		read -r question || question=
		[ -n "$question" ] || question="where does the program start"
	fi
else
	cat <<TEXT
There is no terminal to ask for a folder, so this repository is indexed, with --yes:
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
3) echo "Nothing was indexed. To index a folder later: bin/search-mcp index DIR"; exit 0 ;;
*) echo "Indexing failed. bin/search-mcp doctor and bin/search-mcp logs show why." >&2; exit "$status" ;;
esac

echo "Waiting until the files are searchable by words."
for _ in $(seq 300); do
	"$search" status --project "$folder" --json | grep -q '"state": "indexing"' || break
	sleep 1
done

printf '\n$ search-mcp search "%s"\n' "$question"
"$search" search "$question" --no-pager --project "$folder" --top-k 5 ${only:+--path "$only"}

printf '\n$ search-mcp connect\n'
"$search" connect
if [ -n "$yes" ]; then
	cat <<TEXT

To connect an editor or assistant: bin/search-mcp connect EDITOR
It shows its changes before it makes them. "disconnect EDITOR" undoes them.
TEXT
elif "$search" connect --json | grep '"state"' | grep -qv '"not found"'; then
	printf '\nEditor to connect now, from the list above [none]: '
	read -r editor || editor=
	# connect shows its changes and asks. The first run succeeds even if the user declines or the editor is not installed.
	[ -z "$editor" ] || "$search" connect "$editor" || true
fi

cat <<TEXT

The app keeps running in the background and updates the index when files change. To stop it: bin/search-mcp stop
TEXT
if desktop; then
	window
	echo "Its window opens now. Its icon is in the tray. To open the window again: bin/search-mcp-window"
fi
