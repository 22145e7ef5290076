# SPDX-License-Identifier: Apache-2.0
"""Answers of the stand-in server, and the bytes of its files in ranges."""
import base64
import email.utils
import hashlib
import html
import json
import re

PAGE = ('<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>\n<body>\n'
        '<pre>{}</pre>\n</body>\n</html>\n')


class Answer:
    """A status, its fields and a body: bytes, or a part of a file."""

    def __init__(self, status, kind=None, body=b'', fields=(), file=None, first=0, count=0, chunked=False):
        self.status, self.kind, self.body, self.fields = status, kind, body, list(fields)
        self.file, self.first, self.count = file, first, count
        self.chunked = chunked

    @property
    def length(self):
        return self.count if self.file else len(self.body)

    def read(self, offset, count):
        if self.file:
            return self.file.read(self.first + offset, min(count, self.count - offset))
        return self.body[offset:offset + count]


def _tagged(answer):
    digest = base64.b64encode(hashlib.sha1(answer.body).digest()).decode().rstrip('=')
    answer.fields.append(('ETag', f'W/"{len(answer.body):x}-{digest}"'))
    return answer


def json_answer(value, status=200, fields=()):
    return _tagged(Answer(status, 'application/json; charset=utf-8', json.dumps(value).encode(), fields))


def text_answer(text, status=200, kind='text/plain'):
    """Answers a word, as `sendStatus` does, or a sentence with `kind` text/html, as `send` does."""
    return _tagged(Answer(status, f'{kind}; charset=utf-8', text.encode()))


def page_answer(text, status):
    return Answer(status, 'text/html; charset=utf-8', PAGE.format(html.escape(text)).encode(),
                  [('X-Content-Type-Options', 'nosniff')])


UNAUTHORIZED = Answer(401, None, b'Unauthorized')


def not_found():
    return text_answer('Not Found', 404)


def forbidden():
    return text_answer('Forbidden', 403)


def unknown_route(method, path):
    return page_answer(f'Cannot {method} {path}', 404)


def file_answer(file, headers, fault, download=False):
    """Answers with a file, whole or in a range."""
    size = max(0, file.size - fault.get('short', 0))
    tag = f'W/"{file.size:x}-{file.mtime:x}"'
    if 'etag' in fault:
        tag = fault['etag']
    modified = email.utils.formatdate(file.mtime // 1000, usegmt=True)
    fields = [('Accept-Ranges', 'bytes'), ('Cache-Control', 'public, max-age=0'), ('Last-Modified', modified)]
    if tag:
        fields.append(('ETag', tag))
    if download:
        fields.insert(0, ('Content-Disposition', f'attachment; filename="{file.name}"'))
    whole = Answer(200, file.kind, file=file, count=size, fields=fields)
    if tag and headers.get('If-None-Match') == tag:
        return Answer(304, None, fields=fields)
    wanted = headers.get('Range')
    if not wanted or fault.get('ranges') is False:
        return whole
    condition = headers.get('If-Range')
    if condition and condition not in (tag, modified):
        return whole
    match = re.fullmatch(r'bytes=(\d*)-(\d*)', wanted.replace(' ', ''))
    if not match or match[0] == 'bytes=-':
        return whole
    if match[1]:
        first, last = int(match[1]), min(size - 1, int(match[2]) if match[2] else size - 1)
    else:
        first, last = max(0, size - int(match[2])), size - 1
    if first >= size or last < first:
        answer = page_answer('Range Not Satisfiable', 416)
        answer.fields = fields + [('Content-Range', f'bytes */{size}')] + answer.fields
        return answer
    return Answer(206, file.kind, file=file, first=first, count=last - first + 1,
                  fields=fields + [('Content-Range', f'bytes {first}-{last}/{size}')])
