import { expect, it } from 'vitest'
import type { Field, Fields } from '#kit/contract/field.ts'
import { nestedFieldsOf } from '#kit/contract/value.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'

/** One word for one amount (C27-13): labels of amounts that docs/glossary.md has another word for. */
const twins: Readonly<Record<string, string>> = {
  收: '实收',
  收款: '实收',
  收款合计: '实收',
  实收金额: '实收',
  退: '退款',
  净额: '净收',
  已缴: '已收本金',
  已缴金额: '已收本金',
  应收金额: '应收',
  待缴: '未缴',
  未缴合计: '未缴',
  未缴金额: '未缴',
  未缴本金: '未收本金',
  尚欠: '未缴',
  仍欠: '未缴',
}

interface Amount {
  readonly label: string
  readonly place: string
}

function amountsOf(fields: Fields, place: string, seen: readonly Fields[] = []): Amount[] {
  if (seen.includes(fields)) return []
  return Object.entries<Field>(fields).flatMap(([key, field]) => {
    const nested = nestedFieldsOf(field)
    return [
      ...(field.kind === 'money' ? [{ label: field.label, place: `${place} ${key}` }] : []),
      ...(nested ? amountsOf(nested, `${place} ${key}`, [...seen, fields]) : []),
    ]
  })
}

it('C27-13: an amount has the word of the glossary on every screen, sheet and report', async () => {
  const contracts = (await loadInstalledModules()).map(m => m.contract)
  const amounts = contracts.flatMap(contract => [
    ...contract.calls.flatMap(c => [
      ...amountsOf(c.input.fields, c.route),
      ...('fields' in c.output ? amountsOf(c.output.fields, c.route) : []),
    ]),
    ...(contract.entities ?? []).flatMap(e => amountsOf(e.fields, e.name)),
  ])
  expect(amounts.length).toBeGreaterThan(500)
  const found = amounts.filter(({ label }) => twins[label] !== undefined)
  expect(found.map(({ label, place }) => `${place}：${label} → ${twins[label]}`)).toEqual([])
})
