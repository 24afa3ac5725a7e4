import type { Decimal } from '#kit/domain/decimal.ts'
import { parseFraction, type Fraction } from '../fraction.ts'
import { compile, type Evaluator } from './compiler.ts'
import { FormulaError, CalculationError, type Fault } from './errors.ts'
import { tokenize } from './lexer.ts'
import { parse, type Node } from './parser.ts'
import { isFunction, findVariable } from './variables.ts'

/** A formula ready to run: the one evaluator of test screen, preview, bulk run and print (FEE-21). */
export interface Formula {
  readonly text: string
  /** Canonical names of what it needs, in the order of first mention; the order of `run`'s values. */
  readonly variables: readonly string[]
  /** Exact, any size and sign. Throws CalculationError (FEE-23). */
  readonly run: Evaluator
}

const listMentionedVariables = (node: Node): string[] => {
  switch (node.kind) {
    case 'number':
      return []
    case 'variable':
      return [node.name]
    case 'minus':
      return listMentionedVariables(node.a)
    case 'operation':
    case 'comparison':
      return [...listMentionedVariables(node.a), ...listMentionedVariables(node.b)]
    case 'call':
      return node.args.flatMap(listMentionedVariables)
    case 'step':
      return [
        ...listMentionedVariables(node.of),
        ...node.tiers.flatMap(t => [
          ...(t.to ? listMentionedVariables(t.to) : []),
          ...listMentionedVariables(t.price),
        ]),
      ]
  }
}

/**
 * Reads and closes a formula. `parameters`: names its definition adds to the built-in variables. Throws
 * FormulaError with the place.
 */
export function compileFormula(text: string, parameters: readonly string[] = []): Formula {
  const tree = parse(text, parameters)
  const variables = [...new Set(listMentionedVariables(tree))]
  return { text, variables, run: compile(text, tree, new Map(variables.map((name, i) => [name, i]))) }
}

/** What keeps a formula from being saved, or nothing (FEE-22). */
export function findFormulaFault(text: string, parameters: readonly string[] = []): Fault | undefined {
  try {
    compileFormula(text, parameters)
    return undefined
  } catch (e) {
    if (e instanceof FormulaError) return e.fault
    throw e
  }
}

/** FEE-23: what one amount may be, in yuan. */
const maxAmountYuan = 99_999_999_99n

/** An amount in yuan within FEE-23's bounds. Throws CalculationError. */
export function requireInRange(yuan: Fraction): Fraction {
  if (yuan.numerator < 0n) throw new CalculationError('range', '计算结果为负数')
  if (yuan.numerator * 100n > maxAmountYuan * yuan.denominator)
    throw new CalculationError('range', '计算结果超过 99999999.99')
  return yuan
}

/**
 * By name, for the test screen and for proofs; bulk runs fill `run`'s values themselves. Throws
 * CalculationError.
 */
export const evaluate = (f: Formula, values: Readonly<Record<string, Decimal>>): Fraction =>
  requireInRange(
    f.run(f.variables.map(name => (values[name] === undefined ? undefined : parseFraction(values[name])))),
  )

/** Why a name cannot be a formula's own parameter: no whole word, or taken already. Nothing when it can. */
export function findParameterFault(name: string, takenNames: readonly string[] = []): string | undefined {
  let word = ''
  try {
    const [first, second] = tokenize(name)
    if (first?.kind === 'name' && second?.kind === 'end') {
      word = first.value
    }
  } catch (e) {
    if (!(e instanceof FormulaError)) throw e
  }
  if (!word || word !== name)
    return `参数名“${name.slice(0, 20)}”应是一个词：以文字开头，只含文字、数字和下划线`
  if (findVariable(name) || isFunction(name.toUpperCase()) || takenNames.includes(name))
    return `参数名“${name}”已被占用，请更换`
  return undefined
}
