# Every candidate's output is checked and stands in the CSV; the plan stands twice; tables, page and CSV can be made of it again.
telar sweep reduce "$ROOT/examples/scale.wgsl" --count 3001 --time 10ms --csv a.csv --html a.html --json >a.json || echo "failed"
python3 - <<'PY'
import csv, json
found = json.load(open("a.json"))
print(*found)
print(*found["results"][0])
rows = list(csv.DictReader(line for line in open("a.csv") if not line.startswith("#")))
for kernel in ("reduce", "scale"):
    own = [row for row in rows if row["kernel"] == kernel]
    result = next(result for result in found["results"] if result["kernel"] == kernel)
    roles = [role for row in own for role in row["role"].split("+") if role]
    print(kernel, len(own) > 80, {row["verified"] for row in own}, sorted(set(row["shape"] for row in own)),
          *(roles.count(role) for role in ("plan", "again", "lesson", "default", "best", "copy")))
    best = next(row for row in own if "best" in row["role"].split("+"))
    final = [float(row["us"]) for row in own if int(row["rounds"]) > 1 and row["role"] not in ("again", "copy")]
    print(float(best["us"]) == min(final), abs(result["best"]["us"] / float(best["us"]) - 1) < 1e-4, result["wrong"], result["count"])
PY
telar sweep --from a.csv --csv b.csv >b.txt; cmp a.csv b.csv; grep -c '^| \(reduce\|scale\) | 3001 |' b.txt
telar sweep --from a.csv --from b.csv --lang es --html b.html | grep -c '^plan / mejor: mediana'
cat >page.py <<'PY'
import html.parser, json, sys
class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.scripts, self.outside = [], [], []
    def handle_starttag(self, tag, attributes):
        if tag not in ("meta", "link"): self.open.append(tag)
        self.outside += [value for name, value in attributes if name in ("src", "href")]
        if tag == "script": self.scripts.append([dict(attributes).get("type"), ""])
    def handle_endtag(self, tag): assert self.open.pop() == tag
    def handle_data(self, data):
        if self.open[-1:] == ["script"]: self.scripts[-1][1] += data
page = Page()
page.feed(open(sys.argv[1]).read())
page.close()
data = json.loads(next(text for kind, text in page.scripts if kind == "application/json"))
print(page.open, page.outside, data["language"], len(data["runs"]), {len(row) for row in data["rows"]} == {len(data["columns"])})
PY
python3 page.py a.html; python3 page.py b.html
telar sweep --from a.csv --html c.html --link ../uplot --json >c.json; python3 page.py c.html
grep -c "uPlot (v1\|The MIT License" c.html
# A kernel that goes wrong at sizes above 64 is found, and says so by its status.
cat >wrong.wgsl <<'WGSL'
override size: u32 = 64;
@group(0) @binding(0) var<storage, read_write> d: array<u32>;
@compute @workgroup_size(size)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if (id.x < arrayLength(&d)) { d[id.x] = id.x + select(0u, 1u, size > 64u && id.x == 70u); }
}
WGSL
telar sweep wrong.wgsl --count 100 --time 10ms --csv wrong.csv >wrong.txt 2>wrong.log; echo "exit $?"
grep -v '^#' wrong.csv | cut -d, -f7,14 | sort -u
grep -c "1 of the 100 words of 'd' are wrong, the first is 70" wrong.log
grep '^WRONG' wrong.txt
bad() { telar sweep "$@" 2>&1; echo "exit $?"; }
bad
bad reduce --from a.csv
bad nothing.wgsl
bad reduce --count 10x10
bad tile --count 10x10x10
bad reduce --time soon
bad --from missing.csv
{ head -12 a.csv; echo '"reduce",reduce,3001'; } >cut.csv; bad --from cut.csv
sed 's/,yes,/,maybe,/' a.csv >odd.csv; bad --from odd.csv
bad reduce --csv no/such/folder/a.csv
