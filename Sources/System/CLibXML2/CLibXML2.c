/* SPDX-License-Identifier: Apache-2.0 */
#include "CLibXML2.h"

#include <limits.h>
#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/uri.h>

typedef struct {
    const cxml_events *events;
    void *context;
    xmlParserCtxtPtr parser;
    bool ended;
} reading;

static reading *current(void *user) { return user; }

static size_t position(const reading *now) {
    const xmlParserInput *input = now->parser->input;
    return input ? (size_t)(input->cur - input->base) + input->consumed : 0;
}

static void go_on(reading *now, bool goes) {
    if (goes || now->ended) return;
    now->ended = true;
    xmlStopParser(now->parser);
}

static void start(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespaces,
                  const xmlChar **declared, int count, int defaulted, const xmlChar **attributes) {
    (void)namespaces, (void)declared, (void)defaulted;
    reading *now = current(user);
    if (now->ended) return;
    const char *const *fields = (const char *const *)attributes;
    go_on(now, now->events->start(now->context, (const char *)name, (const char *)prefix, (const char *)uri, fields, count,
                                  position(now)));
}

static void end(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {
    (void)name, (void)prefix, (void)uri;
    reading *now = current(user);
    if (!now->ended) go_on(now, now->events->end(now->context, position(now)));
}

static void text(void *user, const xmlChar *bytes, int count) {
    reading *now = current(user);
    if (!now->ended && count > 0) go_on(now, now->events->text(now->context, (const char *)bytes, (size_t)count));
}

static xmlEntityPtr entity(void *user, const xmlChar *name) {
    (void)user;
    return xmlGetPredefinedEntity(name);
}

static void ignore(void *user, const char *format, ...) { (void)user, (void)format; }
static void ignore_fault(void *user, xmlErrorPtr error) { (void)user, (void)error; }

cxml_result cxml_parse(const char *bytes, size_t count, const cxml_events *events, void *context) {
    reading now = {.events = events, .context = context};
    if (count == 0) return CXML_MENDED;
    if (count > INT_MAX) return CXML_NO_MEMORY;
    xmlParserCtxtPtr parser = xmlCreateMemoryParserCtxt(bytes, (int)count);
    if (!parser) return CXML_NO_MEMORY;
    now.parser = parser;
    xmlSAXHandler handler = {
        .initialized = XML_SAX2_MAGIC,
        .startElementNs = start,
        .endElementNs = end,
        .characters = text,
        .ignorableWhitespace = text,
        .getEntity = entity,
        .warning = ignore,
        .error = ignore,
        .serror = ignore_fault,
    };
    xmlCtxtUseOptions(parser, XML_PARSE_RECOVER | XML_PARSE_NONET | XML_PARSE_HUGE | XML_PARSE_NOERROR |
                                  XML_PARSE_NOWARNING | XML_PARSE_IGNORE_ENC);
    *parser->sax = handler;
    parser->userData = &now;
    xmlParseDocument(parser);
    cxml_result result = parser->wellFormed ? CXML_SOUND : CXML_MENDED;
    xmlFreeParserCtxt(parser);
    return result;
}

char *cxml_resolve(const char *reference, const char *base) {
    return (char *)xmlBuildURI((const xmlChar *)reference, (const xmlChar *)base);
}

unsigned cxml_named_character(const char *name) {
    const htmlEntityDesc *found = htmlEntityLookup((const xmlChar *)name);
    return found ? found->value : 0;
}
