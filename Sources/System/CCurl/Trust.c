/* SPDX-License-Identifier: Apache-2.0 */
#include "Trust.h"

#include <limits.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <string.h>

int ccurl_trust_is_supported(void) {
    const curl_version_info_data *info = curl_version_info(CURLVERSION_NOW);
    return info && info->ssl_version && strncmp(info->ssl_version, "OpenSSL", 7) == 0;
}

/* Adds the request's certificates to a store, if there is one; returns their number. */
static int read_certificates(const CCurlRequest *request, X509_STORE *store) {
    if (!request->authorities || request->authorities_length > INT_MAX) return 0;
    BIO *bytes = BIO_new_mem_buf(request->authorities, (int)request->authorities_length);
    int count = 0;
    for (X509 *certificate; bytes && (certificate = PEM_read_bio_X509(bytes, NULL, NULL, NULL)); count++) {
        if (store) X509_STORE_add_cert(store, certificate);
        X509_free(certificate);
    }
    BIO_free(bytes);
    ERR_clear_error();
    return count;
}

int ccurl_trust_count(const CCurlRequest *request) { return read_certificates(request, NULL); }

static void note_fingerprint(struct ccurl_trust *trust, const X509 *certificate) {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    trust->seen[0] = 0;
    if (!certificate || !X509_digest(certificate, EVP_sha256(), digest, &length) || length != 32) return;
    static const char digits[] = "0123456789abcdef";
    for (unsigned i = 0; i < length; i++) {
        trust->seen[2 * i] = digits[digest[i] >> 4];
        trust->seen[2 * i + 1] = digits[digest[i] & 15];
    }
    trust->seen[64] = 0;
}

int ccurl_trust_is_pinned(const struct ccurl_trust *trust) {
    if (!trust->seen[0]) return 0;
    for (size_t i = 0; i < trust->request->fingerprint_count; i++) {
        if (strcmp(trust->request->fingerprints[i], trust->seen) == 0) return 1;
    }
    return 0;
}

static int verify(X509_STORE_CTX *context, void *data) {
    struct ccurl_trust *trust = data;
    note_fingerprint(trust, X509_STORE_CTX_get0_cert(context));
    if (!trust->only_pinned) {
        int is_good = X509_verify_cert(context);
        trust->error = is_good == 1 ? X509_V_OK : X509_STORE_CTX_get_error(context);
        return is_good;
    }
    int is_pinned = ccurl_trust_is_pinned(trust);
    X509_STORE_CTX_set_error(context, is_pinned ? X509_V_OK : X509_V_ERR_CERT_UNTRUSTED);
    return is_pinned;
}

static CURLcode prepare(CURL *handle, void *context, void *data) {
    (void)handle;
    struct ccurl_trust *trust = data;
    SSL_CTX_set_cert_verify_callback(context, verify, trust);
    /* A connection may live longer than `trust`, so a server is verified once, when it begins. */
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
    read_certificates(trust->request, SSL_CTX_get_cert_store(context));
    return CURLE_OK;
}

void ccurl_trust_use(CURL *handle, struct ccurl_trust *trust) {
    trust->seen[0] = 0;
    trust->error = X509_V_OK;
    if (!ccurl_trust_is_supported()) return;
    curl_easy_setopt(handle, CURLOPT_SSL_CTX_FUNCTION, prepare);
    curl_easy_setopt(handle, CURLOPT_SSL_CTX_DATA, trust);
    /* The fingerprint stands for the name, too. */
    if (trust->only_pinned) curl_easy_setopt(handle, CURLOPT_SSL_VERIFYHOST, 0L);
}

const char *ccurl_trust_reason(const struct ccurl_trust *trust) {
    return trust->error ? X509_verify_cert_error_string(trust->error) : "it is for another name";
}
