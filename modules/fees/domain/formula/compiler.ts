import { defined } from '#kit/domain/defined.ts'
import {
  roundTo,
  compare,
  divide,
  fractionOf,
  subtract,
  negate,
  add,
  multiply,
  type Fraction,
} from '../fraction.ts'
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
type CallNode = Extract<Node, { kind: 'call' }>

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
const roundToWhole = (fraction: Fraction, up: boolean): Fraction => {
  const query = fraction.numerator / fraction.denominator
  const exact = query * fraction.denominator === fraction.numerator
  const higher = fraction.numerator > 0n ? query + 1n : query
  const lower = fraction.numerator < 0n ? query - 1n : query
  return { numerator: exact ? query : up ? higher : lower, denominator: 1n }
}

/** A number read from a part whose value is known while compiling. */
const constantValue = (part: CompiledAmount): Fraction => part.run([])

/** Compiles the tree of one formula; `slots` gives the place of each variable in the list of values. */
class Compiler {
  readonly #text: string
  readonly #slots: ReadonlyMap<string, number>

  constructor(text: string, slots: ReadonlyMap<string, number>) {
    this.#text = text
    this.#slots = slots
  }

  amount(node: Node): CompiledAmount {
    const part = this.#part(node)
    return 'run' in part
      ? part
      : this.#fail(node, `${this.#quote(node)}是条件，不是数；条件只能写在 IF 的第一个参数`)
  }

  #fail(node: Node, message: string): never {
    throw new FormulaError(this.#text, node.at, node.length, message)
  }

  #quote(node: Node): string {
    return `“${this.#text.slice(node.at, node.at + Math.min(node.length, 20))}”`
  }

  #part(node: Node): CompiledPart {
    switch (node.kind) {
      case 'number':
        return { run: () => node.value, constant: true }
      case 'variable':
        return this.#variable(node)
      case 'minus': {
        const operand = this.amount(node.a)
        return this.#fold(node, values => negate(operand.run(values)), [operand])
      }
      case 'operation':
        return this.#operation(node)
      case 'comparison':
        return this.#comparison(node)
      case 'call':
        return this.#call(node)
      case 'step':
        return this.#step(node)
    }
  }

  /**
   * What does not depend on values is computed now, so that its faults are known when the formula is saved.
   */
  #fold(node: Node, run: Evaluator, parts: readonly CompiledPart[]): CompiledAmount {
    if (!parts.every(part => part.constant)) return { run, constant: false }
    try {
      const value = run([])
      return { run: () => value, constant: true }
    } catch (e) {
      if (e instanceof CalculationError) return this.#fail(node, `${e.message}，请修改`)
      throw e
    }
  }

  #variable({ name }: Extract<Node, { kind: 'variable' }>): CompiledAmount {
    const slot = defined(this.#slots.get(name))
    return {
      constant: false,
      run: values => {
        const value = values[slot]
        if (value === undefined) throw new CalculationError('missing', `缺少“${name}”`, name)
        return value
      },
    }
  }

  #operation(node: Extract<Node, { kind: 'operation' }>): CompiledAmount {
    const left = this.amount(node.a)
    const right = this.amount(node.b)
    const operation = operations[node.sign]
    if (node.sign === '/' && right.constant && constantValue(right).numerator === 0n) {
      this.#fail(node.b, '除数为零，请修改')
    }
    return this.#fold(node, values => operation(left.run(values), right.run(values)), [left, right])
  }

  #comparison(node: Extract<Node, { kind: 'comparison' }>): CompiledPart {
    const left = this.amount(node.a)
    const right = this.amount(node.b)
    const comparison = comparisons[node.sign]
    return {
      test: values => comparison(compare(left.run(values), right.run(values))),
      constant: left.constant && right.constant,
    }
  }

  #call(node: CallNode): CompiledPart {
    switch (node.name) {
      case 'IF':
        return this.#if(node)
      case 'ROUND':
        return this.#round(node)
      case 'CEIL':
      case 'FLOOR': {
        const operand = this.amount(defined(node.args[0]))
        const isUp = node.name === 'CEIL'
        return this.#fold(node, values => roundToWhole(operand.run(values), isUp), [operand])
      }
      case 'MIN':
      case 'MAX':
        return this.#extreme(node)
    }
  }

  #if(node: CallNode): CompiledPart {
    const [conditionNode, thenNode, elseNode] = [
      defined(node.args[0]),
      defined(node.args[1]),
      defined(node.args[2]),
    ]
    const [condition, whenTrue, whenFalse] = [
      this.#part(conditionNode),
      this.#part(thenNode),
      this.#part(elseNode),
    ]
    if (!('test' in condition)) return this.#fail(conditionNode, `IF 的第一个参数应为条件，如 楼层 > 1`)
    const constant = condition.constant && whenTrue.constant && whenFalse.constant
    const { test } = condition
    if ('run' in whenTrue && 'run' in whenFalse)
      return { run: values => (test(values) ? whenTrue.run(values) : whenFalse.run(values)), constant }
    if ('test' in whenTrue && 'test' in whenFalse)
      return { test: values => (test(values) ? whenTrue.test(values) : whenFalse.test(values)), constant }
    return this.#fail(elseNode, 'IF 的两个结果应同为数')
  }

  #round(node: CallNode): CompiledAmount {
    const operand = this.amount(defined(node.args[0]))
    const digitsNode = defined(node.args[1])
    const digitsPart = this.amount(digitsNode)
    const digits = digitsPart.constant ? constantValue(digitsPart) : undefined
    const scale =
      digits && digits.numerator % digits.denominator === 0n
        ? Number(digits.numerator / digits.denominator)
        : -1
    if (scale < 0 || scale > 6) return this.#fail(digitsNode, 'ROUND 的位数应为 0 到 6 的整数')
    return this.#fold(node, values => fractionOf(roundTo(operand.run(values), scale)), [operand, digitsPart])
  }

  #extreme(node: CallNode): CompiledAmount {
    const operands = node.args.map(arg => this.amount(arg))
    const first = defined(operands[0]).run
    const sign = node.name === 'MIN' ? -1 : 1
    return this.#fold(
      node,
      values =>
        operands.reduce((best, operand) => {
          const value = operand.run(values)
          return compare(value, best) * sign > 0 ? value : best
        }, first(values)),
      operands,
    )
  }

  #step(node: Extract<Node, { kind: 'step' }>): CompiledAmount {
    const quantity = this.amount(node.of)
    const tiers = node.tiers.map(tier => ({
      node: tier,
      to: tier.to && this.amount(tier.to),
      price: this.amount(tier.price),
    }))
    tiers.forEach((tier, i) => {
      const before = tiers[i - 1]?.to
      if (
        tier.to?.constant &&
        before?.constant &&
        compare(constantValue(tier.to), constantValue(before)) <= 0
      ) {
        this.#fail(defined(tier.node.to), '阶梯上限应逐档增大')
      }
      if (i === 0 && tier.to?.constant && constantValue(tier.to).numerator <= 0n) {
        this.#fail(defined(tier.node.to), '阶梯上限应大于零')
      }
    })
    const isFixed = tiers.every(tier => (!tier.to || tier.to.constant) && tier.price.constant)
    const stepsFor = (values: VariableValues) =>
      tiers.map(tier => ({ ...(tier.to ? { to: tier.to.run(values) } : {}), price: tier.price.run(values) }))
    const fixedSteps = isFixed ? stepsFor([]) : undefined
    return this.#fold(node, values => priceBySteps(quantity.run(values), fixedSteps ?? stepsFor(values)), [
      quantity,
      ...tiers.flatMap(tier => [tier.price, ...(tier.to ? [tier.to] : [])]),
    ])
  }
}

/**
 * Types, folds and closes a tree over its variables (`slots`: name → index). Throws FormulaError for what can
 * never be computed.
 */
export const compile = (text: string, tree: Node, slots: ReadonlyMap<string, number>): Evaluator =>
  new Compiler(text, slots).amount(tree).run
