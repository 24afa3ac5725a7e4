import { sql, type RawBuilder } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { tenantFilter } from '#kit/server/table.ts'
import { inviteVisitor } from '../contract/visitor.ts'

/**
 * Validations `t` of the visitors whom the caller sees (PERM-6). A code that is nobody's belongs to no
 * building, so those who have single buildings do not see it.
 */
export function seenValidations(scope: Pick<Scope, 'ownerId' | 'domain'>): readonly RawBuilder<unknown>[] {
  const { domain } = scope
  const wholeProjects = [...domain.projects].flatMap(([project, buildings]) =>
    buildings === null ? [project] : [],
  )
  if (domain.all || wholeProjects.length === domain.projects.size) return []
  return [
    sql`(
      t.project_code = any(${wholeProjects}::text[])
      or t.visitor_id in (select t.id from invite_visitor t where ${tenantFilter(inviteVisitor, scope)})
    )`,
  ]
}
