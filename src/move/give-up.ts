/** Gives up a move before the stores are handed over. */
import type { Clock } from '#clock.ts'
import { Refusal } from '#refusal.ts'
import { HEARTBEAT_MS } from './move-journal.ts'
import { deleteMoveState, isHandedOver, type MoveState, readMoveState } from './move-state.ts'
import { emptyTarget, openTargetAgain, type TargetSettings } from './target.ts'

/** Several heartbeats, because a machine may be busy. */
const SILENT_MS = 5 * HEARTBEAT_MS

/** Whether a process is moving the folder, by its heartbeats. */
export function isRunning({ phase, failure, updated_at }: MoveState, clock: Clock): boolean {
  return phase !== 'moved' && failure === null && Math.abs(clock.now() - Date.parse(updated_at)) < SILENT_MS
}

/**
 * Deletes the state of the move, and empties its targets if `settings` are given.
 * @throws Refusal not_found: there is no move; conflict: it is handed over, or `settings` name other servers;
 * invalid_input: they name none; store_busy: it is running.
 */
export async function giveUpMove(folder: string, clock: Clock, settings: TargetSettings | null): Promise<MoveState> {
  const state = readMoveState(folder)
  if (state === null) throw new Refusal('not_found', `no move of ${folder} was begun: there is nothing to give up`)
  if (state.phase === 'moved') {
    throw new Refusal(
      'conflict',
      'the installation has moved, so it is too late to give up. {next} says what to do next',
      {
        next: { step: 'migrate_to' },
      },
    )
  }
  if (isHandedOver(state)) {
    throw new Refusal(
      'conflict',
      'the installation is handed over already; it cannot be given up any more. {next} finishes it',
      {
        next: { step: 'migrate_to' },
      },
    )
  }
  if (isRunning(state, clock)) {
    throw new Refusal(
      'store_busy',
      'the move runs now: end it first, by Ctrl-C where it was started, or stop the service',
    )
  }
  if (settings !== null) {
    const target = await openTargetAgain(settings, state)
    try {
      await emptyTarget(target, settings, state)
    } finally {
      await target.close()
    }
  }
  deleteMoveState(folder, state)
  return state
}
