#include "extract/format/http_body.h"

#include <unistd.h>

#include "base/ascii.h"
#include "base/base64.h"
#include "extract/value/copy.h"
#include "io/decompress.h"
#include "io/slurp.h"
#include "io/temporary.h"
#include "json/json.h"

enum {
	LEAST = 16,
	MOST = 256 << 20, /* bytes of an unpacked body */
	PRELUDE =
	    12, /* bytes before an event's headers: the lengths, a checksum */
	CHECKSUM = 4,
	STRING = 7, /* the type of a header that is a text */
};

static bool
may_be_base64(struct str text)
{
	for (size_t i = 0; i < text.n && i < LEAST; i++)
		if (!ascii_is_alnum((unsigned char)text.s[i]) &&
		    !ascii_is_among((unsigned char)text.s[i], "+/=\n"))
			return false;
	return text.n >= LEAST;
}

/* Returns what gzip packed; absent if the program cannot unpack it. */
static struct str
unpacked(struct arena *a, struct str bytes)
{
	static const char name[] = "the body of a message";
	struct decompress u = { 0 };
	struct str text = { 0 };
	int from = temporary_file(), to;

	temporary_write(from, bytes.s, bytes.n);
	lseek(from, 0, SEEK_SET);
	to = decompress_open(&u, from, name); /* closes `from` */
	if (to < 0)
		return text;
	if (!slurp(a, to, MOST, &text))
		text = (struct str){ 0 };
	close(to);
	return decompress_close(&u, name, false) ? text : (struct str){ 0 };
}

/* ---- event streams ---- */

static size_t
number_at(struct str bytes, size_t at, unsigned size)
{
	size_t n = 0;

	for (unsigned i = 0; i < size && at + i < bytes.n; i++)
		n = n << 8 | (unsigned char)bytes.s[at + i];
	return n;
}

/* Returns the value of the header :event-type; absent if there is none. */
static struct str
event_type(struct str headers)
{
	size_t at = 0;

	while (at + 4 < headers.n) {
		size_t n = number_at(headers, at, 1);
		struct str name = str_slice(headers, at + 1, at + 1 + n);
		size_t type = number_at(headers, at + 1 + n, 1);
		size_t size = number_at(headers, at + 2 + n, 2);

		if (type != STRING)
			break;
		at += 4 + n + size;
		if (str_is(name, ":event-type"))
			return str_slice(headers, at - size, at);
	}
	return (struct str){ 0 };
}

/* Returns an event as JSON: what {"bytes"} holds, or the payload at the name of the
 * event's type. */
static struct str
event_text(struct arena *a, struct str type, struct str payload)
{
	const struct json *v = copy_parsed(a, payload);
	const struct json *inner = json_get(v, "bytes");
	struct str text;

	if (json_is(inner, JSON_STRING) &&
	    base64_read(a, json_text(inner, a), &text))
		return text;
	return str_printf(
	    a, "{\"%.*s\":%.*s}", STR_FMT(type), STR_FMT(payload));
}

/* Returns the events as lines; absent if the bytes are no event stream. */
static struct str
events_of(struct arena *a, struct str bytes)
{
	struct str *lines = NULL;
	size_t n = 0;

	while (bytes.n > PRELUDE + CHECKSUM) {
		size_t size = number_at(bytes, 0, 4);
		size_t headers = number_at(bytes, 4, 4);
		struct str event = str_slice(bytes, PRELUDE, size - CHECKSUM);

		if (size < PRELUDE + CHECKSUM || size > bytes.n ||
		    headers > size - PRELUDE - CHECKSUM)
			break;
		*arena_push(a, lines, n) = str_cat(a, STR("data: "),
		    event_text(a, event_type(str_slice(event, 0, headers)),
			str_from(event, headers)));
		bytes = str_from(bytes, size);
	}
	if (n == 0)
		return (struct str){ 0 };
	return str_join(a, lines, n, STR("\n"));
}

struct str
http_body_text(struct arena *a, struct str text)
{
	struct str bytes, found = { 0 };

	if (!may_be_base64(text) || !base64_read(a, str_trim(text), &bytes))
		return text;
	if (str_starts(bytes, "\x1f\x8b"))
		found = unpacked(a, bytes);
	else
		found = events_of(a, bytes);
	return found.s == NULL ? text : found;
}

bool
http_body_is_packed(struct arena *a, struct str text)
{
	struct str bytes;

	return may_be_base64(text) && base64_read(a, str_trim(text), &bytes) &&
	    http_body_text(a, text).s == text.s;
}
