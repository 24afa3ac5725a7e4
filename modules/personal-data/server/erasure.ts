import type { Row } from '#kit/contract/entity.ts'
import { maskMiddle, maskPhone } from '#kit/contract/text.ts'
import { invalidInput, notFound, refuse } from '#kit/contract/wire.ts'
import { addDays } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, uniqueMessages, writes, type WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { findPage, insert, requireById, update } from '#kit/server/table.ts'
import { requestState } from '../contract/choices.ts'
import {
  endErasure,
  erasureRequest,
  executeErasure,
  getErasure,
  listErasures,
  previewErasure,
  registerErasure,
  type ErasureRequest,
} from '../contract/erasure.ts'
import { answerDays } from '../domain/retention.ts'
import { requireWholeDomain } from './access.ts'
import { blockersText, countBlockers } from './blockers.ts'
import { readDeclaredTables } from './declared-tables.ts'
import { erasePerson } from './erase.ts'
import { holdRows } from './holds.ts'
import { contactKind, requirePerson, type Person } from './person.ts'
import { keyOfInput, kindLabelOf } from './person-handlers.ts'
import { reportPerson, sharedIdentifiers } from './report.ts'

uniqueMessages({ erasure_request_open: '该人员已有待处理的删除请求' })

const shown = (request: ErasureRequest): ErasureRequest => ({
  ...request,
  kindLabel: kindLabelOf(request.personKind),
})

const personOf = (db: Db, ownerId: Id, request: ErasureRequest): Promise<Person> =>
  requirePerson(db, ownerId, keyOfInput(request))

async function requireOpen(tx: Tx, scope: Scope, id: Id): Promise<ErasureRequest> {
  const request = await requireById(tx, erasureRequest, scope, id, { lock: true })
  if (request.state !== 'open') return refuse('该删除请求已办结')
  return request
}

/** Locks the records of the person, so that nothing is added to them between the checks and the erasure. */
async function lockPerson(tx: Tx, person: Person): Promise<void> {
  const key = person.records
    .map(({ entity, id, mobiles }) => `${entity}:${id || mobiles.join()}`)
    .toSorted()
    .join()
  await tx.rows(
    sql`select pg_advisory_xact_lock(hashtextextended(${key}, ${person.ownerId}))::text as locked`,
  )
}

async function execute(
  { id, personName }: { readonly id: Id; readonly personName: string },
  { tx, scope, app, now }: WriteContext,
): Promise<Row<typeof erasureRequest>> {
  const request = await requireOpen(tx, scope, id)
  if (personName.trim() !== request.personName)
    throw invalidInput([{ Field: 'PersonName', Message: '与请求中的姓名不一致' }])
  const person = await personOf(tx, scope.ownerId, request)
  await lockPerson(tx, person)
  const blockers = await countBlockers(tx, person)
  if (blockers.length) return refuse(blockersText(blockers))
  const tables = await readDeclaredTables(tx)
  // What is left is counted before it is done: afterwards nobody finds the person any more.
  const lines = await reportPerson(tx, person, tables)
  await holdRows(tx, person, id, lines, tables)
  await erasePerson(tx, app, person, tables)
  await audit(tx, scope, [
    {
      action: 'purge',
      entity: request.personKind,
      entityId: request.personId,
      reason: `执行删除请求 ${id}`,
      after: { tables: lines.length, rows: lines.reduce((sum, line) => sum + line.rowCount, 0) },
    },
  ])
  return finish(tx, scope, request, {
    state: 'done',
    endTime: now,
    endName: scope.name,
    result: lines.map(({ label, rowCount, treatment, keptUntil }) => ({
      label,
      rowCount,
      treatment,
      ...(keptUntil ? { keptUntil } : {}),
    })),
  })
}

/** The request itself keeps the masked name alone; its audit row would hold the whole one. */
async function finish(
  tx: Tx,
  scope: Scope,
  { id, personName, personMobile, applicantName, applicant }: ErasureRequest,
  end: Pick<ErasureRequest, 'state' | 'endTime' | 'endName' | 'result'>,
): Promise<ErasureRequest> {
  const isSelf = applicant === 'self'
  await tx.execute(sql`
    update erasure_request
    set state = ${code(requestState, 'done')}, person_name = ${maskMiddle(personName, 1, 0)},
      person_mobile = ${personMobile ? maskPhone(personMobile) : null},
      applicant_name = ${isSelf ? null : (applicantName ?? null)},
      end_time = ${scope.time}::timestamptz, end_name = ${end.endName ?? ''},
      result = ${JSON.stringify(end.result)}::jsonb, version = version + 1,
      update_time = ${scope.time}::timestamptz, update_by = ${scope.operatorId}
    where owner_id = ${scope.ownerId} and id = ${id} and state = ${code(requestState, 'open')}
  `)
  return requireById(tx, erasureRequest, scope, id)
}

export const erasureHandlers = [
  reads(listErasures, async (input, { db, scope }) => {
    requireWholeDomain(scope)
    const page = await findPage(db, erasureRequest, scope, input, {
      filters: ['state', 'applicant', 'dueDate', 'createTime'],
    })
    return { ...page, rows: page.rows.map(shown) }
  }),

  reads(getErasure, async ({ id }, { db, scope }) => {
    requireWholeDomain(scope)
    return shown(await requireById(db, erasureRequest, scope, id))
  }),

  writes(registerErasure, async (input, { tx, scope, today }) => {
    requireWholeDomain(scope)
    const person = await requirePerson(tx, scope.ownerId, keyOfInput(input))
    const record = person.records[0]
    if (!record) throw notFound()
    if (input.personKind === contactKind && !input.personName)
      throw invalidInput([{ Field: 'PersonName', Message: '请填写姓名' }])
    if (input.applicant !== 'self' && input.applicant !== 'company' && !input.applicantName)
      throw invalidInput([{ Field: 'ApplicantName', Message: '请填写申请人姓名' }])
    const created = await insert(tx, erasureRequest, scope, {
      personKind: record.entity,
      personId: record.id,
      personName: record.name,
      personMobile: record.mobiles[0],
      applicant: input.applicant,
      applicantName: input.applicantName,
      reason: input.reason,
      evidence: input.evidence,
      dueDate: addDays(today, answerDays),
      state: 'open',
    })
    return shown(created)
  }),

  reads(previewErasure, async ({ id }, { db, scope }) => {
    requireWholeDomain(scope)
    const request = await requireById(db, erasureRequest, scope, id)
    if (request.state !== 'open') return { blockers: [], tables: [], sharedIdentifiers: [] }
    const person = await personOf(db, scope.ownerId, request)
    return {
      blockers: await countBlockers(db, person),
      tables: await reportPerson(db, person, await readDeclaredTables(db)),
      sharedIdentifiers: sharedIdentifiers(person),
    }
  }),

  writes(executeErasure, async (input, c) => {
    requireWholeDomain(c.scope)
    if (!input.confirmed) throw invalidInput([{ Field: 'Confirmed', Message: '请确认删除后不可恢复' }])
    return shown(await execute(input, c))
  }),

  writes(endErasure, async ({ id, state, reason }, { tx, scope, now }) => {
    requireWholeDomain(scope)
    const { version } = await requireOpen(tx, scope, id)
    const end = { state, endReason: reason, endTime: now, endName: scope.name }
    return shown(await update(tx, erasureRequest, scope, id, end, { version, reason }))
  }),
]
