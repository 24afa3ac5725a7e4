import type { Choices } from '#kit/contract/field.ts'
import { Refused, code } from '#kit/contract/wire.ts'
import { reads } from '#kit/server/handle.ts'
import { choiceTables } from '#kit/server/registry.ts'
import { listEnums } from '../contract/enums.ts'

const rowsOf = (c: Choices) =>
  Object.values(c.rows).map(([value, name, tone], i) => ({
    enumName: c.name,
    enumLabel: c.label,
    codeText: String(value),
    name,
    sort: i + 1,
    isSystem: true,
    ...(typeof value === 'number' ? { code: value } : {}),
    ...(tone ? { color: tone } : {}),
  }))

export const enumHandlers = [
  reads(listEnums, async ({ enumName }) => {
    const wanted = enumName?.toLowerCase()
    const found = choiceTables().filter(c => wanted === undefined || c.name.toLowerCase() === wanted)
    if (wanted !== undefined && !found.length) throw new Refused(code.absent, `没有枚举「${enumName}」`)
    return found.flatMap(rowsOf)
  }),
]
