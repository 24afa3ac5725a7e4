import { sql, type Db } from '#kit/server/db.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { findAll } from '#kit/server/table.ts'
import { approvalKind } from '../contract/choices.ts'
import { processInstance, processTask, type ProcessInstance, type ProcessTask } from '../contract/instance.ts'
import type { ApprovalKind } from '../contract/kind.ts'
import { everywhere } from './requests.ts'

/** The last approval of a record with its tasks, for the detail of the module that the record belongs to. */
export async function findApproval(
  db: Db,
  scope: Scope,
  kind: Pick<ApprovalKind, 'key'>,
  bizId: Id,
): Promise<{ readonly instance: ProcessInstance; readonly tasks: readonly ProcessTask[] } | undefined> {
  const all = everywhere(scope)
  const [instance] = await findAll(
    db,
    processInstance,
    all,
    {},
    { where: [sql`t.biz_type = ${code(approvalKind, kind.key)}`, sql`t.biz_id = ${bizId}`] },
  )
  if (!instance) return undefined
  const tasks = await findAll(db, processTask, all, {}, { where: [sql`t.instance_id = ${instance.id}`] })
  return { instance, tasks }
}
