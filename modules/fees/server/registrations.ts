import { dayOfInstant } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { registerDependentRows } from '#kit/server/dependents.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import { defineCron } from '#kit/server/jobs.ts'
import { findAll } from '#kit/server/table.ts'
import { notDeleted, code } from '#kit/server/sql.ts'
import { registerResidentPanelSection } from '#modules/residents/server/public.ts'
import {
  registerRoomPanelSection,
  sectionOfRecords,
  onRoomMoved,
  onRoomPathsChanged,
} from '#modules/rooms/server/public.ts'
import { relationState, sourceType } from '../contract/choices.ts'
import { feeRelation } from '../contract/relation.ts'
import { menu } from '../module.ts'
import { selectNamedObjects, type SourceType } from './chargeable-objects.ts'
import { paidByUser, notEnded } from './relation-conditions.ts'

/** BASE-5: what is still charged stays. `key` is what relations know it by, a code or the id. */
const registerRelationDependents = (entity: string, type: SourceType, key: string): void =>
  registerDependentRows(entity, {
    label: '收费关联',
    table: 'fee_relation',
    where: (row, { time }) => sql`project_code = ${row.projectCode}
      and source_type = ${code(sourceType, type)}
      and source_code = ${String(row[key])}
      and state <> ${code(relationState, 'ended')}
      and (end_date is null or end_date >= ${dayOfInstant(Date.parse(time))})`,
  })

registerRelationDependents('room', 'room', 'code')
registerRelationDependents('parkPlace', 'parkPlace', 'code')
registerRelationDependents('car', 'car', 'id')
registerRelationDependents('publicArea', 'publicArea', 'code')
registerRelationDependents('company', 'company', 'companyNo')

onRoomMoved(async (tx, scope, row) => {
  await tx.execute(
    sql`
      update fee_relation t
      set build_code = r.build_code, source_name = r.path
      from room r
      where r.owner_id = ${scope.ownerId}
        and r.id = ${row.id}
        and t.owner_id = ${scope.ownerId}
        and t.project_code = r.project_code
        and t.source_type = ${code(sourceType, 'room')}
        and t.source_code = r.code
        and ${notDeleted('t')}
    `,
  )
})

onRoomPathsChanged(async (tx, scope, building) => {
  await tx.execute(
    sql`
      update fee_relation t
      set source_name = r.path
      from room r
      where r.owner_id = ${scope.ownerId}
        and r.project_code = ${building.projectCode}
        and r.build_code = ${building.buildCode}
        and ${notDeleted('r')}
        and t.owner_id = ${scope.ownerId}
        and t.project_code = r.project_code
        and t.source_type = ${code(sourceType, 'room')}
        and t.source_code = r.code
        and ${notDeleted('t')}
        and t.source_name <> r.path
    `,
  )
})

/**
 * Places, cars, areas and companies that were given another name since they were bound. May run any number of
 * times.
 */
export const refreshNamesCron = defineCron({
  name: 'fees-names',
  schedule: '18 0 * * *',
  run: async app => {
    await forEachDueCompany(
      app.database,
      sql`select distinct owner_id from fee_relation where ${notDeleted()}`,
      (tx, ownerId) =>
        tx.execute(
          sql`
            update fee_relation t
            set source_name = o.name, build_code = o.build_code
            from (${selectNamedObjects(ownerId)}) o
            where t.owner_id = ${ownerId}
              and t.project_code = o.project_code
              and t.source_type = o.type
              and t.source_code = o.code
              and ${notDeleted('t')}
              and (t.source_name <> o.name or t.build_code is distinct from o.build_code)
          `,
        ),
    )
  },
})

registerRoomPanelSection({
  key: 'fees',
  order: 350,
  needs: menu.relation.permissions.view,
  load: async ({ db, scope, room }) => {
    const found = await findAll(
      db,
      feeRelation,
      scope,
      { projectCode: room.projectCode, order: 'feeItemId,-beginDate' },
      {
        where: [
          sql`t.source_type = ${code(sourceType, 'room')} and t.source_code = ${room.code} and ${notEnded('t')}`,
        ],
        limit: 20,
      },
    )
    return sectionOfRecords('收费标准', found, row => ({
      label: row.feeItemName ?? '',
      value: row.standardName ?? '',
      note: row.billedTo ? `计费至 ${row.billedTo}` : '未计费',
      tone: relationState.rows[row.state][2] ?? 'doing',
    }))
  },
})

registerResidentPanelSection({
  key: 'fees',
  order: 350,
  needs: menu.relation.permissions.view,
  load: async ({ db, scope, person }) => {
    const found = await findAll(
      db,
      feeRelation,
      scope,
      { order: 'sourceName,feeItemId' },
      { where: [paidByUser(scope.ownerId, person.id), notEnded('t')], limit: 50 },
    )
    return sectionOfRecords('收费标准', found, row => ({
      label: row.sourceName,
      value: [row.feeItemName, row.standardName].filter(Boolean).join(' · '),
      note: row.billedTo ? `计费至 ${row.billedTo}` : '未计费',
      tone: relationState.rows[row.state][2] ?? 'doing',
    }))
  },
})
