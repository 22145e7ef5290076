// SPDX-License-Identifier: Apache-2.0
/* The FFmpeg headers for Swift, with constants for the macros that Swift cannot import. */
#ifndef ROSTRUM_CFFMPEG_SHIM_H
#define ROSTRUM_CFFMPEG_SHIM_H

#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/audio_fifo.h>
#include <libavutil/base64.h>
#include <libavutil/channel_layout.h>
#include <libavutil/crc.h>
#include <libavutil/intreadwrite.h>
#include <libavutil/log.h>
#include <libavutil/mathematics.h>
#include <libavutil/opt.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

static const int CFF_ERROR_EOF = AVERROR_EOF;
static const int CFF_ERROR_EXIT = AVERROR_EXIT;
static const int CFF_ERROR_INVALID = AVERROR_INVALIDDATA;
static const int CFF_ERROR_AGAIN = AVERROR(EAGAIN);
static const int CFF_ERROR_IO = AVERROR(EIO);
static const int CFF_ERROR_PERMISSION = AVERROR(EPERM);
static const int CFF_ERROR_TIMEOUT = AVERROR(ETIMEDOUT);
static const int CFF_ERROR_MEMORY = AVERROR(ENOMEM);
static const int CFF_ERROR_UNSEEKABLE = AVERROR(ESPIPE);
static const int CFF_ERROR_HTTP_UNAUTHORIZED = AVERROR_HTTP_UNAUTHORIZED;
static const int CFF_ERROR_HTTP_FORBIDDEN = AVERROR_HTTP_FORBIDDEN;
static const int CFF_ERROR_HTTP_NOT_FOUND = AVERROR_HTTP_NOT_FOUND;
static const int CFF_ERROR_PROTOCOL = AVERROR_PROTOCOL_NOT_FOUND;
static const int64_t CFF_NO_TIME = AV_NOPTS_VALUE;

/* Skip counts are two little-endian numbers: the samples to drop at the beginning and at the end. */
static inline uint32_t cff_read_le32(const uint8_t *bytes) { return AV_RL32(bytes); }

static inline uint32_t cff_tag(char a, char b, char c, char d) { return MKTAG(a, b, c, d); }

/* The bit fields of an index entry, which Swift cannot access. */
static inline int cff_entry_size(AVIndexEntry entry) { return entry.size; }
static inline int cff_entry_flags(AVIndexEntry entry) { return entry.flags; }

#endif
