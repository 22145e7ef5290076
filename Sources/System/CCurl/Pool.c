/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "Exchange.h"

#include <stdlib.h>
#include <string.h>

struct CCurlPool {
    CURLM *multi;
    CCurlPoolOptions options;
    CCurlRequest trust; /* the certificates alone */
    struct exchange *running;
    struct exchange *settled;
};

static void *copy(const void *bytes, size_t count) {
    char *result = malloc(count + 1);
    if (!result) return NULL;
    memcpy(result, bytes, count);
    result[count] = 0;
    return result;
}

CCurlPool *ccurl_pool_create(const CCurlPoolOptions *options) {
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return NULL;
    CCurlPool *pool = calloc(1, sizeof *pool);
    if (!pool) return NULL;
    pool->options = *options;
    pool->options.authorities = NULL;
    pool->options.fingerprints = NULL;
    pool->options.agent = copy(options->agent, strlen(options->agent));
    int is_whole = pool->options.agent != NULL;
    if (options->authorities) {
        pool->trust.authorities = copy(options->authorities, options->authorities_length);
        pool->trust.authorities_length = options->authorities_length;
        is_whole = is_whole && pool->trust.authorities;
    }
    char **fingerprints = calloc(options->fingerprint_count + 1, sizeof *fingerprints);
    is_whole = is_whole && fingerprints;
    pool->trust.fingerprints = (const char *const *)fingerprints;
    for (size_t i = 0; is_whole && i < options->fingerprint_count; i++) {
        fingerprints[i] = copy(options->fingerprints[i], strlen(options->fingerprints[i]));
        is_whole = fingerprints[i] != NULL;
        pool->trust.fingerprint_count += is_whole ? 1 : 0;
    }
    pool->multi = curl_multi_init();
    if (is_whole && pool->multi) return pool;
    ccurl_pool_free(pool);
    return NULL;
}

static void free_all(CCurlPool *pool, struct exchange *list) {
    while (list) {
        struct exchange *next = list->next;
        curl_multi_remove_handle(pool->multi, list->handle);
        ccurl_exchange_free(list);
        list = next;
    }
}

void ccurl_pool_free(CCurlPool *pool) {
    if (!pool) return;
    free_all(pool, pool->running);
    free_all(pool, pool->settled);
    curl_multi_cleanup(pool->multi);
    for (size_t i = 0; i < pool->trust.fingerprint_count; i++) free((char *)pool->trust.fingerprints[i]);
    free((void *)pool->trust.fingerprints);
    free((char *)pool->trust.authorities);
    free((char *)pool->options.agent);
    free(pool);
}

static void put(struct exchange **list, struct exchange *exchange) {
    while (*list) list = &(*list)->next;
    exchange->next = NULL;
    *list = exchange;
}

static void drop(struct exchange **list, struct exchange *exchange) {
    while (*list && *list != exchange) list = &(*list)->next;
    if (*list) *list = exchange->next;
}

/* Adds a hop that is prepared, or settles the exchange. */
static void go_on(CCurlPool *pool, struct exchange *exchange, int is_prepared) {
    if (is_prepared && curl_multi_add_handle(pool->multi, exchange->handle) == CURLM_OK) {
        put(&pool->running, exchange);
        return;
    }
    if (is_prepared) exchange->answer.outcome = CCURL_MEMORY;
    put(&pool->settled, exchange);
}

int ccurl_pool_start(CCurlPool *pool, const CCurlExchange *request) {
    struct exchange *exchange = ccurl_exchange_create(request, &pool->options, &pool->trust);
    if (!exchange) return 0;
    go_on(pool, exchange, ccurl_exchange_begin(exchange));
    return 1;
}

int ccurl_pool_cancel(CCurlPool *pool, uint64_t id) {
    struct exchange **lists[] = {&pool->running, &pool->settled};
    for (size_t i = 0; i < 2; i++) {
        for (struct exchange *exchange = *lists[i]; exchange; exchange = exchange->next) {
            if (exchange->request.id != id) continue;
            int output = exchange->request.output;
            drop(lists[i], exchange);
            curl_multi_remove_handle(pool->multi, exchange->handle);
            ccurl_exchange_free(exchange);
            return output;
        }
    }
    return -1;
}

int ccurl_pool_run(CCurlPool *pool, int control, int timeout_ms) {
    int count = 0;
    curl_multi_perform(pool->multi, &count);
    for (CURLMsg *message; (message = curl_multi_info_read(pool->multi, &count)) != NULL;) {
        if (message->msg != CURLMSG_DONE) continue;
        struct exchange *exchange = NULL;
        CURLcode code = message->data.result;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&exchange);
        drop(&pool->running, exchange);
        curl_multi_remove_handle(pool->multi, exchange->handle);
        go_on(pool, exchange, ccurl_exchange_settle(exchange, code));
    }
    struct curl_waitfd waited = {.fd = control, .events = CURL_WAIT_POLLIN};
    curl_multi_poll(pool->multi, &waited, 1, pool->settled ? 0 : timeout_ms, &count);
    return waited.revents != 0;
}

int ccurl_pool_take(CCurlPool *pool, CCurlAnswer *answer, int *output) {
    struct exchange *exchange = pool->settled;
    if (!exchange) return 0;
    pool->settled = exchange->next;
    *answer = exchange->answer;
    *output = exchange->request.output;
    memset(&exchange->answer, 0, sizeof exchange->answer);
    ccurl_exchange_free(exchange);
    return 1;
}

void ccurl_pool_release(CCurlAnswer *answer) {
    for (size_t i = 0; i < answer->field_count; i++) {
        free(answer->fields[i].name);
        free(answer->fields[i].value);
    }
    free(answer->fields);
    free(answer->address);
    free(answer->permanent);
    free(answer->message);
    memset(answer, 0, sizeof *answer);
}

void ccurl_pool_progress(CCurlPool *pool, void (*tell)(uint64_t, int64_t, void *), void *data) {
    for (struct exchange *exchange = pool->running; exchange; exchange = exchange->next) {
        if (!exchange->request.is_file || exchange->answer.end <= exchange->told) continue;
        exchange->told = exchange->answer.end;
        tell(exchange->request.id, exchange->told, data);
    }
}

size_t ccurl_pool_count(const CCurlPool *pool) {
    size_t count = 0;
    for (struct exchange *exchange = pool->running; exchange; exchange = exchange->next) count++;
    for (struct exchange *exchange = pool->settled; exchange; exchange = exchange->next) count++;
    return count;
}
