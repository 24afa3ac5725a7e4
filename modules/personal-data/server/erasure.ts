import type { Row } from '#kit/contract/entity.ts'
import { maskMiddle } from '#kit/contract/text.ts'
import { invalidInput, notFound, refuse } from '#kit/contract/wire.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, uniqueMessages, writes, type WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { isFileKey } from '#kit/server/files.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { findPage, insert, requireById, update } from '#kit/server/table.ts'
import { requestState } from '../contract/choices.ts'
import {
  editEvidence,
  endErasure,
  erasureRequest,
  executeErasure,
  getErasure,
  listErasures,
  listHeld,
  previewErasure,
  registerErasure,
  type ErasureRequest,
} from '../contract/erasure.ts'
import { withoutIdentifiers, type Identifiers } from '../domain/identifiers.ts'
import { answerDays } from '../domain/retention.ts'
import { requireWholeDomain } from './access.ts'
import { blockersText, findBlockers } from './blockers.ts'
import { readDeclaredTables } from './declared-tables.ts'
import { erasePerson } from './erase.ts'
import { listHeldRecords } from './held-records.ts'
import { holdRows } from './holds.ts'
import { contactKind, requirePerson, type Person } from './person.ts'
import { keyOfInput, kindLabelOf } from './person-handlers.ts'
import { reportPerson, sharedIdentifiers } from './report.ts'

uniqueMessages({ erasure_request_open: '该人员已有待处理的删除请求' })

const shown = (request: ErasureRequest, today: Day): ErasureRequest => ({
  ...request,
  isOverdue: request.state === 'open' && request.dueDate < today,
  kindLabel: kindLabelOf(request.personKind),
})

const personOf = (db: Db, ownerId: Id, request: ErasureRequest): Promise<Person> =>
  requirePerson(db, ownerId, keyOfInput(request))

async function requireOpen(tx: Tx, scope: Scope, id: Id): Promise<ErasureRequest> {
  const request = await requireById(tx, erasureRequest, scope, id, { lock: true })
  if (request.state !== 'open') return refuse('该删除请求已办结')
  return request
}

/** One request at a time: under another record of the person it would be executed twice. */
async function requireNoOpenRequest(tx: Tx, { ownerId, records }: Person): Promise<void> {
  const conditions = records.map(({ entity, id, mobiles }) =>
    id
      ? sql`(person_kind = ${entity} and person_id = ${id})`
      : sql`(person_kind = ${entity} and person_mobile = any(${[...mobiles]}::text[]))`,
  )
  const open = await tx.one<{ id: Id }>(sql`
    select id
    from erasure_request
    where owner_id = ${ownerId}
      and state = ${code(requestState, 'open')}
      and ${notDeleted()}
      and (${sql.join(conditions, sql` or `)})
    limit 1
  `)
  if (open) refuse(`该人员已有待处理的删除请求（${open.id} 号）`)
}

/** Evidence is a file of the company, not a text. */
async function requireStoredFiles(app: App, ownerId: Id, keys: readonly string[]): Promise<void> {
  const stored = new Set((await app.files.describe(ownerId, keys.filter(isFileKey))).map(file => file.key))
  if (keys.some(key => !stored.has(key)))
    throw invalidInput([{ Field: 'Evidence', Message: '材料不存在，请重新上传' }])
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
  const blockers = await findBlockers(tx, person)
  if (blockers.length) return refuse(blockersText(blockers))
  const tables = await readDeclaredTables(tx)
  // What is left is counted before it is done: afterwards nobody finds the person any more.
  const lines = await reportPerson(tx, person, tables)
  await holdRows(tx, person, id, tables)
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
  return finish(tx, scope, request, person.all, {
    state: 'done',
    endTime: now,
    endName: scope.name,
    result: lines.map(({ label, rowCount, treatment, keptReason, keptUntil }) => ({
      label,
      rowCount,
      treatment,
      ...(keptReason === undefined ? {} : { keptReason }),
      ...(keptUntil ? { keptUntil } : {}),
    })),
  })
}

/** The request itself keeps the masked name alone; its audit row would hold the whole one. */
async function finish(
  tx: Tx,
  scope: Scope,
  { id, personName, reason }: ErasureRequest,
  identifiers: Identifiers,
  end: Pick<ErasureRequest, 'state' | 'endTime' | 'endName' | 'result'>,
): Promise<ErasureRequest> {
  await tx.execute(sql`
    update erasure_request
    set state = ${code(requestState, 'done')}, person_name = ${maskMiddle(personName, 1, 0)},
      person_mobile = null,
      reason = ${withoutIdentifiers(reason, identifiers)},
      end_time = ${scope.time}::timestamptz, end_name = ${end.endName ?? ''},
      result = ${JSON.stringify(end.result)}::jsonb, version = version + 1,
      update_time = ${scope.time}::timestamptz, update_by = ${scope.operatorId}
    where owner_id = ${scope.ownerId} and id = ${id} and state = ${code(requestState, 'open')}
  `)
  return requireById(tx, erasureRequest, scope, id)
}

export const erasureHandlers = [
  reads(listErasures, async (input, { db, scope, today }) => {
    requireWholeDomain(scope)
    const page = await findPage(db, erasureRequest, scope, input, {
      filters: ['state', 'applicant', 'dueDate', 'createTime'],
    })
    return { ...page, rows: page.rows.map(row => shown(row, today)) }
  }),

  reads(getErasure, async ({ id }, { db, scope, today }) => {
    requireWholeDomain(scope)
    return shown(await requireById(db, erasureRequest, scope, id), today)
  }),

  writes(registerErasure, async (input, { tx, scope, today, app }) => {
    requireWholeDomain(scope)
    await requireStoredFiles(app, scope.ownerId, input.evidence ?? [])
    const person = await requirePerson(tx, scope.ownerId, keyOfInput(input))
    const record = person.records[0]
    if (!record) throw notFound()
    if (input.personKind === contactKind && !input.personName)
      throw invalidInput([{ Field: 'PersonName', Message: '请填写姓名' }])
    if (input.applicant !== 'self' && input.applicant !== 'company' && !input.applicantName)
      throw invalidInput([{ Field: 'ApplicantName', Message: '请填写申请人姓名' }])
    await requireNoOpenRequest(tx, person)
    if (
      record.entity === contactKind &&
      !(await reportPerson(tx, person, await readDeclaredTables(tx))).length
    )
      refuse('未找到与该号码有关的信息')
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
    return shown(created, today)
  }),

  reads(previewErasure, async ({ id }, { db, scope }) => {
    requireWholeDomain(scope)
    const request = await requireById(db, erasureRequest, scope, id)
    if (request.state !== 'open') return { blockers: [], tables: [], sharedIdentifiers: [] }
    const person = await personOf(db, scope.ownerId, request)
    return {
      blockers: await findBlockers(db, person),
      tables: await reportPerson(db, person, await readDeclaredTables(db)),
      sharedIdentifiers: sharedIdentifiers(person),
    }
  }),

  reads(listHeld, async ({ id }, { db, scope }) => {
    requireWholeDomain(scope)
    await requireById(db, erasureRequest, scope, id)
    return listHeldRecords(db, scope.ownerId, id)
  }),

  writes(editEvidence, async ({ id, evidence }, { tx, scope, app, today }) => {
    requireWholeDomain(scope)
    const request = await requireOpen(tx, scope, id)
    await requireStoredFiles(app, scope.ownerId, evidence ?? [])
    const removed = (request.evidence ?? []).filter(key => !evidence?.includes(key))
    const saved = await update(tx, erasureRequest, scope, id, { evidence: evidence ?? [] }, request)
    await app.files.discard(tx, scope.ownerId, removed)
    return shown(saved, today)
  }),

  writes(executeErasure, async (input, c) => {
    requireWholeDomain(c.scope)
    if (!input.confirmed) throw invalidInput([{ Field: 'Confirmed', Message: '请确认删除后不可恢复' }])
    return shown(await execute(input, c), c.today)
  }),

  writes(endErasure, async ({ id, state, reason }, { tx, scope, now, today }) => {
    requireWholeDomain(scope)
    const { version } = await requireOpen(tx, scope, id)
    const end = { state, endReason: reason, endTime: now, endName: scope.name }
    return shown(await update(tx, erasureRequest, scope, id, end, { version, reason }), today)
  }),
]
