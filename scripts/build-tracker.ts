import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/** The script as `/spoor.js` answers with it: one classic script, for browsers since 2020. */
export async function trackerScript(): Promise<string> {
  const bundle = await rolldown({
    input: fileURLToPath(new URL('../tracker/spoor.ts', import.meta.url)),
    tsconfig: false,
    transform: { target: 'es2020' },
  })
  const { output } = await bundle.generate({ format: 'iife', minify: true, comments: false })
  await bundle.close()
  return output[0].code
}
