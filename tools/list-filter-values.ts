import type { Field, Fields } from '#kit/contract/field.ts'

/** What envelope and paging say of a list; `order` may leave a short list as it is. */
const pagingKeys: ReadonlySet<string> = new Set(['page', 'order', 'projectCode'])

/** The parameters of a list that must change its answer. */
export const filterKeysOf = (fields: Fields, rows: string): string[] =>
  Object.keys(fields).filter(
    key =>
      !pagingKeys.has(key) &&
      !fields[key]?.required &&
      (key !== 'size' || !/^\[[01],/.test(rows)) &&
      // One choice is no choice.
      Object.keys(fields[key]?.choices?.rows ?? { first: 1, second: 2 }).length > 1,
  )

const unknownId = 900_000_001
const someIds = Array.from({ length: 50 }, (_, i) => String(i + 1))

const choicesOf = (f: Field): string[] => Object.keys(f.choices?.rows ?? {})

const today = new Date().toLocaleDateString('sv-SE', { timeZone: 'Asia/Shanghai' })

/** Values of a filter of which at least one must give another answer, where the list holds any rows. */
export function filterValues(key: string, f: Field | undefined, projectCode: string): unknown[] {
  if (!f) return []
  if (key === 'size') return [2]
  const isOfIds = f.rule?.name === 'ids' || f.targetBy === 'id'
  switch (f.kind) {
    case 'choice':
      return choicesOf(f)
    case 'choices':
      return choicesOf(f).map(choice => [choice])
    case 'flag':
      return [true, false]
    case 'id':
    case 'int':
    case 'ref':
      return [Math.min(f.max ?? unknownId, unknownId), f.min ?? 0, -1]
    case 'money':
      return [99_999_999, 0, -1]
    case 'decimal':
      return [String(f.max ?? 99_999_999), '0']
    case 'day':
      // Where a span is limited, what began before today.
      return ['1990-01-01', '2099-12-31', today]
    case 'moment':
      return ['1990-01-01 08:00:00', '2099-12-31 08:00:00']
    case 'month':
      return ['1990-01', '2099-12']
    case 'list':
      return [[isOfIds ? String(unknownId) : 'ZZ99'], someIds]
    default:
      return ['ZZ99', projectCode]
  }
}
