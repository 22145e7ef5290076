#include "CTempo.h"
