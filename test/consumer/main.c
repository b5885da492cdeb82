/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <telar/host.h>
#include <telar/plan.h>

int main(void)
{
    printf("%s\n", telar_status_text(TELAR_OK));
    return 0;
}
