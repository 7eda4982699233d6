import type { TSchema } from 'typebox'
import type { OperatorCommand } from './commands.ts'

/** Keeps the exact types of a command's input and answer. */
export const command = <I extends TSchema, O>(definition: OperatorCommand<I, O>): OperatorCommand<I, O> => definition
