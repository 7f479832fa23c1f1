GO ?= go

.PHONY: all test
all: test build

# Runs the tests.
test:
	$(GO) test ./...

build/%.o: %.c
	$(CC) -c $< -o $@

define banner
echo hello
endef
