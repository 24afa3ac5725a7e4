/** FEE-20. Where a value comes from: the object charged, its meter, the standard, or the period. */
export type Origin = 'source' | 'meter' | 'standard' | 'period'

export interface Variable {
  readonly name: string
  readonly short?: string
  readonly unit: string
  readonly origin: Origin
}

export const variables: readonly Variable[] = [
  { name: '建筑面积', short: 'S', unit: '㎡', origin: 'source' },
  { name: '套内面积', short: 'SN', unit: '㎡', origin: 'source' },
  { name: '计费面积', short: 'SJ', unit: '㎡', origin: 'source' },
  { name: '楼层', short: 'L', unit: '层', origin: 'source' },
  { name: '户人数', short: 'N', unit: '人', origin: 'source' },
  { name: '单元总面积', short: 'SU', unit: '㎡', origin: 'source' },
  { name: '楼栋总面积', short: 'SB', unit: '㎡', origin: 'source' },
  { name: '项目总面积', short: 'SP', unit: '㎡', origin: 'source' },
  { name: '总户数', unit: '户', origin: 'source' },
  { name: '系数', short: 'X', unit: '', origin: 'standard' },
  { name: '单价', short: 'P', unit: '元', origin: 'standard' },
  { name: '用量', short: 'Q', unit: '', origin: 'meter' },
  { name: '本期读数', unit: '', origin: 'meter' },
  { name: '上期读数', unit: '', origin: 'meter' },
  { name: '倍率', unit: '', origin: 'meter' },
  { name: '月数', short: 'M', unit: '月', origin: 'period' },
  { name: '天数', short: 'D', unit: '天', origin: 'period' },
  { name: '当月天数', short: 'DM', unit: '天', origin: 'period' },
]

const variablesByWord = new Map(
  variables.flatMap(v =>
    [v.name, ...(v.short ? [v.short] : [])].map((word): [string, Variable] => [word, v]),
  ),
)

/** By its Chinese name or its short one, as a whole word; short ones in either case. */
export const findVariable = (word: string): Variable | undefined =>
  variablesByWord.get(word) ?? variablesByWord.get(word.toUpperCase())

/** What a custom attribute of a room is called among the variables: `A[朝向系数]`. */
export const formatAttribute = (name: string): string => `A[${name}]`
export const isAttribute = (name: string): boolean => name.startsWith('A[')
export const functionNames = ['IF', 'MIN', 'MAX', 'ROUND', 'CEIL', 'FLOOR', 'STEP'] as const
export type FunctionName = (typeof functionNames)[number]

export const isFunction = (word: string): word is FunctionName =>
  (functionNames as readonly string[]).includes(word)

/**
 * Known words that a run-together one is made of: `单价建筑面积` → 单价, 建筑面积; nothing when it is not made of them.
 */
export function splitKnownWords(run: string): string[] | undefined {
  const names = [...variablesByWord.keys()].filter(w => w.length > 1).toSorted((a, b) => b.length - a.length)
  const found: string[] = []
  for (let remaining = run; remaining;) {
    const word = names.find(n => remaining.startsWith(n))
    if (!word) return undefined
    found.push(word)
    remaining = remaining.slice(word.length)
  }
  return found.length > 1 ? found : undefined
}
