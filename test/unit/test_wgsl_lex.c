/* SPDX-License-Identifier: MIT
 *
 * The lexer: words, signs, numbers, blanks, comments, template lists. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "wgsl/text.h"
#include "wgsl_help.h"

#include <string.h>

typedef struct token_case {
    const char *source;
    const char *tokens;
} token_case;

static void check(const token_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) { assert_string_equal(help_tokens(cases[i].source), cases[i].tokens); }
}

static void words(void **state)
{
    (void)state;
    static const token_case cases[] = {
        {"", ""},
        {"fn f", "fn name"},
        {"var vars va r", "var name name name"},
        {"const_assert const const_", "const_assert const name"},
        {"continuing continue", "continuing continue"},
        {"diagnostic enable requires override", "diagnostic enable requires override"},
        {"true false", "true false"},
        {"_ _a a_ a__", "_ name name name"},
        {"mod self yield NULL", "reserved reserved reserved reserved"},
        {"Mod SELF mod_", "name name name"},
        {"vec4 f32 array read_write storage i64", "name name name name name name"},
        {"a1 a1b2", "name name"},
        {"\xC3\xA9t\xC3\xA9 \xE6\x95\xB0 a\xCC\x81 \xF0\x9D\x94\x98", "name name name name"},
        {"__a", "error: a name may not begin with '__'"},
        {"\xC2\xB7", "error: character U+b7 is not allowed here"}, /* continues, cannot start */
        {"a\xE2\x82\xAC", "error: character U+20ac is not allowed here"},
    };
    check(cases, TL_COUNT(cases));
}

static void every_keyword(void **state)
{
    (void)state;
    for (int kind = TL_TOKEN_ALIAS; kind <= TL_TOKEN_WHILE; kind++) {
        const char *text = tl_token_kind_text((tl_wgsl_token_kind)kind);
        assert_int_equal(tl_word_kind(text, strlen(text)), kind);
    }
}

static void signs(void **state)
{
    (void)state;
    static const token_case cases[] = {
        {"()[]{}@.,:;", "( ) [ ] { } @ . , : ;"},
        {"+ - * / % ^ & | ! ~ = < >", "+ - * / % ^ & | ! ~ = < >"},
        {"+=-=*=/=%=^=&=|=", "+= -= *= /= %= ^= &= |="},
        {"<<=>>=<<>>", "<<= >>= << >>"},
        {"==!=<=>=", "== != <= >="},
        {"&&||++->", "&& || ++ ->"},
        {"a--b", "name - - name"},
        {"&&&", "&& &"},
        {"===", "== ="},
        {"a.b", "name . name"},
        {"#", "error: character '#' is not part of WGSL"},
        {"\"", "error: character '\"' is not part of WGSL"},
        {"\x01", "error: control character 0x1 is not allowed"},
        {"\xFF\xFE\xFF", "error: byte 0xff is not well-formed UTF-8"},
        {"\xC0\x80", "error: byte 0xc0 is not well-formed UTF-8"},
        {"\xED\xA0\x80", "error: byte 0xed is not well-formed UTF-8"},
        {"\xEF\xBB\xBF"
         "fn",
         "error: a byte order mark (U+FEFF) is not allowed; save the file without it"},
    };
    check(cases, TL_COUNT(cases));
}

static void numbers(void **state)
{
    (void)state;
    static const token_case cases[] = {
        {"0 1 12 0u 1i 1u 12u", "int int int int int int int"},
        {"0x0 0XfF 0x1u 0x1i", "int int int int"},
        {"1lu 1li 0x1lu 0xfli", "int int int int"},
        {"0f 1f 1h 12h 1lf", "float float float float float"},
        {"1. .5 1.5 00.5 1.f 1.h .5lf", "float float float float float float float"},
        {"1e5 1E+5 1e-5f 1.5e5h 012e3", "float float float float float"},
        {"0x1.8 0x.8 0x1. 0x1p4 0x1P-4f 0x1.8p+4h 0x1p4lf", "float float float float float float float"},
        {"0x1f 0xAf", "int int"},
        {"1..x", "float . name"},
        {"1-1", "int - int"},
        {"01", "error: '01' is not a number: an integer may not begin with '0'"},
        {"00", "error: '00' is not a number: an integer may not begin with '0'"},
        {"01f", "error: '01f' is not a number: an integer may not begin with '0'"},
        {"1x", "error: '1x' is not a number: a number may end in i, u, f, h, li, lu or lf only"},
        {"1ul", "error: '1ul' is not a number: a number may end in i, u, f, h, li, lu or lf only"},
        {"1.0u", "error: '1.0u' is not a number: a float may end in f, h or lf only"},
        {"1e", "error: '1e' is not a number: a number may end in i, u, f, h, li, lu or lf only"},
        {"0x", "error: '0x' is not a number: a hexadecimal literal needs a digit after '0x'"},
        {"0x.p1", "error: '0x.p1' is not a number: a hexadecimal literal needs a digit after '0x'"},
        {"0x1.8h", "error: '0x1.8h' is not a number: a hexadecimal float needs digits after 'p', before its suffix"},
        {"0x1p", "error: '0x1p' is not a number: a hexadecimal integer may end in i, u, li or lu only"},
        {"0x1p1u", "error: '0x1p1u' is not a number: a hexadecimal float may end in f, h or lf only"},
        {"1\xC3\xA9", "error: '1\xC3\xA9' is not a number: a number may end in i, u, f, h, li, lu or lf only"},
    };
    check(cases, TL_COUNT(cases));
}

static void blanks_and_comments(void **state)
{
    (void)state;
    static const token_case cases[] = {
        {" \t\n\v\f\r\r\na", "name"},
        {"a\xC2\x85"
         "b\xE2\x80\xA8"
         "c\xE2\x80\xA9"
         "d\xE2\x80\x8E"
         "e\xE2\x80\x8F"
         "f",
         "name name name name name name"},
        {"a//b\nc", "name name"},
        {"a//b\xC2\x85"
         "c",
         "name name"},
        {"a//b\xE2\x80\xA8"
         "c",
         "name name"},
        {"a//\xC3\xA9 /* \nb", "name name"},
        {"a//", "name"},
        {"a/**/b", "name name"},
        {"a/*/*b*/c*/d", "name name"},
        {"a/* // */b", "name name"},
        {"a/*/b*/c", "name name"},
        {"a/b", "name / name"},
        {"/* /* */", "error: comment is not closed, expected '*/'"},
        {"/*/", "error: comment is not closed, expected '*/'"},
        {"//\x80", "error: byte 0x80 is not well-formed UTF-8"},
    };
    check(cases, TL_COUNT(cases));
}

static void template_lists(void **state)
{
    (void)state;
    static const token_case cases[] = {
        {"vec2<f32>", "name T< name T>"},
        {"vec2 /**/ < f32 >", "name T< name T>"},
        {"var<private>", "var T< name T>"},
        {"a<b>(c)", "name T< name T> ( name )"},
        {"a < b > ( c )", "name T< name T> ( name )"},
        {"a<b,c>d", "name T< name , name T> name"},
        {"array<vec4<f32>>", "name T< name T< name T> T>"},
        {"array<vec4<f32>,(1>2)>", "name T< name T< name T> , ( int > int ) T>"},
        {"array<i32,select(2,3,a>b)>", "name T< name , name ( int , int , name > name ) T>"},
        {"array<i32,(a>>b)>", "name T< name , ( name >> name ) T>"},
        {"a<b>>c", "name T< name T> > name"},
        {"a<b<c>>>d", "name T< name T< name T> T> > name"},
        {"a<b<c>>=d", "name T< name T< name T> T> = name"},
        {"a<b>=c", "name T< name T> = name"},
        {"a<b>==c", "name T< name T> == name"},
        {"a<b", "name < name"},
        {"a<b && c>d", "name < name && name > name"},
        {"a<b || c>d", "name < name || name > name"},
        {"a<(b && c)>d", "name T< ( name && name ) T> name"},
        {"a<b; c>d", "name < name ; name > name"},
        {"a<b { c>d", "name < name { name > name"},
        {"a<b : c>d", "name < name : name > name"},
        {"a<b = c>d", "name < name = name > name"},
        {"a<b += c>d", "name < name += name > name"},
        {"a<b == c>d", "name T< name == name T> name"},
        {"a<b != c>d", "name T< name != name T> name"},
        {"a<b <= c>d", "name T< name <= name T> name"},
        {"a[b<c]>d", "name [ name < name ] > name"},
        {"f(a<b, c>(d))", "name ( name T< name , name T> ( name ) )"},
        {"f(a<b, c>d)", "name ( name T< name , name T> name )"},
        {"(a<b) > c", "( name < name ) > name"},
        {"1<2>3", "int < int > int"},
        {"a<<b>c", "name << name > name"},
        {"a<=b>c", "name <= name > name"},
        {"a(b)<c>d", "name ( name ) < name > name"},
        {"if a<b {", "if name < name {"},
        {"a<b<c", "name < name < name"},
        {"a<b<c>", "name < name T< name T>"},
        {"fn f()->vec2<f32>", "fn name ( ) -> name T< name T>"},
    };
    check(cases, TL_COUNT(cases));
}

static void identifier_characters(void **state)
{
    (void)state;
    assert_true(tl_is_xid_start(0xE9));
    assert_true(tl_is_xid_start(0x3B1));
    assert_true(tl_is_xid_start(0x4E00));
    assert_true(tl_is_xid_start(0x20000));
    assert_false(tl_is_xid_start(0x301));
    assert_true(tl_is_xid_continue(0x301));
    assert_true(tl_is_xid_continue(0x660));
    assert_false(tl_is_xid_start(0x660));
    assert_false(tl_is_xid_continue(0x2028));
    assert_false(tl_is_xid_continue(0xD7)); /* multiplication sign */
    assert_false(tl_is_xid_continue(0x10FFFF));
}

static void offsets_and_lengths(void **state)
{
    (void)state;
    const telar_wgsl *m = help_read("const a = 12u; // end\n");
    assert_non_null(m);
    assert_int_equal(m->token_count, 6);
    assert_int_equal(m->tokens[3].offset, 10);
    assert_int_equal(tl_token_end(m, 3), 13);
    assert_int_equal(m->tokens[5].offset, 22); /* END */
    assert_int_equal(tl_token_text(m, 5).len, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words),
        cmocka_unit_test(every_keyword),
        cmocka_unit_test(signs),
        cmocka_unit_test(numbers),
        cmocka_unit_test(blanks_and_comments),
        cmocka_unit_test(template_lists),
        cmocka_unit_test(identifier_characters),
        cmocka_unit_test(offsets_and_lengths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
