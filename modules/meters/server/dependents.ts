import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { labelOf } from '#kit/contract/field.ts'
import { sql, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { registerDependentRows } from '#kit/server/dependents.ts'
import { findAll } from '#kit/server/table.ts'
import { code } from '#kit/server/sql.ts'
import { onBuildingRenamed } from '#modules/estates/server/public.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import type { PanelSectionLine } from '#modules/rooms/contract/room-board.ts'
import { registerRoomPanelSection, onRoomMoved } from '#modules/rooms/server/public.ts'
import { meterKind, meterState, usageUnits } from '../contract/choices.ts'
import { meter } from '../contract/meter.ts'
import { menu, paths } from '../module.ts'
import { validReading } from './reading-conditions.ts'

// BASE-5: rooms and areas with meters cannot be deleted.
const registerMeterDependents = (kind: 'room' | 'publicArea'): void =>
  registerDependentRows(kind, {
    label: '仪表',
    table: 'meter',
    where: row => sql`project_code = ${row.projectCode}
      and source_type = ${code(sourceType, kind)}
      and source_code = ${row.code}
      and state <> ${code(meterState, 'replaced')}`,
  })

registerMeterDependents('room')
registerMeterDependents('publicArea')

// Meters and readings repeat the name, building and sort key of their room.
const syncMeterLocation = async (tx: Tx, ownerId: Id, rooms: RawBuilder<unknown>): Promise<void> => {
  const moved = await tx.rows<{ id: Id }>(
    sql`
      update meter t
      set source_name = r.path, sort_key = r.sort_key, build_code = r.build_code
      from room r
      where t.owner_id = ${ownerId}
        and r.owner_id = ${ownerId}
        and r.project_code = t.project_code
        and t.source_type = ${code(sourceType, 'room')}
        and t.source_code = r.code
        and ${rooms}
      returning t.id
    `,
  )
  if (moved.length) {
    await tx.execute(
      sql`
        update meter_reading x
        set build_code = t.build_code
        from meter t
        where t.owner_id = ${ownerId}
          and t.id = any(${moved.map(m => m.id)})
          and x.owner_id = ${ownerId}
          and x.meter_id = t.id
          and x.build_code is distinct from t.build_code
      `,
    )
  }
}

onRoomMoved((tx, scope, r) => syncMeterLocation(tx, scope.ownerId, sql`r.id = ${r.id}`))

onBuildingRenamed((tx, scope, building) =>
  syncMeterLocation(
    tx,
    scope.ownerId,
    sql`r.project_code = ${building.projectCode} and r.build_code = ${defined(building.code)}`,
  ),
)

registerRoomPanelSection({
  key: 'meters',
  order: 400,
  needs: menu.meter.permissions.view,
  load: async ({ db, scope, room }) => {
    const found = await findAll(
      db,
      meter,
      scope,
      { projectCode: room.projectCode, order: 'meterKind,meterNo' },
      {
        where: [
          sql`t.source_type = ${code(sourceType, 'room')}
            and t.source_code = ${room.code}
            and t.state <> ${code(meterState, 'replaced')}`,
        ],
        limit: 20,
      },
    )
    if (!found.length) return undefined
    const lastByMeter = new Map(
      (
        await db.rows<{
          meterId: Id
          curNum: string
          readDate: string
          usage?: string
        }>(sql`
          select w.id as meter_id, trim_scale(x.cur_num)::text as cur_num, x.read_date,
            trim_scale(x.usage)::text as usage
          from unnest(${found.map(m => m.id)}::bigint[]) w(id)
          cross join lateral (
            select *
            from meter_reading r
            where r.owner_id = ${scope.ownerId} and r.meter_id = w.id and ${validReading('r')}
            order by r.read_date desc
            limit 1
          ) x
        `)
      ).map(l => [l.meterId, l]),
    )
    return {
      title: '仪表',
      count: found.length,
      lines: found.map((meterRow): PanelSectionLine => {
        const lastReading = lastByMeter.get(meterRow.id)
        const unit = usageUnits[meterRow.meterKind]
        return {
          label: labelOf(meterKind, meterRow.meterKind),
          value: meterRow.meterNo,
          to: `${paths.meters}?id=${meterRow.id}`,
          note: [
            lastReading
              ? `${lastReading.readDate} 读数 ${lastReading.curNum}${lastReading.usage ? `，用量 ${lastReading.usage} ${unit}` : ''}`
              : '暂无读数',
            meterRow.state === 'active' ? '' : labelOf(meterState, meterRow.state),
          ]
            .filter(Boolean)
            .join(' · '),
          ...(meterRow.state === 'broken' ? { tone: 'bad' as const } : {}),
        }
      }),
    }
  },
})
