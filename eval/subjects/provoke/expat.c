/* Inputs are pieces of the content of one document. */
#include "served.h"

#include <expat.h>

#include <stdlib.h>
#include <string.h>

static XML_Parser parser;
static unsigned long seen;

static void begin(void* nothing, const char* name, const char** attributes) {
  (void)nothing;
  for (; *attributes != NULL; ++attributes)
    seen += strlen(*attributes) + strlen(name);
}

static void text(void* nothing, const char* part, int size) {
  (void)nothing;
  (void)part;
  seen += (unsigned long)size;
}

static int give(const char* part) {
  return XML_Parse(parser, part, (int)strlen(part), 0) == XML_STATUS_OK;
}

void prepare(void) {
  parser = XML_ParserCreateNS(NULL, '|');
  XML_SetHashSalt(parser, 1);
  XML_SetStartElementHandler(parser, begin);
  XML_SetCharacterDataHandler(parser, text);
  if (!give("<?xml version='1.0'?><!DOCTYPE list [<!ENTITY jar 'a jar of jam'><!ENTITY shelf "
            "'&jar; &jar; &jar;'>"
            "<!ATTLIST item state CDATA 'fresh'>]><list xmlns:k='urn:kind'>"))
    exit(2);
}

int take(const char* input) {
  return give(input);
}

int conclude(void) {
  return XML_Parse(parser, "</list>", 7, 1) == XML_STATUS_OK;
}
