#!/bin/sh
# After removal: users' data stays, and its path is printed. dpkg passes "remove", "purge" or "upgrade", rpm the number of versions left.
set -e
case "$1" in
remove | purge | 0)
	cat <<'TEXT'
Search MCP is removed; an app that was running ends by itself. What belongs to each person stays where it is:
  ~/.mcp/search                                     indexes, settings, logs (delete the folder to be rid of them)
  ~/.config/autostart/io.searchmcp.app.desktop      only with «Start at login»; without effect now
Editors that were connected name the command search-mcp in their configuration; their own settings take it out.
TEXT
	;;
esac
