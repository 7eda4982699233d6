/**
 * Frees the memory of a buffer that is no longer used. If the garbage collector has to free a few megabytes of such
 * buffers, it walks through the whole heap, which took a tenth of the processor time of an import.
 */
export function releaseBuffer(buffer: ArrayBuffer): void {
  buffer.transfer(0)
}
