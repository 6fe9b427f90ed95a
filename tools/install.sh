#!/usr/bin/env bash
# Installs `statespec` and `cargo-statespec` into a folder. `action.yml` runs this; so can any other CI service.
#
#     VERSION=0.1.0 RELEASES=https://…/releases/download tools/install.sh FOLDER
#
# With a VERSION, or a REF that is the tag of one, this takes the binaries of the release and compares their checksum.
# Otherwise it builds the source beside it, which needs cargo.
set -euo pipefail
folder=${1:?the folder to install into}
version=${VERSION:-}
if [ -z "$version" ] && [[ "${REF:-}" =~ ^v([0-9]+\.[0-9]+\.[0-9]+.*)$ ]]; then
    version=${BASH_REMATCH[1]}
fi
mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ -z "$version" ]; then
    source=$(cd "$(dirname "$0")/.." && pwd)
    cargo install --locked --quiet --path "$source/cli" --root "$work"
    mv "$work"/bin/* "$folder/"
    exit
fi

case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) target=x86_64-unknown-linux-musl ;;
    Linux-aarch64) target=aarch64-unknown-linux-musl ;;
    Darwin-x86_64) target=x86_64-apple-darwin ;;
    Darwin-arm64) target=aarch64-apple-darwin ;;
    MINGW*-x86_64 | MSYS*-x86_64) target=x86_64-pc-windows-msvc ;;
    *)
        echo "error: there are no binaries for $(uname -s) on $(uname -m); build them with \`cargo install --locked cargo-statespec\`" >&2
        exit 1
        ;;
esac
name=cargo-statespec-$target-v$version
cd "$work"
for file in "$name.tgz" "$name.tgz.sha256"; do
    url=${RELEASES:?the address of the releases}/v$version/$file
    curl --fail --silent --show-error --location --retry 3 --output "$file" "$url" || {
        echo "error: $url cannot be downloaded" >&2
        exit 1
    }
done
if command -v sha256sum > /dev/null; then
    sha256sum --check --quiet "$name.tgz.sha256"
else
    shasum --algorithm 256 --check --quiet "$name.tgz.sha256"
fi || {
    echo "error: $name.tgz is not what the release's checksum says; nothing was installed" >&2
    exit 1
}
tar -xzf "$name.tgz"
cd - > /dev/null
mv "$work/$name"/*statespec* "$folder/"
