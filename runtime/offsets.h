// Offsets of structure fields for the assembler files; runtime.h checks them.
#ifndef KYMO_OFFSETS_H
#define KYMO_OFFSETS_H

#define OBJECT_IN 0
#define OBJECT_OUT 8
#define OBJECT_ENTER 16
#define OBJECT_LEAVE 24
#define OBJECT_IN_SAMPLED 120
#define OBJECT_OUT_SAMPLED 128
#define OBJECT_DUE 136
#define OBJECT_SELF 144
#define THREAD_TOP 0
#define THREAD_LOW 8
#define THREAD_SPAN 16
#define THREAD_SAMPLERS 56
#define FRAME_RET 0
#define FRAME_SP 16
#define FRAME_NODE 32
#define FRAME_SLOT 56
#define FRAME_MARK 60
#define SAMPLER_PARENT 0
#define SAMPLER_COUNTER 8
#define SAMPLER_LEFT 16
#define NODE_VISITS 0

#endif
