import type { Id } from '#kit/domain/id.ts'
import { invalidField } from '#kit/contract/wire.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { hasProject, outOfDomain, requireProject, type Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { projectRequired } from '#kit/server/table.ts'

/** The project by its code, or by the number that the old wire gives. */
export async function projectOf(
  db: Db,
  scope: Scope,
  input: { readonly projectCode?: string; readonly projectId?: Id },
): Promise<string> {
  if (input.projectId === undefined) {
    const project = input.projectCode ?? scope.projectCode
    if (!project) throw projectRequired()
    return requireProject(scope.domain, project)
  }
  const found = await db.one<{ projectCode: string }>(sql`
    select project_code from estate where owner_id = ${scope.ownerId} and id = ${input.projectId} and ${notDeleted()}
  `)
  if (!found || !hasProject(scope.domain, found.projectCode)) throw outOfDomain()
  if (input.projectCode && input.projectCode !== found.projectCode)
    throw invalidField('ProjectId', '项目编号与项目编码不是同一个项目')
  return found.projectCode
}
