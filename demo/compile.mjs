// Compiles a folder of Python with the interpreter that the demo runs: `node compile.mjs FOLDER`.

import { loadPyodide } from "pyodide";

const [folder] = process.argv.slice(2);
const python = await loadPyodide();
python.FS.mkdirTree("/site");
python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, "/site");
python.runPython(`
import compileall, py_compile
unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
done = compileall.compile_dir("/site", ddir="/site", quiet=1, legacy=True, optimize=2, invalidation_mode=unchecked)
if not done:
    raise SystemExit("a file of the demo does not compile")
`);
