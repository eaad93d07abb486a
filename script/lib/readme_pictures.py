#!/usr/bin/env python3
"""Draws the pictures at the head of the README from recordings, by what the tracker prints of them.

usage: readme_pictures.py TRACKER [DIR]
  TRACKER   a built tracker
  DIR       where hero.svg, hero-dark.svg, terminal.svg and terminal-still.svg go (default docs/images)

hero: the medians of 32 processes of one kernel on an H200 (tests/data/h200_processes.tar.xz), the later ones made 2 %
slower; what a fixed threshold makes of them, and what `tracker changepoints` does. terminal: three commands on
recordings, as a terminal of 100 columns shows them; no movement for those who ask for reduced motion.
"""
import fcntl
import html
import json
import os
import pathlib
import pty
import re
import shutil
import statistics
import struct
import subprocess
import sys
import tarfile
import tempfile
import termios

ROOT = pathlib.Path(__file__).resolve().parents[2]
BENCHMARK = "transpose/smem_padded/f32/1024x1024"
STEP_AT, STEP, THRESHOLD = 21, 1.02, 0.02
COLUMNS = 100
FONT = "-apple-system,'Segoe UI',Helvetica,Arial,sans-serif"
THEMES = {"": {"ground": "#ffffff", "text": "#1f2328", "quiet": "#59636e", "line": "#d1d9e0", "dot": "#8b949e",
               "bad": "#cf222e", "good": "#0969da", "band": "#0969da22"},
          "-dark": {"ground": "#0d1117", "text": "#f0f6fc", "quiet": "#9198a1", "line": "#3d444d", "dot": "#7d8590",
                    "bad": "#ff7b72", "good": "#58a6ff", "band": "#58a6ff2e"}}


def medians():
    """Of the benchmark in each process, in µs, in the order they ran."""
    found = {}
    with tarfile.open(ROOT / "tests/data/h200_processes.tar.xz") as archive:
        for name in sorted(name for name in archive.getnames() if name.startswith("one_lane/")):
            document = json.load(archive.extractfile(name)) if name.endswith(".json") else {"benchmarks": []}
            rows = document["benchmarks"]
            times = [row["real_time"] for row in rows
                     if row.get("run_type") == "iteration" and row["run_name"].startswith(BENCHMARK + "/")]
            if times:
                found[document["context"]["date"], name] = statistics.median(times)
    return [found[key] for key in sorted(found)]


def on_terminal(arguments, folder):
    """What a program prints, with its colours."""
    child, screen = pty.fork()
    if child == 0:
        os.chdir(folder)
        for name in [name for name in os.environ if name == "CI" or name.startswith(("GITHUB_", "COLUMNS"))]:
            del os.environ[name]
        os.environ["TERM"] = "xterm-256color"
        os.execv(arguments[0], arguments)
    fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", 50, COLUMNS, 0, 0))
    text = b""
    while True:
        try:
            piece = os.read(screen, 65536)
        except OSError:
            break
        if not piece:
            break
        text += piece
    os.waitpid(child, 0)
    return text.decode().replace("\r", "")


def panel(values, theme, left, heading, below, alarms, levels):
    """One panel of 400 × 250 at `left`: dots, red where a rule alarms, a line where a level is known."""
    low, high, top, height = min(values) * 0.997, max(values) * 1.003, 70, 140
    x = lambda i: left + 24 + i * (352 / (len(values) - 1))
    y = lambda value: top + height * (high - value) / (high - low)
    out = [f'<text x="{left + 24}" y="34" font-size="17" font-weight="600" fill="{theme["text"]}">{heading}</text>',
           f'<text x="{left + 24}" y="55" font-size="13" fill="{theme["quiet"]}">{below}</text>',
           f'<line x1="{left + 24}" x2="{left + 376}" y1="{top + height + 14}" y2="{top + height + 14}" '
           f'stroke="{theme["line"]}"/>']
    for begin, end, level, label in levels:
        out.append(f'<rect x="{x(begin) - 5:.1f}" y="{y(level) - 9:.1f}" width="{x(end) - x(begin) + 10:.1f}" height="18" '
                   f'fill="{theme["band"]}"/><line x1="{x(begin) - 5:.1f}" x2="{x(end) + 5:.1f}" y1="{y(level):.1f}" '
                   f'y2="{y(level):.1f}" stroke="{theme["good"]}" stroke-width="2.5"/>')
        if label:
            out.append(f'<line x1="{(x(begin) + x(begin - 1)) / 2:.1f}" x2="{(x(begin) + x(begin - 1)) / 2:.1f}" '
                       f'y1="{top - 4}" y2="{top + height + 14}" stroke="{theme["good"]}" stroke-dasharray="4 3"/>'
                       f'<text x="{(x(begin) + x(begin - 1)) / 2 - 8:.1f}" y="{top + 8}" text-anchor="end" font-size="14" '
                       f'font-weight="600" fill="{theme["good"]}">{label}</text>')
    for i, value in enumerate(values):
        color, radius = (theme["bad"], 6) if i in alarms else (theme["dot"], 3.4)
        out.append(f'<circle cx="{x(i):.1f}" cy="{y(value):.1f}" r="{radius}" fill="{color}"/>')
    return out


def draw_hero(tracker, folder, values):
    """Both panels, light and dark; gives what the caption may say."""
    slower = [value * (STEP if i >= STEP_AT else 1) for i, value in enumerate(values)]
    with tempfile.TemporaryDirectory() as scratch:
        path = pathlib.Path(scratch) / "trend.json"
        path.write_text(json.dumps({"trend": slower}))
        found = json.loads(subprocess.run([tracker, "changepoints", "--input", path, "--format", "json"], check=True,
                                          capture_output=True, text=True).stdout)["series"][0]["change_points"]
    alarms = {i for i in range(1, len(slower)) if slower[i] > slower[i - 1] * (1 + THRESHOLD)}
    if [point["at"] for point in found] != [STEP_AT]:
        sys.exit(f"the step is not found alone at its place: {found}")
    change = found[0]["ratio"]
    words = " ".join(f"{100 * (change[key] - 1):+.1f}" for key in ("value", "low", "high")).split()
    levels = [(0, STEP_AT - 1, statistics.median(slower[:STEP_AT]), ""),
              (STEP_AT, len(slower) - 1, statistics.median(slower[STEP_AT:]), f"{words[0]} % [{words[1]}, {words[2]}]")]
    wrong = len(alarms - {STEP_AT})
    for name, theme in THEMES.items():
        lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 250" font-family="{FONT}" role="img">',
                 f'<rect width="800" height="250" rx="8" fill="{theme["ground"]}"/>']
        lines += panel(slower, theme, 0, "A fixed threshold of 2 %",
                       f"against the run before: {len(alarms)} alarms, {wrong} of them false", alarms, [])
        lines += panel(slower, theme, 400, "tracker", "one change, at the run that made it, with its interval", set(),
                       levels)
        lines.append(f'<text x="24" y="244" font-size="12" fill="{theme["quiet"]}">{BENCHMARK} in {len(slower)} processes '
                     f'on an H200; from process {STEP_AT + 1} on, times are made 2 % longer</text></svg>')
        (folder / f"hero{name}.svg").write_text("\n".join(lines) + "\n")
    return slower


STYLES = {"1": "font-weight:700", "2": "opacity:.65", "31": "fill:#ff7b72", "32": "fill:#7ee787", "33": "fill:#e3b341",
          "36": "fill:#79c0ff"}


def spans(line):
    """A line of a terminal as tspans."""
    out, style = "", ""
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        if code := re.fullmatch(r"\x1b\[([0-9;]*)m", part):
            style = ";".join(STYLES[word] for word in code[1].split(";") if word in STYLES)
        elif part:
            words = html.escape(re.sub(r"\x1b\][^\x07\x1b]*(\x07|\x1b\\)|\x1b\[[0-9;?]*[A-Za-z]", "", part))
            out += f'<tspan style="{style}">{words}</tspan>' if style else f"<tspan>{words}</tspan>"
    return out


def draw_terminal(tracker, folder, slower):
    """Three screens of ten seconds, in a loop."""
    rows, seconds = 24, 10
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        with tarfile.open(ROOT / "tests/data/h200_verdicts.tar.xz") as archive:
            for side, name in (("a", "base"), ("b", "candidate")):
                archive.extract(f"gpu0-20261120T175743Z-f085e2bc-{side}.run.json", scratch)
                shutil.move(scratch / f"gpu0-20261120T175743Z-f085e2bc-{side}.run.json", scratch / f"{name}.json")
        (scratch / "trend.json").write_text(json.dumps({BENCHMARK: slower}))
        calls = ["compare base.json candidate.json --threshold 5%",
                 "explain transpose/smem_padded/f32/8192x8192 base.json candidate.json",
                 "changepoints --input trend.json"]
        screens = [(call, on_terminal([tracker, *call.split()], scratch).rstrip("\n").split("\n")) for call in calls]
    height = 26 + (rows + 1) * 18
    share = 100 / len(screens)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 {height}" font-size="13.2" role="img" '
             'font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,\'Liberation Mono\',monospace"><style>',
             "text{white-space:pre;fill:#e6edf3}",
             f".screen{{opacity:0;animation:screen {seconds * len(screens)}s step-end infinite}}",
             f"@keyframes screen{{0%{{opacity:1}}{share:.2f}%{{opacity:0}}100%{{opacity:0}}}}",
             f".row{{animation:row {seconds * len(screens)}s step-end infinite backwards}}",
             f"@keyframes row{{0%{{opacity:0}}{share * .1:.2f}%{{opacity:1}}100%{{opacity:1}}}}",
             "@media (prefers-reduced-motion:reduce){.screen,.row{animation:none}.first{opacity:1}}",
             f'</style><rect width="860" height="{height}" rx="8" fill="#0d1117"/>']
    for number, (call, printed) in enumerate(screens):
        first = " first" if number == 0 else ""
        lines.append(f'<g class="screen{first}" style="animation-delay:{number * seconds}s">')
        lines.append(f'<text x="18" y="30" style="font-weight:700">$ tracker {html.escape(call)}</text>')
        shown = printed if len(printed) <= rows else [*printed[:rows - 1], "…"]
        for row, line in enumerate(shown):
            lines.append(f'<text class="row" style="animation-delay:{number * seconds + row * .05:.2f}s" x="18" '
                         f'y="{48 + row * 18}">{spans(line)}</text>')
        lines.append("</g>")
    whole = "\n".join([*lines, "</svg>"]) + "\n"
    (folder / "terminal.svg").write_text(whole)
    still = re.sub(r"\n[^\n]*(@keyframes|animation:)[^\n]*", "", whole).replace(' style="animation-delay:0s"', "")
    (folder / "terminal-still.svg").write_text(re.sub(r' class="row"| style="animation-delay:[\d.]+s"', "",
                                                      still[:still.index('<g class="screen"')]) + "</svg>\n")


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    tracker = str(pathlib.Path(sys.argv[1]).resolve())
    folder = pathlib.Path(sys.argv[2]) if len(sys.argv) == 3 else ROOT / "docs/images"
    slower = draw_hero(tracker, folder, medians())
    draw_terminal(tracker, folder, slower)


if __name__ == "__main__":
    main()
