/* Carries exchanges as HTTP requests with libcurl. TLS, proxies (HTTPS_PROXY,
 * NO_PROXY) and certificates (CURL_CA_BUNDLE, SSL_CERT_FILE, SSL_CERT_DIR)
 * work as in the curl command. Redirects are not followed. */
#pragma once

#include "judge/http/exchange.h"

extern const struct carrier http;
