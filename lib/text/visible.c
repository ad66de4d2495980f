#include "text/visible.h"

#include <limits.h>
#include <string.h>

#include "text/unicode.h"

bool
visible_is_hidden(uint32_t c)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{ 0, 0x1f },
		{ 0x7f, 0x9f },
		{ 0xad, 0xad },
		{ 0x34f, 0x34f },
		{ 0x61c, 0x61c },
		{ 0x115f, 0x1160 },
		{ 0x17b4, 0x17b5 },
		{ 0x180b, 0x180f },
		{ 0x200b, 0x200f },
		{ 0x2028, 0x202e },
		{ 0x2060, 0x206f },
		{ 0x3164, 0x3164 },
		{ 0xfe00, 0xfe0f },
		{ 0xfeff, 0xfeff },
		{ 0xffa0, 0xffa0 },
		{ 0xfff0, 0xfffb },
		{ 0xfffe, 0xffff },
		{ 0x1bca0, 0x1bca3 },
		{ 0x1d173, 0x1d17a },
		{ 0xe0000, 0xe0fff },
	};

	for (size_t i = 0;
	     i < sizeof ranges / sizeof ranges[0] && c >= ranges[i].first; i++)
		if (c <= ranges[i].last)
			return true;
	return false;
}

static void
put_unit(struct out *o, uint32_t unit)
{
	static const char digits[] = "0123456789abcdef";
	char *to = out_room(o, 6);

	*to++ = '\\';
	*to++ = 'u';
	for (int shift = 12; shift >= 0; shift -= 4)
		*to++ = digits[unit >> shift & 0xf];
	out_written(o, to);
}

static void
put_escape(struct out *o, uint32_t c)
{
	if (c < 0x10000) {
		put_unit(o, c);
		return;
	}
	put_unit(o, 0xd7c0 + (c >> 10));
	put_unit(o, 0xdc00 + (c & 0x3ff));
}

void
visible_put_json(struct out *o, struct str json, const char *also)
{
	bool stops[UCHAR_MAX + 1] = { 0 };
	size_t plain = 0, n;

	memset(stops + 0x7f, true, sizeof stops - 0x7f);
	for (; *also != '\0'; also++)
		stops[(unsigned char)*also] = true;
	for (size_t i = 0;; i += n) {
		uint32_t c;

		while (i < json.n && !stops[(unsigned char)json.s[i]])
			i++;
		if (i == json.n)
			break;
		c = unicode_decode(str_from(json, i), &n);
		if (c >= 0x80 && !visible_is_hidden(c))
			continue;
		out_str(o, str_slice(json, plain, i));
		put_escape(o, c);
		plain = i + n;
	}
	out_str(o, str_from(json, plain));
}

struct str
visible_json(struct arena *a, struct str json)
{
	struct out o;

	out_open_memory(&o);
	visible_put_json(&o, json, "");
	return out_keep(&o, a);
}
