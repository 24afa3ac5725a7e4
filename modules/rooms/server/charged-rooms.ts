import { defined } from '#kit/domain/defined.ts'
import { codeOf, keyOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Dec } from '#kit/domain/decimal.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { live } from '#kit/server/sql.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { roomAreaKeys, type RoomAreas } from '../contract/room-change.ts'
import { changeItem, roomState, type RoomState } from '../contract/labels.ts'
import { areaSpans, type AreaSpan, type AreaChange } from '../domain/room-areas.ts'

/** A room as those see it who charge for it: what it is measured by and who pays, each with its history. */
export interface ChargedRoom {
  readonly id: number
  readonly code: string
  readonly path: string
  readonly buildCode: string
  readonly unitName: string
  readonly floorNum: number
  readonly sortKey: string
  readonly enabled: boolean
  readonly state: RoomState
  readonly delivered?: Day | undefined
  readonly movedIn?: Day | undefined
  readonly people: number
  /** Rising; the first one holds before its day too (BASE-7). */
  readonly areas: readonly AreaSpan[]
  /** Residents only; rising, the first one holds before its day too. */
  readonly payers: readonly { readonly from: Day; readonly id: number | undefined }[]
}

interface RoomRow extends RoomAreas {
  id: number
  code: string
  path: string
  buildCode: string
  unitName: string
  floorNum: number
  sortKey: string
  state: number
  roomState: number
  deliverDate?: Day
  checkinDate?: Day
  people: number
  payerId?: number
}

interface RoomChangeRow {
  id: number
  roomId: number
  item: string
  effectiveDate: Day
  oldValue?: string
  newValue?: string
  oldRef?: number
  newRef?: number
}

const minDay: Day = '0001-01-01'
const maxDay: Day = '9999-12-31'
const areaKeyByItem = new Map(roomAreaKeys.map(k => [changeItem.rows[k][0] as string, k]))
const chargedItems = [...areaKeyByItem.keys(), changeItem.rows.payer[0]]

const areaColumns = sql.raw(
  ['build_area', 'inner_area', 'share_area', 'charge_area', 'fee_ratio']
    .map(c => `trim_scale(r.${c})::text as ${c}`)
    .join(', '),
)

/** Days before anybody paid belong to who came first: registering people late cuts no bill in two. */
function payerSpansOf(now: number | undefined, steps: readonly RoomChangeRow[]): ChargedRoom['payers'] {
  const said = steps.filter(s => s.oldRef !== undefined || s.newRef !== undefined)
  const spans = [
    { from: minDay, id: said.length ? defined(said[0]).oldRef : now },
    ...said.map(s => ({ from: s.effectiveDate, id: s.newRef })),
  ]
  const first = spans.findIndex(s => s.id !== undefined)
  const known = first < 0 ? [{ from: minDay, id: undefined }] : spans.slice(first)
  return known.filter(
    (s, i) => known[i + 1]?.from !== s.from && (i === 0 || defined(known[i - 1]).id !== s.id),
  )
}

/**
 * Rooms of a project by code, in one round trip; absent ones are left out. Needs room_code_live and
 * room_change_room.
 */
export async function findChargedRooms(
  db: Db,
  owner: number,
  project: string,
  codes: readonly string[],
): Promise<ReadonlyMap<string, ChargedRoom>> {
  if (!codes.length) return new Map()
  const wanted = [...new Set(codes)]
  const here = sql`r.owner_id = ${owner}
    and r.project_code = ${project}
    and r.code = any(${wanted})
    and ${live('r')}`
  const [rooms, all] = await db.all<[RoomRow, RoomChangeRow]>(
    sql`
      select r.id, r.code, r.path, r.build_code, r.unit_name, r.floor_num, r.sort_key, r.state,
        r.room_state, r.deliver_date, r.checkin_date, r.people, r.payer_id, ${areaColumns}
      from room r
      where ${here}
    `,
    sql`
      select c.id, c.room_id, c.item, c.effective_date, c.old_value, c.new_value, c.old_ref, c.new_ref
      from room r
      join room_change_log c on c.owner_id = r.owner_id
        and c.room_id = r.id
        and ${live('c')}
        and c.item = any(${chargedItems})
      where ${here}
      order by c.effective_date, c.id
    `,
  )
  const steps = Map.groupBy(all, s => s.roomId)
  const on = codeOf(enabledState, 'on')
  return new Map(
    rooms.map(r => {
      const mine = steps.get(r.id)
      const { buildArea, innerArea, shareArea, chargeArea, feeRatio } = r
      const areaSteps: AreaChange[] = (mine ?? []).flatMap(s => {
        const item = areaKeyByItem.get(s.item)
        return item ? [{ ...s, item }] : []
      })
      const now = {
        ...(buildArea ? { buildArea } : {}),
        ...(innerArea ? { innerArea } : {}),
        ...(shareArea ? { shareArea } : {}),
        ...(chargeArea ? { chargeArea } : {}),
        ...(feeRatio ? { feeRatio } : {}),
      }
      return [
        r.code,
        {
          id: r.id,
          code: r.code,
          path: r.path,
          buildCode: r.buildCode,
          unitName: r.unitName,
          floorNum: r.floorNum,
          sortKey: r.sortKey,
          enabled: r.state === on,
          state: defined(keyOf(roomState, r.roomState)),
          delivered: r.deliverDate,
          movedIn: r.checkinDate,
          people: r.people,
          areas: areaSteps.length
            ? areaSpans(now, areaSteps, minDay, maxDay)
            : [{ from: minDay, areas: now }],
          payers: payerSpansOf(
            r.payerId,
            (mine ?? []).filter(s => s.item === changeItem.rows.payer[0]),
          ),
        },
      ] as const
    }),
  )
}

/**
 * Sums over the rooms in use of an estate, by unit and building; what a formula may ask beside the room
 * itself (FEE-20).
 */
export interface RoomTotals {
  readonly units: ReadonlyMap<string, Dec>
  readonly buildings: ReadonlyMap<string, Dec>
  readonly project: Dec
  readonly households: number
}

export const unitTotalKey = (buildCode: string, unitName: string): string => `${buildCode}\n${unitName}`

export async function getRoomTotals(db: Db, owner: number, project: string): Promise<RoomTotals> {
  const rows = await db.rows<{
    buildCode?: string
    unitName?: string
    area: string
    households: number
    level: number
  }>(sql`
    select build_code, unit_name, trim_scale(coalesce(sum(build_area), 0))::text as area,
      count(*)::int as households, grouping(build_code, unit_name) as level
    from room
    where owner_id = ${owner}
      and project_code = ${project}
      and state = ${codeOf(enabledState, 'on')}
      and ${live()}
    group by grouping sets ((build_code, unit_name), (build_code), ())
  `)
  const all = rows.find(r => r.level === 3)
  return {
    units: new Map(
      rows
        .filter(r => r.level === 0)
        .map(r => [unitTotalKey(defined(r.buildCode), defined(r.unitName)), r.area]),
    ),
    buildings: new Map(rows.filter(r => r.level === 1).map(r => [defined(r.buildCode), r.area])),
    project: all?.area ?? '0',
    households: all?.households ?? 0,
  }
}
