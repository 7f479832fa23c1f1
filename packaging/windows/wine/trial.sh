#!/bin/bash
# Tests the installer like a user, inside the namespace of enter.sh: install silently, first index and search, doctor, upgrade while the app and
# the bridge of an editor run, use window and tray in the light and dark theme, stop, remove, and remove with the data. Screenshots are written to
# FOLDER/pictures.
#
#   trial.sh FOLDER          (with programs in FOLDER/bin; VERSION from the environment)
set -euo pipefail
cd "$(dirname "$0")/../../.."
here=packaging/windows/wine
folder=$1
pictures=$folder/pictures
mkdir -p "$pictures"
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-0}

say() { printf '\n== %s\n' "$*"; }
fail() { echo "trial: $*" >&2; exit 1; }
run() { "$here/run.sh" "$@"; }
home=$WINE_HOME/prefix/drive_c/users/root
installed="$home/AppData/Local/Programs/Search MCP"
mcp() { run "$installed/search-mcp.exe" "$@"; }
registry() { run reg query "$1" /v "$2" 2>/dev/null | tr -d '\r' | sed -n "s/^ *$2  *REG_[A-Z]*  *//p"; }
uninstall='HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\Search MCP'
login='HKCU\Software\Microsoft\Windows\CurrentVersion\Run'
# until SECONDS WHAT COMMAND…
until_() {
	for _ in $(seq "$1"); do
		if "${@:3}"; then return 0; fi
		sleep 1
	done
	fail "timed out waiting for $2"
}
gone() { ! mcp projects --json >/dev/null 2>&1; }
held() { compgen -G "$home/.mcp/search/app.json" >/dev/null; }
unheld() { ! held; }

say "build two installers, signed with a test key"
key=$WINE_HOME/key
openssl req -x509 -newkey rsa:2048 -nodes -keyout "$key.pem" -out "$key.crt" -days 2 -subj "/CN=Search MCP trial" \
	-addext extendedKeyUsage=codeSigning 2>/dev/null
export WINDOWS_CERTIFICATE=$key.crt WINDOWS_KEY=$key.pem MAKENSIS_OPTIONS='-XSetCompress off'
go run ./packaging/sbom -version "$VERSION" -platform windows/amd64 -o "$folder/sbom.json"
pack() { # pack VERSION prints the path of the installer
	cp "$folder/sbom.json" "$folder/search-mcp-$1-windows-amd64.cdx.json"
	VERSION=$1 LIBRARIES=$folder/bin packaging/windows/pack.sh "$folder/bin" "$folder" | tail -n 1
}
older=$(pack 0.0.1)
newer=$(pack 0.0.2)
for file in "$older" "$newer"; do
	osslsigncode verify -CAfile "$key.crt" -in "$file" >"$WINE_HOME/signature" 2>&1 || { cat "$WINE_HOME/signature"; fail "$file is not signed"; }
done

say "install silently"
run "$older" /S /LOGIN
[ "$(registry "$uninstall" DisplayVersion)" = 0.0.1 ] || fail "not installed: $(ls "$installed" 2>&1)"
registry "$login" "Search MCP" | grep -q search-mcp-app.exe || fail "start at login is not enabled"
[ -f "$home/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Search MCP.lnk" ] || fail "the start menu has no entry"
for program in search-mcp search-mcp-app search-mcp-worker search-mcp-window; do
	osslsigncode verify -CAfile "$key.crt" -in "$installed/$program.exe" >/dev/null 2>&1 || fail "$program.exe is not signed"
	grep -aqi permonitorv2 "$installed/$program.exe" || [ $program = search-mcp ] || fail "the manifest of $program.exe does not enable scaling"
done

say "index, search, doctor"
project=$home/project
mkdir -p "$project/kettle"
printf 'package kettle\n\n// Boil heats the water until it bubbles, then whistles.\nfunc Boil(litres float64) error { return heat(litres, 100) }\n' >"$project/kettle/boil.go"
printf '# Tea\r\n\r\nHow to brew a pot of tea for guests.\r\n' >"$project/README.md"
printf 'module kettle\n' >"$project/go.mod"
# The first command starts the app on the desktop of Wine. Its tray icon is used below.
run explorer /desktop=shell,1200x860 "$installed/search-mcp-window.exe" &
until_ 60 "the app to start" held
mcp index --yes 'C:\users\root\project'
found() { mcp search --project 'C:\users\root\project' "heat water until it whistles" | tr '\134' / | grep -q '^kettle/boil.go\|project/kettle/boil.go'; }
found || fail "the search did not find kettle/boil.go"
mcp search --docs --project 'C:\users\root\project' "brew tea" | grep -q README.md || fail "the search did not find README.md"
mcp doctor || fail "doctor reported problems"

say "the window and the tray, in light and dark"
ask() { # ask NAME searches on the page Search
	mcp_window -page search
	sleep 6
	input type --delay 30 "who makes hot water"
	sleep 4
	"$here/picture.sh" "$pictures/$1"
}
input() { chroot "$WINE_ROOT" /usr/bin/env -i PATH=/usr/bin:/bin DISPLAY="$WINE_DISPLAY" xdotool "$@"; }
icon() { # icon NAME opens the menu of the tray icon
	input mousemove 1269 890 click 3
	sleep 2
	"$here/picture.sh" "$pictures/$1"
	input key Escape
}
mcp_window() { run explorer /desktop=shell "$installed/search-mcp-window.exe" "$@" & }
sleep 8
"$here/picture.sh" "$pictures/window-light.png"
ask search-light.png
icon tray-light.png

say "upgrade while the app and the bridge of an editor run"
mkfifo "$WINE_HOME/editor"
mcp mcp --project 'C:\users\root\project' <"$WINE_HOME/editor" >"$WINE_HOME/answers" &
exec 7>"$WINE_HOME/editor"
printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"editor","version":"1"}}}' >&7
answered() { grep -q '"serverInfo"' "$WINE_HOME/answers"; }
until_ 30 "the bridge to answer" answered
run "$newer" /S
[ "$(registry "$uninstall" DisplayVersion)" = 0.0.2 ] || fail "not upgraded"
registry "$login" "Search MCP" | grep -q search-mcp-app.exe || fail "the upgrade disabled the start at login"
until_ 30 "the upgraded app to run" held
until_ 30 "an answer of the upgraded app" found
exec 7>&- # the editor closes

say "dark"
run reg add 'HKCU\Software\Microsoft\Windows\CurrentVersion\Themes\Personalize' /v AppsUseLightTheme /t REG_DWORD /d 0 /f >/dev/null
mcp stop
until_ 30 "the app to end" unheld
run explorer /desktop=shell,1200x860 "$installed/search-mcp-window.exe" &
until_ 60 "the app to start" held
sleep 10
"$here/picture.sh" "$pictures/window-dark.png"
ask search-dark.png
icon tray-dark.png

say "stop"
mcp stop
until_ 30 "the app to end" unheld
mcp stop | grep -q 'is not running' || fail "stop does not report that the app is not running"

say "remove, and keep the data"
removed() { [ ! -e "$installed/search-mcp-app.exe" ] && [ ! -e "$installed/uninstall.exe" ]; }
run "$installed/uninstall.exe" /S
until_ 60 "the uninstaller" removed
[ -d "$home/.mcp/search/indexes" ] || fail "the user's data is missing"
[ -z "$(registry "$uninstall" DisplayVersion)$(registry "$login" "Search MCP")" ] || fail "the registry still has entries"

say "install again, remove with the data"
run "$newer" /S
mcp search --project 'C:\users\root\project' "heat water" | grep -q boil.go || fail "the kept data is not used"
run "$installed/uninstall.exe" /S /DATA
until_ 60 "the uninstaller" removed
dataless() { [ ! -e "$home/.mcp/search" ]; }
until_ 30 "the data to be deleted" dataless
[ -f "$project/README.md" ] || fail "the project is missing"

say "the installer's pages"
run explorer /desktop=shell,1200x860 "$newer" &
sleep 8
"$here/picture.sh" "$pictures/installer.png"

say "all tests passed"
