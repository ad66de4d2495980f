/* Carries exchanges as HTTP requests, over libcurl: TLS, proxies
 * (HTTPS_PROXY, NO_PROXY) and certificates (CURL_CA_BUNDLE, SSL_CERT_FILE,
 * SSL_CERT_DIR) are as curl's users know them. No redirect is followed. */
#pragma once

#include "judge/http/exchange.h"

extern const struct carrier http;
