import type { Field } from '#kit/contract/field.ts'

/**
 * How phones and documents are in a file (EXP-4), by the fields that go into it; nothing where none of them
 * is personal.
 */
export function personalDataHint(fields: readonly Field[], isInFull: boolean): string | undefined {
  const labels = new Set(
    fields.flatMap(({ masked, label }) => (masked === 'mobile' || masked === 'idCard' ? [label] : [])),
  )
  if (!labels.size) return undefined
  const names = [...labels].join('、')
  return isInFull
    ? `${names}按完整号码导出（已授权查看完整手机号和证件号）`
    : `${names}部分遮盖后导出，导出完整号码需要「查看完整手机号、证件号」权限`
}

/** The fields of a list that its whole sheet has. */
export const sheetFieldsOf = (fields: Readonly<Record<string, Field>>): readonly Field[] =>
  Object.values(fields).filter(field => !field.hiddenIn?.includes('sheet'))
