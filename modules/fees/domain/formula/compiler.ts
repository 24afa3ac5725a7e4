import { defined } from '#kit/domain/defined.ts'
import { roundTo } from '../fraction.ts'
import { compare, divide, fractionOf, subtract, negate, add, multiply, type Fraction } from '../fraction.ts'
import { FormulaError, CalculationError } from './errors.ts'
import type { Comparison, Node, Operator } from './parser.ts'
import { priceBySteps } from './steps.ts'

/** Values in the order of the formula's variables; nothing where one is missing. */
export type VariableValues = readonly (Fraction | undefined)[]
export type Evaluator = (values: VariableValues) => Fraction
type Condition = (values: VariableValues) => boolean

/**
 * A part of a formula made ready: a number or a condition, and whether it is the same whatever the values
 * are.
 */
type CompiledPart =
  | { readonly run: Evaluator; readonly constant: boolean }
  | { readonly test: Condition; readonly constant: boolean }

type CompiledAmount = Extract<CompiledPart, { run: Evaluator }>

const divideChecked = (a: Fraction, b: Fraction): Fraction => {
  if (b.numerator === 0n) throw new CalculationError('divisor', '除数为零')
  return divide(a, b)
}

const operations: Readonly<Record<Operator, (a: Fraction, b: Fraction) => Fraction>> = {
  '+': add,
  '-': subtract,
  '*': multiply,
  '/': divideChecked,
}

const comparisons: Readonly<Record<Comparison, (d: number) => boolean>> = {
  '>': d => d > 0,
  '<': d => d < 0,
  '=': d => d === 0,
  '>=': d => d >= 0,
  '<=': d => d <= 0,
  '<>': d => d !== 0,
}

/** Towards the lower or the higher whole number, as on the number line. */
const roundToWhole = (x: Fraction, up: boolean): Fraction => {
  const q = x.numerator / x.denominator
  const exact = q * x.denominator === x.numerator
  return {
    numerator: exact ? q : up ? (x.numerator > 0n ? q + 1n : q) : x.numerator < 0n ? q - 1n : q,
    denominator: 1n,
  }
}

/**
 * Types, folds and closes a tree over its variables (`slots`: name → index). Throws FormulaFault for what can
 * never be computed.
 */
export function compile(text: string, tree: Node, slots: ReadonlyMap<string, number>): Evaluator {
  const fail = (n: Node, what: string): never => {
    throw new FormulaError(text, n.at, n.length, what)
  }
  const said = (n: Node): string => `“${text.slice(n.at, n.at + Math.min(n.length, 20))}”`
  const amount = (n: Node): CompiledAmount => {
    const p = part(n)
    return 'run' in p ? p : fail(n, `${said(n)}是条件，不是数；条件只能写在 IF 的第一个参数`)
  }
  /**
   * What does not depend on values is computed now, so that its faults are known when the formula is saved.
   */
  const fold = (n: Node, run: Evaluator, parts: readonly CompiledPart[]): CompiledAmount => {
    if (!parts.every(p => p.constant)) return { run, constant: false }
    try {
      const value = run([])
      return { run: () => value, constant: true }
    } catch (e) {
      if (e instanceof CalculationError) return fail(n, `${e.message}，请修改`)
      throw e
    }
  }
  const operation = (n: Extract<Node, { kind: 'operation' }>): CompiledAmount => {
    const a = amount(n.a)
    const b = amount(n.b)
    const f = operations[n.sign]
    const x = a.run
    const y = b.run
    if (n.sign === '/' && b.constant && y([]).numerator === 0n) fail(n.b, '除数为零，请修改')
    return fold(n, v => f(x(v), y(v)), [a, b])
  }
  const call = (n: Extract<Node, { kind: 'call' }>): CompiledPart => {
    if (n.name === 'IF') {
      const [c, a, b] = [part(defined(n.args[0])), part(defined(n.args[1])), part(defined(n.args[2]))]
      if (!('test' in c)) return fail(defined(n.args[0]), `IF 的第一个参数应为条件，如 楼层 > 1`)
      const constant = c.constant && a.constant && b.constant
      if ('run' in a && 'run' in b) return { run: v => (c.test(v) ? a.run(v) : b.run(v)), constant }
      if ('test' in a && 'test' in b) return { test: v => (c.test(v) ? a.test(v) : b.test(v)), constant }
      return fail(defined(n.args[2]), 'IF 的两个结果应同为数')
    }
    const args = n.args.map(amount)
    const runs = args.map(a => a.run)
    const first = defined(runs[0])
    if (n.name === 'ROUND') {
      const digits = defined(args[1]).constant ? defined(runs[1])([]) : undefined
      const scale =
        digits && digits.numerator % digits.denominator === 0n
          ? Number(digits.numerator / digits.denominator)
          : -1
      if (scale < 0 || scale > 6) return fail(defined(n.args[1]), 'ROUND 的位数应为 0 到 6 的整数')
      return fold(n, v => fractionOf(roundTo(first(v), scale)), args)
    }
    if (n.name === 'CEIL' || n.name === 'FLOOR')
      return fold(n, v => roundToWhole(first(v), n.name === 'CEIL'), args)
    const sign = n.name === 'MIN' ? -1 : 1
    return fold(
      n,
      v =>
        runs.reduce((best, r) => {
          const x = r(v)
          return compare(x, best) * sign > 0 ? x : best
        }, first(v)),
      args,
    )
  }
  const step = (n: Extract<Node, { kind: 'step' }>): CompiledAmount => {
    const of = amount(n.of)
    const tiers = n.tiers.map(t => ({ node: t, to: t.to && amount(t.to), price: amount(t.price) }))
    tiers.forEach((t, i) => {
      const before = tiers[i - 1]?.to
      if (t.to?.constant && before?.constant && compare(t.to.run([]), before.run([])) <= 0)
        fail(defined(t.node.to), '阶梯上限应逐档增大')
      if (i === 0 && t.to?.constant && t.to.run([]).numerator <= 0n)
        fail(defined(t.node.to), '阶梯上限应大于零')
    })
    const fixed = tiers.every(t => (!t.to || t.to.constant) && t.price.constant)
    const made = (v: VariableValues) =>
      tiers.map(t => ({ ...(t.to ? { to: t.to.run(v) } : {}), price: t.price.run(v) }))
    const table = fixed ? made([]) : undefined
    return fold(n, v => priceBySteps(of.run(v), table ?? made(v)), [
      of,
      ...tiers.flatMap(t => [t.price, ...(t.to ? [t.to] : [])]),
    ])
  }
  const part = (n: Node): CompiledPart => {
    switch (n.kind) {
      case 'number':
        return { run: () => n.value, constant: true }
      case 'variable': {
        const slot = defined(slots.get(n.name))
        const name = n.name
        return {
          constant: false,
          run: v => {
            const x = v[slot]
            if (x === undefined) throw new CalculationError('missing', `缺少“${name}”`, name)
            return x
          },
        }
      }
      case 'minus': {
        const a = amount(n.a)
        return fold(n, v => negate(a.run(v)), [a])
      }
      case 'operation':
        return operation(n)
      case 'comparison': {
        const a = amount(n.a)
        const b = amount(n.b)
        const holds = comparisons[n.sign]
        return { test: v => holds(compare(a.run(v), b.run(v))), constant: a.constant && b.constant }
      }
      case 'call':
        return call(n)
      case 'step':
        return step(n)
    }
  }
  return amount(tree).run
}
