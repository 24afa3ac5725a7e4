import type { Choices } from '#kit/contract/field.ts'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import { reads } from '#kit/server/handler.ts'
import { allChoices } from '#kit/server/registry.ts'
import { listEnums } from '../contract/enums.ts'

const toEnumRows = (choices: Choices) =>
  Object.values(choices.rows).map(([value, name, tone], i) => ({
    enumName: choices.name,
    enumLabel: choices.label,
    codeText: String(value),
    name,
    sort: i + 1,
    isSystem: true,
    ...(typeof value === 'number' ? { code: value } : {}),
    ...(tone ? { color: tone } : {}),
  }))

export const enumHandlers = [
  reads(listEnums, async ({ enumName }) => {
    const requestedEnum = enumName?.toLowerCase()
    const found = allChoices().filter(
      c => requestedEnum === undefined || c.name.toLowerCase() === requestedEnum,
    )
    if (requestedEnum !== undefined && !found.length)
      throw new Refused(resultCode.notFound, `没有枚举「${enumName}」`)
    return found.flatMap(toEnumRows)
  }),
]
