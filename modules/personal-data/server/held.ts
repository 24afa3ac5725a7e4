import type { RetentionRule } from '#kit/server/personal-data/declaration.ts'
import { retentionRules } from '#kit/server/personal-data/registry.ts'
import { isKept } from './column-values.ts'
import type { DeclaredTable } from './table-statements.ts'

export const ruleOf = ({ declared }: Pick<DeclaredTable, 'declared'>): RetentionRule | undefined =>
  retentionRules().find(rule => rule.key === declared.retention)

/** Records of law: no job takes them before their time, and an erasure leaves them. */
export function isHeldByLaw(table: Pick<DeclaredTable, 'declared'>): boolean {
  const rule = ruleOf(table)
  return rule !== undefined && !rule.steps.length && Object.values(table.declared.columns).some(isKept)
}
