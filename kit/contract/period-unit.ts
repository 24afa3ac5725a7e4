import { choiceTable } from './field.ts'

export const periodUnit = choiceTable('PeriodUnit', '期限单位', {
  day: [10, '天'],
  month: [20, '个月'],
  year: [30, '年'],
})

export type PeriodUnit = keyof typeof periodUnit.rows
