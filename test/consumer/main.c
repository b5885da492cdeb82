/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <telar/telar.h>

int main(void) {
    printf("%s\n", telar_status_text(TELAR_OK));
    return 0;
}
