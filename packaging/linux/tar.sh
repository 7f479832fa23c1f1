#!/bin/sh
# Packs a folder so that the same files give the same archive: sorted, owned by root, with the date SOURCE_DATE_EPOCH.
#
#   tar.sh PARENT NAME ARCHIVE
set -eu
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --format=gnu -C "$1" -cf "$3.part" "$2"
gzip -6 -n <"$3.part" >"$3.part.gz"
rm "$3.part"
mv "$3.part.gz" "$3"
