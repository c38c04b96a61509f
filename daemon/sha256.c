/* SHA-256 by the letter of FIPS 180-4, over bytes that lie in memory. No library for it is worth
 * its place in an idle daemon of 3 MB. */
#include "daemon/sha256.h"

#include <string.h>

#define BLOCK 64

static const uint32_t round_constants[64] = {
	0x428a2f98,
	0x71374491,
	0xb5c0fbcf,
	0xe9b5dba5,
	0x3956c25b,
	0x59f111f1,
	0x923f82a4,
	0xab1c5ed5,
	0xd807aa98,
	0x12835b01,
	0x243185be,
	0x550c7dc3,
	0x72be5d74,
	0x80deb1fe,
	0x9bdc06a7,
	0xc19bf174,
	0xe49b69c1,
	0xefbe4786,
	0x0fc19dc6,
	0x240ca1cc,
	0x2de92c6f,
	0x4a7484aa,
	0x5cb0a9dc,
	0x76f988da,
	0x983e5152,
	0xa831c66d,
	0xb00327c8,
	0xbf597fc7,
	0xc6e00bf3,
	0xd5a79147,
	0x06ca6351,
	0x14292967,
	0x27b70a85,
	0x2e1b2138,
	0x4d2c6dfc,
	0x53380d13,
	0x650a7354,
	0x766a0abb,
	0x81c2c92e,
	0x92722c85,
	0xa2bfe8a1,
	0xa81a664b,
	0xc24b8b70,
	0xc76c51a3,
	0xd192e819,
	0xd6990624,
	0xf40e3585,
	0x106aa070,
	0x19a4c116,
	0x1e376c08,
	0x2748774c,
	0x34b0bcb5,
	0x391c0cb3,
	0x4ed8aa4a,
	0x5b9cca4f,
	0x682e6ff3,
	0x748f82ee,
	0x78a5636f,
	0x84c87814,
	0x8cc70208,
	0x90befffa,
	0xa4506ceb,
	0xbef9a3f7,
	0xc67178f2,
};

static uint32_t rotate(uint32_t x, unsigned by)
{
	return x >> by | x << (32 - by);
}

static uint32_t load(const unsigned char *bytes)
{
	return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
	       bytes[3];
}

static void expand(uint32_t w[64], const unsigned char *block)
{
	for (unsigned t = 0; t < 16; t++)
		w[t] = load(block + 4 * t);
	for (unsigned t = 16; t < 64; t++) {
		uint32_t s0 = rotate(w[t - 15], 7) ^ rotate(w[t - 15], 18) ^ w[t - 15] >> 3;
		uint32_t s1 = rotate(w[t - 2], 17) ^ rotate(w[t - 2], 19) ^ w[t - 2] >> 10;
		w[t] = w[t - 16] + s0 + w[t - 7] + s1;
	}
}

/* The standard's names; each in a register, since shifting an array takes a call of memmove() a
 * round, and half of the time. */
static void compress(uint32_t hash[8], const unsigned char *block)
{
	uint32_t a = hash[0], b = hash[1], c = hash[2], d = hash[3];
	uint32_t e = hash[4], f = hash[5], g = hash[6], h = hash[7];
	uint32_t w[64];

	expand(w, block);
	for (unsigned t = 0; t < 64; t++) {
		uint32_t sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
		uint32_t choice = (e & f) ^ (~e & g);
		uint32_t t1 = h + sum1 + choice + round_constants[t] + w[t];
		uint32_t sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
		uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
		h = g;
		g = f;
		f = e;
		e = d + t1;
		d = c;
		c = b;
		b = a;
		a = t1 + sum0 + majority;
	}
	hash[0] += a;
	hash[1] += b;
	hash[2] += c;
	hash[3] += d;
	hash[4] += e;
	hash[5] += f;
	hash[6] += g;
	hash[7] += h;
}

/* The last block or two: the rest of the bytes, a bit, zeros, and the length in bits. */
static void finish(uint32_t hash[8], const unsigned char *rest, size_t len, uint64_t total)
{
	unsigned char block[2 * BLOCK] = {0};
	size_t size = len < BLOCK - 8 ? BLOCK : 2 * BLOCK;

	if (len)
		memcpy(block, rest, len);
	block[len] = 0x80;
	for (unsigned i = 0; i < 8; i++)
		block[size - 1 - i] = (unsigned char)(total * 8 >> 8 * i);
	for (size_t at = 0; at < size; at += BLOCK)
		compress(hash, block + at);
}

void sha256_hex(struct text bytes, char hex[SHA256_HEX])
{
	static const char digits[] = "0123456789abcdef";
	const unsigned char *data = (const unsigned char *)bytes.ptr;
	uint32_t hash[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
		0x1f83d9ab, 0x5be0cd19};
	size_t whole = bytes.len / BLOCK * BLOCK;

	for (size_t at = 0; at < whole; at += BLOCK)
		compress(hash, data + at);
	finish(hash, whole < bytes.len ? data + whole : NULL, bytes.len - whole, bytes.len);
	for (unsigned i = 0; i < 64; i++)
		hex[i] = digits[hash[i / 8] >> (28 - 4 * (i % 8)) & 15];
	hex[64] = '\0';
}
