# Renews the keys.
rotate() {
  echo "rotate $rotate"
  rotate "$1"
}

login() {
  local rotate=1
  rotate 2 && echo rotate
  x=$(rotate 3)
}
