import { parseId } from '#kit/domain/id.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { notFound, wireNameOf, type FieldFault } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { bulkResultOf } from '#kit/server/bulk-result.ts'
import { defineImport } from '#kit/server/crud-import.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { writes } from '#kit/server/handler.ts'
import { findAll, findByIds } from '#kit/server/table.ts'
import { patrolArea } from '../contract/area.ts'
import {
  exportPoints,
  importPoints,
  patrolPoint,
  patrolPoints,
  pickPoints,
  renewPointCodes,
} from '../contract/point.ts'
import { patrolTemplate } from '../contract/template.ts'
import { pointFaults, type PointSigns } from '../domain/point.ts'
import { checkItemFieldFaults } from './check-items.ts'
import { assignCodes } from './point-codes.ts'
import { rebuildPoints } from './rebuild.ts'

const signFaults = (point: PointSigns): FieldFault[] =>
  pointFaults(point).map(({ key, message }) => ({
    Field: wireNameOf(key, patrolPoint.fields[key]),
    Message: message,
  }))

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
  rules: (row, existing) =>
    pointFaults({ signTypes: ['qr'], ...existing, ...row }).map(({ key, message }) => ({
      column: key,
      message,
      remedy: '补全，或更换签到方式',
    })),
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

export const pointServer = crudHandlers(patrolPoints, {
  codes: { pointCode: 'XD' },
  unique: {
    patrol_point_code_live: '该项目已有此编码的点位，请更换',
    patrol_point_name_live: '该项目已有同名点位，请更换',
    patrol_point_nfc_live: '此 NFC 编号已用于其他点位',
    patrol_point_ble_live: '此蓝牙编号已用于其他点位',
  },
  pictures: ['photo'],
  check: draft => [...signFaults(draft), ...checkItemFieldFaults('CheckItems', draft.items)],
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
