/**
 * After an installation: removes the C headers of Spoor's own Node (67 of its 211 MB). They are for building native
 * add-ons, and Spoor's are prebuilt.
 */
import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findNode } from './launch.mjs'

const node = findNode()
// Only inside the package of the project's own Node, never in the system's Node.
if (node?.includes(join('node_modules', 'node-')) === true) {
  rmSync(join(dirname(dirname(node)), 'include'), { recursive: true, force: true })
}
