/* SPDX-License-Identifier: MIT
 *
 * Help, made from the tables of commands and options. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

#define HELP_COLUMNS 100
#define NAME_WIDTH 21 /* of the longest command, with two spaces */

size_t tl_columns(const char *text, size_t bytes)
{
    size_t count = 0;
    for (size_t k = 0; k < bytes; k++) count += ((unsigned char)text[k] & 0xC0) != 0x80;
    return count;
}

/* Prints a paragraph in lines that begin at `indent`; the first one has `used` columns already. */
static void wrap(const char *text, size_t indent, size_t used)
{
    size_t column = used;
    while (*text != 0) {
        size_t bytes = strcspn(text, " \n"), width = tl_columns(text, bytes);
        if (column > indent && column + 1 + width > HELP_COLUMNS) {
            printf("\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent) {
            putchar(' ');
            column++;
        }
        fwrite(text, 1, bytes, stdout);
        column += width;
        text += bytes;
        if (*text == '\n') {
            printf("\n%*s", (int)indent, "");
            column = indent;
        }
        if (*text != 0) text++;
    }
    putchar('\n');
}

/* Lines of a shell, which stay as they are. */
static void print_lines(const char *text)
{
    while (*text != 0) {
        int len = (int)strcspn(text, "\n");
        printf("  %.*s\n", len, text);
        text += len;
        text += *text == '\n';
    }
}

#define HELP_INDENT 28

static void print_option(const tl_cli *cli, const tl_option *option)
{
    bool argued = option->argument != NULL;
    int used = printf("  --%s%s%s", option->name, argued ? " " : "", argued ? option->argument : "");
    if (used + 1 > HELP_INDENT) {
        putchar('\n');
        used = 0;
    }
    printf("%*s", HELP_INDENT - used, "");
    wrap(option->help[cli->language], HELP_INDENT, HELP_INDENT);
}

static void print_group(const tl_cli *cli, const tl_option_group *group)
{
    printf("\n%s\n", group->title[cli->language]);
    for (size_t k = 0; k < group->count; k++) print_option(cli, &group->options[k]);
}

static void print_exits(const tl_cli *cli)
{
    printf("\n%s\n", TL_PICK(cli, "Exit status", "Estado de salida"));
    fputs(TL_PICK(cli,
                  "  0 done   1 findings, or a verification that failed   2 bad usage or input\n"
                  "  3 no usable device, or it was lost\n",
                  "  0 hecho   1 hallazgos, o una verificación fallida   2 uso o datos incorrectos\n"
                  "  3 no hay dispositivo utilizable, o se perdió\n"),
          stdout);
}

void tl_help_tool(const tl_cli *cli, const tl_command *const *commands, size_t count)
{
    printf("telar %s\n\n", telar_version());
    wrap(TL_PICK(cli,
                 "From a count and a kernel to a correct and fast WebGPU dispatch, with the reason "
                 "for every choice.",
                 "De un número de elementos y un kernel a un dispatch de WebGPU correcto y rápido, "
                 "con el porqué de cada decisión."),
         0, 0);
    printf("\n%s\n  telar %s\n\n%s\n", TL_PICK(cli, "Usage", "Uso"),
           TL_PICK(cli, "COMMAND [ARGUMENTS]", "ORDEN [ARGUMENTOS]"), TL_PICK(cli, "Commands", "Órdenes"));
    for (size_t k = 0; k < count; k++) {
        printf("  %-*s", NAME_WIDTH, commands[k]->name);
        wrap(commands[k]->summary[cli->language], NAME_WIDTH + 2, NAME_WIDTH + 2);
    }
    print_group(cli, &tl_common_options);
    printf("\n%s\n", TL_PICK(cli, "Environment", "Entorno"));
    fputs(TL_PICK(cli,
                  "  TELAR_WEBGPU  path of a WebGPU library, tried first\n"
                  "  TELAR_DEVICE  the default device, as wgpu:0\n",
                  "  TELAR_WEBGPU  ruta de una biblioteca WebGPU, la primera que se prueba\n"
                  "  TELAR_DEVICE  el dispositivo por defecto, por ejemplo wgpu:0\n"),
          stdout);
    print_exits(cli);
    printf("\n%s\n", TL_PICK(cli, "Example", "Ejemplo"));
    printf("  telar plan --count 3_000_001\n  telar plan --help\n");
}

void tl_help_command(const tl_cli *cli, const tl_command *command)
{
    printf("telar %s -", command->name);
    wrap(command->summary[cli->language], 0, strlen(command->name) + 8);
    printf("\n%s\n  telar %s%s%s %s\n\n", TL_PICK(cli, "Usage", "Uso"), command->name,
           command->arguments[0] != 0 ? " " : "", command->arguments, TL_PICK(cli, "[OPTIONS]", "[OPCIONES]"));
    wrap(command->about[cli->language], 0, 0);
    for (size_t k = 0; k < command->groups_count; k++) print_group(cli, command->groups[k].group);
    print_group(cli, &tl_common_options);
    print_exits(cli);
    printf("\n%s\n", TL_PICK(cli, "Example", "Ejemplo"));
    print_lines(command->example[cli->language]);
}
