#!/usr/bin/env bash
# The way of a new user, from an empty folder and an empty cargo home, once for each way to install; with the time it took.
#
#     tools/trial.sh [path | git | registry]...
#
# `registry` packs the packages and puts them into a local registry together with their dependencies, so that the commands
# are those of a user once there is a release. The other ways fetch the dependencies. Needs bash 5, cargo and git.
set -euo pipefail
checkout=$(cd "$(dirname "$0")/.." && pwd)
[ $# -gt 0 ] || set -- path git registry
trial=$(mktemp -d)
trap 'rm -rf "$trial"' EXIT
export CARGO_TERM_COLOR=never GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1

fail() {
    echo "error: $1" >&2
    exit 1
}

# step TITLE COMMAND…: runs it, and prints a row.
step() {
    local title=$1 start=$EPOCHREALTIME code=0
    shift
    # Not in a condition, where bash would go on after a command that fails.
    set +e
    (
        set -e
        "$@"
    ) > "$trial/log" 2>&1
    code=$?
    set -e
    if [ $code != 0 ]; then
        cat "$trial/log" >&2
        fail "$way: $title"
    fi
    awk -v way="$way" -v title="$title" -v start="$start" -v end="$EPOCHREALTIME" \
        'BEGIN { printf "| %s | %s | %.1f s |\n", way, title, end - start }'
}

local_registry() {
    local packages=(statespec-lang statespec-rust statespec-explore statespec-sql statespec-record statespec-audit statespec-code statespec-codegen statespec-macros statespec statespec-store statespec-import statespec-scan cargo-statespec) folder=$trial/vendor package
    cd "$checkout"
    cargo vendor --quiet --locked "$folder" > /dev/null
    cargo package --quiet --locked --allow-dirty --no-verify --target-dir "$trial/packages" "${packages[@]/#/--package=}"
    for package in "$trial"/packages/package/*.crate; do
        tar -xzf "$package" -C "$folder"
        printf '{"files":{},"package":"%s"}' "$(sha256sum "$package" | cut -d' ' -f1)" > "$folder/$(basename "$package" .crate)/.cargo-checksum.json"
    done
    printf '[source.crates-io]\nreplace-with = "local"\n[source.local]\ndirectory = "%s"\n[net]\noffline = true\n' "$folder" > "$CARGO_HOME/config.toml"
}

install() {
    # `cargo install` must not find the configuration of the checkout.
    cd "$home"
    case $way in
        path) cargo install --quiet --locked --path "$checkout/cli" ;;
        git) cargo install --quiet --locked --git "file://$checkout" cargo-statespec ;;
        registry) cargo install --quiet --locked cargo-statespec ;;
    esac
}

# The crate, as a user of this way adds it.
add() {
    case $way in
        path) cargo add --quiet statespec --path "$checkout" ;;
        git) cargo add --quiet statespec --git "file://$checkout" ;;
        registry) cargo add --quiet statespec ;;
    esac
}

first_machine() {
    mkdir "$home/first"
    cd "$home/first"
    cargo init --quiet --lib --name first
    cargo statespec new ticket --no-input
    cargo statespec gen
    cargo statespec check
    [ -f docs/machines/ticket.md ]
}

# derive EXAMPLE OUTPUT: a crate of `tests/downstream`, made as a user makes it.
derive() {
    mkdir "$home/$1"
    cd "$home/$1"
    cargo init --quiet --name "$1"
    cp -r "$checkout/tests/downstream/$1/machines" "$checkout/tests/downstream/$1/src" .
    add
    if grep -q serde src/main.rs; then
        cargo add --quiet serde --features derive
        cargo add --quiet serde_json
    fi
    [ "$(cargo run --quiet)" = "$2" ]
}

docs_repository() {
    cp -r "$checkout/tests/downstream/docs-only" "$home/docs"
    cd "$home/docs"
    git init --quiet
    statespec check
    sed -i.old 's/answers > 0/answers > 1/' machines/ticket.yaml
    statespec gen
    statespec check
    grep -q 'answers > 1' docs/tickets.md
}

ci_report() {
    cd "$home/docs"
    sed -i.old 's/answers > 1/answers > 2/' machines/ticket.yaml
    local code=0
    statespec check --format github > report || code=$?
    [ "$code" = 100 ]
    grep -q '^::error file=machines/ticket.yaml,line=' report
}

echo "| Way | Step | Time |"
echo "| --- | --- | ---: |"
for way in "$@"; do
    home=$trial/$way
    export CARGO_HOME=$home/cargo CARGO_TARGET_DIR=$home/target
    export PATH=$CARGO_HOME/bin:$PATH
    mkdir -p "$CARGO_HOME"
    case $way in
        path | git) ;;
        registry) local_registry ;;
        *) fail "there is no way \`$way\`" ;;
    esac
    step "install the command" install
    step "first machine" first_machine
    step "derive on a struct" derive derive-struct $'nobody has answered yet\nAda is solved after 1 answers'
    step "derive on an enum" derive derive-enum $'"red" -> green\n"green" -> amber\n"amber" -> red'
    step "docs repository" docs_repository
    step "CI report" ci_report
done
