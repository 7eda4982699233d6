/** Memory outside the heap, given back when it is known to be done with. */

/**
 * Empties a buffer that nothing needs any more. Left to the collector, a few megabytes of such buffers have it walk
 * through the whole heap, which took a tenth of the processor time of an import.
 */
export function giveBack(buffer: ArrayBuffer): void {
  buffer.transfer(0)
}
