import type { RefObject } from 'react'
import { useWidth } from './use-width.ts'

const HEIGHT = 150
const PHONE_HEIGHT = 96
const PHONE_WIDTH = 480

/** Height of each of several small charts in pixels, from the width of their list: less on phones, in one column. */
export const useSmallHeight = (list: RefObject<HTMLElement | null>): number =>
  useWidth(list) < PHONE_WIDTH ? PHONE_HEIGHT : HEIGHT
