"""Writes the shaders of Tint's tests of uniformity into a folder, with the verdict that each test expects.

usage: uniformity_shaders.py uniformity_test.cc FOLDER

uniformity_test.cc is src/tint/lang/wgsl/resolver/uniformity_test.cc of google/dawn. It is compiled with gtest and with
stand-ins for what it takes from Tint, so that its parametrised tests expand as they do there; a test then writes its shader
instead of running it. The two tests that build syntax trees by hand are written here as text. FOLDER gets SUITE.TEST.wgsl
and verdicts.tsv: file, accept or reject. Nothing of it is kept in this repository."""
import pathlib
import re
import subprocess
import sys
import tempfile

STAND_INS = r"""
#include <gtest/gtest.h>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>
#undef EXPECT_EQ
#undef EXPECT_TRUE
#undef EXPECT_FALSE
struct Sink { template <class T> Sink& operator<<(const T&) { return *this; } };
struct Die { [[noreturn]] ~Die() { abort(); } template <class T> Die& operator<<(const T&) { return *this; } };
#define EXPECT_EQ(...) Sink()
#define EXPECT_TRUE(...) Sink()
#define EXPECT_FALSE(...) Sink()
#define EXPECT_THAT(...) Sink()
#define TINT_ASSERT(x) Sink()
#define TINT_ICE() Die()
#define TINT_UNREACHABLE() Die()
namespace tint {
struct StringStream {
    std::ostringstream s;
    template <class T> StringStream& operator<<(const T& t) { s << t; return *this; }
    std::string str() const { return s.str(); }
};
namespace wgsl {
enum class DiagnosticSeverity { kUndefined, kError, kWarning, kInfo, kOff };
inline std::ostream& operator<<(std::ostream& o, DiagnosticSeverity d) {
    const char* names[] = {"undefined", "error", "warning", "info", "off"};
    return o << names[(int)d];
}
}  // namespace wgsl
}  // namespace tint
static void write_shader(const std::string& source, bool accept) {
    static std::string last;
    static int nth = 0;
    static std::ofstream verdicts(std::string(FOLDER) + "/verdicts.tsv");
    auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string(info->test_suite_name()) + "." + info->name();
    for (char& c : name) if (c == '/') c = '+';
    nth = name == last ? nth + 1 : 0;
    last = name;
    if (nth > 0) name += "#" + std::to_string(nth);
    std::ofstream(std::string(FOLDER) + "/" + name + ".wgsl") << source;
    verdicts << name << ".wgsl\t" << (accept ? "accept" : "reject") << "\n";
}
"""

BASE = """class UniformityAnalysisTestBase {
  protected:
    void RunTest(std::string source, bool should_pass) { write_shader(source, should_pass); }
    std::string error_;
};

"""


def without(text, begin, end):
    """The text without what is from begin to the end that follows."""
    at = text.index(begin)
    return text[:at] + text[text.index(end, at + len(begin)):]


def program(text, folder):
    text = re.sub(r'#include "(src/tint|gmock|gtest).*\n', "", text)
    text = re.sub(r"using namespace tint::core::(fluent_types|number_suffixes);.*\n", "", text)
    at = text.index("class UniformityAnalysisTestBase {")
    text = text[:at] + BASE + text[text.index("class UniformityAnalysisTest :", at):]
    text = without(text, "TEST_F(UniformityAnalysisTest, MaximumNumberOfPointerParameters)", "\nTEST_F")
    text = without(text, "TEST_F(UniformityAnalysisTest, StressGraphTraversalDepth)", "\n////")
    return f'#define FOLDER "{folder}"\n' + STAND_INS + text


def pointer_parameters(count=255):
    params = ", ".join(f"p{k}: ptr<function, i32>" for k in range(count))
    total = " + ".join(f"*p{k}" for k in range(count))
    stores = "".join(f"  *p{k} = rhs;\n" for k in range(1, count))
    variables = "".join(f"  var v{k}: i32;\n" for k in range(count))
    arguments = ", ".join(f"&v{k}" for k in range(count))
    return (f"var<private> non_uniform: i32;\nfn foo({params}) {{\n  let rhs = {total};\n{stores}}}\n"
            f"fn main() {{\n{variables}  v0 = non_uniform;\n  foo({arguments});\n"
            f"  if (v{count - 1} == 0) {{ workgroupBarrier(); }}\n}}\n")


def long_chain(count=100000):
    variables = "".join(f"  var v{k} = v{k - 1};\n" for k in range(1, count))
    return f"var<private> v0: i32;\nfn foo() {{\n{variables}  if (v{count - 1} == 0) {{ workgroupBarrier(); }}\n}}\n"


def main(source, folder):
    out = pathlib.Path(folder).resolve()
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        code, binary = pathlib.Path(scratch, "tests.cc"), pathlib.Path(scratch, "tests")
        code.write_text(program(pathlib.Path(source).read_text(), out))
        subprocess.run(["c++", "-std=c++20", "-O0", "-w", code, "-o", binary, "-lgtest", "-lgtest_main", "-lpthread"], check=True)
        subprocess.run([binary, "--gtest_brief=1"], check=True)
    by_hand = {"MaximumNumberOfPointerParameters": pointer_parameters(), "StressGraphTraversalDepth": long_chain()}
    with open(out / "verdicts.tsv", "a") as verdicts:
        for name, text in by_hand.items():
            (out / f"UniformityAnalysisTest.{name}.wgsl").write_text(text)
            verdicts.write(f"UniformityAnalysisTest.{name}.wgsl\treject\n")


if len(sys.argv) != 3:
    sys.exit(__doc__)
main(*sys.argv[1:])
