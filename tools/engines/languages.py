"""How long an event takes in emitted TypeScript, Python and Go, and in XState, transitions and python-statemachine.

    python3 tools/engines/languages.py            measures, and prints the table
    python3 tools/engines/languages.py --write    writes it into docs/evidence/languages.md, too

All of them are the machine of `languages/job.yaml`, and get the same events; the run fails unless they accept as many, and end in
the same state. Needs Node.js, Python 3.11 and Go; packages are installed below `target/languages`.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent / "languages"
HOME = ROOT / "target" / "languages"
PAGE = ROOT / "docs" / "evidence" / "languages.md"
PEERS = ("transitions==0.9.3", "python-statemachine==3.2.2")
CONFIGURATION = """
[typescript]
out = "node/src"

[python]
out = "python/machines"

[go]
out = "go"
package = "example.com"
"""
TSCONFIG = {
    "compilerOptions": {
        "target": "ES2022",
        "module": "NodeNext",
        "strict": True,
        "types": [],
        "rootDir": "src",
        "outDir": "out",
    },
    "include": ["src/*.ts"],
}


def run(*command: str | Path, at: Path = ROOT, **environment: str) -> str:
    done = subprocess.run(command, cwd=at, env={**os.environ, **environment}, text=True, stdout=subprocess.PIPE)
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed: {done.stdout}")
    return done.stdout


def put(path: str, text: str) -> None:
    (HOME / path).parent.mkdir(parents=True, exist_ok=True)
    (HOME / path).write_text(text, encoding="utf-8")


def prepare() -> None:
    """Emits the machine, and installs the peers."""
    for folder in ("machines", "node/src", "python/machines", "go"):
        shutil.rmtree(HOME / folder, ignore_errors=True)
    put("statespec.toml", CONFIGURATION)
    put("machines/job.yaml", (HERE / "job.yaml").read_text(encoding="utf-8"))
    cargo = ("cargo", "run", "--quiet", "--package", "cargo-statespec", "--bin", "statespec", "--")
    run(*cargo, "--root", HOME, "gen")
    for folder in ("xstate", "node"):
        for name in ("package.json", "package-lock.json"):
            put(f"{folder}-packages/{name}", (ROOT / "tests" / folder / name).read_text(encoding="utf-8"))
        if not (HOME / f"{folder}-packages/node_modules").is_dir():
            run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", at=HOME / f"{folder}-packages")
    put("node/package.json", '{ "type": "module" }')
    put("node/tsconfig.json", json.dumps(TSCONFIG))
    for name in ("measure.mjs", "node.mjs"):
        shutil.copy(HERE / name, HOME / "node")
    modules = HOME / "node" / "node_modules"
    if not modules.exists():
        modules.symlink_to(HOME / "xstate-packages" / "node_modules")
    run("node", HOME / "node-packages/node_modules/typescript/bin/tsc", "--project", HOME / "node")
    if not (HOME / "venv/bin/python").exists():
        run(sys.executable, "-m", "venv", HOME / "venv")
    run(HOME / "venv/bin/pip", "install", "--quiet", "--disable-pip-version-check", *PEERS)
    shutil.copy(HERE / "peers.py", HOME / "python")
    shutil.copy(HERE / "main.go", HOME / "go")
    put("go/go.mod", "module example.com\n\ngo 1.19\n")
    run("go", "build", "-o", "job-bench", ".", at=HOME / "go", GOFLAGS="-mod=mod", GOPROXY="off", GOTOOLCHAIN="local")


def measured(language: str, *command: str | Path, at: Path) -> list[tuple[str, str, float, str]]:
    lines = [json.loads(it) for it in run(*command, at=at).splitlines()]
    if len({it["result"] for it in lines}) != 1:
        sys.exit(f"the machines differ: {lines}")
    return [(language, it["name"], it["ns"], it["result"]) for it in lines]


def table(rows: list[tuple[str, str, float, str]]) -> str:
    text = "| Language | Library | µs per event | relative to statespec |\n| --- | --- | ---: | ---: |\n"
    ours = {language: ns for language, name, ns, _ in rows if name == "statespec"}
    for language, name, ns, _ in rows:
        text += f"| {language} | {name} | {ns / 1000:.2f} | {ns / ours[language]:.2f} |\n"
    return text


def main() -> None:
    prepare()
    rows = measured("Go", HOME / "go" / "job-bench", at=HOME / "go")
    rows += measured("Node.js", "node", "node.mjs", at=HOME / "node")
    rows += measured("CPython", HOME / "venv/bin/python", "-B", "peers.py", at=HOME / "python")
    versions = [run("go", "env", "GOVERSION"), "Node.js " + run("node", "--version")]
    versions += [run(HOME / "venv/bin/python", "--version")]
    versions += ["XState " + json.loads((ROOT / "tests/xstate/package.json").read_text())["dependencies"]["xstate"]]
    measured_with = ", ".join(it.strip() for it in [*versions, *(it.replace("==", " ") for it in PEERS)])
    text = f"Measured with {measured_with}.\n\n{table(rows)}"
    print(text)
    if "--write" in sys.argv:
        page = PAGE.read_text(encoding="utf-8")
        begin, end = "<!-- measured:begin speed -->\n", "<!-- measured:end speed -->"
        before, rest = page.split(begin)
        PAGE.write_text(f"{before}{begin}\n{text}\n{end}{rest.split(end)[1]}", encoding="utf-8")


main()
