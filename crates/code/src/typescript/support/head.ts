/*
 * What the machines of this folder have in common: steps, refusals, timers, numbers and JSON.
 *
 * The emitted module of a machine has tables and guards; the functions here execute them. Nothing reads a clock, a disk or a network.
 */

