import type { Dec } from '#kit/domain/decimal.ts'
import { parseFraction, type Fraction } from '../fraction.ts'
import { compile, type Run } from './compile.ts'
import { FormulaFault, Incalculable, type Fault } from './fault.ts'
import { tokens } from './lexer.ts'
import { parse, type Node } from './parser.ts'
import { isFunction, variableOf } from './variables.ts'

/** A formula ready to run: the one evaluator of test screen, preview, bulk run and print (FEE-21). */
export interface Formula {
  readonly text: string
  /** Canonical names of what it needs, in the order of first mention; the order of `run`'s values. */
  readonly variables: readonly string[]
  /** Exact, any size and sign. Throws Incalculable (FEE-23). */
  readonly run: Run
}

const mentioned = (n: Node): string[] => {
  switch (n.kind) {
    case 'number':
      return []
    case 'variable':
      return [n.name]
    case 'minus':
      return mentioned(n.a)
    case 'operation':
    case 'comparison':
      return [...mentioned(n.a), ...mentioned(n.b)]
    case 'call':
      return n.args.flatMap(mentioned)
    case 'step':
      return [
        ...mentioned(n.of),
        ...n.tiers.flatMap(t => [...(t.to ? mentioned(t.to) : []), ...mentioned(t.price)]),
      ]
  }
}

/**
 * Reads and closes a formula. `parameters`: names its definition adds to the built-in variables. Throws
 * FormulaFault with the place.
 */
export function formula(text: string, parameters: readonly string[] = []): Formula {
  const tree = parse(text, parameters)
  const variables = [...new Set(mentioned(tree))]
  return { text, variables, run: compile(text, tree, new Map(variables.map((name, i) => [name, i]))) }
}

/** What keeps a formula from being saved, or nothing (FEE-22). */
export function faultOf(text: string, parameters: readonly string[] = []): Fault | undefined {
  try {
    formula(text, parameters)
    return undefined
  } catch (e) {
    if (e instanceof FormulaFault) return e.fault
    throw e
  }
}

/** FEE-23: what one amount may be, in yuan. */
const most = 99_999_999_99n

/** An amount in yuan within FEE-23's bounds. Throws Incalculable. */
export function bounded(yuan: Fraction): Fraction {
  if (yuan.top < 0n) throw new Incalculable('range', '计算结果为负数')
  if (yuan.top * 100n > most * yuan.bottom) throw new Incalculable('range', '计算结果超过 99999999.99')
  return yuan
}

/**
 * By name, for the test screen and for proofs; bulk runs fill `run`'s values themselves. Throws Incalculable.
 */
export const evaluate = (f: Formula, values: Readonly<Record<string, Dec>>): Fraction =>
  bounded(
    f.run(f.variables.map(name => (values[name] === undefined ? undefined : parseFraction(values[name])))),
  )

/** Why a name cannot be a formula's own parameter: no whole word, or taken already. Nothing when it can. */
export function parameterFault(name: string, taken: readonly string[] = []): string | undefined {
  let word = ''
  try {
    const [first, second] = tokens(name)
    if (first?.kind === 'name' && second?.kind === 'end') {
      word = first.value
    }
  } catch (e) {
    if (!(e instanceof FormulaFault)) throw e
  }
  if (!word || word !== name)
    return `参数名“${name.slice(0, 20)}”应是一个词：以文字开头，只含文字、数字和下划线`
  if (variableOf(name) || isFunction(name.toUpperCase()) || taken.includes(name))
    return `参数名“${name}”已被占用，请换一个`
  return undefined
}
