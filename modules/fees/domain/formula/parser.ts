import { defined } from '#kit/domain/defined.ts'
import { parseFraction, type Fraction } from '../fraction.ts'
import { FormulaError } from './errors.ts'
import { tokenize, type Token } from './lexer.ts'
import {
  formatAttribute,
  functionNames,
  isFunction,
  findVariable,
  variables,
  splitKnownWords,
  type FunctionName,
} from './variables.ts'

interface TextRange {
  readonly at: number
  readonly length: number
}

export type Operator = '+' | '-' | '*' | '/'
export type Comparison = '>' | '<' | '=' | '>=' | '<=' | '<>'

/** A tier of STEP: up to `to` (nothing: without end) each unit costs `price`. */
export interface TierNode {
  readonly to?: Node
  readonly price: Node
}

export type Node = TextRange &
  (
    | { readonly kind: 'number'; readonly value: Fraction }
    | { readonly kind: 'variable'; readonly name: string }
    | { readonly kind: 'minus'; readonly a: Node }
    | { readonly kind: 'operation'; readonly sign: Operator; readonly a: Node; readonly b: Node }
    | { readonly kind: 'comparison'; readonly sign: Comparison; readonly a: Node; readonly b: Node }
    | { readonly kind: 'call'; readonly name: Exclude<FunctionName, 'STEP'>; readonly args: readonly Node[] }
    | { readonly kind: 'step'; readonly of: Node; readonly tiers: readonly TierNode[] }
  )

/** FEE-21 */
export const maxDepth = 20

const functionSignatures: Readonly<Record<FunctionName, string>> = {
  IF: 'IF(条件, 成立时, 不成立时)',
  MIN: 'MIN(a, b, …)',
  MAX: 'MAX(a, b, …)',
  ROUND: 'ROUND(数, 位数)',
  CEIL: 'CEIL(数)',
  FLOOR: 'FLOOR(数)',
  STEP: 'STEP(用量; 15,2.8; 25,4.2; *,8.4)',
}

/** Words that people write between conditions. */
const conjunctionPattern = /^(且|并且|而且|和|与|或|或者|and|or)/i

const describeConjunction = (word: string): string =>
  `公式里没有“${word}”，几个条件请用 IF 嵌套：都要成立写 IF(条件1, IF(条件2, 数, 另一个数), 另一个数)，有一个成立就行写 IF(条件1, 数, IF(条件2, 数, 另一个数))`

const argumentCounts: Readonly<
  Record<Exclude<FunctionName, 'STEP'>, readonly [least: number, most: number]>
> = {
  IF: [3, 3],
  MIN: [2, 20],
  MAX: [2, 20],
  ROUND: [2, 2],
  CEIL: [1, 1],
  FLOOR: [1, 1],
}

/**
 * A formula's text as a tree (FEE-21). `parameters` are the names its own definition adds. Throws
 * FormulaFault with the place.
 */
export function parse(text: string, parameters: readonly string[] = []): Node {
  const list = tokenize(text)
  let i = 0
  let depth = 0
  const here = (): Token => defined(list[i])
  const fail = (t: TextRange, what: string): never => {
    throw new FormulaError(text, t.at, t.length, what)
  }
  const is = (...signs: string[]): boolean => here().kind === 'sign' && signs.includes(here().value)
  const span = (from: TextRange): TextRange => ({
    at: from.at,
    length: defined(list[i - 1]).at + defined(list[i - 1]).length - from.at,
  })
  const misplaced = (t: Token): never => {
    const join = t.kind === 'name' && conjunctionPattern.exec(text.slice(t.at, t.at + t.length))?.[0]
    if (join) return fail({ at: t.at, length: join.length }, describeConjunction(join))
    const said = `“${text.slice(t.at, t.at + t.length)}”`
    return fail(
      t,
      t.kind !== 'sign' || t.value === '('
        ? `${said}前面缺少运算符（+ - × ÷）`
        : t.value === ')'
          ? '多了一个“)”'
          : `${said}放在这里不对，请检查`,
    )
  }
  const shut = (open: Token, what: string): void => {
    if (is(')')) {
      i++
      return
    }
    if (here().kind === 'end') fail(open, `这个${what}没有对应的“)”`)
    misplaced(here())
  }
  const deeper = <T>(t: TextRange, read: () => T): T => {
    if (++depth > maxDepth) fail(t, `括号和函数最多嵌套 ${maxDepth} 层，请拆分或简化`)
    const out = read()
    depth--
    return out
  }

  const comparison = (): Node => {
    const from = here()
    const a = sum()
    if (!is('>', '<', '=', '>=', '<=', '<>')) return a
    const sign = here().value as Comparison
    i++
    const b = sum()
    if (is('>', '<', '=', '>=', '<=', '<>')) fail(here(), '一个条件只能比较一次，请用 IF 嵌套')
    return { kind: 'comparison', sign, a, b, ...span(from) }
  }
  const chain = (signs: readonly string[], part: () => Node) => (): Node => {
    const from = here()
    let a = part()
    while (is(...signs)) {
      const sign = here().value as Operator
      i++
      const b = part()
      a = { kind: 'operation', sign, a, b, ...span(from) }
    }
    return a
  }
  const signed = (): Node => {
    const from = here()
    if (!is('-', '+')) return single()
    i++
    const a = deeper(from, signed)
    return from.value === '+' ? a : { kind: 'minus', a, ...span(from) }
  }
  const sum = chain(['+', '-'], chain(['*', '/'], signed))

  const variable = (t: Token): Node => {
    const known = findVariable(t.value)
    if (parameters.includes(t.value)) return { kind: 'variable', name: t.value, at: t.at, length: t.length }
    if (known) return { kind: 'variable', name: known.name, at: t.at, length: t.length }
    const run = splitKnownWords(t.value)
    if (run) fail(t, `${run.map(w => `“${w}”`).join('与')}之间缺少运算符，如 ${run.join(' × ')}`)
    const near = variables.filter(v => [...t.value].some(c => v.name.includes(c))).map(v => v.name)
    return fail(
      t,
      `没有变量“${t.value.slice(0, 20)}”，可用：${[...parameters, ...(near.length ? near : variables.map(v => v.name))].join('、')}；公式自己的变量请加在“参数”里，自定义属性写作 A[名称]`,
    )
  }
  const tier = (): TierNode => {
    let to: Node | undefined
    if (is('*')) {
      i++
    } else {
      to = comparison()
    }
    if (!is(',')) fail(here(), `每档写作“上限,单价”，如 ${functionSignatures.STEP}`)
    i++
    const price = comparison()
    return to ? { to, price } : { price }
  }
  const call = (t: Token): Node => {
    const name = t.value.toUpperCase()
    if (!isFunction(name) && (parameters.includes(t.value) || findVariable(t.value)))
      return fail(here(), `“${t.value}”与“(”之间缺少运算符，如 ${t.value} × (…)`)
    if (!isFunction(name))
      return fail(t, `没有函数“${t.value.slice(0, 20)}”，可用：${functionNames.join('、')}`)
    const open = here()
    i++
    if (name === 'STEP') {
      const of = comparison()
      const tiers: TierNode[] = []
      while (is(';')) {
        i++
        tiers.push(tier())
      }
      shut(open, '括号')
      if (!tiers.length) fail(span(t), `STEP 写作 ${functionSignatures.STEP}`)
      if (tiers.some((x, n) => (x.to === undefined) !== (n === tiers.length - 1)))
        fail(span(t), `STEP 只有最后一档写 *（以上部分），如 ${functionSignatures.STEP}`)
      return { kind: 'step', of, tiers, ...span(t) }
    }
    const args: Node[] = is(')') ? [] : [comparison()]
    while (is(',')) {
      i++
      args.push(comparison())
    }
    shut(open, '括号')
    const [least, most] = argumentCounts[name]
    if (args.length < least || args.length > most)
      fail(span(t), `${name} 应写作 ${functionSignatures[name]}，现有 ${args.length} 个参数`)
    return { kind: 'call', name, args, ...span(t) }
  }
  const single = (): Node => {
    const t = here()
    if (t.kind === 'end') return fail(t, list.length === 1 ? '公式不能为空' : '后面还缺一个数、变量或括号')
    i++
    if (t.kind === 'number')
      return { kind: 'number', value: parseFraction(t.value), at: t.at, length: t.length }
    if (t.kind === 'attribute')
      return { kind: 'variable', name: formatAttribute(t.value), at: t.at, length: t.length }
    if (t.kind === 'name') return is('(') ? deeper(t, () => call(t)) : variable(t)
    if (t.value !== '(') return fail(t, `“${text.slice(t.at, t.at + t.length)}”前面缺少一个数、变量或括号`)
    return deeper(t, () => {
      const a = comparison()
      shut(t, '“(”')
      return { ...a, ...span(t) }
    })
  }

  const whole = comparison()
  if (here().kind !== 'end') {
    misplaced(here())
  }
  return whole
}
