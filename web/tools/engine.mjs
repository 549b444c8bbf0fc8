// Builds what runs Python in a page: `node engine.mjs FOLDER MSGSPEC`, where MSGSPEC is its wheel for Pyodide. Files are
// named by a hash of their content, and `parts.json` says which is which. Large ones are compressed (.bin), because a
// plain host sends files as they are; the page unpacks them. `licences.json` is for the client's `third-party.json`.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { loadPyodide, version } from "pyodide";
import { minifySync } from "rolldown/utils";

/** Modules that no page can need: network protocols, processes, windows, tools for programmers. */
const WITHOUT = [
  "_pydatetime", "_pyio", "_pyrepl", "_sysconfigdata__emscripten_wasm32-emscripten", "antigravity", "argparse", "bdb", "cmd",
  "compileall", "configparser", "cProfile", "csv", "ctypes", "difflib", "doctest", "email", "ftplib", "getopt", "getpass",
  "html", "http", "imaplib", "mailbox", "mimetypes", "modulefinder", "multiprocessing", "netrc", "optparse", "pdb",
  "pickletools", "plistlib", "poplib", "profile", "pstats", "pty", "pyclbr", "pydoc", "rlcompleter", "sched", "shelve",
  "smtplib", "socketserver", "sqlite3", "symtable", "tabnanny", "tarfile", "this", "timeit", "tomllib", "trace",
  "tracemalloc", "tty", "unittest", "wave", "webbrowser", "wsgiref", "xml", "xmlrpc", "zipapp", "zoneinfo",
];
/** Older encodings. Everything here is written in UTF-8. */
const WITHOUT_CODECS = /^encodings\/(?!__init__|aliases|ascii|cp437|idna|latin_1|punycode|raw_unicode_escape|unicode_escape|utf_8)/;
const TYPES_ONLY = /\.pyi$|\.typed$/;

/** Compiles every module of an archive, so that the page doesn't have to: that would take most of Python's start. The
    archive is compressed later as a whole: that is smaller, and modules are read without unpacking each. */
const COMPILE = `
def compiled(source, target, home, is_kept):
    import zipfile
    from importlib._bootstrap_external import _code_to_hash_pyc

    with zipfile.ZipFile(source) as before, zipfile.ZipFile(target, "w") as after:
        for name in sorted(before.namelist()):
            if name.endswith("/") or not is_kept(name):
                continue
            data = before.read(name)
            if name.endswith(".py"):
                code = compile(data, f"{home}/{name}", "exec", dont_inherit=True, optimize=2)
                data, name = _code_to_hash_pyc(code, bytes(8), False), name + "c"
            after.writestr(zipfile.ZipInfo(name), bytes(data))

compiled
`;

const [target, wheel] = process.argv.slice(2);
const folder = pathToFileURL(`${target}/`);
const found = (name) => readFileSync(fileURLToPath(import.meta.resolve(`pyodide/${name}`)));
const parts = {};

function write(part, ending, body) {
  const hash = createHash("sha256").update(body).digest("base64url").slice(0, 8);
  parts[part] = { path: `${part}-${hash}.${ending}`, bytes: body.length };
  writeFileSync(new URL(parts[part].path, folder), body);
}
const packed = (part, body) => write(part, "bin", gzipSync(body, { level: 9 }));
const script = (part, name) => write(part, "js", Buffer.from(minifySync(name, found(name).toString()).code));

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
script("pyodide", "pyodide.mjs");
script("python", "pyodide.asm.mjs");
packed("machine", found("pyodide.asm.wasm"));

const python = await loadPyodide();
const compile = python.runPython(COMPILE);
function compiled(part, archive, home, isKept) {
  python.FS.writeFile("/before.zip", archive);
  compile("/before.zip", "/after.zip", home, isKept);
  packed(part, python.FS.readFile("/after.zip"));
}
compiled("library", found("python_stdlib.zip"), "/lib/python314.zip", (name) =>
  !WITHOUT.includes(name.split(/[/.]/)[0]) && !WITHOUT_CODECS.test(name));
compiled("msgspec", readFileSync(wheel), "/lib/python3.14/site-packages", (name) => !TYPES_ONLY.test(name));

const { info } = JSON.parse(found("pyodide-lock.json"));
writeFileSync(new URL("parts.json", folder), `${JSON.stringify({ ...parts, info }, null, 1)}\n`);

const licence = (name) => readFileSync(new URL(`../licences/${name}.txt`, import.meta.url), "utf8");
const [msgspec, notice, cpython] = python.runPython(`
import platform, zipfile
with zipfile.ZipFile("/before.zip") as wheel:
    told = {name.rpartition("/")[2]: wheel.read(name).decode() for name in wheel.namelist() if ".dist-info/" in name}
[told["METADATA"].partition("\\nVersion: ")[2].split()[0], told["LICENSE"], platform.python_version()]
`).toJs();
const licences = [
  { name: "msgspec", version: msgspec, license: "BSD-3-Clause", notice: notice, registry: "pypi" },
  { name: "pyodide", version, license: "MPL-2.0", notice: licence("pyodide") },
  { name: "python", version: cpython, license: "PSF-2.0", notice: licence("python"), registry: "generic" },
];
writeFileSync(new URL("licences.json", folder), `${JSON.stringify(licences, null, 1)}\n`);
const bytes = Object.values(parts).reduce((sum, part) => sum + part.bytes, 0);
console.log(`What runs Python in a page: ${(bytes / 1e6).toFixed(1)} MB.`);
