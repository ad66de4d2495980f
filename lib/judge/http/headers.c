#include "judge/http/headers.h"

#include <errno.h>
#include <string.h>

#include "base/ascii.h"
#include "io/slurp.h"

enum { FILE_MOST = 64 * 1024 }; /* bytes */

static bool
is_token(struct str name)
{
	for (size_t i = 0; i < name.n; i++)
		if (!ascii_is_alnum((unsigned char)name.s[i]) &&
		    !ascii_is_among(
			(unsigned char)name.s[i], "!#$%&'*+-.^_`|~"))
			return false;
	return name.n != 0;
}

static bool
is_value(struct str value)
{
	for (size_t i = 0; i < value.n; i++)
		if (value.s[i] < ' ' || value.s[i] > '~')
			return false;
	return value.n != 0;
}

/* Returns a header in normal form, or an absent text if the line is not a
 * header: a token, a colon and a value (RFC 9110, section 5). */
static struct str
header(struct arena *a, struct str line)
{
	struct str value = line, name = str_cut(&value, ':');

	if (value.s == NULL || !is_token(name) || !is_value(str_trim(value)))
		return (struct str){ 0 };
	return str_printf(
	    a, "%.*s: %.*s", STR_FMT(name), STR_FMT(str_trim(value)));
}

bool
headers_read(
    struct arena *a, const char *file, const char ***headers, struct str *wrong)
{
	struct str text, line;
	size_t n = 0, number = 0;

	errno = EFBIG;
	if (!slurp_file(a, file, FILE_MOST, &text) || text.n == FILE_MOST) {
		*wrong =
		    str_printf(a, "%s: cannot read: %s", file, strerror(errno));
		return false;
	}
	*headers = NULL;
	while (text.s != NULL) {
		line = str_trim(str_cut(&text, '\n'));
		number++;
		if (line.n == 0 || *line.s == '#')
			continue;
		line = header(a, line);
		if (line.s == NULL) {
			*wrong = str_printf(a,
			    "%s:%zu: expected Name: value in ASCII", file,
			    number);
			return false;
		}
		*arena_push(a, *headers, n) = str_c(a, line);
	}
	*arena_push(a, *headers, n) = NULL;
	return true;
}

bool
headers_same_name(const char *one, const char *other)
{
	struct str a = str_of(one), b = str_of(other);

	return str_eq_ascii_nocase(str_cut(&a, ':'), str_cut(&b, ':'));
}
