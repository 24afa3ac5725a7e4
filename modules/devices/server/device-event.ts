import { notFound, refuse } from '#kit/contract/wire.ts'
import { isObject } from '#kit/contract/wire/members.ts'
import type { Id } from '#kit/domain/id.ts'
import { addDaysToMoment, startOfDay, toInstant, type Moment } from '#kit/domain/moment.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { writes, type WriteContext } from '#kit/server/handler.ts'
import { systemScope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { assertInDomain, contains } from '#kit/server/table.ts'
import { deviceEvent, deviceEvents, exportDeviceEvents, retryDeviceEvent } from '../contract/device-event.ts'
import { eventState } from '../contract/choices.ts'
import { contentPartsOf, eventTypesNamed, readableEvent } from '../domain/event-text.ts'
import { maskSecretsIn, secretTextPattern } from '../domain/secret-item.ts'
import { runEventAlone } from './event-handler.ts'

const defaultDays = 30

/** A type by its code or its name. */
const typeCondition = (word: string): RawBuilder<unknown> =>
  sql`(${contains(sql`t.type`, word)} or t.type = any(${[...eventTypesNamed(word)]}::text[]))`

/** What a list shows of an event, in the words in which it shows it; nothing of a secret. */
const keywordCondition = (word: string, ownerId: Id): RawBuilder<unknown> => sql`(
  ${typeCondition(word)}
  or (
    t.content !~ ${secretTextPattern}
    and (${sql.join(
      contentPartsOf(word).map(part => contains(sql`t.content`, part)),
      sql` or `,
    )})
  )
  or t.device_id in (select d.id from device d where d.owner_id = ${ownerId} and ${contains(sql`d.name`, word)})
  or t.gateway_id in (select g.id from gateway g where g.owner_id = ${ownerId} and ${contains(sql`g.name`, word)})
)`

const withoutSecrets = <T extends { readonly content?: string }>(row: T): T =>
  row.content === undefined ? row : { ...row, content: maskSecretsIn(row.content) }

/** Months that are not asked for are not read: the log is partitioned by when an event came in. */
export const deviceEventServer = crudHandlers(deviceEvents, {
  filter: ({ type, createTimeFrom, createTimeTo }, { today }) => [
    ...(type === undefined ? [] : [typeCondition(type)]),
    sql`t.create_time >= ${createTimeFrom ?? addDaysToMoment(startOfDay(today), -defaultDays)}::timestamptz`,
    ...(createTimeTo === undefined ? [] : [sql`t.create_time <= ${createTimeTo}::timestamptz`]),
  ],
  keyword: (word, { scope }) => keywordCondition(word, scope.ownerId),
  enrich: async rows => rows.map(withoutSecrets),
  export: exportDeviceEvents,
  exportRows: rows => rows.map(row => readableEvent(withoutSecrets(row))),
})

interface FailedEvent {
  readonly gatewayId: Id
  readonly deviceId: Id
  readonly projectCode: string
  readonly buildCode?: string
  readonly type: string
  readonly eventTime: Moment
  readonly isTimeDoubtful: boolean
  readonly content: string
  readonly hasFailed: boolean
}

const dataOf = (content: string): Readonly<Record<string, unknown>> => {
  const data: unknown = JSON.parse(content)
  return isObject(data) ? data : {}
}

/** Two concurrent requests handle it once: its row is locked first. */
async function retryEvent(id: Id, { tx, scope, app }: WriteContext): Promise<void> {
  const { ownerId } = scope
  const found = await tx.one<FailedEvent>(sql`
    select t.gateway_id, t.device_id, t.project_code, d.build_code, t.type, t.event_time, t.is_time_doubtful,
      t.content, t.state = ${code(eventState, 'failed')} as has_failed
    from device_event t
    left join device d on d.owner_id = ${ownerId} and d.id = t.device_id
    where t.owner_id = ${ownerId} and t.id = ${id}
    for update of t
  `)
  if (!found) throw notFound()
  assertInDomain(deviceEvent, scope, { ...found })
  const { eventTime, content, hasFailed, buildCode: _buildCode, ...event } = found
  if (!hasFailed) refuse('该事件已处理')
  await tx.execute(sql`
    update device_event
    set state = ${code(eventState, 'handled')}, reason = null, update_time = ${scope.time}::timestamptz,
      update_by = ${scope.operatorId}
    where owner_id = ${ownerId} and id = ${id}
  `)
  const at = new Date(toInstant(eventTime)).toISOString()
  const data = dataOf(content)
  await runEventAlone({ tx, app, scope: systemScope(ownerId, scope.time), event: { ...event, at, data } })
}

export const deviceEventHandlers = [writes(retryDeviceEvent, ({ id }, c) => retryEvent(id, c))]
