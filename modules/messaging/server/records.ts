import { invalidInput, refuse, refuseField } from '#kit/contract/wire.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { requireById } from '#kit/server/table.ts'
import { audienceFaults } from '../contract/audience.ts'
import {
  countRecipients,
  exportMessages,
  outgoingMessage,
  outgoingMessages,
  settleMessage,
} from '../contract/message.ts'
import { bookReports } from './booking.ts'
import { assertVariables } from './number-file-store.ts'
import { countRecipientsOf } from './task-count.ts'
import { massSource } from './task-figures.ts'

/** Messages about projects of the caller's domain, and those that the caller sent. */
export const visible = ({ domain, operatorId }: Scope) =>
  domain.all
    ? sql`true`
    : sql`(t.project_code = any(${[...domain.projects.keys()]}::text[]) or t.create_by = ${operatorId})`

export const recordServer = crudHandlers(outgoingMessages, {
  // A task is shown whole: own numbers are of no project.
  filter: ({ taskId, projectCode }, { scope }) => [
    visible(scope),
    ...(taskId ? [sql`t.source = ${massSource.key} and t.biz_id = ${taskId}`] : []),
    ...(projectCode && !taskId ? [sql`t.project_code = ${projectCode}`] : []),
  ],
  export: exportMessages,
})

export const recordHandlers = [
  reads(countRecipients, async (input, { db, scope, now }) => {
    const faults = audienceFaults(input)
    if (faults.length) throw invalidInput(faults)
    const { scopeType, scopeJson, channels, purpose = 'service', text = '' } = input
    const audience = { scopeType, ...(scopeJson ? { scopeJson } : {}) }
    await assertVariables(db, scope, audience, { text }, now)
    const {
      people,
      channels: counts,
      segments,
      usable,
      samples,
    } = await countRecipientsOf(db, scope, audience, channels, purpose, text)
    return { people, channels: counts, segments, usable, samples }
  }),
  writes(settleMessage, async ({ id, state, reason }, { tx, scope, now }) => {
    const seen = await tx.one(sql`
      select 1 as found
      from outgoing_message t
      where t.owner_id = ${scope.ownerId} and t.id = ${id} and ${visible(scope)}
    `)
    if (!seen) return refuse('发送记录不存在，或不在你的数据范围内，请刷新后重试')
    const message = await requireById(tx, outgoingMessage, scope, id, { lock: true })
    if (message.state !== 'unclear') return refuse('只有“结果未知”的记录需要核对')
    if (state !== 'delivered' && state !== 'failed')
      return refuseField('State', '核对的结果应为“已送达”或“失败”')
    await bookReports(tx, scope, [{ id, state, reason: `人工核对：${reason}` }], now)
    return requireById(tx, outgoingMessage, scope, id)
  }),
]
