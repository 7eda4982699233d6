/** What a command takes: each argument or option is declared once, together with how its value is read. */
import { Argument, type Command, Option } from 'commander'
import type { RunOperation } from '../folder/client.ts'

/** Adds itself to a command, and returns the function that reads its value after the command line is parsed. */
export type CliParameter<T> = (command: Command) => (run: RunOperation) => T | Promise<T>

/** Named parameters, in their order on the command line. */
export type ParameterRecord = Readonly<Record<string, CliParameter<unknown>>>
/** The type of a parameter's value. */
export type ParameterValue<P> = P extends CliParameter<infer T> ? T : never
type MayBeLeftOut<P> = { [K in keyof P]: undefined extends ParameterValue<P[K]> ? K : never }[keyof P]

/** The record that parameters are read into, without those that are left out on the command line. */
export type Values<P> = { [K in Exclude<keyof P, MayBeLeftOut<P>>]: ParameterValue<P[K]> } & {
  [K in MayBeLeftOut<P>]?: Exclude<ParameterValue<P[K]>, undefined>
}
/** The parameters of a record, such as the input of an operation: one for each field, or one for all. */
export type ParametersOf<T> = { [K in keyof T]-?: CliParameter<T[K]> } | CliParameter<T>

type Parse<T> = (text: string) => T

/** A positional argument: `<site>` must be given, `[site]` may be left out. */
export function argument(name: `<${string}>`, about: string): CliParameter<string>
export function argument(name: `[${string}]`, about: string): CliParameter<string | undefined>
export function argument<T>(name: `<${string}>`, about: string, parse: Parse<T>): CliParameter<T>
export function argument<T>(name: `[${string}]`, about: string, parse: Parse<T>): CliParameter<T | undefined>
export function argument(name: string, about: string, parse?: Parse<unknown>): CliParameter<unknown> {
  const declared = new Argument(name, about)
  return positional(parse === undefined ? declared : declared.argParser(parse))
}

/** Any argument of commander; `T` is the type of its value. */
export function positional<T>(declared: Argument): CliParameter<T> {
  return (command) => {
    const position = command.registeredArguments.length
    command.addArgument(declared)
    return () => command.processedArgs[position]
  }
}

/** Any option of commander; `T` is the type of its value. */
export function option<T>(declared: Option): CliParameter<T> {
  return (command) => {
    command.addOption(declared)
    return () => command.getOptionValue(declared.attributeName())
  }
}

/** An option with a value that may be left out. */
export function optional(flags: string, about: string): CliParameter<string | undefined>
export function optional<T>(flags: string, about: string, parse: Parse<T>): CliParameter<T | undefined>
export function optional(flags: string, about: string, parse?: Parse<unknown>): CliParameter<unknown> {
  const declared = new Option(flags, about)
  return option(parse === undefined ? declared : declared.argParser(parse))
}

/** An option with a value that must be given. */
export function required(flags: string, about: string, parse?: Parse<string>): CliParameter<string> {
  const declared = new Option(flags, about).makeOptionMandatory()
  return option(parse === undefined ? declared : declared.argParser(parse))
}

/** An option with several values; none of them is an empty list. */
export function repeatable(flags: string, about: string): CliParameter<string[]>
export function repeatable<T>(flags: string, about: string, parse: Parse<T>): CliParameter<T[]>
export function repeatable(
  flags: string,
  about: string,
  parse: Parse<unknown> = (text) => text,
): CliParameter<unknown[]> {
  const declared = new Option(flags, about).argParser<unknown[] | undefined>((text, before = []) => [
    ...before,
    parse(text),
  ])
  return mapped(option<unknown[] | undefined>(declared), (given) => given ?? [])
}

/** An option without a value: true when it is given. */
export function flag(flags: string, about: string): CliParameter<boolean> {
  return mapped(option<true | undefined>(new Option(flags, about)), (given) => given === true)
}

/** The same parameter with another value, which may be read from the installation. */
export function mapped<T, U>(
  parameter: CliParameter<T>,
  turn: (value: T, run: RunOperation) => U | Promise<U>,
): CliParameter<U> {
  return (command) => {
    const read = parameter(command)
    return async (run) => turn(await read(run), run)
  }
}

/** Two parameters as one. */
export function both<A, B>(first: CliParameter<A>, second: CliParameter<B>): CliParameter<[A, B]> {
  return (command) => {
    const [readFirst, readSecond] = [first(command), second(command)]
    return async (run) => [await readFirst(run), await readSecond(run)]
  }
}

/** Several parameters as one, in their order. */
export function together<P extends ParameterRecord>(parameters: P): CliParameter<Values<P>> {
  return (command) => {
    const readers = Object.entries(parameters).map(([name, declare]) => [name, declare(command)] as const)
    return async (run) => {
      const values: Record<string, unknown> = {}
      for (const [name, read] of readers) {
        const value = await read(run)
        if (value !== undefined) values[name] = value
      }
      return values as Values<P>
    }
  }
}

/** The parameters of a record as one. */
export function inputOf<T>(parameters: ParametersOf<T>): CliParameter<T> {
  return typeof parameters === 'function'
    ? parameters
    : (together(parameters as ParameterRecord) as unknown as CliParameter<T>)
}
