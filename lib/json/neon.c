/* 64-bit ARM: every one has NEON. */
#include "../json_kernel.h"

#if defined(__aarch64__)

#include <arm_neon.h>

/* A block, and what is found in it: all ones or all zeros per byte. */
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

/* A bit per byte: each keeps the bit of its place, and neighbours are added
 * until eight bytes have become one. */
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
below(struct quarters b, uint8_t limit)
{
	for (int i = 0; i < 4; i++)
		b.q[i] = vcltq_u8(b.q[i], vdupq_n_u8(limit));
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
	uint8x16_t rare = vdupq_n_u8(0);

	is->quote = equal(b, '"');
	is->backslash = equal(b, '\\');
	/* As signed bytes those from 80 on are below a space, too. */
	for (int i = 0; i < 4; i++)
		rare = vorrq_u8(rare,
		    vcltq_s8(vreinterpretq_s8_u8(b.q[i]), vdupq_n_s8(' ')));
	is->rare = vmaxvq_u8(rare) != 0;
}

static uint64_t
find_usual(const char *block)
{
	return usual(load(block));
}

static void
find_rare(const char *block, struct json_rare *is)
{
	struct quarters b = load(block);

	is->control = below(b, 0x20);
	is->high = ~below(b, 0x80);
}

static void
scan(struct json_scan *state, const char *blocks, size_t n,
    struct json_found *found)
{
	static const struct json_ops ops = { find, find_usual, find_rare,
		json_parity, json_bad_utf8 };

	json_scan_blocks(&ops, state, blocks, n, found);
}

static bool
runs(void)
{
	return true;
}

const struct json_kernel json_neon = { "neon", runs, scan };

#endif
