/* SPDX-License-Identifier: MIT
 *
 * A device, a kernel, a domain: from names to measured candidates. */
#include "sweep/session.h"

#include <inttypes.h>
#include <string.h>

#include "io/facts_file.h"
#include "io/quantity.h"

/* ---- Options ----------------------------------------------------------------------------------------------------- */

telar_status tl_take_domains(void *field, const tl_option *option, const char *text, telar_diag *diag)
{
    (void)option;
    tl_domains *domains = field;
    domains->count = 0;
    for (const char *at = text;; at++) {
        size_t len = strcspn(at, ",");
        if (domains->count == TL_DOMAINS_MAX) {
            return tl_fail(diag, TELAR_LIMIT_EXCEEDED, "--count: more than %d counts", TL_DOMAINS_MAX);
        }
        tl_domain *domain = &domains->items[domains->count++];
        *domain = (tl_domain){.count = {1, 1, 1}};
        TELAR_TRY(tl_number_list("--count", (tl_str){at, len}, 'x', 3, 1, TELAR_WINDOW_ELEMENTS_MAX, domain->count,
                                 &domain->dimensions, diag));
        at += len;
        if (*at == 0) return TELAR_OK;
    }
}

telar_status tl_domain_fit(const tl_subject *subject, tl_domain *domain, telar_diag *diag)
{
    if (domain->dimensions == subject->dimensions) return TELAR_OK;
    if (domain->dimensions == 1 && subject->dimensions == 2) {
        *domain = tl_domain_of(domain->count[0], 2);
        return TELAR_OK;
    }
    return tl_fail_limit(diag, TELAR_INVALID_ARGUMENT, domain->dimensions, subject->dimensions,
                         "--count has %u axes, the domain of %s has %u", domain->dimensions, subject->name,
                         subject->dimensions);
}

/* ---- Device and kernel ------------------------------------------------------------------------------------------- */

static telar_status open_facts(tl_session *s, const char *name, telar_diag *diag)
{
    telar_facts facts = tl_device_known(s->device.host);
    if (name != NULL && strcmp(name, "default") == 0) facts = *telar_host_facts(s->device.host);
    else if (name != NULL) TELAR_TRY(tl_facts_file_read(name, &facts, diag));
    s->facts = tl_sweep_facts_of(telar_host_facts(s->device.host), &facts);
    return TELAR_OK;
}

int tl_session_open(const tl_cli *cli, const char *device, const char *facts, tl_session *session)
{
    telar_diag diag = {0};
    *session = (tl_session){.cli = cli};
    telar_status status = tl_device_open(device, &session->device, &diag);
    if (status != TELAR_OK) {
        int exit = tl_report(status, &diag);
        tl_device_hint(cli, status, &diag);
        return exit;
    }
    status = open_facts(session, facts, &diag);
    if (status == TELAR_OK) {
        status = tl_sweep_bench_open(session->device.host, &session->facts, &session->bench, &diag);
    }
    if (status == TELAR_OK) return TL_EXIT_DONE;
    tl_device_close(&session->device);
    return tl_report(status, &diag);
}

void tl_session_close(tl_session *session)
{
    tl_sweep_bench_close(&session->bench);
    tl_device_close(&session->device);
}

int tl_target_open(const char *name, const tl_user_options *options, tl_target *target)
{
    const tl_case *builtin = tl_case_find(name);
    *target = (tl_target){.is_user = builtin == NULL, .subject = &target->own};
    if (builtin == NULL) {
        target->subject = &target->user.subject;
        return tl_user_open(name, options, &target->user);
    }
    telar_diag diag = {0};
    telar_status status = tl_subject_of_case(builtin, &target->own, &diag);
    return status == TELAR_OK ? TL_EXIT_DONE : tl_report(status, &diag);
}

void tl_target_close(tl_target *target)
{
    if (target->is_user) tl_user_close(&target->user);
    else tl_subject_close(&target->own);
}

/* ---- One domain -------------------------------------------------------------------------------------------------- */

static void show_progress(void *user, uint32_t done, uint32_t all)
{
    tl_progress_at(user, done, all);
}

telar_status tl_session_measure(tl_session *s, tl_target *target, const tl_domain *domain, const tl_choices *choices,
                                const tl_measure_desc *desc, tl_candidates *candidates, double *noise, telar_diag *diag)
{
    const tl_subject *subject = target->subject;
    tl_bed bed = {0};
    tl_measure_desc shown = *desc;
    shown.progress = show_progress;
    shown.user = &s->progress;
    s->progress = tl_progress_begin(subject->name);
    telar_status status = tl_candidates_list(subject, domain, &s->facts, choices, candidates, diag);
    if (status == TELAR_OK) {
        status = target->is_user ? tl_user_bed(s->cli, &target->user, &s->bench, domain, candidates, &bed, diag)
                                 : tl_bed_make(s->device.host, subject->builtin, domain, &bed, diag);
    }
    if (status == TELAR_OK) status = tl_measure(&s->bench, subject, &bed, &shown, candidates, noise, diag);
    tl_progress_end(&s->progress);
    tl_bed_drop(&bed);
    return status;
}

void tl_session_complain(const tl_session *s, const tl_target *target, const tl_domain *domain,
                         const tl_candidates *candidates)
{
    for (uint32_t k = 0; k < candidates->count; k++) {
        const tl_candidate *at = &candidates->items[k];
        if (at->verdict != TL_VERDICT_WRONG) continue;
        tl_notice(TL_PICK(s->cli, "%s, %" PRIu64 " elements, size %u.%u, %u items, %s: %s",
                          "%s, %" PRIu64 " elementos, tamaño %u.%u, %u por invocación, %s: %s"),
                  target->subject->name, tl_domain_elements(domain), at->size[0], at->size[1], at->items,
                  telar_shape_text(at->shape), at->why);
    }
}
