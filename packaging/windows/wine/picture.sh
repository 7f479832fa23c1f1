#!/bin/sh
# Takes a picture of the display of enter.sh.
#
#   picture.sh FILE.png
set -eu
chroot "$WINE_ROOT" /usr/bin/env -i PATH=/usr/bin:/bin DISPLAY="$WINE_DISPLAY" \
	sh -c 'xwd -root -silent | xwdtopnm 2>/dev/null | pnmtopng 2>/dev/null' >"$1"
echo "picture: $1"
