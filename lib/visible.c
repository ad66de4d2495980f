#include "visible.h"

#include "out.h"
#include "unicode.h"

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

	for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
		if (c >= ranges[i].first && c <= ranges[i].last)
			return true;
	return false;
}

struct str
visible_json(struct arena *a, struct str json)
{
	struct out o;
	size_t plain = 0, n;

	out_open_memory(&o);
	for (size_t i = 0; i < json.n; i += n) {
		uint32_t c = (unsigned char)json.s[i];

		n = 1;
		if (c >= 0x80)
			c = unicode_decode(str_from(json, i), &n);
		if (c < 0x7f || !visible_is_hidden(c))
			continue;
		out_str(&o, str_slice(json, plain, i));
		plain = i + n;
		if (c >= 0x10000) {
			out_printf(&o, "\\u%04x", 0xd7c0 + (c >> 10));
			c = 0xdc00 + (c & 0x3ff);
		}
		out_printf(&o, "\\u%04x", c);
	}
	out_str(&o, str_from(json, plain));
	return out_keep(&o, a);
}
