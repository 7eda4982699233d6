#!/usr/bin/env node
import { launch } from './launch.mjs'

launch(new URL('../src/surfaces/cli/main.ts', import.meta.url))
