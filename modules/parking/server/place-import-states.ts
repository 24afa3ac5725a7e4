import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { audit } from '#kit/server/audit.ts'
import type { LineFault, WrittenLine } from '#kit/server/crud-import.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import type { ParkPlace } from '../contract/park-place.ts'
import type { PlaceState } from '../contract/labels.ts'
import { placeStateFault } from '../domain/place-state.ts'
import { releaseCars } from './car-validity.ts'
import {
  placeKey,
  type PlaceFile,
  type PlacePair,
  type PlaceSheetRow,
  type SheetRow,
} from './place-import-file.ts'

export const findPairs = (db: Db, ownerId: Id, project: string): Promise<PlacePair[]> =>
  db.rows<PlacePair>(sql`
    select c.park_id, p.id as parent_id, p.place_no as parent_no, c.id as child_id, c.place_no as child_no
    from park_place c
    join park_place p on p.owner_id = ${ownerId} and p.id = c.parent_place_id and ${notDeleted('p')}
    where c.owner_id = ${ownerId}
      and c.project_code = ${project}
      and c.parent_place_id is not null
      and ${notDeleted('c')}
  `)

interface StateChange {
  readonly before: ParkPlace
  readonly to: PlaceState
}

/** What a line makes of the state of a place that is there; nothing where it stays. */
export const stateChangeOf = ({ placeState }: SheetRow, before: ParkPlace): StateChange | undefined =>
  placeState === undefined || placeState === before.placeState ? undefined : { before, to: placeState }

type StateFault = Omit<LineFault, 'column'>
const stateDialogHint = '或不填，在“车位管理”里用“变更状态”'

/**
 * Why a line may not change the state of its place: the same as for 变更状态 (C10.1). A tandem pair goes
 * together, so that both are in the file.
 */
export function stateChangeFault(
  row: SheetRow,
  { before, to }: StateChange,
  file: PlaceFile,
): StateFault | undefined {
  const goesAlong = (parkId: Id, placeNo: string): boolean =>
    file.firstLineBy(placeKey, [parkId, placeNo])?.row.placeState === to
  const withParent = file.data.pairs.some(
    pair => pair.childId === before.id && goesAlong(pair.parkId, pair.parentNo),
  )
  const usage = { beginDate: row.beginDate ?? before.beginDate, endDate: row.endDate ?? before.endDate }
  const message = placeStateFault({ ...before, ...usage }, to, withParent)
  if (message) return { message, remedy: `改成允许的状态，${stateDialogHint}` }
  const occupiedPair = file.data.pairs.find(
    pair => pair.parentId === before.id && !goesAlong(pair.parkId, pair.childNo),
  )
  if (occupiedPair)
    return {
      message: `子车位「${occupiedPair.childNo}」要一起变更`,
      remedy: `把子车位也写进表中，改成同一状态，${stateDialogHint}`,
    }
  return to === 'free' && (row.roomCode || row.beginDate || row.endDate)
    ? { message: '改回空闲会清空关联房间与起止日期', remedy: '清空关联房间、开始日期、结束日期' }
    : undefined
}

/** A place that comes back is nobody's; each change is in the history of its place. */
export async function completeStateChanges(
  tx: Tx,
  scope: Scope,
  overwritten: readonly WrittenLine<PlaceSheetRow, ParkPlace>[],
  today: Day,
): Promise<void> {
  const changes = overwritten.flatMap(({ existing, lines: [line] }) =>
    existing && line ? (stateChangeOf(line.row, existing) ?? []) : [],
  )
  if (!changes.length) return
  for (const to of ['free', 'off'] as const) {
    const places = changes.filter(change => change.to === to).map(change => change.before)
    await releaseCars(tx, scope, places, { to, today, reason: '批量导入' })
  }
  const freed = changes.filter(change => change.to === 'free').map(change => change.before.id)
  await tx.execute(sql`
    update park_place
    set room_code = null, begin_date = null, end_date = null
    where owner_id = ${scope.ownerId} and id = any(${freed}::bigint[])
  `)
  await audit(
    tx,
    scope,
    changes.map(({ before, to }) => ({
      action: 'state',
      entity: 'parkPlace',
      entityId: before.id,
      projectCode: before.projectCode,
      before: { placeState: before.placeState },
      after: { placeState: to },
      reason: '批量导入',
    })),
  )
}
