"""Makes the page's bundle: its modules and styles in few small files, compressed beforehand.

For wheels by the build hook (scripts/bundle_hook.py); as a program, the bundle of a checkout, for `make run`. What
index.html names stays an entry, `import()` makes a file of its own, and the folder has the shape of frontend/, so the
server needs to know nothing about it (backend/smoldesk/wires/page_files.py). esbuild comes from npm, through the Node of
the dev extra or of the machine.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # a build runs elsewhere

from scripts.node import CannotHave, NpmPackages, find_node  # noqa: E402

ESBUILD = NpmPackages(("esbuild@0.28.2",))
FRONTEND = ROOT / "frontend"
STYLE = "css/page.css"

_SCRIPT = re.compile(r'(?:src|href)="/static/([^"]+\.js)"')
_STYLE = re.compile(r'<link rel="stylesheet" href="/static/([^"]+)">')
_LATE_STYLE = re.compile(r'<link rel="stylesheet" href="/static/([^"]+)" data-late=')
_STYLES = re.compile(rf"(?:{_STYLE.pattern}\s*)+")
_LATE = re.compile(r'\bimport\("(\.[^"]+\.js)"\)')
_WORDS = "strings"
_APP = "js/app.js"
"""The module without which no part is loaded."""

COMPRESS = """
const [fs, zlib] = [require("fs"), require("zlib")];
const { BROTLI_PARAM_QUALITY: quality, BROTLI_MAX_QUALITY: best } = zlib.constants;
for (const file of process.argv.slice(1)) {
  const content = fs.readFileSync(file);
  fs.writeFileSync(`${file}.gz`, zlib.gzipSync(content, { level: 9 }));
  fs.writeFileSync(`${file}.br`, zlib.brotliCompressSync(content, { params: { [quality]: best } }));
}
"""


def bundle(frontend: Path, out: Path) -> None:
    """Write the bundle of a frontend folder into `out`. Raises CannotHave without esbuild, CalledProcessError by a fault."""
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copytree(frontend, Path(folder).resolve() / "frontend")
        tie_late_modules(copy)
        bundle_modules(copy, out)


def tie_late_modules(frontend: Path) -> None:
    """Have every late module import the app, which is there before any of them.

    esbuild makes a file for every set of entries that share code. So tied, all of them share one: what the app needs.
    """
    late = {
        (path.parent / name).resolve()
        for path in frontend.rglob("*.js")
        for name in _LATE.findall(path.read_text("utf-8"))
    }
    for module in late:
        if module.parent.name != _WORDS:  # the app waits for them
            up = "../" * (len(module.relative_to(frontend).parts) - 1)
            with module.open("a", encoding="utf-8") as file:
                file.write(f'\nimport "{up}{_APP}";\n')


def bundle_modules(frontend: Path, out: Path) -> None:
    """Write the bundle of a folder whose late modules are tied."""
    esbuild = [
        *ESBUILD.program("esbuild/bin/esbuild"),
        "--bundle",
        "--minify",
        "--charset=utf8",
        "--log-level=warning",
    ]
    index = (frontend / "index.html").read_text("utf-8")
    modules = [
        *dict.fromkeys(_SCRIPT.findall(index)),
        "--outbase=.",
        f"--outdir={out}",
        "--format=esm",
        "--splitting",
        "--target=es2022",
        "--chunk-names=js/[name]-[hash]",
    ]
    subprocess.run([*esbuild, *modules], cwd=frontend, check=True)
    styles = "".join(f'@import "./{name}";' for name in _STYLE.findall(index))
    style = [f"--outfile={out / STYLE}", "--loader=css"]
    subprocess.run([*esbuild, *style], cwd=frontend, check=True, input=styles.encode())
    late = [*_LATE_STYLE.findall(index), "--outbase=.", f"--outdir={out}"]
    subprocess.run([*esbuild, *late], cwd=frontend, check=True)
    link = f'<link rel="stylesheet" href="/static/{STYLE}">\n    '
    (out / "index.html").write_text(_STYLES.sub(link, index, count=1), "utf-8")
    shutil.copy(frontend / "icon.svg", out)


def compress(out: Path) -> None:
    """Put a `.gz` and a `.br` beside every script and style of a bundle."""
    files = sorted(str(path) for path in out.rglob("*") if path.suffix in (".js", ".css"))
    subprocess.run([find_node().node, "-e", COMPRESS, *files], check=True)


def bundle_checkout(out: Path) -> bool:
    """Make the bundle that this checkout's server sends, unless it is there. Raises CannotHave without esbuild.

    Returns whether it was made now."""
    from smoldesk.wires.page_files import MADE_OF, PageFiles, made_of

    modules = PageFiles(FRONTEND).current().hash
    if made_of(out) == modules:
        return False
    new = Path(tempfile.mkdtemp(prefix="new-", dir=_made(out.parent)))
    try:
        bundle(FRONTEND, new)
        compress(new)
        (new / MADE_OF).write_text(modules, "utf-8")
        shutil.rmtree(out, ignore_errors=True)
        new.rename(out)
    finally:
        shutil.rmtree(new, ignore_errors=True)
    return True


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def main() -> None:
    """Bundle the page of this checkout, or say why its modules are sent one by one."""
    from smoldesk.assets import CHECKOUT_BUNDLE

    try:
        if bundle_checkout(CHECKOUT_BUNDLE):
            print("Bundled the page", file=sys.stderr)
    except (CannotHave, subprocess.CalledProcessError, OSError) as reason:
        print(f"The page is not bundled, so it loads more slowly: {reason}", file=sys.stderr)


if __name__ == "__main__":
    main()
