#include "redact/rules.h"

#include "base/ascii.h"

/* ---- payment cards: a known beginning, a length, a check digit ---- */

enum {
	CARD_LEAST = 13,
	CARD_MOST = 19,
	GROUP_LEAST = 3, /* digits between blanks or hyphens */
	GROUP_MOST = 6,
};

static bool
is_word(char c)
{
	return ascii_is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* Returns whether there are cards with this beginning and this number of digits
 * (ISO/IEC 7812: Visa, Mastercard, American Express, Diners Club, JCB, Maestro,
 * Discover, UnionPay). */
static bool
is_issued(const char *digits, size_t n)
{
	int two = (digits[0] - '0') * 10 + digits[1] - '0';
	int four = two * 100 + (digits[2] - '0') * 10 + digits[3] - '0';

	if (digits[0] == '4')
		return n == 13 || n == 16 || n == 19;
	if ((two >= 51 && two <= 55) || (four >= 2221 && four <= 2720))
		return n == 16;
	if (two == 34 || two == 37)
		return n == 15;
	if (two == 36 || two == 38 || (four >= 3000 && four <= 3059))
		return n == 14;
	if (four >= 3528 && four <= 3589)
		return n >= 16;
	return (two == 50 || two >= 56) && two < 70 && n >= 16;
}

static bool
has_check_digit(const char *digits, size_t n)
{
	int sum = 0;

	for (size_t i = 0; i < n; i++) {
		int d = digits[n - 1 - i] - '0';

		if (i % 2 == 1)
			d = d < 5 ? 2 * d : 2 * d - 9;
		sum += d;
	}
	return sum % 10 == 0;
}

/* Returns the end of the longest card number that begins at `from`, or 0. */
static size_t
card_end(struct str text, size_t from)
{
	char digits[CARD_MOST];
	size_t n = 0, group = 0, groups = 1, end = 0;

	for (size_t i = from; i < text.n && n < CARD_MOST; i++) {
		struct str next = str_slice(text, i + 1, i + 2);

		if (!ascii_is_digit(text.s[i])) {
			if ((text.s[i] != ' ' && text.s[i] != '-') ||
			    group < GROUP_LEAST || group > GROUP_MOST)
				break;
			group = 0;
			groups++;
			continue;
		}
		digits[n++] = text.s[i];
		group++;
		if (n >= CARD_LEAST && (next.n == 0 || !is_word(*next.s)) &&
		    (groups == 1 || group >= GROUP_LEAST) &&
		    is_issued(digits, n) && has_check_digit(digits, n))
			end = i + 1;
	}
	return end;
}

/* Returns whether a card number may begin there: digits after a point belong to
 * a number, and digits in a word to a name. */
static bool
can_begin(struct str text, size_t at)
{
	return ascii_is_digit(text.s[at]) &&
	    (at == 0 ||
		(!is_word(text.s[at - 1]) && text.s[at - 1] != '.' &&
		    text.s[at - 1] != '_'));
}

static bool
find_card(struct str text, size_t *from, size_t *to)
{
	for (; *from < text.n; ++*from) {
		*to = can_begin(text, *from) ? card_end(text, *from) : 0;
		if (*to != 0)
			return true;
	}
	return false;
}

/* ---- patterns ---- */

/* Returns whether there is a digit. A match without digits is made of words:
 * "task-force-of-the-committee". */
static bool
has_digit(struct str text, size_t from, size_t to)
{
	while (from < to && !ascii_is_digit(text.s[from]))
		from++;
	return from < to;
}

/* Returns whether the match is an e-mail address, which git@host:path is
 * not. */
static bool
is_address(struct str text, size_t from, size_t to)
{
	return !str_starts(str_from(text, from), "git@") || to == text.n ||
	    text.s[to] != ':';
}

/* clang-format off */
const struct redact_pattern redact_patterns[] = {
	{ .class = "key",
	    .pattern =
	    "-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?s:.*?)"
	    "(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|\\z)" },
	{ .class = "key", /* OpenAI and Anthropic, Groq, xAI, Perplexity */
	    .pattern = "\\b(?:sk-[A-Za-z0-9_-]{20,}|"
	    "(?:gsk_|xai-|pplx-|r8_)[A-Za-z0-9]{20,})",
	    .accepts = has_digit },
	{ .class = "key", /* Amazon, Google, DigitalOcean */
	    .pattern = "\\b(?:(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\\b|"
	    "AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{20,}|"
	    "do[oprt]_v1_[0-9a-f]{64})" },
	{ .class = "key", /* Azure */
	    .pattern = "\\bAccountKey=([A-Za-z0-9+/]{40,}=*)" },
	{ .class = "key", /* GitHub, GitLab, Docker, Hugging Face, npm, PyPI */
	    .pattern = "\\b(?:(?:gh[pousr]_|github_pat_|glpat-|dckr_pat_|hf_)"
	    "[A-Za-z0-9_-]{20,}|npm_[A-Za-z0-9]{36}|pypi-[A-Za-z0-9_-]{16,})",
	    .accepts = has_digit },
	{ .class = "key", /* Slack, Stripe */
	    .pattern = "\\b(?:xox[abeoprs]-[A-Za-z0-9-]{10,}|"
	    "xapp-[A-Za-z0-9-]{20,}|"
	    "hooks\\.slack\\.com/services/[A-Za-z0-9/]{20,}|"
	    "[rs]k_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/]{24,})",
	    .accepts = has_digit },
	{ .class = "key", /* SendGrid, Shopify, Square */
	    .pattern = "\\b(?:SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}|"
	    "shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}|"
	    "sq0[a-z]{3}-[A-Za-z0-9_-]{22,})",
	    .accepts = has_digit },
	{ .class = "token", /* JSON Web Tokens, Google */
	    .pattern = "\\b(?:eyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\."
	    "[A-Za-z0-9_-]*|ya29\\.[A-Za-z0-9_-]{20,})" },
	{ .class = "token",
	    .pattern = "(?i)\\b(?:bearer|basic)[ \\t]+([a-z0-9._~+/-]{16,}=*)",
	    .accepts = has_digit },
	{ .class = "secret", /* in a URL */
	    .pattern = "://[^\\s/:@\"']{0,100}:([^\\s/@\"']{1,200})@" },
	{ .class = "secret", /* named as a secret */
	    .pattern =
	    "(?i)(?:api|access|secret|private|auth|client|encryption)[_-]?"
	    "(?:key|token|secret)[\"']?[ \\t]*[:=][ \\t]*[\"']?"
	    "([^\\s\"',;&)}\\]]{8,})",
	    .accepts = has_digit },
	{ .class = "secret",
	    .pattern = "(?i)(?:passw(?:or)?d|passphrase|pwd|secret)[\"']?"
	    "[ \\t]*[:=][ \\t]*[\"']?([^\\s\"',;&)}\\]]{6,})",
	    .accepts = has_digit },
	{ .class = "email",
	    .pattern = "[\\pL\\pN._%+-]{1,64}@(?:[\\pL\\pN-]{1,63}\\.){1,8}"
	    "\\pL{2,24}",
	    .accepts = is_address },
	{ .class = "card", .find = find_card },
	{ 0 },
};
/* clang-format on */

/* ---- members ---- */

const char *const redact_members[] = {
	"password",
	"passwd",
	"pwd",
	"passphrase",
	"secret",
	"client_secret",
	"secret_key",
	"secret_access_key",
	"aws_secret_access_key",
	"api_key",
	"x_api_key",
	"private_key",
	"token",
	"access_token",
	"refresh_token",
	"id_token",
	"auth_token",
	"bearer_token",
	"session_token",
	"authorization",
	"proxy_authorization",
	"cookie",
	"set_cookie",
	"cvv",
	"cvc",
	NULL,
};
