import type { ReadyBatch } from './ready-batch.ts'

/** Adds a warning to the answer of a batch, once: the transaction of the batch may run more than once. */
export function addWarning({ warnings }: ReadyBatch['answer'], code: string, message: string): void {
  if (!warnings.some((warning) => warning.code === code)) warnings.push({ code, message })
}
