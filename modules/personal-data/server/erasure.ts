import { invalidInput, notFound, refuse } from '#kit/contract/wire.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, uniqueMessages, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { findPage, insert, requireById, update } from '#kit/server/table.ts'
import { requestState } from '../contract/choices.ts'
import {
  approveErasure,
  editEvidence,
  endErasure,
  erasureRequest,
  getErasure,
  listErasures,
  listHeld,
  previewErasure,
  registerErasure,
  type ErasureRequest,
} from '../contract/erasure.ts'
import { personCode } from '../domain/identifiers.ts'
import { answerDays } from '../domain/retention.ts'
import { requireWholeDomain } from './access.ts'
import { findBlockers } from './blockers.ts'
import { readConfirmed } from './confirmed-rows.ts'
import { requireNewUploads } from './evidence.ts'
import { discardUnused } from './file-keys.ts'
import { listHeldRecords } from './held-records.ts'
import { requireKnownPerson, type KnownPerson } from './known-person.ts'
import { findMentions } from './mentions.ts'
import { contactKind, lockRecords, toErase, type ConfirmedRows, type Person } from './person.ts'
import { keyOfInput, kindLabelOf } from './person-handlers.ts'
import { reportPerson, sharedIdentifiers } from './report.ts'

const repeated = '该人员已有待处理的删除请求，请在「删除请求」中办理'

uniqueMessages({ erasure_request_open: repeated, erasure_request_pending: repeated })

export const shown = (request: ErasureRequest, today: Day): ErasureRequest => ({
  ...request,
  isOverdue: isPending(request) && request.dueDate < today,
  kindLabel: kindLabelOf(request.personKind),
})

export const personOf = (
  db: Db,
  ownerId: Id,
  request: ErasureRequest,
  confirmed?: ConfirmedRows,
): Promise<KnownPerson> => requireKnownPerson(db, ownerId, keyOfInput(request), confirmed)

/** Who registered a request does not approve it. */
async function isRegistrar(db: Db, scope: Scope, id: Id): Promise<boolean> {
  const registered = await db.one<{ createBy: Id }>(sql`
    select create_by from erasure_request where owner_id = ${scope.ownerId} and id = ${id}
  `)
  return registered?.createBy === scope.operatorId
}

export const isPending = ({ state }: ErasureRequest): boolean => state === 'open' || state === 'approved'

export async function requirePending(tx: Tx, scope: Scope, id: Id): Promise<ErasureRequest> {
  const request = await requireById(tx, erasureRequest, scope, id, { lock: true })
  if (!isPending(request)) return refuse('该删除请求已办结')
  return request
}

/** What was approved is not changed any more. */
export async function requireOpen(tx: Tx, scope: Scope, id: Id): Promise<ErasureRequest> {
  const request = await requirePending(tx, scope, id)
  if (request.state === 'approved') return refuse('该删除请求已审批，不能修改。如需修改，请撤回后重新登记')
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
      and state in ${codes(requestState, 'open', 'approved')}
      and ${notDeleted()}
      and (${sql.join(conditions, sql` or `)})
    limit 1
  `)
  if (open) refuse(`该人员已有待处理的删除请求（${open.id} 号），请在「删除请求」中办理`)
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
    const request = await requireById(db, erasureRequest, scope, id)
    return { ...shown(request, today), isRegistrar: await isRegistrar(db, scope, id) }
  }),

  writes(registerErasure, async (input, { tx, scope, today, app }) => {
    requireWholeDomain(scope)
    await requireNewUploads(tx, app, scope, input.evidence ?? [])
    const { person, tables } = await requireKnownPerson(tx, scope.ownerId, keyOfInput(input))
    await lockRecords(tx, person)
    const record = person.records[0]
    if (!record) throw notFound()
    if (input.personKind === contactKind && !input.personName)
      throw invalidInput([{ Field: 'PersonName', Message: '请填写姓名' }])
    if (input.applicant !== 'self' && input.applicant !== 'company' && !input.applicantName)
      throw invalidInput([{ Field: 'ApplicantName', Message: '请填写申请人姓名' }])
    await requireNoOpenRequest(tx, person)
    if (record.entity === contactKind && !(await findMentions(tx, person, tables)).length)
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
    if (!isPending(request)) return { blockers: [], tables: [], sharedIdentifiers: [] }
    const known = await personOf(db, scope.ownerId, request)
    const person = toErase(known.person, personCode(id), await readConfirmed(db, scope.ownerId, id))
    return {
      blockers: await findBlockers(db, person),
      tables: await reportPerson(db, person, known.tables),
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
    const present = request.evidence ?? []
    await requireNewUploads(
      tx,
      app,
      scope,
      (evidence ?? []).filter(key => !present.includes(key)),
    )
    const removed = present.filter(key => !evidence?.includes(key))
    const saved = await update(
      tx,
      erasureRequest,
      scope,
      id,
      { evidence: evidence ?? [] },
      { version: request.version },
    )
    await discardUnused(tx, app, scope.ownerId, removed)
    return shown(saved, today)
  }),

  writes(approveErasure, async ({ id, version }, { tx, scope, now, today }) => {
    requireWholeDomain(scope)
    const request = await requireOpen(tx, scope, id)
    if (version !== undefined && version !== request.version)
      return refuse('该删除请求或确认的疑似记录刚刚被修改，请刷新核对后再审批')
    if (await isRegistrar(tx, scope, id))
      return refuse('登记人不能审批自己登记的删除请求，请由其他有审批权限的人员审批')
    if (request.mentionsTime === undefined) {
      const { person, tables } = await personOf(tx, scope.ownerId, request)
      if ((await findMentions(tx, person, tables)).length) return refuse('请先核对疑似记录并保存，再审批')
    }
    const approval = { state: 'approved' as const, approveName: scope.name, approveTime: now }
    const saved = await update(tx, erasureRequest, scope, id, approval, { version: request.version })
    await tx.execute(sql`
      update erasure_request
      set run_approve_by = ${scope.operatorId}
      where owner_id = ${scope.ownerId} and id = ${id}
    `)
    return shown(saved, today)
  }),

  writes(endErasure, async ({ id, state, reason }, { tx, scope, now, today }) => {
    requireWholeDomain(scope)
    const { version } = await requirePending(tx, scope, id)
    const end = { state, endReason: reason, endTime: now, endName: scope.name }
    return shown(await update(tx, erasureRequest, scope, id, end, { version, reason }), today)
  }),
]
