import { maskIdCard } from '#kit/contract/text.ts'
import { sheetColumns } from '#kit/contract/sheet.ts'
import { labelOf } from '#kit/contract/field.ts'
import { invalidField, invalidInput, notFound, refuse } from '#kit/contract/wire.ts'
import { parseId } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { addMinutes, endOfDay } from '#kit/domain/moment.ts'
import { assertReferences } from '#kit/server/crud-references.ts'
import { sql } from '#kit/server/db.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import { joinServers } from '#kit/server/crud.ts'
import type { Scope } from '#kit/server/scope.ts'
import { exportHandlers } from '#kit/server/sheet-export.ts'
import { flagFilter } from '#kit/server/sql.ts'
import { findAll, findPage, insert, requireById } from '#kit/server/table.ts'
import { visitorKind, type VisitorKind } from '../contract/choices.ts'
import { inviteValid } from '../contract/invite-valid.ts'
import {
  addWalkIn,
  exportValidations,
  exportVisitors,
  getLastVisit,
  getVisit,
  getVisitor,
  leave,
  listValidations,
  listVisitors,
  listVisits,
  visitExport,
} from '../contract/visit.ts'
import { visitRecord, type VisitRecord } from '../contract/visit-record.ts'
import { inviteVisitor } from '../contract/visitor.ts'
import { findBlock, hasOneOf } from './black-list.ts'
import { assertLocation } from './check.ts'
import { checkTypesOf } from './check-type.ts'
import { leaveRecords } from './departure.ts'
import { assertEntry, blockReasonText, entranceOf, keptNumbers } from './entrance.ts'
import { loadSetting } from './setting.ts'
import { seenValidations } from './seen-validations.ts'
import { isExpectedOn, isOverdueAt } from './visit-conditions.ts'

type VisitQuery = NonNullable<typeof listVisits.input.T>
type VisitorQuery = NonNullable<typeof listVisitors.input.T>

const visitList = ({ isOverdue, isWalkIn, visitorId, ...query }: VisitQuery, { ownerId, time }: Scope) => ({
  q: query,
  find: {
    filters: defined(listVisits.input.filters),
    where: [
      ...flagFilter(isOverdue, isOverdueAt(ownerId, time)),
      ...flagFilter(isWalkIn, sql`t.visitor_id is null`),
      ...(visitorId === undefined ? [] : [sql`t.visitor_id = ${visitorId}`]),
    ],
  },
})

const visitorList = ({ isExpected, ...query }: VisitorQuery, { time }: Scope) => ({
  q: query,
  find: {
    filters: defined(listVisitors.input.filters),
    where: flagFilter(isExpected, isExpectedOn(time)),
  },
})

const validationFind = (scope: Scope) => ({
  filters: defined(listValidations.input.filters),
  where: seenValidations(scope),
})

/** VIS-7: documents leave the product masked, for everybody who exports them. */
const withMaskedCert = <T extends { readonly certNo?: string | undefined }>(row: T): T =>
  row.certNo === undefined ? row : { ...row, certNo: maskIdCard(row.certNo) }

const exporters = [
  exportHandlers({
    kind: 'visitors.visit',
    name: '访客登记',
    calls: visitExport,
    entity: visitRecord,
    columns: visitExport.columns,
    query: (input, { scope }) => visitList(input, scope),
    enrichRows: async rows => rows.map(withMaskedCert),
  }),
  exportHandlers({
    kind: 'visitors.visitor',
    name: '邀请访客',
    calls: exportVisitors,
    entity: inviteVisitor,
    columns: sheetColumns(inviteVisitor.fields),
    query: (input, { scope }) => visitorList(input, scope),
    enrichRows: async rows => rows.map(withMaskedCert),
  }),
  exportHandlers({
    kind: 'visitors.valid',
    name: '核验记录',
    calls: exportValidations,
    entity: inviteValid,
    columns: sheetColumns(inviteValid.fields),
    query: (q, { scope }) => ({ q, find: validationFind(scope) }),
  }),
]

type WalkIn = NonNullable<typeof addWalkIn.input.T>

/** Longer visits are invited: nobody has agreed to this one. */
const walkInMaxHours = 24

async function assertKindEnabled(
  projectCode: string,
  kind: VisitorKind,
  { tx, scope }: WriteContext,
): Promise<void> {
  const kinds = await checkTypesOf(tx, scope, projectCode)
  if (!kinds.find(({ visitorKind: each }) => each === kind)?.isEnabled)
    throw invalidField('VisitorKind', `本项目不接待「${labelOf(visitorKind, kind)}」，请选择其他类别`)
}

/** VIS-5 without an invitation; where nothing else is agreed, until the day is over. */
async function receive({ locationId, ...entered }: WalkIn, c: WriteContext): Promise<VisitRecord> {
  const { tx, scope, now, today } = c
  const { projectCode, roomId, certNo } = entered
  await assertLocation(projectCode, locationId, c)
  await assertReferences({ roomId: visitRecord.fields.roomId }, { projectCode, roomId }, c)
  const endTime = entered.endTime ?? endOfDay(today)
  if (endTime <= now) throw invalidInput([{ Field: 'EndTime', Message: '应离时间须晚于现在' }])
  if (endTime > addMinutes(now, walkInMaxHours * 60))
    throw invalidField('EndTime', `临时来访最长 ${walkInMaxHours} 小时，更长的请由被访人邀请`)
  await assertKindEnabled(projectCode, entered.visitorKind, c)
  const blocked = await findBlock(tx, scope.ownerId, projectCode, entered, today)
  if (blocked !== undefined) refuse(blockReasonText(blocked))
  await assertEntry(entered, { setting: await loadSetting(tx, scope, projectCode), needsCert: false }, c)
  return insert(tx, visitRecord, scope, {
    ...entered,
    certType: entered.certType ?? (certNo === undefined ? undefined : 'idCard'),
    ...keptNumbers(entered),
    endTime,
    ...entranceOf(locationId, now, c),
  })
}

const handlers = [
  reads(listVisits, (input, { db, scope }) => {
    const { q, find } = visitList(input, scope)
    return findPage(db, visitRecord, scope, q, find)
  }),
  reads(getVisit, ({ id }, { db, scope }) => requireById(db, visitRecord, scope, id)),
  reads(getLastVisit, async (query, { db, scope }) => {
    const { projectCode } = query
    const where = [hasOneOf(query) ?? refuse('请填写手机、证件号或车牌'), sql`t.clear_time is null`]
    const [last] = await findAll(db, visitRecord, scope, { projectCode }, { where, limit: 1 })
    if (!last) throw notFound()
    return last
  }),
  reads(listVisitors, (input, { db, scope }) => {
    const { q, find } = visitorList(input, scope)
    return findPage(db, inviteVisitor, scope, q, find)
  }),
  reads(getVisitor, ({ id }, { db, scope }) => requireById(db, inviteVisitor, scope, id)),
  reads(listValidations, (query, { db, scope }) =>
    findPage(db, inviteValid, scope, query, validationFind(scope)),
  ),
  writes(addWalkIn, receive),
  writes(leave, async ({ ids, locationId }, c) => {
    const [first] = ids
    if (locationId !== undefined && first !== undefined) {
      const { projectCode } = await requireById(c.tx, visitRecord, c.scope, parseId(first))
      await assertLocation(projectCode, locationId, c)
    }
    return leaveRecords(ids, locationId, c)
  }),
]

export const visitServer = joinServers(
  { handlers },
  ...exporters.map(({ handlers: calls, job }) => ({ handlers: calls, jobs: [job] })),
)
