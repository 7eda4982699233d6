import { describe } from 'vitest'
import { findBrowser } from './browser.ts'

/**
 * Tests that need the browser: left out, by name, where none is installed, unless `TEST_BROWSER=required` says it must
 * be.
 */
export function describeInBrowser(name: string, tests: () => void): void {
  const missing = findBrowser() === null && process.env.TEST_BROWSER !== 'required'
  describe.skipIf(missing)(missing ? `${name} (left out: no Chromium in PATH)` : name, tests)
}
