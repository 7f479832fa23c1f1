#!/bin/sh
# Prints the maintainer of the packages as "Name <address>": MAINTAINER if it is set, otherwise the address of the checked out commit's author.
# Without git it prints a reserved address (RFC 2606).
set -eu
[ -z "${MAINTAINER:-}" ] || { echo "$MAINTAINER"; exit; }
address=$(git -C "$(dirname "$0")" log -1 --format=%ce 2>/dev/null) || address=
echo "The Search MCP maintainers <${address:-maintainers@searchmcp.invalid}>"
