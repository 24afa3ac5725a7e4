/** A thing that is looked at, as forms give it. */
export interface CheckItem {
  readonly name: string
  readonly minValue?: string | undefined
  readonly maxValue?: string | undefined
}

export interface CheckItemFault {
  readonly index: number
  readonly key: 'name' | 'minValue' | 'maxValue'
  readonly message: string
}

const isNumber = (text: string): boolean => /^-?\d{1,9}(\.\d{1,4})?$/.test(text)

/** What is wrong with a list of checks; `known` are names that are in another list beside it. */
export function checkItemFaults(
  items: readonly CheckItem[],
  known: readonly string[] = [],
): CheckItemFault[] {
  const seen = new Set(known)
  return items.flatMap(({ name, minValue, maxValue }, index): CheckItemFault[] => {
    const faults: CheckItemFault[] = []
    if (seen.has(name)) {
      faults.push({ index, key: 'name', message: '已有同名检查项，请更换' })
    }
    seen.add(name)
    for (const [key, value] of [['minValue', minValue] as const, ['maxValue', maxValue] as const]) {
      if (value !== undefined && !isNumber(value)) {
        faults.push({ index, key, message: '应为数字，最多四位小数' })
      }
    }
    const isReversed =
      minValue !== undefined &&
      maxValue !== undefined &&
      isNumber(minValue) &&
      isNumber(maxValue) &&
      Number(minValue) > Number(maxValue)
    return isReversed ? [...faults, { index, key: 'maxValue', message: '上限不能小于下限' }] : faults
  })
}
