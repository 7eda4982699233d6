import { vi } from 'vitest'

/** How many days were spelled out or read while `work` ran: what a walk over days costs, whatever the machine. */
export async function daysWalked(work: () => unknown): Promise<number> {
  const spelled = vi.spyOn(Date.prototype, 'toISOString')
  const parsed = vi.spyOn(Date, 'parse')
  try {
    await work()
    return spelled.mock.calls.length + parsed.mock.calls.length
  } finally {
    spelled.mockRestore()
    parsed.mockRestore()
  }
}
