/* 64-bit ARM, where every processor has NEON. */
#include "json/kernel.h"

#if defined(__aarch64__)

#include <arm_neon.h>

/* A block, or the findings in it: all ones or all zeros per byte. */
struct quarters {
	uint8x16_t q[4];
};

static inline struct quarters
load(const char *block)
{
	const uint8_t *p = (const uint8_t *)block;

	return (struct quarters){ { vld1q_u8(p), vld1q_u8(p + 16),
	    vld1q_u8(p + 32), vld1q_u8(p + 48) } };
}

/* Returns one bit per byte: each byte keeps the bit of its position, and
 * neighbours are added until eight bytes have become one. */
static inline uint64_t
mask(struct quarters found)
{
	static const uint8_t places[16] = { 1, 2, 4, 8, 16, 32, 64, 128, 1, 2,
		4, 8, 16, 32, 64, 128 };
	uint8x16_t place = vld1q_u8(places), sum;

	for (int i = 0; i < 4; i++)
		found.q[i] = vandq_u8(found.q[i], place);
	sum = vpaddq_u8(vpaddq_u8(found.q[0], found.q[1]),
	    vpaddq_u8(found.q[2], found.q[3]));
	sum = vpaddq_u8(sum, sum);
	return vgetq_lane_u64(vreinterpretq_u64_u8(sum), 0);
}

static inline uint64_t
equal(struct quarters b, char c)
{
	for (int i = 0; i < 4; i++)
		b.q[i] = vceqq_u8(b.q[i], vdupq_n_u8((uint8_t)c));
	return mask(b);
}

static inline uint64_t
usual(struct quarters b)
{
	static const uint8_t list[] = { '"', '\\', '/', 'n', 't' };
	struct quarters any = { { vdupq_n_u8(0), vdupq_n_u8(0), vdupq_n_u8(0),
	    vdupq_n_u8(0) } };

	for (size_t k = 0; k < sizeof list; k++)
		for (int i = 0; i < 4; i++)
			any.q[i] = vorrq_u8(
			    any.q[i], vceqq_u8(b.q[i], vdupq_n_u8(list[k])));
	return mask(any);
}

static void
find(const char *block, struct json_kinds *is)
{
	struct quarters b = load(block);
	uint8x16_t any = vld1q_u8((const uint8_t *)block - JSON_BEFORE);
	uint8x16_t least = vdupq_n_u8(0xff);

	is->quote = equal(b, '"');
	is->backslash = equal(b, '\\');
	for (int i = 0; i < 4; i++) {
		any = vorrq_u8(any, b.q[i]);
		least = vminq_u8(least, b.q[i]);
	}
	is->control = vminvq_u8(least) < 0x20;
	is->high = vmaxvq_u8(any) >= 0x80;
}

static uint64_t
find_unusual(const char *block, uint64_t escaped)
{
	return escaped == 0 ? 0 : escaped & ~usual(load(block));
}

static uint64_t
find_control(const char *block)
{
	struct quarters b = load(block);

	for (int i = 0; i < 4; i++)
		b.q[i] = vcltq_u8(b.q[i], vdupq_n_u8(0x20));
	return mask(b);
}

static void
scan(struct json_scan *state, const char *blocks, size_t n,
    struct json_ends *ends)
{
	static const struct json_ops ops = { find, find_unusual, find_control,
		json_parity, json_add_ends, json_bad_utf8 };

	json_scan_blocks(&ops, state, blocks, n, ends);
}

static bool
runs(void)
{
	return true;
}

const struct json_kernel json_neon = { "neon", runs, scan };

#endif
