/*
 * The scripts of Unicode 15.0. All but the last function is data, made by
 * tests/suite/all/unicode_tables --write from Scripts.txt of Debian 12's
 * unicode-data.
 */
#include "text/unicode_sets.h"

/* clang-format off */
static const uint16_t adlam[] = {
	65535, 0, 59649, 76, 4, 10, 4, 2,
};
static const uint16_t ahom[] = {
	65535, 0, 5889, 27, 2, 15, 4, 23,
};
static const uint16_t anatolian_hieroglyphs[] = {
	65535, 0, 17409, 583,
};
static const uint16_t arabic[] = {
	1536, 5, 1, 6, 1, 14, 1, 3, 1, 32, 1, 10, 11, 26, 1, 108, 1, 34, 80, 48,
	240, 31, 1, 2, 6, 74, 1, 29, 62032, 115, 16, 363, 2, 80, 2, 54, 7, 1,
	32, 16, 112, 5, 1, 135, 3939, 31, 126, 3, 57088, 4, 1, 27, 1, 2, 1, 1,
	2, 1, 1, 10, 1, 4, 1, 1, 1, 1, 6, 1, 4, 1, 1, 1, 1, 1, 1, 3, 1, 2, 1, 1,
	2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 2, 4, 1, 7, 1, 4, 1, 4, 1, 1,
	1, 10, 1, 17, 5, 3, 1, 5, 1, 17, 52, 2,
};
static const uint16_t armenian[] = {
	1329, 38, 2, 50, 2, 3, 62851, 5,
};
static const uint16_t avestan[] = {
	65535, 0, 2817, 54, 3, 7,
};
static const uint16_t balinese[] = {
	6912, 77, 3, 47,
};
static const uint16_t bamum[] = {
	42656, 88, 49416, 569,
};
static const uint16_t bassa_vah[] = {
	65535, 0, 27345, 30, 2, 6,
};
static const uint16_t batak[] = {
	7104, 52, 8, 4,
};
static const uint16_t bengali[] = {
	2432, 4, 1, 8, 2, 2, 2, 22, 1, 7, 1, 1, 3, 4, 2, 9, 2, 2, 2, 4, 8, 1, 4,
	2, 1, 5, 2, 25,
};
static const uint16_t bhaiksuki[] = {
	65535, 0, 7169, 9, 1, 45, 1, 14, 10, 29,
};
static const uint16_t bopomofo[] = {
	746, 2, 11801, 43, 112, 32,
};
static const uint16_t brahmi[] = {
	65535, 0, 4097, 78, 4, 36, 9, 1,
};
static const uint16_t braille[] = {
	10240, 256,
};
static const uint16_t buginese[] = {
	6656, 28, 2, 2,
};
static const uint16_t buhid[] = {
	5952, 20,
};
static const uint16_t canadian_aboriginal[] = {
	5120, 640, 560, 70, 65535, 0, 443, 16,
};
static const uint16_t carian[] = {
	65535, 0, 673, 49,
};
static const uint16_t caucasian_albanian[] = {
	65535, 0, 1329, 52, 11, 1,
};
static const uint16_t chakma[] = {
	65535, 0, 4353, 53, 1, 18,
};
static const uint16_t cham[] = {
	43520, 55, 9, 14, 2, 10, 2, 4,
};
static const uint16_t cherokee[] = {
	5024, 86, 2, 6, 38770, 80,
};
static const uint16_t chorasmian[] = {
	65535, 0, 4017, 28,
};
static const uint16_t common[] = {
	0, 65, 26, 6, 26, 47, 1, 15, 1, 5, 23, 1, 31, 1, 449, 39, 5, 5, 2, 20,
	116, 1, 9, 1, 6, 1, 1, 1, 637, 1, 6, 1, 14, 1, 3, 1, 32, 1, 156, 1, 516,
	1, 129, 2, 1241, 1, 405, 4, 290, 1, 1519, 3, 71, 2, 203, 2, 1, 1, 1229,
	1, 13, 1, 7, 4, 1, 6, 1, 3, 2, 1, 773, 12, 2, 87, 1, 11, 3, 11, 1, 15,
	17, 33, 63, 38, 1, 3, 2, 6, 1, 27, 1, 17, 41, 3, 4, 663, 25, 11, 21,
	928, 256, 628, 2, 32, 1, 105, 512, 94, 402, 12, 4, 5, 1, 1, 1, 25, 15,
	8, 4, 4, 91, 2, 3, 1, 90, 2, 147, 16, 32, 36, 60, 64, 31, 81, 47, 1, 88,
	168, 6592, 64, 22784, 34, 102, 3, 165, 10, 244, 1, 160, 1, 395, 1, 14,
	2, 20946, 2, 208, 10, 22, 35, 1, 19, 1, 4, 147, 1, 1, 32, 26, 6, 26, 11,
	10, 1, 45, 2, 64, 7, 1, 7, 10, 5, 258, 3, 4, 45, 3, 9, 80, 13, 51, 45,
	228, 27, 47524, 4, 4780, 116, 60, 246, 10, 39, 2, 62, 3, 17, 8, 2, 7,
	30, 4, 61, 213, 20, 12, 20, 12, 87, 9, 25, 135, 85, 1, 71, 1, 2, 2, 1,
	2, 2, 2, 4, 1, 12, 1, 1, 1, 7, 1, 65, 1, 4, 2, 8, 1, 7, 1, 28, 1, 4, 1,
	5, 1, 1, 3, 7, 1, 340, 2, 292, 2, 50, 5233, 68, 76, 61, 706, 44, 4, 100,
	12, 15, 2, 15, 1, 15, 1, 37, 10, 174, 56, 26, 1, 2, 13, 44, 4, 9, 7, 2,
	14, 6, 154, 984, 4, 17, 3, 13, 3, 119, 4, 95, 6, 12, 4, 1, 15, 12, 4,
	56, 8, 10, 6, 40, 8, 30, 2, 2, 78, 340, 12, 14, 2, 13, 3, 9, 7, 46, 1,
	7, 8, 14, 4, 9, 7, 9, 7, 147, 1, 55, 37, 10, 65535, 0, 65535, 0, 65535,
	0, 65535, 0, 65535, 0, 65535, 0, 65535, 0, 65535, 0, 65535, 0, 65535, 0,
	65535, 0, 65535, 0, 1043, 1, 30, 96,
};
static const uint16_t coptic[] = {
	994, 14, 10384, 116, 5, 7,
};
static const uint16_t cuneiform[] = {
	65535, 0, 8193, 922, 102, 111, 1, 5, 11, 196,
};
static const uint16_t cypriot[] = {
	65535, 0, 2049, 6, 2, 1, 1, 44, 1, 2, 3, 1, 2, 1,
};
static const uint16_t cypro_minoan[] = {
	65535, 0, 12177, 99,
};
static const uint16_t cyrillic[] = {
	1024, 133, 2, 169, 5968, 9, 162, 1, 76, 1, 4199, 32, 30784, 96, 22414,
	2, 57856, 62, 33, 1,
};
static const uint16_t deseret[] = {
	65535, 0, 1025, 80,
};
static const uint16_t devanagari[] = {
	2304, 81, 4, 15, 2, 26, 40800, 32, 29184, 10,
};
static const uint16_t dives_akuru[] = {
	65535, 0, 6401, 7, 2, 1, 2, 8, 1, 2, 1, 30, 1, 2, 2, 12, 9, 10,
};
static const uint16_t dogra[] = {
	65535, 0, 6145, 60,
};
static const uint16_t duployan[] = {
	65535, 0, 48129, 107, 5, 13, 3, 9, 7, 10, 2, 4,
};
static const uint16_t egyptian_hieroglyphs[] = {
	65535, 0, 12289, 1110,
};
static const uint16_t elbasan[] = {
	65535, 0, 1281, 40,
};
static const uint16_t elymaic[] = {
	65535, 0, 4065, 23,
};
static const uint16_t ethiopic[] = {
	4608, 73, 1, 4, 2, 7, 1, 1, 1, 4, 2, 41, 1, 4, 2, 33, 1, 4, 2, 7, 1, 1,
	1, 4, 2, 15, 1, 57, 1, 4, 2, 67, 2, 32, 3, 26, 6630, 23, 9, 7, 1, 7, 1,
	7, 1, 7, 1, 7, 1, 7, 1, 7, 1, 7, 32034, 6, 2, 6, 2, 6, 9, 7, 1, 7,
	65535, 0, 15538, 7, 1, 4, 1, 2, 1, 15,
};
static const uint16_t georgian[] = {
	4256, 38, 1, 1, 5, 1, 2, 43, 1, 4, 2960, 43, 2, 3, 4160, 38, 1, 1, 5, 1,
};
static const uint16_t glagolitic[] = {
	11264, 96, 65535, 0, 45985, 7, 1, 17, 2, 7, 1, 2, 1, 5,
};
static const uint16_t gothic[] = {
	65535, 0, 817, 27,
};
static const uint16_t grantha[] = {
	65535, 0, 4865, 4, 1, 8, 2, 2, 2, 22, 1, 7, 1, 2, 1, 5, 2, 9, 2, 2, 2,
	3, 2, 1, 6, 1, 5, 7, 2, 7, 3, 5,
};
static const uint16_t greek[] = {
	880, 4, 1, 3, 2, 4, 1, 1, 4, 1, 1, 1, 1, 3, 1, 1, 1, 20, 1, 63, 14, 16,
	6438, 5, 50, 5, 4, 5, 84, 1, 320, 22, 2, 6, 2, 38, 2, 6, 2, 8, 1, 1, 1,
	1, 1, 1, 1, 31, 2, 53, 1, 15, 1, 14, 2, 6, 1, 19, 2, 3, 1, 9, 295, 1,
	35390, 1, 21978, 79, 17, 1, 53343, 70,
};
static const uint16_t gujarati[] = {
	2689, 3, 1, 9, 1, 3, 1, 22, 1, 7, 1, 2, 1, 5, 2, 10, 1, 3, 1, 3, 2, 1,
	15, 4, 2, 12, 7, 7,
};
static const uint16_t gunjala_gondi[] = {
	65535, 0, 7521, 6, 1, 2, 1, 37, 1, 2, 1, 6, 7, 10,
};
static const uint16_t gurmukhi[] = {
	2561, 3, 1, 6, 4, 2, 2, 22, 1, 7, 1, 2, 1, 2, 1, 2, 2, 1, 1, 5, 4, 2, 2,
	3, 3, 1, 7, 4, 1, 1, 7, 17,
};
static const uint16_t han[] = {
	11904, 26, 1, 89, 12, 214, 47, 1, 1, 1, 25, 9, 14, 4, 964, 6592, 64,
	20992, 22784, 366, 2, 106, 29960, 2, 12, 2, 36878, 42720, 32, 4154, 6,
	222, 2, 5762, 14, 7473, 3103, 542, 1506, 4939, 5, 4192,
};
static const uint16_t hangul[] = {
	4352, 256, 7726, 2, 257, 94, 113, 31, 65, 31, 30433, 29, 643, 11172, 12,
	23, 4, 49, 10148, 31, 3, 6, 2, 6, 2, 6, 2, 3,
};
static const uint16_t hanifi_rohingya[] = {
	65535, 0, 3329, 40, 8, 10,
};
static const uint16_t hanunoo[] = {
	5920, 21,
};
static const uint16_t hatran[] = {
	65535, 0, 2273, 19, 1, 2, 5, 5,
};
static const uint16_t hebrew[] = {
	1425, 55, 8, 27, 4, 6, 62760, 26, 1, 5, 1, 1, 1, 2, 1, 2, 1, 10,
};
static const uint16_t hiragana[] = {
	12353, 86, 6, 3, 65535, 0, 32610, 287, 18, 1, 29, 3, 16557, 1,
};
static const uint16_t imperial_aramaic[] = {
	65535, 0, 2113, 22, 1, 9,
};
static const uint16_t inherited[] = {
	768, 112, 277, 2, 452, 11, 26, 1, 736, 4, 4443, 31, 513, 3, 1, 13, 1, 7,
	4, 1, 6, 1, 3, 2, 198, 64, 524, 2, 194, 33, 3897, 4, 107, 2, 52581, 16,
	16, 14, 975, 1, 226, 1, 4186, 1, 48068, 46, 2, 23, 544, 3, 17, 8, 2, 7,
	30, 4, 65535, 0, 65535, 0, 65535, 0, 65535, 0, 65535, 0, 65535, 0,
	65535, 0, 65535, 0, 65535, 0, 65535, 0, 65535, 0, 65535, 0, 12126, 240,
};
static const uint16_t inscriptional_pahlavi[] = {
	65535, 0, 2913, 19, 5, 8,
};
static const uint16_t inscriptional_parthian[] = {
	65535, 0, 2881, 22, 2, 8,
};
static const uint16_t javanese[] = {
	43392, 78, 2, 10, 4, 2,
};
static const uint16_t kaithi[] = {
	65535, 0, 4225, 67, 10, 1,
};
static const uint16_t kannada[] = {
	3200, 13, 1, 3, 1, 23, 1, 10, 1, 5, 2, 9, 1, 3, 1, 4, 7, 2, 6, 2, 1, 4,
	2, 10, 1, 3,
};
static const uint16_t katakana[] = {
	12449, 90, 2, 3, 240, 16, 208, 47, 1, 88, 52238, 10, 1, 45, 45138, 4, 1,
	7, 1, 2, 1, 1, 287, 3, 50, 1, 14, 4,
};
static const uint16_t kawi[] = {
	65535, 0, 7937, 17, 1, 41, 3, 28,
};
static const uint16_t kayah_li[] = {
	43264, 46, 1, 1,
};
static const uint16_t kharoshthi[] = {
	65535, 0, 2561, 4, 1, 2, 5, 8, 1, 3, 1, 29, 2, 3, 4, 10, 7, 9,
};
static const uint16_t khitan_small_script[] = {
	65535, 0, 28645, 1, 6939, 470,
};
static const uint16_t khmer[] = {
	6016, 94, 2, 10, 6, 10, 486, 32,
};
static const uint16_t khojki[] = {
	65535, 0, 4609, 18, 1, 47,
};
static const uint16_t khudawadi[] = {
	65535, 0, 4785, 59, 5, 10,
};
static const uint16_t lao[] = {
	3713, 2, 1, 1, 1, 5, 1, 24, 1, 1, 1, 23, 2, 5, 1, 1, 1, 7, 1, 10, 2, 4,
};
static const uint16_t latin[] = {
	65, 26, 6, 26, 47, 1, 15, 1, 5, 23, 1, 31, 1, 449, 39, 5, 6683, 38, 6,
	49, 5, 4, 5, 13, 1, 70, 65, 256, 369, 1, 13, 1, 16, 13, 141, 2, 6, 1,
	27, 1, 17, 41, 2775, 32, 31394, 102, 3, 64, 5, 2, 1, 1, 1, 5, 24, 14,
	816, 43, 1, 9, 1, 4, 20374, 7, 1050, 26, 6, 26, 2085, 6, 1, 42, 1, 9,
	55109, 31, 6, 6,
};
static const uint16_t lepcha[] = {
	7168, 56, 3, 15, 3, 3,
};
static const uint16_t limbu[] = {
	6400, 31, 1, 12, 4, 12, 4, 1, 3, 12,
};
static const uint16_t linear_a[] = {
	65535, 0, 1537, 311, 9, 22, 10, 8,
};
static const uint16_t linear_b[] = {
	65535, 0, 1, 12, 1, 26, 1, 19, 1, 2, 1, 15, 2, 14, 34, 123,
};
static const uint16_t lisu[] = {
	42192, 48, 31408, 1,
};
static const uint16_t lycian[] = {
	65535, 0, 641, 29,
};
static const uint16_t lydian[] = {
	65535, 0, 2337, 26, 5, 1,
};
static const uint16_t mahajani[] = {
	65535, 0, 4433, 39,
};
static const uint16_t makasar[] = {
	65535, 0, 7905, 25,
};
static const uint16_t malayalam[] = {
	3328, 13, 1, 3, 1, 51, 1, 3, 1, 6, 4, 16, 2, 26,
};
static const uint16_t mandaic[] = {
	2112, 28, 2, 1,
};
static const uint16_t manichaean[] = {
	65535, 0, 2753, 39, 4, 12,
};
static const uint16_t marchen[] = {
	65535, 0, 7281, 32, 2, 22, 1, 14,
};
static const uint16_t masaram_gondi[] = {
	65535, 0, 7425, 7, 1, 2, 1, 44, 3, 1, 1, 2, 1, 9, 8, 10,
};
static const uint16_t medefaidrin[] = {
	65535, 0, 28225, 91,
};
static const uint16_t meetei_mayek[] = {
	43744, 23, 201, 46, 2, 10,
};
static const uint16_t mende_kikakui[] = {
	65535, 0, 59393, 197, 2, 16,
};
static const uint16_t meroitic_cursive[] = {
	65535, 0, 2465, 24, 4, 20, 2, 46,
};
static const uint16_t meroitic_hieroglyphs[] = {
	65535, 0, 2433, 32,
};
static const uint16_t miao[] = {
	65535, 0, 28417, 75, 4, 57, 7, 17,
};
static const uint16_t modi[] = {
	65535, 0, 5633, 69, 11, 10,
};
static const uint16_t mongolian[] = {
	6144, 2, 2, 1, 1, 20, 6, 89, 7, 43, 64949, 13,
};
static const uint16_t mro[] = {
	65535, 0, 27201, 31, 1, 10, 4, 2,
};
static const uint16_t multani[] = {
	65535, 0, 4737, 7, 1, 1, 1, 4, 1, 15, 1, 11,
};
static const uint16_t myanmar[] = {
	4096, 160, 39232, 31, 97, 32,
};
static const uint16_t nabataean[] = {
	65535, 0, 2177, 31, 8, 9,
};
static const uint16_t nag_mundari[] = {
	65535, 0, 58577, 42,
};
static const uint16_t nandinagari[] = {
	65535, 0, 6561, 8, 2, 46, 2, 11,
};
static const uint16_t new_tai_lue[] = {
	6528, 44, 4, 26, 6, 11, 3, 2,
};
static const uint16_t newa[] = {
	65535, 0, 5121, 92, 1, 5,
};
static const uint16_t nko[] = {
	1984, 59, 2, 3,
};
static const uint16_t nushu[] = {
	65535, 0, 28642, 1, 16782, 396,
};
static const uint16_t nyiakeng_puachue_hmong[] = {
	65535, 0, 57601, 45, 3, 14, 2, 10, 4, 2,
};
static const uint16_t ogham[] = {
	5760, 29,
};
static const uint16_t ol_chiki[] = {
	7248, 48,
};
static const uint16_t old_hungarian[] = {
	65535, 0, 3201, 51, 13, 51, 7, 6,
};
static const uint16_t old_italic[] = {
	65535, 0, 769, 36, 9, 3,
};
static const uint16_t old_north_arabian[] = {
	65535, 0, 2689, 32,
};
static const uint16_t old_permic[] = {
	65535, 0, 849, 43,
};
static const uint16_t old_persian[] = {
	65535, 0, 929, 36, 4, 14,
};
static const uint16_t old_sogdian[] = {
	65535, 0, 3841, 40,
};
static const uint16_t old_south_arabian[] = {
	65535, 0, 2657, 32,
};
static const uint16_t old_turkic[] = {
	65535, 0, 3073, 73,
};
static const uint16_t old_uyghur[] = {
	65535, 0, 3953, 26,
};
static const uint16_t oriya[] = {
	2817, 3, 1, 8, 2, 2, 2, 22, 1, 7, 1, 2, 1, 5, 2, 9, 2, 2, 2, 3, 7, 3, 4,
	2, 1, 5, 2, 18,
};
static const uint16_t osage[] = {
	65535, 0, 1201, 36, 4, 36,
};
static const uint16_t osmanya[] = {
	65535, 0, 1153, 30, 2, 10,
};
static const uint16_t pahawh_hmong[] = {
	65535, 0, 27393, 70, 10, 10, 1, 7, 1, 21, 5, 19,
};
static const uint16_t palmyrene[] = {
	65535, 0, 2145, 32,
};
static const uint16_t pau_cin_hau[] = {
	65535, 0, 6849, 57,
};
static const uint16_t phags_pa[] = {
	43072, 56,
};
static const uint16_t phoenician[] = {
	65535, 0, 2305, 28, 3, 1,
};
static const uint16_t psalter_pahlavi[] = {
	65535, 0, 2945, 18, 7, 4, 12, 7,
};
static const uint16_t rejang[] = {
	43312, 36, 11, 1,
};
static const uint16_t runic[] = {
	5792, 75, 3, 11,
};
static const uint16_t samaritan[] = {
	2048, 46, 2, 15,
};
static const uint16_t saurashtra[] = {
	43136, 70, 8, 12,
};
static const uint16_t sharada[] = {
	65535, 0, 4481, 96,
};
static const uint16_t shavian[] = {
	65535, 0, 1105, 48,
};
static const uint16_t siddham[] = {
	65535, 0, 5505, 54, 2, 38,
};
static const uint16_t signwriting[] = {
	65535, 0, 55297, 652, 15, 5, 1, 15,
};
static const uint16_t sinhala[] = {
	3457, 3, 1, 18, 3, 24, 1, 9, 1, 1, 2, 7, 3, 1, 4, 6, 1, 1, 1, 8, 6, 10,
	2, 3, 65535, 0, 1005, 20,
};
static const uint16_t sogdian[] = {
	65535, 0, 3889, 42,
};
static const uint16_t sora_sompeng[] = {
	65535, 0, 4305, 25, 7, 10,
};
static const uint16_t soyombo[] = {
	65535, 0, 6737, 83,
};
static const uint16_t sundanese[] = {
	7040, 64, 256, 8,
};
static const uint16_t syloti_nagri[] = {
	43008, 45,
};
static const uint16_t syriac[] = {
	1792, 14, 1, 60, 2, 3, 272, 11,
};
static const uint16_t tagalog[] = {
	5888, 22, 9, 1,
};
static const uint16_t tagbanwa[] = {
	5984, 13, 1, 3, 1, 2,
};
static const uint16_t tai_le[] = {
	6480, 30, 2, 5,
};
static const uint16_t tai_tham[] = {
	6688, 63, 1, 29, 2, 11, 6, 10, 6, 14,
};
static const uint16_t tai_viet[] = {
	43648, 67, 24, 5,
};
static const uint16_t takri[] = {
	65535, 0, 5761, 58, 6, 10,
};
static const uint16_t tamil[] = {
	2946, 2, 1, 6, 3, 3, 1, 4, 3, 2, 1, 1, 1, 2, 3, 2, 3, 3, 3, 12, 4, 5, 3,
	3, 1, 4, 2, 1, 6, 1, 14, 21, 65535, 0, 5062, 50, 13, 1,
};
static const uint16_t tangsa[] = {
	65535, 0, 27249, 79, 1, 10,
};
static const uint16_t tangut[] = {
	65535, 0, 28641, 1, 31, 6136, 8, 768, 512, 9,
};
static const uint16_t telugu[] = {
	3072, 13, 1, 3, 1, 23, 1, 16, 2, 9, 1, 3, 1, 4, 7, 2, 1, 3, 2, 1, 2, 4,
	2, 10, 7, 9,
};
static const uint16_t thaana[] = {
	1920, 50,
};
static const uint16_t thai[] = {
	3585, 58, 5, 28,
};
static const uint16_t tibetan[] = {
	3840, 72, 1, 36, 4, 39, 1, 36, 1, 15, 1, 7, 4, 2,
};
static const uint16_t tifinagh[] = {
	11568, 56, 7, 2, 14, 1,
};
static const uint16_t tirhuta[] = {
	65535, 0, 5249, 72, 8, 10,
};
static const uint16_t toto[] = {
	65535, 0, 58001, 31,
};
static const uint16_t ugaritic[] = {
	65535, 0, 897, 30, 1, 1,
};
static const uint16_t vai[] = {
	42240, 300,
};
static const uint16_t vithkuqi[] = {
	65535, 0, 1393, 11, 1, 15, 1, 7, 1, 2, 1, 11, 1, 15, 1, 7, 1, 2,
};
static const uint16_t wancho[] = {
	65535, 0, 58049, 58, 5, 1,
};
static const uint16_t warang_citi[] = {
	65535, 0, 6305, 83, 12, 1,
};
static const uint16_t yezidi[] = {
	65535, 0, 3713, 42, 1, 3, 2, 2,
};
static const uint16_t yi[] = {
	40960, 1165, 3, 55,
};
static const uint16_t zanabazar_square[] = {
	65535, 0, 6657, 72,
};

#define SET(name, runs) { name, runs, sizeof(runs) / sizeof((runs)[0]) }

static const struct unicode_set sets[] = {
	SET("Adlam", adlam),
	SET("Ahom", ahom),
	SET("Anatolian_Hieroglyphs", anatolian_hieroglyphs),
	SET("Arabic", arabic),
	SET("Armenian", armenian),
	SET("Avestan", avestan),
	SET("Balinese", balinese),
	SET("Bamum", bamum),
	SET("Bassa_Vah", bassa_vah),
	SET("Batak", batak),
	SET("Bengali", bengali),
	SET("Bhaiksuki", bhaiksuki),
	SET("Bopomofo", bopomofo),
	SET("Brahmi", brahmi),
	SET("Braille", braille),
	SET("Buginese", buginese),
	SET("Buhid", buhid),
	SET("Canadian_Aboriginal", canadian_aboriginal),
	SET("Carian", carian),
	SET("Caucasian_Albanian", caucasian_albanian),
	SET("Chakma", chakma),
	SET("Cham", cham),
	SET("Cherokee", cherokee),
	SET("Chorasmian", chorasmian),
	SET("Common", common),
	SET("Coptic", coptic),
	SET("Cuneiform", cuneiform),
	SET("Cypriot", cypriot),
	SET("Cypro_Minoan", cypro_minoan),
	SET("Cyrillic", cyrillic),
	SET("Deseret", deseret),
	SET("Devanagari", devanagari),
	SET("Dives_Akuru", dives_akuru),
	SET("Dogra", dogra),
	SET("Duployan", duployan),
	SET("Egyptian_Hieroglyphs", egyptian_hieroglyphs),
	SET("Elbasan", elbasan),
	SET("Elymaic", elymaic),
	SET("Ethiopic", ethiopic),
	SET("Georgian", georgian),
	SET("Glagolitic", glagolitic),
	SET("Gothic", gothic),
	SET("Grantha", grantha),
	SET("Greek", greek),
	SET("Gujarati", gujarati),
	SET("Gunjala_Gondi", gunjala_gondi),
	SET("Gurmukhi", gurmukhi),
	SET("Han", han),
	SET("Hangul", hangul),
	SET("Hanifi_Rohingya", hanifi_rohingya),
	SET("Hanunoo", hanunoo),
	SET("Hatran", hatran),
	SET("Hebrew", hebrew),
	SET("Hiragana", hiragana),
	SET("Imperial_Aramaic", imperial_aramaic),
	SET("Inherited", inherited),
	SET("Inscriptional_Pahlavi", inscriptional_pahlavi),
	SET("Inscriptional_Parthian", inscriptional_parthian),
	SET("Javanese", javanese),
	SET("Kaithi", kaithi),
	SET("Kannada", kannada),
	SET("Katakana", katakana),
	SET("Kawi", kawi),
	SET("Kayah_Li", kayah_li),
	SET("Kharoshthi", kharoshthi),
	SET("Khitan_Small_Script", khitan_small_script),
	SET("Khmer", khmer),
	SET("Khojki", khojki),
	SET("Khudawadi", khudawadi),
	SET("Lao", lao),
	SET("Latin", latin),
	SET("Lepcha", lepcha),
	SET("Limbu", limbu),
	SET("Linear_A", linear_a),
	SET("Linear_B", linear_b),
	SET("Lisu", lisu),
	SET("Lycian", lycian),
	SET("Lydian", lydian),
	SET("Mahajani", mahajani),
	SET("Makasar", makasar),
	SET("Malayalam", malayalam),
	SET("Mandaic", mandaic),
	SET("Manichaean", manichaean),
	SET("Marchen", marchen),
	SET("Masaram_Gondi", masaram_gondi),
	SET("Medefaidrin", medefaidrin),
	SET("Meetei_Mayek", meetei_mayek),
	SET("Mende_Kikakui", mende_kikakui),
	SET("Meroitic_Cursive", meroitic_cursive),
	SET("Meroitic_Hieroglyphs", meroitic_hieroglyphs),
	SET("Miao", miao),
	SET("Modi", modi),
	SET("Mongolian", mongolian),
	SET("Mro", mro),
	SET("Multani", multani),
	SET("Myanmar", myanmar),
	SET("Nabataean", nabataean),
	SET("Nag_Mundari", nag_mundari),
	SET("Nandinagari", nandinagari),
	SET("New_Tai_Lue", new_tai_lue),
	SET("Newa", newa),
	SET("Nko", nko),
	SET("Nushu", nushu),
	SET("Nyiakeng_Puachue_Hmong", nyiakeng_puachue_hmong),
	SET("Ogham", ogham),
	SET("Ol_Chiki", ol_chiki),
	SET("Old_Hungarian", old_hungarian),
	SET("Old_Italic", old_italic),
	SET("Old_North_Arabian", old_north_arabian),
	SET("Old_Permic", old_permic),
	SET("Old_Persian", old_persian),
	SET("Old_Sogdian", old_sogdian),
	SET("Old_South_Arabian", old_south_arabian),
	SET("Old_Turkic", old_turkic),
	SET("Old_Uyghur", old_uyghur),
	SET("Oriya", oriya),
	SET("Osage", osage),
	SET("Osmanya", osmanya),
	SET("Pahawh_Hmong", pahawh_hmong),
	SET("Palmyrene", palmyrene),
	SET("Pau_Cin_Hau", pau_cin_hau),
	SET("Phags_Pa", phags_pa),
	SET("Phoenician", phoenician),
	SET("Psalter_Pahlavi", psalter_pahlavi),
	SET("Rejang", rejang),
	SET("Runic", runic),
	SET("Samaritan", samaritan),
	SET("Saurashtra", saurashtra),
	SET("Sharada", sharada),
	SET("Shavian", shavian),
	SET("Siddham", siddham),
	SET("SignWriting", signwriting),
	SET("Sinhala", sinhala),
	SET("Sogdian", sogdian),
	SET("Sora_Sompeng", sora_sompeng),
	SET("Soyombo", soyombo),
	SET("Sundanese", sundanese),
	SET("Syloti_Nagri", syloti_nagri),
	SET("Syriac", syriac),
	SET("Tagalog", tagalog),
	SET("Tagbanwa", tagbanwa),
	SET("Tai_Le", tai_le),
	SET("Tai_Tham", tai_tham),
	SET("Tai_Viet", tai_viet),
	SET("Takri", takri),
	SET("Tamil", tamil),
	SET("Tangsa", tangsa),
	SET("Tangut", tangut),
	SET("Telugu", telugu),
	SET("Thaana", thaana),
	SET("Thai", thai),
	SET("Tibetan", tibetan),
	SET("Tifinagh", tifinagh),
	SET("Tirhuta", tirhuta),
	SET("Toto", toto),
	SET("Ugaritic", ugaritic),
	SET("Vai", vai),
	SET("Vithkuqi", vithkuqi),
	SET("Wancho", wancho),
	SET("Warang_Citi", warang_citi),
	SET("Yezidi", yezidi),
	SET("Yi", yi),
	SET("Zanabazar_Square", zanabazar_square),
};
/* clang-format on */

const struct unicode_set *
unicode_scripts(size_t *n)
{
	*n = sizeof sets / sizeof sets[0];
	return sets;
}
