import type { Clock } from '#clock.ts'
import type { ControlStore } from './store.ts'

/** The context of work on the control store alone. */
export interface ControlContext {
  control: ControlStore
  clock: Clock
}
