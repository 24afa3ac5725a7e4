import { parseId } from '#kit/domain/id.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { notFound, wireNameOf, type FieldFault } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { bulkResultOf } from '#kit/server/bulk-result.ts'
import { defineImport } from '#kit/server/crud-import.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql } from '#kit/server/db.ts'
import { disablingFaults } from '#kit/server/dependents.ts'
import { writes } from '#kit/server/handler.ts'
import { hasPermission, type Caller } from '#kit/server/scope.ts'
import { contains } from '#kit/server/table/filter.ts'
import { findAll, findByIds } from '#kit/server/table.ts'
import { lockGeneration } from '#modules/planned-work/server/public.ts'
import { patrolArea } from '../contract/area.ts'
import {
  exportPoints,
  importPoints,
  patrolPoint,
  patrolPoints,
  pickPoints,
  renewPointCodes,
} from '../contract/point.ts'
import { menu } from '../module.ts'
import { normalizeTagNumber } from '../contract/tag-number.ts'
import { patrolTemplate } from '../contract/template.ts'
import { pointFaults, type PointKey, type PointSigns } from '../domain/point.ts'
import { checkItemFieldFaults } from './check-items.ts'
import { assignCodes } from './point-codes.ts'
import { loadNumberHolders, takenNumbers, takenTexts } from './point-numbers.ts'
import { rebuildPoints } from './rebuild.ts'

const faultOf = (key: PointKey, message: string): FieldFault => ({
  Field: wireNameOf(key, patrolPoint.fields[key]),
  Message: message,
})

const signFaults = (point: PointSigns): FieldFault[] =>
  pointFaults(point).map(({ key, message }) => faultOf(key, message))

const keptNumbers = ({ nfcNo }: PointSigns) =>
  nfcNo === undefined ? {} : { nfcNo: normalizeTagNumber(nfcNo) }

const pointImport = defineImport(patrolPoints, importPoints, {
  match: ['pointName'],
  unique: ['pointCode', 'nfcNo', 'bleNo'],
  load: async (db, { scope, extraInput }) => ({
    areas: await findAll(db, patrolArea, scope, { projectCode: extraInput.projectCode }),
    templates: await findAll(db, patrolTemplate, scope),
  }),
  references: {
    areaId: (name, { areas }) => areas.filter(area => area.areaName === name).map(area => area.id),
    templateId: (name, { templates }) =>
      templates.filter(template => template.templateName === name).map(template => template.id),
  },
  prepare: async (db, { lines, request: { scope } }) => ({
    holders: await loadNumberHolders(
      db,
      scope,
      lines.map(({ row }) => row),
    ),
  }),
  rules: (row, existing, { lines, data: { holders } }) => [
    ...pointFaults({ signTypes: ['qr'], ...existing, ...row }).map(({ key, message }) => ({
      column: key,
      message,
      remedy: '补全，或更换签到方式',
    })),
    ...takenNumbers(
      row,
      holders.filter(({ id }) => id !== existing?.id),
    ).map(({ key }) => ({ column: key, message: takenTexts[key], remedy: '更换编号' })),
    ...takenNumbers(
      row,
      lines.map(line => line.row).filter(({ pointName }) => pointName !== row.pointName),
    ).map(({ key, other }) => ({
      column: key,
      message: `表中另一点位「${other.pointName}」已使用该编号`,
      remedy: '各用不同的编号',
    })),
  ],
  afterWrite: async (tx, { added, existing }, { request: { scope } }) => {
    await assignCodes(
      tx,
      scope,
      added.map(line => line.id),
    )
    const changed = existing.filter(line => line.changed)
    await rebuildPoints(
      { tx, scope, now: fromInstant(Date.parse(scope.time)) },
      changed.map(line => line.id),
    )
  },
})

/** What tag and beacon say is for who sets points up: anybody else could sign from anywhere with it. */
const seesNumbers = (caller: Caller): boolean => hasPermission(caller, menu.point.permissions.edit)

export const pointServer = crudHandlers(patrolPoints, {
  enrich: async (points, { scope }) =>
    seesNumbers(scope) ? points : points.map(point => ({ ...point, nfcNo: undefined, bleNo: undefined })),
  keyword: (word, { scope }) => {
    const open = [sql`t.point_code`, sql`t.point_name`]
    const columns = seesNumbers(scope) ? [...open, sql`t.nfc_no`, sql`t.ble_no`] : open
    return sql`(${sql.join(
      columns.map(column => contains(column, word)),
      sql` or `,
    )})`
  },
  codes: { pointCode: 'XD' },
  unique: {
    patrol_point_code_live: '该项目已有此编码的点位，请更换',
    patrol_point_name_live: '该项目已有同名点位，请更换',
    patrol_point_nfc_live: takenTexts.nfcNo,
    patrol_point_ble_live: takenTexts.bleNo,
  },
  pictures: ['photo'],
  // A plan is not enabled while a point of its road is switched off, and the other way round.
  lock: ({ tx, scope }) => lockGeneration(tx, scope),
  check: async (draft, c, before) => [
    ...signFaults(draft),
    ...checkItemFieldFaults('CheckItems', draft.items),
    ...takenNumbers(
      draft,
      (await loadNumberHolders(c.tx, c.scope, [draft])).filter(({ id }) => id !== before?.id),
    ).map(({ key }) => faultOf(key, takenTexts[key])),
    ...(await disablingFaults(c, patrolPoint, draft, before)),
  ],
  beforeInsert: keptNumbers,
  beforeUpdate: keptNumbers,
  afterInsert: (point, { tx, scope }) => assignCodes(tx, scope, [point.id]),
  afterUpdate: (point, c) => rebuildPoints(c, [point.id]),
  pickers: [pickPoints],
  import: pointImport,
  export: exportPoints,
})

export const pointHandlers = [
  writes(renewPointCodes, async ({ ids, reason }, { tx, scope }) => {
    const found = await findByIds(tx, patrolPoint, scope, ids.map(parseId), { lock: true })
    if (!found.length) throw notFound()
    await assignCodes(
      tx,
      scope,
      found.map(point => point.id),
    )
    await audit(
      tx,
      scope,
      found.map(({ id, projectCode }) => ({
        action: 'update' as const,
        entity: 'patrolPoint',
        entityId: id,
        projectCode,
        after: { qrCode: '已更换' },
        reason,
      })),
    )
    return bulkResultOf(ids, found, [])
  }),
]
