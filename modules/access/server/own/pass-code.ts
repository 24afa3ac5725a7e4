import { randomInt } from 'node:crypto'
import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { dayOfMoment } from '#kit/domain/moment.ts'
import { keyOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { publishRecordsWritten } from '#kit/server/record-events.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, codes, notDeleted, touch } from '#kit/server/sql.ts'
import { sqlArray } from '#kit/server/sql-array.ts'
import { itemAction, itemState } from '#modules/devices/contract/choices.ts'
import { drawCodes, registerReaderCodes } from '#modules/residents/server/public.ts'
import { passCodeState } from '../../contract/choices.ts'
import type { ShownCode } from '../../contract/own-access.ts'
import { passCode } from '../../contract/pass-code.ts'
import { codeLength, isCodeDue, lastDayOfCode } from '../../domain/pass-code.ts'
import { keyOfCredential } from '../reach/credential-source.ts'
import { findOwnRights, refusalOfPerson, type OwnContext } from './own-doorways.ts'
import type { OwnPerson } from './own-person.ts'

/** Of so many that two are never the same; an index would refuse the second. */
const newCode = (): string =>
  Array.from({ length: codeLength }, (_, i) => (i === 0 ? randomInt(1, 10) : randomInt(10))).join('')

type CodeHolder = Pick<OwnPerson, 'projectCode' | 'userId' | 'staffId'>

interface CurrentCode {
  readonly id: Id
  readonly runCode: string
  readonly state: number
  readonly endDate: Day
}

const ofHolder = ({ projectCode, userId, staffId }: CodeHolder) => sql`
  project_code = ${projectCode}
  and ${userId === undefined ? sql`staff_id = ${staffId ?? 0}` : sql`user_id = ${userId}`}
`

const isCurrent = sql`state in ${codes(passCodeState, 'valid', 'revoked')} and ${notDeleted()}`

/** A telephone that asks twice at once gets one code: its owner is locked first. */
async function findCurrent(tx: Tx, ownerId: Id, holder: CodeHolder): Promise<CurrentCode | undefined> {
  await (holder.userId === undefined
    ? tx.one(sql`select id from staff where owner_id = ${ownerId} and id = ${holder.staffId ?? 0} for update`)
    : tx.one(sql`select id from resident where owner_id = ${ownerId} and id = ${holder.userId} for update`))
  return tx.one<CurrentCode>(sql`
    select id, run_code, state, end_date
    from pass_code
    where owner_id = ${ownerId} and ${ofHolder(holder)} and ${isCurrent}
  `)
}

export const stoppedText = '手机开门已被物业停用，如需使用请联系物业恢复'

/** Whether staff have stopped codes and opening by telephone of the person, until they allow it again. */
export const isStopped = async (db: Db, ownerId: Id, holder: CodeHolder): Promise<boolean> =>
  (await db.one(sql`
    select 1 as found
    from pass_code
    where owner_id = ${ownerId}
      and ${ofHolder(holder)}
      and state = ${code(passCodeState, 'revoked')}
      and ${notDeleted()}
  `)) !== undefined

/** Records of a code that was replaced may still come in from a device without a network for so long. */
const keptDays = 90

async function forgetOldCodes(tx: Tx, ownerId: Id, holder: CodeHolder, today: Day): Promise<void> {
  await tx.execute(sql`
    delete from pass_code
    where owner_id = ${ownerId}
      and ${ofHolder(holder)}
      and state = ${code(passCodeState, 'replaced')}
      and end_date < ${today}::date - ${keptDays}::integer
  `)
}

// ACS-1: no card gets the number of a code that works.
registerReaderCodes(async (db, { ownerId, time, numbers }) => {
  const rows = await db.rows<{ runCode: string }>(sql`
    select run_code
    from pass_code
    where owner_id = ${ownerId}
      and run_code = any(${[...numbers]}::text[])
      and state = ${code(passCodeState, 'valid')}
      and end_date >= (${time}::timestamptz at time zone 'Asia/Shanghai')::date
      and ${notDeleted()}
  `)
  return rows.map(({ runCode }) => runCode)
})

export async function insertCodes(
  tx: Tx,
  { ownerId, operatorId, time }: Scope,
  holders: readonly CodeHolder[],
  today: Day,
): Promise<string[]> {
  const drawn = await drawCodes(tx, { ownerId, count: holders.length, draw: newCode })
  const column = (type: 'bigint' | 'text', valueOf: (holder: CodeHolder) => Id | string | undefined) =>
    sqlArray(
      type,
      holders.map(holder => valueOf(holder) ?? null),
    )
  const rows = await tx.rows<{ id: Id; runCode: string }>(sql`
    insert into pass_code (
      owner_id, create_by, update_by, project_code, user_id, staff_id, run_code, begin_time, end_date, state
    )
    select ${ownerId}::bigint, ${operatorId}::bigint, ${operatorId}::bigint, r.project_code, r.user_id,
      r.staff_id, r.run_code, ${time}::timestamptz, ${lastDayOfCode(today)}::date,
      ${code(passCodeState, 'valid')}
    from unnest(
      ${column('text', holder => holder.projectCode)}, ${column('bigint', holder => holder.userId)},
      ${column('bigint', holder => holder.staffId)}, ${sqlArray('text', drawn)}
    ) as r(project_code, user_id, staff_id, run_code)
    returning id, run_code
  `)
  const ids = rows.map(({ id }) => id)
  publishRecordsWritten(tx, ownerId, { entity: passCode.name, action: 'insert', ids })
  return rows.map(({ runCode }) => runCode)
}

export async function endCodes(
  tx: Tx,
  scope: Scope,
  ids: readonly Id[],
  state: 'revoked' | 'replaced',
  reason?: string,
): Promise<void> {
  await tx.execute(sql`
    update pass_code
    set state = ${code(passCodeState, state)}, end_reason = ${reason ?? null}, ${touch(scope)}
    where owner_id = ${scope.ownerId} and id = any(${[...ids]}::bigint[])
  `)
  publishRecordsWritten(tx, scope.ownerId, { entity: passCode.name, action: 'update', ids })
}

/** How far a code has come: devices that are to hold it, and those that do not yet. */
async function countDevices(tx: Tx, ownerId: Id, projectCode: string, runCode: string) {
  const found = await tx.one<{ deviceCount: number; waitingCount: number }>(sql`
    select count(*)::integer as device_count,
      (count(*) filter (where t.state <> ${code(itemState, 'done')}))::integer as waiting_count
    from device_item t
    where t.owner_id = ${ownerId}
      and t.device_id = any(
        array(
          select l.device_id
          from doorway_device l
          where l.owner_id = ${ownerId} and l.project_code = ${projectCode} and ${notDeleted('l')}
        )
      )
      and t.action = ${code(itemAction, 'put')}
      and t.item_key = ${keyOfCredential('pass', runCode)}
  `)
  return defined(found)
}

/**
 * The code of a person who may open something, for the person alone: the one that is there, or a new one
 * where it is asked for or the old one is due.
 */
export async function showCode(
  person: OwnPerson,
  isNew: boolean,
  { tx, scope, now }: { readonly tx: Tx; readonly scope: Scope; readonly now: OwnContext['now'] },
): Promise<ShownCode> {
  const { ownerId } = scope
  const { projectCode } = person
  const today = dayOfMoment(now)
  const c: OwnContext = { db: tx, ownerId, now }
  if (!(await findOwnRights(person, c)).length) refuse(await refusalOfPerson(person, c))
  const current = await findCurrent(tx, ownerId, person)
  if (current && keyOf(passCodeState, current.state) === 'revoked')
    return refuse('通行码已被物业停用，如需使用请联系物业恢复')
  if (current && !isNew && !isCodeDue(current.endDate, today)) {
    const { runCode, endDate } = current
    return { code: runCode, endDate, ...(await countDevices(tx, ownerId, projectCode, runCode)) }
  }
  if (current) {
    await endCodes(tx, scope, [current.id], 'replaced')
  }
  await forgetOldCodes(tx, ownerId, person, today)
  const [runCode] = await insertCodes(tx, scope, [person], today)
  // Devices get it with the commit.
  return { code: defined(runCode), endDate: lastDayOfCode(today), deviceCount: 0, waitingCount: 0 }
}
