import type { Clock } from '#clock.ts'
import type { ControlStore } from './store.ts'

/** What work on the control store alone needs. */
export interface ControlContext {
  control: ControlStore
  clock: Clock
}
