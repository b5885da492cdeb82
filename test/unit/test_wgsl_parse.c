/* SPDX-License-Identifier: MIT
 *
 * The parser: trees of every construct, full texts of its errors, recovery, limits, spans. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "wgsl_help.h"

#include <stdlib.h>
#include <string.h>

typedef struct text_case {
    const char *source;
    const char *expected;
} text_case;

static void expressions(void **state)
{
    (void)state;
    static const text_case cases[] = {
        {"a", "a"},
        {"1u", "1u"},
        {"0x1.8p3f", "0x1.8p3f"},
        {"true", "true"},
        {"(a)", "(paren a)"},
        {"-a", "(neg a)"},
        {"!~-a", "(not (com (neg a)))"},
        {"*&a", "(deref (addr a))"},
        {"- -a", "(neg (neg a))"},
        {"--a", "(neg (neg a))"},
        {"a--b", "(- a (neg b))"},
        {"a + b * c", "(+ a (* b c))"},
        {"a * b + c", "(+ (* a b) c)"},
        {"a - b - c", "(- (- a b) c)"},
        {"a / b % c * d", "(* (% (/ a b) c) d)"},
        {"a + b < c * d", "(< (+ a b) (* c d))"},
        {"a << b", "(<< a b)"},
        {"a >> b < c << d", "(< (>> a b) (<< c d))"},
        {"a == b && c != d || e", "error: '&&' and '||' need parentheses between them"},
        {"(a == b && c) || e", "(|| (paren (&& (== a b) c)) e)"},
        {"a && b && c", "(&& (&& a b) c)"},
        {"a || b || c", "(|| (|| a b) c)"},
        {"a & b & c", "(& (& a b) c)"},
        {"a | -b | c()", "(| (| a (neg b)) (call c))"},
        {"a ^ b", "(^ a b)"},
        {"a & b | c", "error: '&' and '|' need parentheses between them"},
        {"a + b & c", "error: '+' and '&' need parentheses between them"},
        {"a & b == c", "error: '==' and '&' need parentheses between them"},
        {"a < b < c", "error: '<' and '<' need parentheses between them"},
        {"a == b == c", "error: '==' and '==' need parentheses between them"},
        {"a << b << c", "error: '<<' and '<<' need parentheses between them"},
        {"a + b << c", "error: '+' and '<<' need parentheses between them"},
        {"a << b + c", "error: '+' and '<<' need parentheses between them"},
        {"a.b", "(. b a)"},
        {"a.b.c[d].e", "(. e (index (. c (. b a)) d))"},
        {"-a.b", "(neg (. b a))"},
        {"(*p).x", "(. x (paren (deref p)))"},
        {"f()", "(call f)"},
        {"f(a,b,)", "(call f a b)"},
        {"f(a)(b)", "error: expected ';' after a constant declaration, found '('"},
        {"f(a).x", "(. x (call f a))"},
        {"f(a)[1]", "(index (call f a) 1)"},
        {"vec2<f32>(1, 2.0)", "(call vec2< f32 > 1 2.0)"},
        {"array<vec4<f32>,(1>2)>", "array< vec4< f32 > (paren (> 1 2)) >"},
        {"array<f32, N + 1,>()", "(call array< f32 (+ N 1) >)"},
        {"a<b>(c)", "(call a< b > c)"},
        {"a < b > (c)", "(call a< b > c)"},
        {"f(a < b, c > (d))", "(call f (call a< b c > d))"},
        {"f(a < b, c == d)", "(call f (< a b) (== c d))"},
        {"(a < b) > c", "(> (paren (< a b)) c)"},
        {"a<b<c>>(d)", "(call a< b< c > > d)"},
        {"bitcast<vec2<u32>>(x)", "(call bitcast< vec2< u32 > > x)"},
        {"a<>", "error: expected a template argument after '<', found '>'"},
        {"", "error: expected an expression, found ';'"},
        {"(a", "error: expected ')' after an expression, found ';'"},
        {"a[", "error: expected an expression, found ';'"},
        {"a[1", "error: expected ']' after an index, found ';'"},
        {"a.1", "error: expected ';' after a constant declaration, found '.1'"},
        {"a.", "error: expected the name of a member after '.', found ';'"},
        {"f(a b)", "error: expected ')' after the arguments of a call, found 'b'"},
        {"a + mod", "error: expected an expression, found the reserved word 'mod'"},
        {"a<b,c>d", "error: expected ';' after a constant declaration, found 'd'"},
    };
    for (size_t i = 0; i < TL_COUNT(cases); i++) {
        assert_string_equal(help_expression(cases[i].source), cases[i].expected);
    }
}

static void declarations(void **state)
{
    (void)state;
    static const text_case cases[] = {
        {"", ""},
        {";;", ""},
        {"enable f16; enable a, b,; requires c;", "(enable f16)\n(enable a b)\n(requires c)"},
        {"diagnostic(off, a.b); diagnostic(error,a,);", "(diagnostic off a b)\n(diagnostic error a)"},
        {"alias T = array<f32>;", "(alias T array< f32 >)"},
        {"const a : i32 = 1;", "(const a i32 1)"},
        {"override x = 1; @id(3) override y : f32;", "(override x ~ 1)\n(override y [ (@ id 3) ] f32 ~)"},
        {"const_assert a < b;", "(const_assert (< a b))"},
        {"var<private> a : f32 = 1; var<storage, read_write> b : array<u32>; var c = 1; var<immediate> d : u32;",
         "(var a [ private ] f32 1)\n(var b [ storage read_write ] array< u32 > ~)\n(var c ~ 1)\n"
         "(var d [ immediate ] u32 ~)"},
        {"@group(0) @binding(1) var t : texture_2d<f32>;", "(var t [ (@ group 0) (@ binding 1) ] texture_2d< f32 > ~)"},
        {"struct S { a : u32, @align(16) @size(N*2) b : array<atomic<u64>, 4>, }",
         "(struct S (member a u32) (member b [ (@ align 16) (@ size (* N 2)) ] array< atomic< u64 > 4 >))"},
        {"struct S { a : u32 };", "(struct S (member a u32))"},
        {"fn f() {}", "(fn f ~ (block))"},
        {"@compute @workgroup_size(8,8,) fn f(@builtin(position) p : vec4f, q : ptr<function, f32>,) "
         "-> @location(0) @interpolate(flat, either) f32 { }",
         "(fn f [ (@ compute) (@ workgroup_size 8 8) ] [ (param p [ (@ builtin position) ] vec4f) "
         "(param q ptr< function f32 >) ] [ (@ location 0) (@ interpolate flat either) ] f32 (block))"},
        {"@must_use @const fn f() @diagnostic(off, a) {}",
         "(fn f [ (@ must_use) (@ const) ] ~ (block [ (@ diagnostic off a) ]))"},
        {"@diagnostic(off, a.b) fn f() {}", "(fn f [ (@ diagnostic off a b) ] ~ (block))"},
        {"@mesh(v) @early_depth_test(force) @task fn f() {}",
         "(fn f [ (@ mesh v) (@ early_depth_test force) (@ task) ] ~ (block))"},
        {"struct S { @color(0) @blend_src(1) a : f32, @input_attachment_index(1) b : f32, @per_primitive c : u32 }",
         "(struct S (member a [ (@ color 0) (@ blend_src 1) ] f32) (member b [ (@ input_attachment_index 1) ] f32) "
         "(member c [ (@ per_primitive) ] u32))"},
        {"fn \xC3\xA9t\xC3\xA9() {}", "(fn \xC3\xA9t\xC3\xA9 ~ (block))"},
    };
    for (size_t i = 0; i < TL_COUNT(cases); i++) { assert_string_equal(help_tree(cases[i].source), cases[i].expected); }
}

static void statements(void **state)
{
    (void)state;
    static const text_case cases[] = {
        {";;", ""},
        {"var a : i32 = 1; let b = 2; const c = 3; var<function> d : f32;",
         " (var a i32 1) (let b ~ 2) (const c ~ 3) (var d [ function ] f32 ~)"},
        {"a = b; a.x[1] = c; *p = d; (a) = e; _ = f();",
         " (assign a b) (assign (index (. x a) 1) c) (assign (deref p) d) (assign (paren a) e) (phony (call f))"},
        {"a += 1; a -= 1; a *= 1; a /= 1; a %= 1;",
         " (assign+ a 1) (assign- a 1) (assign* a 1) (assign/ a 1) (assign% a 1)"},
        {"a &= 1; a |= 1; a ^= 1; a <<= 1; a >>= 1;",
         " (assign& a 1) (assign| a 1) (assign^ a 1) (assign<< a 1) (assign>> a 1)"},
        {"a++; a--; a.x++; (*p)--;", " (++ a) (-- a) (++ (. x a)) (-- (paren (deref p)))"},
        {"f(); f(a, b); vec2<f32>(1);", " (do (call f)) (do (call f a b)) (do (call vec2< f32 > 1))"},
        {"return; return a + b; discard; ", " (return) (return (+ a b)) (discard)"},
        {"if a {} if (a < b) { c = d; }", " (if a (block)) (if (paren (< a b)) (block (assign c d)))"},
        {"if a {} else if b {} else if c {} else {}", " (if a (block) b (block) c (block) (block))"},
        {"if a {} else {}", " (if a (block) (block))"},
        {"switch a { case 1 {} case 2, 3,: {} case 4, default {} default: {} }",
         " (switch a (case 1 (block)) (case 2 3 (block)) (case 4 (default) (block)) (case (default) (block)))"},
        {"switch (a) @diagnostic(off,x) { default @diagnostic(off,y) { break; } }",
         " (switch (paren a) [ (@ diagnostic off x) ] (case (default) (block [ (@ diagnostic off y) ] (break))))"},
        {"loop { a++; break; continuing { b++; break if a > b; } }",
         " (loop (block (++ a) (break) (continuing (block (++ b) (break-if (> a b))))))"},
        {"loop { continue; }", " (loop (block (continue)))"},
        {"while a < b { c++; }", " (while (< a b) (block (++ c)))"},
        {"for (;;) {} for (var i = 0; i < n; i++) { }",
         " (for ~ ~ ~ (block)) (for (var i ~ 0) (< i n) (++ i) (block))"},
        {"for (i = 0; ; f()) {} for (let i = 0;; i -= 1) {} for (const c = 1;; c--) {}",
         " (for (assign i 0) ~ (do (call f)) (block)) (for (let i ~ 0) ~ (assign- i 1) (block)) "
         "(for (const c ~ 1) ~ (-- c) (block))"},
        {"{ { } { a = b; } }", " (block (block) (block (assign a b)))"},
        {"@diagnostic(off, x) if a {} @diagnostic(off, x) for (;;) {} @diagnostic(off, x) {}",
         " (if [ (@ diagnostic off x) ] a (block)) (for [ (@ diagnostic off x) ] ~ ~ ~ (block)) "
         "(block [ (@ diagnostic off x) ])"},
        {"const_assert true;", " (const_assert true)"},
    };
    char source[512];
    char expected[512];
    for (size_t i = 0; i < TL_COUNT(cases); i++) {
        telar_out in = {.data = source, .cap = sizeof source};
        telar_out out = {.data = expected, .cap = sizeof expected};
        tl_out_format(&in, "fn f() { %s }", cases[i].source);
        tl_out_format(&out, "(fn f ~ (block%s))", cases[i].expected);
        assert_string_equal(help_tree(source), expected);
    }
}

/* Full texts, with line and caret. */
static void error_texts(void **state)
{
    (void)state;
    static const text_case cases[] = {
        {"fn f() {\n    var a = 1\n    let b = 2;\n}\n",
         "f:3:5: error: expected ';' after a variable declaration, found 'let'\n"
         "    let b = 2;\n"
         "    ^\n"},
        {"fn f() {\n\treturn x }\n", "f:2:11: error: expected ';' after 'return', found '}'\n"
                                     "\treturn x }\n"
                                     "\t         ^\n"},
        {"const \xC3\xA9\xC3\xA9 = /* \xE6\x95\xB0 */ ;", "f:1:24: error: expected an expression, found ';'\n"
                                                          "const \xC3\xA9\xC3\xA9 = /* \xE6\x95\xB0 */ ;\n"
                                                          "                    ^\n"},
        {"fn f() {", "f:1:9: error: expected '}' at the end of a block, found the end of the file\n"
                     "fn f() {\n"
                     "        ^\n"},
        {"a\r\n", "f:1:1: error: expected a declaration, found 'a'\n"
                  "a\n"
                  "^\n"},
        {"@foo var a : f32;", "f:1:2: error: unknown attribute 'foo'\n"
                              "@foo var a : f32;\n"
                              " ^\n"},
        {"@workgroup_size() fn f() {}", "f:1:2: error: attribute 'workgroup_size' takes 1 to 3 arguments, found 0\n"
                                        "@workgroup_size() fn f() {}\n"
                                        " ^\n"},
        {"@align(4) struct S { a : f32 }",
         "f:1:11: error: expected 'fn', 'var' or 'override' after attributes, found 'struct'\n"
         "@align(4) struct S { a : f32 }\n"
         "          ^\n"},
        {"const a = 1;\nenable f16;", "f:2:1: error: directives must come before all declarations\n"
                                      "enable f16;\n"
                                      "^\n"},
        {"struct S { }", "f:1:12: error: expected a member of a structure, found '}'\n"
                         "struct S { }\n"
                         "           ^\n"},
        {"struct S { a : f32; b : f32 }",
         "f:1:19: error: expected '}' or ',' after a member of a structure, found ';'\n"
         "struct S { a : f32; b : f32 }\n"
         "                  ^\n"},
        {"fn f() { f() = 1; }", "f:1:14: error: cannot assign to the result of a call\n"
                                "fn f() { f() = 1; }\n"
                                "             ^\n"},
        {"fn f() { a; }", "f:1:11: error: expected an assignment, '++', '--' or a call, found ';'\n"
                          "fn f() { a; }\n"
                          "          ^\n"},
        {"fn f() { loop { break if a; } }",
         "f:1:17: error: 'break if' may stand only at the end of a continuing block\n"
         "fn f() { loop { break if a; } }\n"
         "                ^\n"},
        {"fn f() { continuing { } }", "f:1:10: error: 'continuing' may stand only at the end of a loop's block\n"
                                      "fn f() { continuing { } }\n"
                                      "         ^\n"},
        {"fn f() { loop { continuing { } a = b; } }",
         "f:1:32: error: expected '}' after 'continuing', which comes last in its loop, found 'a'\n"
         "fn f() { loop { continuing { } a = b; } }\n"
         "                               ^\n"},
        {"fn f() { switch a { foo } }", "f:1:21: error: expected 'case' or 'default' in a switch, found 'foo'\n"
                                        "fn f() { switch a { foo } }\n"
                                        "                    ^\n"},
        {"fn f() { @diagnostic(off, x) return; }",
         "f:1:30: error: expected a block, if, switch, loop, while or for after attributes, found 'return'\n"
         "fn f() { @diagnostic(off, x) return; }\n"
         "                             ^\n"},
        {"fn f() { let a; }", "f:1:15: error: expected '=' and a value in a 'let' declaration, found ';'\n"
                              "fn f() { let a; }\n"
                              "              ^\n"},
        {"fn f(a) {}", "f:1:7: error: expected ':' after the name of a parameter, found ')'\n"
                       "fn f(a) {}\n"
                       "      ^\n"},
        {"var<private a : f32;", "f:1:4: error: expected the name of a variable, found '<'\n"
                                 "var<private a : f32;\n"
                                 "   ^\n"},
        {"const aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb = 1;",
         "f:1:66: error: expected '=' and a value in a constant declaration, found "
         "'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb...'\n"
         "const aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb = 1;\n"
         "                                                                 ^\n"},
    };
    for (size_t i = 0; i < TL_COUNT(cases); i++) {
        assert_string_equal(help_errors(cases[i].source), cases[i].expected);
    }
}

/* Places of all errors of a source: "2:5 3:1 ". */
static const char *places(const char *source)
{
    static char text[1024];
    telar_out out = {.data = text, .cap = sizeof text};
    const char *at = help_errors(source);
    text[0] = '\0';
    while (*at != '\0') {
        const char *end = strchr(at, '\n');
        if (strncmp(at, "f:", 2) == 0) {
            const char *colon = strchr(strchr(at + 2, ':') + 1, ':');
            tl_out_format(&out, "%.*s ", (int)(colon - at - 2), at + 2);
        }
        at = end + 1;
    }
    return text;
}

static void recovery(void **state)
{
    (void)state;
    static const text_case cases[] = {
        {"fn f() { a b; c d; }\nfn g() { e f; }", "1:12 1:17 2:12 "},
        {"fn f() {\n let a = ;\n if ( { b = ; }\n let c = ;\n}", "2:10 3:7 4:10 "},
        {"fn f() {\n let a = 1\n let b = 2\n}", "3:2 4:1 "},
        {"fn f() { {\nfn g() {}\nconst a = ;", "2:1 3:11 "},
        {"fn f(a b) { var c; }\nconst d = ;", "1:8 2:11 "},
        {"struct S { a : f32; b : f32 }\nconst d = ;", "1:19 2:11 "},
        {"x y z;\n@a fn f() {}\n@b fn g() {}\n", "1:1 2:2 3:2 "},
        {"}\n}\nconst a = ;", "1:1 2:1 3:11 "},
        {"fn f() { if a { b c } else { d = ; } e = ; }", "1:19 1:34 1:42 "},
        {"const a = #;\nconst b = $;", "1:11 2:11 "},
    };
    for (size_t i = 0; i < TL_COUNT(cases); i++) { assert_string_equal(places(cases[i].source), cases[i].expected); }
}

/* before, n times open, middle, n times close, after. */
static char *nest(const char *before, const char *open, const char *middle, const char *close, const char *after,
                  size_t n)
{
    size_t cap = strlen(before) + strlen(after) + strlen(middle) + n * (strlen(open) + strlen(close)) + 1;
    telar_out out = {.data = malloc(cap), .cap = cap};
    tl_out_text(&out, before);
    for (size_t i = 0; i < n; i++) tl_out_text(&out, open);
    tl_out_text(&out, middle);
    for (size_t i = 0; i < n; i++) tl_out_text(&out, close);
    tl_out_text(&out, after);
    return out.data;
}

static void count_report(void *user, const telar_diag *diag)
{
    (void)diag;
    ++*(unsigned *)user;
}

static void reports_are_bounded(void **state)
{
    (void)state;
    char *source = nest("", "@a var b; ", "", "", "", 800);
    char memory[1 << 18];
    telar_arena arena = telar_arena_make(memory, sizeof memory);
    unsigned count = 0;
    telar_wgsl *module;
    telar_diag diag = {0};
    assert_int_equal(telar_wgsl_read_report(source, 8000, &arena, count_report, &count, &module, &diag),
                     TELAR_INVALID_WGSL);
    assert_null(module);
    assert_int_equal(count, TELAR_WGSL_MAX_REPORTS);
    assert_int_equal(diag.line, 1); /* the first one */
    assert_int_equal(diag.column, 2);
    assert_int_equal(arena.used, 0);
    free(source);
}

typedef struct nest_case {
    const char *before, *open, *middle, *close, *after;
} nest_case;

static void hostile_nesting(void **state)
{
    (void)state;
    static const nest_case cases[] = {
        {"const a = ", "(", "1", ")", ";"},
        {"const a = ", "-", "1", "", ";"},
        {"const a = ", "a[", "1", "]", ";"},
        {"const a = ", "f(", "1", ")", ";"},
        {"alias a = ", "a<", "b", ">", ";"},
        {"fn f() { ", "{", "", "}", "}"},
        {"fn f() { ", "if a {", "", "}", "}"},
        {"fn f() { ", "loop { continuing {", "", "}}", "}"},
        {"fn f() { ", "switch a { default {", "", "}}", "}"},
        {"@size(", "(", "1", ")", ") var a : f32;"},
    };
    for (size_t i = 0; i < TL_COUNT(cases); i++) {
        const nest_case *c = &cases[i];
        char *shallow = nest(c->before, c->open, c->middle, c->close, c->after, 100);
        char *deep = nest(c->before, c->open, c->middle, c->close, c->after, 100000);
        assert_non_null(help_read(shallow));
        assert_null(help_read(deep));
        assert_string_equal(help_diag.text, "nested deeper than 256 levels");
        free(shallow);
        free(deep);
    }
}

/* Chains are no nesting. */
static void long_chains(void **state)
{
    (void)state;
    static const nest_case cases[] = {
        {"const a = 1", " + 1", "", "", ";"},       {"const a = b", ".c", "", "", ";"},
        {"const a = b", "[1]", "", "", ";"},        {"fn f() { if a {}", " else if a {}", "", "", "}"},
        {"const a = f(1", ", 1 < b", "", "", ");"}, {"const a = 1; /", "*", "", "*", "/"},
        {"fn f() {", "a++;", "", "", "}"},
    };
    for (size_t i = 0; i < TL_COUNT(cases); i++) {
        const nest_case *c = &cases[i];
        char *text = nest(c->before, c->open, c->middle, c->close, c->after, 50000);
        assert_non_null(help_read(text));
        assert_true(strncmp(help_print(text), "not", 3) != 0);
        free(text);
    }
}

static void spans(void **state)
{
    (void)state;
    const telar_wgsl *m = help_read("@group(0) var<storage> a : array<u32>; // c\n"
                                    "fn f() { x.y[i] += (b + c) * d; g ( h ) ; }");
    assert_non_null(m);
    static const text_case cases[] = {
        {"(var", "@group(0) var<storage> a : array<u32>;"},
    };
    tl_str text = tl_node_text(m, tl_list_at(m, m->declarations, 0));
    assert_true(tl_str_equal(text, tl_str_of(cases[0].expected)));
    uint32_t fn = tl_list_at(m, m->declarations, 1);
    uint32_t body = m->nodes[TL_PARTS(tl_fn_parts, m, fn)->body].a;
    uint32_t assign = tl_list_at(m, body, 0);
    assert_true(tl_str_equal(tl_node_text(m, assign), TL_STR("x.y[i] += (b + c) * d;")));
    assert_true(tl_str_equal(tl_node_text(m, m->nodes[assign].a), TL_STR("x.y[i]")));
    assert_true(tl_str_equal(tl_node_text(m, m->nodes[assign].b), TL_STR("(b + c) * d")));
    assert_true(tl_str_equal(tl_node_text(m, tl_list_at(m, body, 1)), TL_STR("g ( h ) ;")));
    uint32_t attributes = tl_node_attributes(m, tl_list_at(m, m->declarations, 0));
    assert_int_not_equal(tl_list_attribute(m, attributes, TL_ATTR_GROUP), 0);
    assert_int_equal(tl_list_attribute(m, attributes, TL_ATTR_BINDING), 0);
}

/* Any arena gives the module or NO_SPACE with a size to try, and is left as it was. */
static void small_arenas(void **state)
{
    (void)state;
    const char *source = "struct S { a : f32 } @compute @workgroup_size(1) fn f() { var a = 1; a = a + a; }";
    size_t length = strlen(source);
    char *memory = malloc(1 << 16);
    size_t enough = 0;
    for (size_t cap = 0; cap < 1 << 16 && enough == 0; cap++) {
        telar_arena arena = telar_arena_make(memory, cap);
        telar_wgsl *module;
        telar_diag diag = {0};
        telar_status status = tl_wgsl_read_syntax(source, length, &arena, NULL, NULL, &module, &diag);
        if (status == TELAR_OK) {
            enough = cap;
            continue;
        }
        assert_int_equal(status, TELAR_NO_SPACE);
        assert_int_equal(diag.status, TELAR_NO_SPACE);
        assert_null(module);
        assert_int_equal(arena.used, 0);
        assert_true(arena.needed > cap);
    }
    assert_true(enough > 0 && enough <= telar_wgsl_arena_bytes(length));
    free(memory);
}

static void source_limits(void **state)
{
    (void)state;
    telar_arena arena = telar_arena_make(NULL, 0);
    telar_wgsl *module;
    telar_diag diag = {0};
    assert_int_equal(telar_wgsl_read("", TELAR_WGSL_MAX_SOURCE_BYTES + 1, &arena, &module, &diag), TELAR_OVERFLOWS);
    assert_int_equal(telar_wgsl_read("", 0, &arena, &module, NULL), TELAR_NO_SPACE);
    assert_int_equal(telar_wgsl_arena_bytes(SIZE_MAX), SIZE_MAX);
    assert_string_equal(help_errors_bytes("const a\0 = 1;", 13),
                        "f:1:8: error: the source has a zero byte\nconst a? = 1;\n       ^\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions),     cmocka_unit_test(declarations),  cmocka_unit_test(statements),
        cmocka_unit_test(error_texts),     cmocka_unit_test(recovery),      cmocka_unit_test(reports_are_bounded),
        cmocka_unit_test(hostile_nesting), cmocka_unit_test(long_chains),   cmocka_unit_test(spans),
        cmocka_unit_test(small_arenas),    cmocka_unit_test(source_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
