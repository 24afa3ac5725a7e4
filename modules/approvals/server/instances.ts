import type { ChoiceOf } from '#kit/contract/field.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, codes } from '#kit/server/sql.ts'
import { findPage } from '#kit/server/table.ts'
import { instanceState, taskState } from '../contract/choices.ts'
import {
  exportInstances,
  listOwnInstances,
  processInstance,
  processInstances,
  type ownView,
} from '../contract/instance.ts'
import { isInCallersProjects } from './access.ts'
import { everywhere } from './requests.ts'

type Sql = RawBuilder<unknown>

const ownConditions: Record<ChoiceOf<typeof ownView>, (scope: Scope) => Sql> = {
  waiting: ({ ownerId, operatorId }) => sql`
    t.state = ${code(instanceState, 'running')}
    and exists (
      select 1
      from process_task k
      where k.owner_id = ${ownerId}
        and k.instance_id = t.id
        and k.approver_id = ${operatorId}
        and k.state = ${code(taskState, 'waiting')}
    )
  `,
  returned: ({ operatorId }) => sql`
    t.applicant_id = ${operatorId} and t.state = ${code(instanceState, 'running')} and t.is_returned
  `,
  requested: ({ operatorId }) => sql`t.applicant_id = ${operatorId}`,
  decided: ({ ownerId, operatorId }) => sql`
    exists (
      select 1
      from process_task k
      where k.owner_id = ${ownerId}
        and k.instance_id = t.id
        and k.approver_id = ${operatorId}
        and k.state in ${codes(taskState, 'approved', 'refused', 'transferred')}
    )
  `,
  copied: ({ ownerId, operatorId }) => sql`
    exists (
      select 1
      from process_copy p
      where p.owner_id = ${ownerId} and p.instance_id = t.id and p.manager_id = ${operatorId}
    )
  `,
}

/** All requests of the company in the caller's data domain. */
export const instanceServer = crudHandlers(processInstances, {
  filter: (_, { scope }) => [isInCallersProjects(scope)],
  export: exportInstances,
})

export const ownInstanceHandlers = [
  reads(listOwnInstances, ({ view = 'waiting', ...query }, { db, scope }) =>
    findPage(db, processInstance, everywhere(scope), query, {
      filters: ['bizType', 'state', 'applyTime'],
      where: [ownConditions[view](scope)],
    }),
  ),
]
