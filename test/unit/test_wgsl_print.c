/* SPDX-License-Identifier: MIT
 *
 * The printer: canonical text of every construct, each checked to be a fixed point with the same tree; and carets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "wgsl_help.h"

#include <string.h>

typedef struct print_case {
    const char *source;
    const char *printed;
} print_case;

static void expressions(void **state)
{
    (void)state;
    static const print_case cases[] = {
        {"a+b*-c", "a + b * -c"},
        {"(a+b)*c", "(a + b) * c"},
        {"((a))", "((a))"},
        {"a- -b", "a - -b"},
        {"a--b", "a - -b"},
        {"- - - a", "- - -a"},
        {"-(-a)", "-(-a)"},
        {"&  & a", "& &a"},
        {"a&&b", "a && b"},
        {"*&*p", "*&*p"},
        {"!~a", "!~a"},
        {"f ( a , b , )", "f(a, b)"},
        {"vec2 < f32 , > ( 1 )", "vec2<f32>(1)"},
        {"array<vec4<f32>,(1>2)>( )", "array<vec4<f32>, (1 > 2)>()"},
        {"a<b<c>>(d)", "a<b<c>>(d)"},
        {"a<b>==c", "a<b> == c"},
        {"f(a<b,c==d)", "f(a < b, c == d)"},
        {"a [ 1 ] . x", "a[1].x"},
        {"1 .x", "1 .x"},
        {"0x1 .x", "0x1 .x"},
        {"1. .x", "1..x"},
        {"1.5.x", "1.5.x"},
        {"a /* x */ + // y\n b", "a + b"},
        {"a<<b", "a << b"},
        {"a/ *p", "a / *p"},
    };
    char source[256];
    char printed[256];
    for (size_t i = 0; i < TL_COUNT(cases); i++) {
        telar_out in = {.data = source, .cap = sizeof source};
        telar_out out = {.data = printed, .cap = sizeof printed};
        tl_out_format(&in, "const c=%s;", cases[i].source);
        tl_out_format(&out, "const c = %s;\n", cases[i].printed);
        assert_string_equal(help_print(source), printed);
    }
}

static void modules(void **state)
{
    (void)state;
    static const print_case cases[] = {
        {"", ""},
        {"enable f16,subgroups;requires a;diagnostic(off,a.b);diagnostic(off , a);",
         "enable f16, subgroups;\nrequires a;\ndiagnostic(off, a.b);\ndiagnostic(off, a);\n"},
        {"enable f16;const a=1;", "enable f16;\n\nconst a = 1;\n"},
        {"alias T=array<f32,4>;;const_assert a<b;@id(1)override x:f32=2;override y:u32;",
         "alias T = array<f32, 4>;\nconst_assert a < b;\n@id(1) override x: f32 = 2;\noverride y: u32;\n"},
        {"@group(0)@binding( 1 , )var<storage,read_write,>a:array<u32>;var<private> b=1;",
         "@group(0) @binding(1) var<storage, read_write> a: array<u32>;\nvar<private> b = 1;\n"},
        {"const a=1;struct S{@size(16)a:f32,b:u32};const c=1;const d=2;",
         "const a = 1;\n\nstruct S {\n    @size(16) a: f32,\n    b: u32,\n}\n\nconst c = 1;\nconst d = 2;\n"},
        {"@compute @workgroup_size(8,8)fn f(@builtin(position,)p:vec4f,q:f32,)->@location(0)f32{}",
         "@compute @workgroup_size(8, 8)\nfn f(@builtin(position) p: vec4f, q: f32) -> @location(0) f32 {}\n"},
        {"fn f()@diagnostic(off,a){}fn g(){}", "fn f() @diagnostic(off, a) {}\n\nfn g() {}\n"},
    };
    for (size_t i = 0; i < TL_COUNT(cases); i++) { assert_string_equal(help_print(cases[i].source), cases[i].printed); }
}

static void statements(void **state)
{
    (void)state;
    static const print_case cases[] = {
        {"var a:i32=1;let b=2;const c=3;", "    var a: i32 = 1;\n    let b = 2;\n    const c = 3;\n"},
        {"a=b;a+=b;a>>=b;_=c;a++;a--;f(a);;",
         "    a = b;\n    a += b;\n    a >>= b;\n    _ = c;\n    a++;\n    a--;\n    f(a);\n"},
        {"if a{b=c;}else if(d){}else{e=f;}",
         "    if a {\n        b = c;\n    } else if (d) {} else {\n        e = f;\n    }\n"},
        {"switch a{case 1,{}case 2,default:{break;}}",
         "    switch a {\n        case 1: {}\n        case 2, default: {\n            break;\n        }\n    }\n"},
        {"switch a @diagnostic(off,b){default{}}", "    switch a @diagnostic(off, b) {\n        default: {}\n    }\n"},
        {"switch a{case default{}}", "    switch a {\n        case default: {}\n    }\n"},
        {"loop{continue;continuing{break if a;}}",
         "    loop {\n        continue;\n        continuing {\n            break if a;\n        }\n    }\n"},
        {"while a{discard;}", "    while a {\n        discard;\n    }\n"},
        {"for(;;){}for(var i=0;i<n;i++){}for(i=0;;i-=1){}",
         "    for (;;) {}\n    for (var i = 0; i < n; i++) {}\n    for (i = 0;; i -= 1) {}\n"},
        {"@diagnostic(off,a){return;}return(a);",
         "    @diagnostic(off, a) {\n        return;\n    }\n    return (a);\n"},
        {"const_assert(a);", "    const_assert (a);\n"},
    };
    char source[512];
    char printed[512];
    for (size_t i = 0; i < TL_COUNT(cases); i++) {
        telar_out in = {.data = source, .cap = sizeof source};
        telar_out out = {.data = printed, .cap = sizeof printed};
        tl_out_format(&in, "fn f(){%s}", cases[i].source);
        tl_out_format(&out, "fn f() {\n%s}\n", cases[i].printed);
        assert_string_equal(help_print(source), printed);
    }
}

static void sizes(void **state)
{
    (void)state;
    const telar_wgsl *m = help_read("const a=1;");
    telar_out query = {0};
    telar_diag diag = {0};
    assert_int_equal(telar_wgsl_print(m, &query, &diag), TELAR_NO_SPACE);
    assert_int_equal(diag.got, strlen("const a = 1;\n"));
    assert_int_equal(query.len, strlen("const a = 1;\n"));
}

static const char *caret(const char *source, telar_diag diag)
{
    static char text[1024];
    telar_out out = {.data = text, .cap = sizeof text};
    assert_int_equal(telar_wgsl_caret("f", source, strlen(source), &diag, &out), TELAR_OK);
    return text;
}

static void carets(void **state)
{
    (void)state;
    assert_string_equal(caret("", (telar_diag){.text = "bad"}), "f: error: bad\n");
    assert_string_equal(caret("", (telar_diag){.line = 1, .column = 1, .text = "bad"}), "f:1:1: error: bad\n\n^\n");
    assert_string_equal(caret("a\n\tb c", (telar_diag){.line = 2, .column = 4, .offset = 5, .text = "bad"}),
                        "f:2:4: error: bad\n\tb c\n\t  ^\n");
    /* wide and combining characters, escapes */
    assert_string_equal(
        caret("\xE6\x95\xB0 a\xCC\x81 \x1B[1m x", (telar_diag){.line = 1, .column = 13, .offset = 12, .text = "bad"}),
        "f:1:13: error: bad\n\xE6\x95\xB0 a\xCC\x81 ?[1m x\n         ^\n");
    /* an offset beyond the source shows no line */
    assert_string_equal(caret("a", (telar_diag){.line = 1, .column = 9, .offset = 8, .text = "bad"}),
                        "f:1:9: error: bad\n");
    /* a long line is cut */
    char line[1001];
    memset(line, 'x', 1000);
    line[1000] = '\0';
    const char *text = caret(line, (telar_diag){.line = 1, .column = 501, .offset = 500, .text = "bad"});
    assert_int_equal(strlen(text), strlen("f:1:501: error: bad\n") + 3 + 120 + 60 + 1 + 3 + 120 + 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions), cmocka_unit_test(modules), cmocka_unit_test(statements),
        cmocka_unit_test(sizes),       cmocka_unit_test(carets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
