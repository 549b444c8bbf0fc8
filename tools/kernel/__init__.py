"""The kernel compiled ahead of time: from its Python source to one file for each machine.

    python -m tools.kernel                  for the machine this runs on, into src/genial/kernel/library/
    python -m tools.kernel wasm windows     for others; `all` for every one, `--help` lists them

`source.py` has numba write the entry points as unoptimised LLVM IR, `lower.py` optimises that for a target
and creates an object file, `link.py` turns it into a library and checks that nothing is missing, `header.py`
writes the C header, `client.py` the browser client's interface. `make kernel` uses the right versions of all
of them (requirements/kernel.txt).
"""
