"""Cut the display face down to the letters and features that we use.

`python web/scripts/font.py baloo-2-latin-800-normal.woff2` writes src/lib/look/fonts/baloo-2-800.woff2. The
whole font is in the npm package @fontsource/baloo-2 5.3.0, under the SIL Open Font License 1.1 (its text:
web/public/font-licence.txt). This needs fonttools and brotli, which nothing else does.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

# English, German and Dutch with their punctuation. Names in other letters are set in the system's own face.
LETTERS = "U+20-7E,U+A0,U+AB,U+B7,U+BB,U+C0-FF,U+D7,U+2013,U+2019,U+201C-201E,U+2026,U+2212"
TARGET = Path(__file__).parents[1] / "src" / "lib" / "look" / "fonts" / "baloo-2-800.woff2"


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("Name the font file to cut: python web/scripts/font.py baloo-2-latin-800-normal.woff2")
    command = [sys.executable, "-m", "fontTools.subset", sys.argv[1], f"--unicodes={LETTERS}"]
    options = ["--layout-features=kern,tnum", "--no-hinting", "--desubroutinize", "--flavor=woff2"]
    subprocess.run([*command, *options, f"--output-file={TARGET}"], check=True)
    print(f"{TARGET.name}: {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
