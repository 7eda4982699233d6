#!/usr/bin/env node
import { launch } from './launch.mjs'

launch(new URL('../cli/main.ts', import.meta.url))
