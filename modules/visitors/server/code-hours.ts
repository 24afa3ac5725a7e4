import type { Id } from '#kit/domain/id.ts'
import { fromInstant, type Moment } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { sql } from '#kit/server/db.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { visitState } from '../contract/choices.ts'
import type { InviteVisitor } from '../contract/visitor.ts'
import { openStates } from '../domain/pass.ts'
import { markCodes } from './code-marks.ts'

const dayMs = 24 * 60 * 60 * 1000

/** Until when each server has looked; what began before a server did is found by the day (ACS-4). */
const lookedUntil = new WeakMap<App, number>()

interface TurnedCode extends Pick<InviteVisitor, 'projectCode' | 'inviteNo'> {
  readonly ownerId: Id
}

/** Each half has its index. An end counts again in the next minute: at its second a code is still good. */
const turnedBetween = (from: Moment, to: Moment, ofCompany = sql`true`) => sql<TurnedCode>`
  select owner_id, project_code, invite_no
  from invite_visitor
  where ${ofCompany}
    and ${notDeleted()}
    and state in ${codes(visitState, ...openStates)}
    and begin_time > ${from}::timestamptz
    and begin_time <= ${to}::timestamptz
  union
  select owner_id, project_code, invite_no
  from invite_visitor
  where ${ofCompany}
    and ${notDeleted()}
    and state in ${codes(visitState, ...openStates)}
    and end_time >= ${from}::timestamptz
    and end_time <= ${to}::timestamptz
`

/** VIS-2: devices get a code when its time begins and lose it when it ends. May run any number of times. */
export async function turnCodes(app: App): Promise<void> {
  const until = app.clock()
  const from = fromInstant(lookedUntil.get(app) ?? until - dayMs)
  const to = fromInstant(until)
  const due = sql<{ ownerId: Id }>`select distinct t.owner_id from (${turnedBetween(from, to)}) t`
  await forEachDueCompany(app.database, due, async (tx, ownerId) => {
    const turned = await tx.rows(turnedBetween(from, to, sql`owner_id = ${ownerId}`))
    markCodes(tx, ownerId, turned)
  })
  lookedUntil.set(app, until)
}
