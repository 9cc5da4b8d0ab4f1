#ifndef HEADER_PLUGIN_H
#define HEADER_PLUGIN_H
#include <stdint.h>
#endif
