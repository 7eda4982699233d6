/**
 * After an installation: removes the C headers of Spoor's own Node (67 of its 211 MB). They serve to build native
 * add-ons, and Spoor's come built.
 */
import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findNode } from './launch.mjs'

const node = findNode()
// Only inside the package of the project's own Node, never beside a Node of the system.
if (node?.includes(join('node_modules', 'node-')) === true) {
  rmSync(join(dirname(dirname(node)), 'include'), { recursive: true, force: true })
}
