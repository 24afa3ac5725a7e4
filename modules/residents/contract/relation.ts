import { choiceTable } from '#kit/contract/field.ts'

/** The relation of a person to a room (BASE-9). */
export const relation = choiceTable('Relation', '关系', {
  owner: [10, '业主'],
  family: [20, '家属'],
  tenant: [30, '租户'],
  tenantFamily: [40, '租户家属'],
  staff: [50, '员工'],
  other: [90, '其他'],
})

export type Relation = keyof typeof relation.rows
