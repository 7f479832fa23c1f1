#!/bin/sh
# Runs after removal and prints the path of the users' data, which is kept. dpkg passes "remove", "purge" or "upgrade", and rpm passes the number
# of installed versions.
set -e
case "$1" in
remove | purge | 0)
	cat <<'TEXT'
Search MCP is removed. If the app was running, it ends now. The data of each user is kept:
  ~/.mcp/search                                     indexes, settings, logs (to delete them, delete the folder)
  ~/.config/autostart/io.searchmcp.app.desktop      if "Start at login" was enabled; has no effect now
Connected editors still name the command search-mcp in their configuration. Remove it in the settings of the editor.
TEXT
	;;
esac
