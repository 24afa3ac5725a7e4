import type { Comparison, Node } from './parser.ts'

const comparisonWords: Readonly<Record<Comparison, string>> = {
  '>': '大于',
  '<': '小于',
  '=': '等于',
  '>=': '不小于',
  '<=': '不超过',
  '<>': '不等于',
}

const operatorSigns = { '+': '+', '-': '-', '*': '×', '/': '÷' } as const

const isSum = (n: Node): boolean => n.kind === 'minus' || (n.kind === 'operation' && '+-'.includes(n.sign))

type CallNode = Extract<Node, { readonly kind: 'call' }>

function describeCall({ name, args }: CallNode, text: string): string {
  const words = args.map(arg => describe(arg, text))
  const [first = '', second = '', third = ''] = words
  switch (name) {
    case 'IF':
      return `${first}时取 ${second}，否则${args[2]?.kind === 'call' && args[2].name === 'IF' ? '，' : '取 '}${third}`
    case 'MIN':
      return `${words.join('、')} 中${words.length === 2 ? '较' : '最'}小的数`
    case 'MAX':
      return `${words.join('、')} 中${words.length === 2 ? '较' : '最'}大的数`
    case 'ROUND':
      return `${first} 四舍五入到 ${second} 位小数`
    case 'CEIL':
      return `${first} 向上取整`
    case 'FLOOR':
      return `${first} 向下取整`
  }
}

/** An operand of × or ÷ or of a sum, in brackets where they are needed. */
const describeOperand = (n: Node, text: string, isFactor: boolean): string =>
  n.kind === 'call' || (isFactor && isSum(n)) ? `(${describe(n, text)})` : describe(n, text)

function describe(node: Node, text: string): string {
  switch (node.kind) {
    case 'number':
    case 'step':
      return text.slice(node.at, node.at + node.length)
    case 'variable':
      return node.name
    case 'minus':
      return `-${describeOperand(node.a, text, true)}`
    case 'operation': {
      const isProduct = node.sign === '*' || node.sign === '/'
      const right = describeOperand(node.b, text, isProduct || node.sign === '-')
      const needsBrackets = node.sign === '/' && node.b.kind === 'operation' && !isSum(node.b)
      const left = describeOperand(node.a, text, isProduct)
      return `${left} ${operatorSigns[node.sign]} ${needsBrackets ? `(${right})` : right}`
    }
    case 'comparison':
      return `${describe(node.a, text)}${comparisonWords[node.sign]} ${describe(node.b, text)} `
    case 'call':
      return describeCall(node, text)
  }
}

/** A formula as a bill explains it: functions and variables by their Chinese names. */
export const describeFormula = (tree: Node, text: string): string =>
  tree.kind === 'call' ? describeCall(tree, text) : `公式：${describe(tree, text)}`
