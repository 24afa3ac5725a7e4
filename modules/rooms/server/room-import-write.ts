import { labelOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { LineResult, ReadyLine } from '#kit/server/sheet-import.ts'
import { touch } from '#kit/server/sql.ts'
import { insertIdentified, reserveIds, updateIdentified } from '#kit/server/identified-rows.ts'
import { publishRecordsWritten } from '#kit/server/record-events.ts'
import type { Id } from '#kit/domain/id.ts'
import type { RoomSheetRow } from '../contract/import-export.ts'
import { roomState } from '../contract/labels.ts'
import { room as roomEntity } from '../contract/room.ts'
import { withChargeArea } from '../domain/room-areas.ts'
import { importedRoomState, stateEffectiveDate } from '../domain/room-state.ts'
import { logRoomChanges, type RoomChangeEntry } from './room-areas.ts'
import { planRowAreas, type RoomImportFile } from './room-import-check.ts'
import { floorOfRow, type Buildings, type ExistingRoom } from './room-import-read.ts'
import { pathAndSortKeyOf } from './room.ts'

export type ReadyRoom = ReadyLine<RoomSheetRow, ExistingRoom>

/** A line whose room is there. */
export interface KnownRoom extends ReadyRoom {
  readonly existing: ExistingRoom
}

type Results = Map<number, LineResult>

const pathInBuilding = (
  buildings: Buildings,
  row: { buildCode: string; unitName: string; floorNum: number; roomNo: string },
) =>
  pathAndSortKeyOf({
    building: defined(buildings.get(row.buildCode)).name,
    unit: row.unitName,
    floor: row.floorNum,
    roomNo: row.roomNo,
  })

/** The columns of a line that are fields of the room. */
const storedFields = ({
  estateName: _estateName,
  newRoomNo: _newRoomNo,
  effectiveDate: _effectiveDate,
  userName: _userName,
  userMobile: _userMobile,
  userRelation: _userRelation,
  ...stored
}: RoomSheetRow) => stored

const importReason = '批量导入'

export async function addRooms(
  tx: Tx,
  { request: { scope, extraInput, today }, data: { buildings, persons } }: RoomImportFile,
  lines: readonly ReadyRoom[],
  results: Results,
): Promise<void> {
  const reserved = await reserveIds(tx, roomEntity, lines.length, { code: 'R' })
  const rooms = lines.map(({ line, row }, i) => {
    const { id, code } = defined(reserved[i])
    const floorNum = defined(floorOfRow(row))
    return {
      line,
      id,
      values: {
        roomType: 'home',
        roomState: importedRoomState(row, persons.has(row), today),
        state: 'on',
        feeRatio: '1',
        ...withChargeArea(storedFields(row)),
        floorNum,
        projectCode: extraInput.projectCode,
        code: row.code ?? code,
        ...pathInBuilding(buildings, { ...row, floorNum }),
      },
    }
  })
  const added = await insertIdentified(tx, roomEntity, scope, rooms)
  for (const { line, id } of rooms) {
    results.set(
      line,
      added.has(id)
        ? { outcome: 'added', message: '已导入' }
        : { outcome: 'failed', message: '未导入：房号或房屋编码与其他房间重复' },
    )
  }
}

interface Replacement {
  readonly line: number
  readonly id: Id
  readonly values: object
  readonly changes: readonly RoomChangeEntry[]
  /** Areas change on a later day. */
  readonly isPlanned: boolean
}

function stateChange({ row, existing }: KnownRoom, today: Day): readonly RoomChangeEntry[] {
  if (row.roomState === undefined || row.roomState === existing.roomState) return []
  return [
    {
      room: existing,
      item: 'roomState',
      oldValue: labelOf(roomState, existing.roomState),
      newValue: labelOf(roomState, row.roomState),
      effectiveDate: stateEffectiveDate(row.roomState, row, today),
      reason: importReason,
      applied: true,
    },
  ]
}

/** What a line writes: an empty cell leaves what is there; areas from their day on (BASE-7). */
function planReplacement(known: KnownRoom, buildings: Buildings, today: Day): Replacement {
  const { line, row, existing } = known
  const effectiveDate = row.effectiveDate ?? today
  const applied = effectiveDate <= today
  const areaChanges = planRowAreas(row, existing, today)
  const {
    buildArea: _buildArea,
    innerArea: _innerArea,
    shareArea: _shareArea,
    chargeArea: _chargeArea,
    feeRatio: _feeRatio,
    ...withoutAreas
  } = storedFields(row)
  const movesIn = row.roomState === 'lived' && existing.roomState !== 'lived'
  return {
    line,
    id: existing.id,
    values: {
      ...withoutAreas,
      ...(applied ? Object.fromEntries(areaChanges.map(change => [change.item, change.newValue])) : {}),
      ...(movesIn && !row.checkinDate && !existing.checkinDate ? { checkinDate: today } : {}),
      ...pathInBuilding(buildings, { ...row, floorNum: row.floorNum ?? existing.floorNum }),
    },
    changes: [
      ...areaChanges.map(change => ({
        ...change,
        room: existing,
        effectiveDate,
        reason: importReason,
        applied,
      })),
      ...stateChange(known, today),
    ],
    isPlanned: areaChanges.length > 0 && !applied,
  }
}

export async function replaceRooms(
  tx: Tx,
  file: RoomImportFile,
  lines: readonly KnownRoom[],
  results: Results,
): Promise<void> {
  if (!lines.length) return
  const { scope, today } = file.request
  const replacements = lines.map(line => planReplacement(line, file.data.buildings, today))
  const changed = await updateIdentified(tx, roomEntity, scope, replacements)
  await logRoomChanges(
    tx,
    scope,
    replacements.flatMap(r => r.changes),
    today,
  )
  for (const { line, id, isPlanned } of replacements) {
    results.set(
      line,
      changed.has(id)
        ? { outcome: 'changed', message: '已覆盖' }
        : isPlanned
          ? { outcome: 'changed', message: '已登记，自生效日期起按新面积' }
          : { outcome: 'skipped', message: '与系统中的一致，无变化' },
    )
  }
}

/** Numbers may be exchanged among the lines: all rooms leave their old number first. */
export async function renumberRooms(
  tx: Tx,
  { request: { scope, today }, data: { buildings } }: RoomImportFile,
  lines: readonly KnownRoom[],
  results: Results,
): Promise<void> {
  const changing = lines.filter(({ row, existing }) => row.newRoomNo !== existing.roomNo)
  for (const line of lines) {
    results.set(
      line.line,
      changing.includes(line)
        ? { outcome: 'changed', message: `已改为 ${line.row.newRoomNo}` }
        : { outcome: 'skipped', message: '房号无变化' },
    )
  }
  if (!changing.length) return
  const numbers = changing.map(({ row, existing }) => {
    const roomNo = defined(row.newRoomNo)
    return { id: existing.id, roomNo, ...pathInBuilding(buildings, { ...existing, roomNo }) }
  })
  await tx.execute(
    sql`
      update room
      set room_no = '~' || id
      where owner_id = ${scope.ownerId} and id = any(${numbers.map(n => n.id)})
    `,
  )
  await tx.execute(sql`
    update room t
    set room_no = r."roomNo", path = r.path, sort_key = r."sortKey", ${touch(scope, 't')}
    from jsonb_to_recordset(${JSON.stringify(numbers)}::jsonb) as r(
      id bigint, "roomNo" text, path text, "sortKey" text
    )
    where t.owner_id = ${scope.ownerId} and t.id = r.id
  `)
  publishRecordsWritten(tx, scope.ownerId, {
    entity: roomEntity.name,
    action: 'update',
    ids: numbers.map(n => n.id),
  })
  await logRoomChanges(
    tx,
    scope,
    changing.map(({ row, existing }) => ({
      room: existing,
      item: 'roomNo',
      oldValue: existing.roomNo,
      newValue: row.newRoomNo,
      effectiveDate: today,
      reason: '批量改房号',
      applied: true,
    })),
    today,
  )
}
