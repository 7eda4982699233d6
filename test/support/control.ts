import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteControl } from '#control/sqlite.ts'
import type { ControlStore } from '#control/store.ts'

export interface TestControl {
  control: ControlStore
  folder: string
  file: string
  /** Closes the store and removes its folder. */
  remove(): Promise<void>
}

/** A fresh control store on a real file, in a temporary folder of its own. */
export async function openTestControl(): Promise<TestControl> {
  const folder = makeTestFolder()
  const file = join(folder, 'control.sqlite')
  const control = await openSqliteControl(file)
  return {
    control,
    folder,
    file,
    async remove() {
      await control.close()
      removeTestFolder(folder)
    },
  }
}

export function makeTestFolder(): string {
  return mkdtempSync(join(tmpdir(), 'spoor-test-'))
}

export function removeTestFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}
