import { setTimeout as pause } from 'node:timers/promises'
import { invalidInput, refuse } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { lockCompanyWrites, refuseWhenLocked } from '#kit/server/company-lock.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { writes, type WriteContext } from '#kit/server/handler.ts'
import { taskState } from '#kit/server/jobs/task-table.ts'
import { loggedWithinMs } from '#kit/server/operation-log.ts'
import { requireById } from '#kit/server/table.ts'
import { erasureRequest, executeErasure, type ErasureRequest } from '../contract/erasure.ts'
import { personCode } from '../domain/identifiers.ts'
import { requireWholeDomain } from './access.ts'
import { blockersText, findBlockers } from './blockers.ts'
import { carryOut } from './carry-out.ts'
import { readConfirmed } from './confirmed-rows.ts'
import { personOf, requirePending, shown } from './erasure.ts'
import { installationOf } from './journal.ts'
import { keepEntry } from './journal-copy.ts'
import { lockRecords, toErase } from './person.ts'

/** A task that reads now would write what it has read when the person is erased. */
async function requireNoRunningTask(tx: Tx, ownerId: Id): Promise<void> {
  const running = await tx.one<{ title: string }>(sql`
    select title
    from task_center
    where owner_id = ${ownerId} and state = ${taskState.running}
    order by id
    limit 1
  `)
  if (running) refuse(`后台任务「${running.title}」正在执行，请等待结束或停止后再执行删除`)
}

async function execute(
  { id, personName }: { readonly id: Id; readonly personName: string },
  { tx, scope, app }: WriteContext,
): Promise<ErasureRequest> {
  const { ownerId } = scope
  await lockCompanyWrites(tx, ownerId)
  // What was sent to the calls before it is on its way to the log.
  await pause(loggedWithinMs)
  const request = await requirePending(tx, scope, id)
  if (request.state !== 'approved') return refuse('该删除请求未经审批，请先由登记人以外的人员审批')
  if (personName.trim() !== request.personName)
    throw invalidInput([{ Field: 'PersonName', Message: '与请求中的姓名不一致' }])
  await requireNoRunningTask(tx, ownerId)
  const confirmed = await readConfirmed(tx, ownerId, id)
  const known = await personOf(tx, ownerId, request, confirmed)
  const person = toErase(known.person, personCode(id), confirmed)
  await lockRecords(tx, person)
  const blockers = await findBlockers(tx, person)
  if (blockers.length) return refuse(blockersText(blockers))
  const installation = await installationOf(app.database)
  const entry = await carryOut({ tx, app, scope, request, known, person, installation })
  tx.onCommit(() => keepEntry(app, entry))
  return requireById(tx, erasureRequest, scope, id)
}

export const executeHandlers = [
  writes(executeErasure, async (input, c) => {
    requireWholeDomain(c.scope)
    if (!input.confirmed) throw invalidInput([{ Field: 'Confirmed', Message: '请确认删除后不可恢复' }])
    return shown(await refuseWhenLocked(() => execute(input, c)), c.today)
  }),
]
