import { defined } from '#kit/domain/defined.ts'
import { sql } from '#kit/server/db.ts'
import { registerDependents } from '#kit/server/dependents.ts'
import type { ServerModule } from '#kit/server/handler.ts'
import { importHandlers } from '#kit/server/sheet-import.ts'
import { exportHandlers } from '#kit/server/sheet-export.ts'
import { registerRoomPanelSection } from '#modules/rooms/server/public.ts'
import { labelOf } from '#kit/contract/field.ts'
import { findPage } from '#kit/server/table.ts'
import { live } from '#kit/server/sql.ts'
import { menu } from '../module.ts'
import { listPlaces, parkPlace } from '../contract/park-place.ts'
import { exportPlaces, placeColumns } from '../contract/import-export.ts'
import { placeState } from '../contract/labels.ts'
import { placeImporter } from './place-import.ts'
import { placeNodeHandlers } from './place-nodes.ts'
import { parkHandlers } from './park.ts'
import { placeHandlers } from './park-place.ts'

// BASE-5: what still hangs on an estate, a room, a car park.
registerDependents('estate', async (tx, scope, [e]) => [
  {
    what: '停车场',
    count: defined(
      await tx.one<{ n: number }>(
        sql`
        select count(*) as n
        from park
        where owner_id = ${scope.ownerId} and project_code = ${e.projectCode} and ${live()}
      `,
      ),
    ).n,
  },
])

registerDependents('room', async (tx, scope, [r]) => [
  {
    what: '关联车位',
    count: defined(
      await tx.one<{ n: number }>(
        sql`
        select count(*) as n
        from park_place
        where owner_id = ${scope.ownerId}
          and project_code = ${r.projectCode}
          and room_code = ${r.code}
          and ${live()}
      `,
      ),
    ).n,
  },
])

registerDependents('park', async (tx, scope, [p]) => [
  {
    what: '车位',
    count: defined(
      await tx.one<{ n: number }>(
        sql`
        select count(*) as n
        from park_place
        where owner_id = ${scope.ownerId} and park_id = ${p.id} and ${live()}
      `,
      ),
    ).n,
  },
])

registerRoomPanelSection({
  key: 'places',
  order: 300,
  needs: menu.place.permissions.view,
  load: async ({ db, scope, room }) => {
    const found = await findPage(
      db,
      parkPlace,
      scope,
      { size: 5 },
      { where: [sql`t.project_code = ${room.projectCode} and t.room_code = ${defined(room.code)}`] },
    )
    return found.total
      ? {
          title: '车位',
          count: found.total,
          lines: found.rows.map(p => ({
            label: p.placeNo,
            value: labelOf(placeState, p.placeState),
            note: [p.parkName, p.areaName, p.endDate && `至 ${p.endDate}`].filter(Boolean).join(' · '),
          })),
        }
      : undefined
  },
})

const placeImport = importHandlers(placeImporter)

const placeExport = exportHandlers<NonNullable<typeof listPlaces.input.T>>({
  kind: 'parking.place',
  name: '车位',
  calls: exportPlaces,
  entity: parkPlace,
  columns: placeColumns,
  query: q => ({ q, find: { filters: defined(listPlaces.input.filters) } }),
})

export const server: ServerModule = {
  handlers: [
    ...parkHandlers,
    ...placeHandlers,
    ...placeNodeHandlers,
    ...placeImport.handlers,
    ...placeExport.handlers,
  ],
  jobs: [placeImport.job, placeExport.job],
}
