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
  `公式中没有“${word}”，几个条件请用 IF 嵌套：都要成立写 IF(条件1, IF(条件2, 数, 另一个数), 另一个数)，任一成立写 IF(条件1, 数, IF(条件2, 数, 另一个数))`

const argumentCounts: Readonly<Record<Exclude<FunctionName, 'STEP'>, readonly [min: number, max: number]>> = {
  IF: [3, 3],
  MIN: [2, 20],
  MAX: [2, 20],
  ROUND: [2, 2],
  CEIL: [1, 1],
  FLOOR: [1, 1],
}

const operators: Readonly<Record<string, Operator>> = { '+': '+', '-': '-', '*': '*', '/': '/' }
const comparisons: Readonly<Record<string, Comparison>> = {
  '>': '>',
  '<': '<',
  '=': '=',
  '>=': '>=',
  '<=': '<=',
  '<>': '<>',
}

/** Reads one formula by recursive descent. */
class Parser {
  readonly #text: string
  readonly #parameters: readonly string[]
  readonly #tokens: readonly Token[]
  #index = 0
  #depth = 0

  constructor(text: string, parameters: readonly string[]) {
    this.#text = text
    this.#parameters = parameters
    this.#tokens = tokenize(text)
  }

  formula(): Node {
    const tree = this.#comparison()
    if (this.#current().kind !== 'end') {
      this.#failMisplaced(this.#current())
    }
    return tree
  }

  #current(): Token {
    return defined(this.#tokens[this.#index])
  }

  #isSign(...signs: string[]): boolean {
    const token = this.#current()
    return token.kind === 'sign' && signs.includes(token.value)
  }

  /** Steps over the sign, if it is the current token. */
  #skipSign(sign: string): boolean {
    if (!this.#isSign(sign)) return false
    this.#index++
    return true
  }

  /** From `start` to the token read last. */
  #rangeFrom(start: TextRange): TextRange {
    const last = defined(this.#tokens[this.#index - 1])
    return { at: start.at, length: last.at + last.length - start.at }
  }

  #quote(range: TextRange): string {
    return `“${this.#text.slice(range.at, range.at + range.length)}”`
  }

  #fail(range: TextRange, message: string): never {
    throw new FormulaError(this.#text, range.at, range.length, message)
  }

  #failMisplaced(token: Token): never {
    const conjunction =
      token.kind === 'name' &&
      conjunctionPattern.exec(this.#text.slice(token.at, token.at + token.length))?.[0]
    if (conjunction)
      this.#fail({ at: token.at, length: conjunction.length }, describeConjunction(conjunction))
    if (token.kind !== 'sign' || token.value === '(')
      this.#fail(token, `${this.#quote(token)}前面缺少运算符（+ - × ÷）`)
    return this.#fail(token, token.value === ')' ? '有多余的“)”' : `${this.#quote(token)}位置不正确，请检查`)
  }

  #closeBracket(opening: Token, name: string): void {
    if (this.#skipSign(')')) return
    if (this.#current().kind === 'end') this.#fail(opening, `该${name}没有对应的“)”`)
    this.#failMisplaced(this.#current())
  }

  #nested<T>(range: TextRange, read: () => T): T {
    if (++this.#depth > maxDepth) this.#fail(range, `括号和函数最多嵌套 ${maxDepth} 层，请拆分或简化`)
    const result = read()
    this.#depth--
    return result
  }

  #comparison(): Node {
    const start = this.#current()
    const node = this.#sum()
    const sign = this.#signIn(comparisons)
    if (!sign) return node
    this.#index++
    const b = this.#sum()
    if (this.#signIn(comparisons)) this.#fail(this.#current(), '一个条件只能比较一次，请用 IF 嵌套')
    return { kind: 'comparison', sign, a: node, b, ...this.#rangeFrom(start) }
  }

  /** The current sign, if it is one of these. */
  #signIn<S extends string>(signs: Readonly<Record<string, S>>): S | undefined {
    const token = this.#current()
    return token.kind === 'sign' ? signs[token.value] : undefined
  }

  #sum(): Node {
    return this.#chain(['+', '-'], () => this.#product())
  }

  #product(): Node {
    return this.#chain(['*', '/'], () => this.#signed())
  }

  #chain(signs: readonly Operator[], readOperand: () => Node): Node {
    const start = this.#current()
    let node = readOperand()
    for (;;) {
      const sign = this.#signIn(operators)
      if (!sign || !signs.includes(sign)) return node
      this.#index++
      const b = readOperand()
      node = { kind: 'operation', sign, a: node, b, ...this.#rangeFrom(start) }
    }
  }

  #signed(): Node {
    const start = this.#current()
    if (!this.#isSign('-', '+')) return this.#operand()
    this.#index++
    const a = this.#nested(start, () => this.#signed())
    return start.value === '+' ? a : { kind: 'minus', a, ...this.#rangeFrom(start) }
  }

  #operand(): Node {
    const token = this.#current()
    if (token.kind === 'end')
      return this.#fail(token, this.#tokens.length === 1 ? '公式不能为空' : '后面还缺一个数、变量或括号')
    this.#index++
    const { at, length } = token
    if (token.kind === 'number') return { kind: 'number', value: parseFraction(token.value), at, length }
    if (token.kind === 'attribute')
      return { kind: 'variable', name: formatAttribute(token.value), at, length }
    if (token.kind === 'name')
      return this.#isSign('(') ? this.#nested(token, () => this.#call(token)) : this.#variable(token)
    if (token.value !== '(') return this.#fail(token, `${this.#quote(token)}前面缺少一个数、变量或括号`)
    return this.#nested(token, () => {
      const inner = this.#comparison()
      this.#closeBracket(token, '“(”')
      return { ...inner, ...this.#rangeFrom(token) }
    })
  }

  #variable({ value, at, length }: Token): Node {
    const known = findVariable(value)
    if (this.#parameters.includes(value)) return { kind: 'variable', name: value, at, length }
    if (known) return { kind: 'variable', name: known.name, at, length }
    const words = splitKnownWords(value)
    if (words)
      this.#fail(
        { at, length },
        `${words.map(word => `“${word}”`).join('与')}之间缺少运算符，如 ${words.join(' × ')}`,
      )
    const similar = variables.filter(v => [...value].some(c => v.name.includes(c)))
    const suggestions = [...this.#parameters, ...(similar.length ? similar : variables).map(v => v.name)]
    return this.#fail(
      { at, length },
      `没有变量“${value.slice(0, 20)}”，可用：${suggestions.join('、')}；自定义参数请加在“参数”里，自定义属性写作 A[名称]`,
    )
  }

  /** A call whose name `nameToken` has just been read; the current token is its opening bracket. */
  #call(nameToken: Token): Node {
    const name = nameToken.value.toUpperCase()
    const opening = this.#current()
    if (!isFunction(name)) {
      if (this.#parameters.includes(nameToken.value) || findVariable(nameToken.value))
        this.#fail(opening, `“${nameToken.value}”与“(”之间缺少运算符，如 ${nameToken.value} × (…)`)
      return this.#fail(
        nameToken,
        `没有函数“${nameToken.value.slice(0, 20)}”，可用：${functionNames.join('、')}`,
      )
    }
    this.#index++
    if (name === 'STEP') return this.#step(nameToken, opening)
    const args: Node[] = this.#isSign(')') ? [] : [this.#comparison()]
    while (this.#skipSign(',')) {
      args.push(this.#comparison())
    }
    this.#closeBracket(opening, '括号')
    const [min, max] = argumentCounts[name]
    if (args.length < min || args.length > max)
      this.#fail(
        this.#rangeFrom(nameToken),
        `${name} 应写作 ${functionSignatures[name]}，现有 ${args.length} 个参数`,
      )
    return { kind: 'call', name, args, ...this.#rangeFrom(nameToken) }
  }

  #step(nameToken: Token, opening: Token): Node {
    const of = this.#comparison()
    const tiers: TierNode[] = []
    while (this.#skipSign(';')) {
      tiers.push(this.#tier())
    }
    this.#closeBracket(opening, '括号')
    const range = this.#rangeFrom(nameToken)
    if (!tiers.length) this.#fail(range, `STEP 写作 ${functionSignatures.STEP}`)
    if (tiers.some((tier, i) => (tier.to === undefined) !== (i === tiers.length - 1)))
      this.#fail(range, `STEP 只有最后一档写 *（以上部分），如 ${functionSignatures.STEP}`)
    return { kind: 'step', of, tiers, ...range }
  }

  #tier(): TierNode {
    const to = this.#skipSign('*') ? undefined : this.#comparison()
    if (!this.#skipSign(','))
      this.#fail(this.#current(), `每档写作“上限,单价”，如 ${functionSignatures.STEP}`)
    const price = this.#comparison()
    return to ? { to, price } : { price }
  }
}

/**
 * A formula's text as a tree (FEE-21). `parameters` are the names its own definition adds. Throws
 * FormulaError with the place.
 */
export const parse = (text: string, parameters: readonly string[] = []): Node =>
  new Parser(text, parameters).formula()
