import type { Id } from '#kit/domain/id.ts'
import type { SheetLine } from '#kit/contract/sheet-reader.ts'
import { labelOf } from '#kit/contract/field.ts'
import { Refused } from '#kit/contract/wire.ts'
import { roomState } from '../contract/labels.ts'
import type { Day } from '#kit/domain/day.ts'
import type { LineFault } from '#kit/server/crud-import.ts'
import type { BuildingWithUnits } from '#modules/estates/server/public.ts'
import type { Estate } from '#modules/estates/contract/estate.ts'
import { roomAreaKeys, type RoomAreas } from '../contract/room-change.ts'
import { withFollowingChargeArea, planAreaChanges, type PlannedAreaChange } from '../domain/room-areas.ts'
import { effectiveDateFault, type BackDating } from '../domain/effective-date.ts'
import { floorFault } from '../domain/room-numbering.ts'
import { beforeDelivery, roomStateFault } from '../domain/room-state.ts'
import type { ImportedPerson, PeopleImport } from './import-people.ts'
import { changeItemLabel } from './room-areas.ts'
import {
  findUnit,
  floorOfRow,
  newKeyOf,
  overwrites,
  roomKeyOf,
  type Buildings,
  type ExistingRoom,
  type ExistingRooms,
  type ImportRow,
  type RoomImportRequest,
} from './room-import-read.ts'

/** The room numbers of the mode of renumbering: what they become, and which become free. */
interface Renumbering {
  readonly countByNewKey: ReadonlyMap<string, number>
  readonly freedKeys: ReadonlySet<string>
}

/** What is known before the lines are. */
export interface RoomImportBase {
  readonly buildings: Buildings
  readonly visibleBuildings: readonly BuildingWithUnits[]
  readonly project: Estate | undefined
  readonly backDating: BackDating
}

/** What the lines of one file speak of. */
export interface RoomImportLines {
  readonly rooms: ExistingRooms
  readonly renumbering: Renumbering
  readonly persons: ReadonlyMap<ImportRow, ImportedPerson>
  readonly peopleImport: PeopleImport | undefined
  /** Why rooms that lines deliver are not (C13). */
  readonly deliveryFaults: ReadonlyMap<Id, string>
}

/** What the rules know of one file. */
export interface RoomImportFile {
  readonly request: RoomImportRequest
  readonly data: RoomImportBase & RoomImportLines
}

export function indexRenumbering(lines: readonly SheetLine<ImportRow>[]): Renumbering {
  const countByNewKey = new Map<string, number>()
  const freedKeys = new Set<string>()
  for (const { row } of lines) {
    const newKey = newKeyOf(row)
    if (newKey) {
      const key = roomKeyOf(newKey)
      countByNewKey.set(key, (countByNewKey.get(key) ?? 0) + 1)
      freedKeys.add(roomKeyOf(row))
    }
  }
  return { countByNewKey, freedKeys }
}

const areasInRow = (row: ImportRow): Partial<RoomAreas> =>
  Object.fromEntries(roomAreaKeys.flatMap(key => (row[key] === undefined ? [] : [[key, row[key]]])))

/** The area changes of a line, from its day on (BASE-7). Refuses a day before a change that is there. */
export const planRowAreas = (row: ImportRow, existing: ExistingRoom, today: Day): PlannedAreaChange[] =>
  planAreaChanges(
    existing,
    existing.areaChanges,
    withFollowingChargeArea(existing, areasInRow(row)),
    row.effectiveDate ?? today,
    changeItemLabel,
  )

function projectFaults(row: ImportRow, { request, data: { project } }: RoomImportFile): LineFault[] {
  const { projectCode } = request.extraInput
  return row.estateName === undefined || row.estateName === project?.name || row.estateName === projectCode
    ? []
    : [
        {
          column: 'estateName',
          message: `该行属于「${row.estateName}」，不是所选的「${project?.name ?? projectCode}」`,
          remedy: '更换项目导入，或删除这一行',
        },
      ]
}

function positionFaults(
  row: ImportRow,
  existing: ExistingRoom | undefined,
  { data: { buildings } }: RoomImportFile,
): LineFault[] {
  const building = buildings.get(row.buildCode ?? '')
  const unit = findUnit(buildings, row)
  if (!unit)
    return building
      ? [
          {
            column: 'unitName',
            message: `${building.name}没有「${row.unitName}」单元`,
            remedy: `改成 ${building.units.map(u => u.name).join('、')} 之一，或新增该单元`,
          },
        ]
      : []
  const floor = existing ? row.floorNum : floorOfRow(row)
  const fault = floor === undefined ? undefined : floorFault(unit, floor)
  return fault ? [{ column: 'floorNum', message: fault, remedy: '核对楼层，或先在楼栋管理中修改层数' }] : []
}

function codeFaults(
  row: ImportRow,
  existing: ExistingRoom | undefined,
  { data: { rooms } }: RoomImportFile,
): LineFault[] {
  if (row.code === undefined) return []
  if (existing)
    return row.code === existing.code
      ? []
      : [
          {
            column: 'code',
            message: `该房间的房屋编码是「${existing.code}」，不能修改`,
            remedy: '改回原来的编码，或不填',
          },
        ]
  const other = rooms.byCode.get(row.code)
  return other
    ? [
        {
          column: 'code',
          message: `房屋编码已用于房间「${other.buildCode}-${other.unitName}-${other.roomNo}」`,
          remedy: '更换编码，或不填则自动生成',
        },
      ]
    : []
}

function renumberFaults(
  row: ImportRow,
  existing: ExistingRoom | undefined,
  { data: { rooms, renumbering } }: RoomImportFile,
): LineFault[] {
  if (!existing)
    return [{ column: 'roomNo', message: '房间不存在，不能改房号', remedy: '核对楼栋、单元和房号' }]
  const newKey = newKeyOf(row)
  if (!newKey) return [{ column: 'newRoomNo', message: '新房号不能为空', remedy: '填写新房号，或删除这一行' }]
  const key = roomKeyOf(newKey)
  if ((renumbering.countByNewKey.get(key) ?? 0) > 1)
    return [{ column: 'newRoomNo', message: '另一行也要改成该房号', remedy: '每个房间改成不同的房号' }]
  const holder = rooms.byKey.get(key)
  return holder && holder.id !== existing.id && !renumbering.freedKeys.has(key)
    ? [
        {
          column: 'newRoomNo',
          message: '该单元已有此房号',
          remedy: '更换房号，或在同一张表中同时修改该房间',
        },
      ]
    : []
}

function areaFaults(
  row: ImportRow,
  existing: ExistingRoom,
  { request: { today }, data: { backDating } }: RoomImportFile,
): LineFault[] {
  try {
    const planned = planRowAreas(row, existing, today)
    const isReplacing = planned.some(change => change.oldValue !== undefined)
    const fault = isReplacing ? effectiveDateFault(row.effectiveDate ?? today, backDating) : undefined
    return fault ? [{ column: 'effectiveDate', message: fault, remedy: '改生效日期' }] : []
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return [{ column: 'effectiveDate', message: error.message, remedy: '改生效日期，或先撤销未生效的变更' }]
  }
}

/** BASE-6: a state changes along its transitions, with the dates that the line brings. */
function stateFaults(
  row: ImportRow,
  existing: ExistingRoom,
  deliveryFaults: ReadonlyMap<Id, string>,
): LineFault[] {
  const deliveryFault = deliveryFaults.get(existing.id)
  const remedy = '完成复查，或由有权限的人在房间列表强制交付'
  if (row.roomState === undefined || row.roomState === existing.roomState)
    return deliveryFault ? [{ column: 'deliverDate', message: deliveryFault, remedy }] : []
  const dates = {
    deliverDate: row.deliverDate ?? existing.deliverDate,
    decorateBegin: row.decorateBegin ?? existing.decorateBegin,
  }
  const fault = roomStateFault({ roomState: existing.roomState, ...dates }, row.roomState, '批量导入')
  if (fault) return [{ column: 'roomState', message: fault, remedy: '改成允许的房态；不填则不改' }]
  return deliveryFault ? [{ column: 'roomState', message: deliveryFault, remedy }] : []
}

function personRowFaults(
  row: ImportRow,
  existing: ExistingRoom | undefined,
  { data: { persons, peopleImport } }: RoomImportFile,
): readonly LineFault[] {
  const person = persons.get(row)
  if (!person) return []
  return (row.state ?? existing?.state) === 'off'
    ? [{ column: 'userMobile', message: '停用的房间不能追加住户', remedy: '先启用该房间，或清空住户各列' }]
    : (peopleImport?.check(person) ?? [])
}

function modeFaults(row: ImportRow, existing: ExistingRoom | undefined, file: RoomImportFile): LineFault[] {
  const { mode } = file.request
  if (mode === 'renumber') return renumberFaults(row, existing, file)
  if (!existing)
    return floorOfRow(row) === undefined
      ? [{ column: 'floorNum', message: '楼层无法按房号推算', remedy: '填写所在楼层，地下为负数' }]
      : []
  return overwrites(mode)
    ? [...areaFaults(row, existing, file), ...stateFaults(row, existing, file.data.deliveryFaults)]
    : []
}

export const checkRoomRow = (
  row: ImportRow,
  existing: ExistingRoom | undefined,
  file: RoomImportFile,
): LineFault[] => [
  ...projectFaults(row, file),
  ...positionFaults(row, existing, file),
  ...codeFaults(row, existing, file),
  ...modeFaults(row, existing, file),
  ...personRowFaults(row, existing, file),
]

const personColumns = ['userName', 'userMobile', 'userRelation'] as const

/** What a line says and the import does not do, or what looks wrong though it can be imported. */
export function warnRoomRow(
  row: ImportRow,
  { request: { mode }, data: { rooms, persons } }: RoomImportFile,
): LineFault[] {
  const column = personColumns.find(key => row[key] !== undefined)
  if (!column || mode === 'renumber') return []
  if (!persons.has(row))
    return rooms.byKey.has(roomKeyOf(row))
      ? [{ column, message: '已有的房间，此住户不会登记', remedy: '要登记住户请选择「追加住户」' }]
      : []
  return row.roomState && beforeDelivery.includes(row.roomState)
    ? [
        {
          column: 'roomState',
          message: `有住户的房间房态为「${labelOf(roomState, row.roomState)}」`,
          remedy: '核对房态；不填则按入住日期填为已入住或空置',
        },
      ]
    : []
}
