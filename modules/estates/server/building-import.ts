import type { SheetLineOf } from '#kit/contract/crud-sheet.ts'
import { defined } from '#kit/domain/defined.ts'
import { Refused, type FieldFault } from '#kit/contract/wire.ts'
import { defineImport, type LineFault, type WrittenLine } from '#kit/server/crud-import.ts'
import { outOfDomain } from '#kit/server/scope.ts'
import { buildings, importBuildings, type Building } from '../contract/building.ts'
import { assertRoomsFit, planUnits, type UnitRooms } from '../domain/units.ts'
import { countRoomsByUnit, syncUnits } from './unit-rows.ts'

type SheetRow = SheetLineOf<typeof importBuildings>

const startValues = { units: 1, unitType: 'number', undergroundFloors: 0, sort: 0 } as const

/**
 * The building that a line means: what it leaves empty is as it was, or the start value; another number of
 * units has names of its own.
 */
const unitPlanOf = (row: SheetRow, existing: Building | undefined): Parameters<typeof planUnits>[0] => {
  const building = { ...startValues, ...existing, ...row }
  const isRecounted = existing !== undefined && row.units !== undefined && row.units !== existing.units
  const unitNames = row.unitNames || (isRecounted ? undefined : building.unitNames)
  return {
    units: building.units,
    unitType: building.unitType,
    floors: building.floors ?? [],
    undergroundFloors: building.undergroundFloors,
    ...(unitNames ? { unitNames } : {}),
  }
}

const columnByField: Readonly<Record<string, string>> = { Unitnames: 'unitNames', Floors: 'floors' }

function unitFaults(row: SheetRow, existing: Building | undefined, rooms: readonly UnitRooms[]): LineFault[] {
  if (!existing && !row.floors?.length)
    return [
      {
        column: 'floors',
        message: '楼层数不能为空',
        remedy: '各单元层数，用逗号分隔；只填一个数则适用于所有单元',
      },
    ]
  try {
    assertRoomsFit(planUnits(unitPlanOf(row, existing)), rooms)
    return []
  } catch (e) {
    if (!(e instanceof Refused)) throw e
    const [first]: readonly FieldFault[] = Array.isArray(e.data) ? e.data : []
    const field = first?.Field
    return [
      {
        column: (field && columnByField[field]) ?? 'units',
        message: e.message,
        remedy: '核对单元数、单元名称和楼层数',
      },
    ]
  }
}

export const buildingImport = defineImport(buildings, importBuildings, {
  match: ['name'],
  unique: ['code'],
  lockExisting: true,
  // A caller who is limited to some buildings adds none.
  load: async (_, { scope, extraInput }) => {
    if (!scope.domain.all && scope.domain.projects.get(extraInput.projectCode)) throw outOfDomain()
  },
  prepare: async (db, { request: { scope, mode, extraInput }, lines, existingBy }) => {
    const codes = mode === 'update' ? lines.flatMap(l => existingBy('name', l.row.name)?.code ?? []) : []
    const rooms = codes.length ? await countRoomsByUnit(db, scope, extraInput.projectCode, codes) : []
    return { rooms: Map.groupBy(rooms, r => r.buildCode) }
  },
  rules: (row, existing, { request, data }) =>
    existing && request.mode === 'skip'
      ? []
      : unitFaults(row, existing, (existing?.code && data.rooms.get(existing.code)) || []),
  start: startValues,
  values: (row, _, existing) => ({
    ...row,
    unitNames: planUnits(unitPlanOf(row, existing)).map(p => p.name),
  }),
  afterWrite: (tx, { added, existing }, { request }) => {
    const plan = ({ lines, existing: before, values }: WrittenLine<SheetRow, Building>) => ({
      code: before?.code ?? String(values.code),
      planned: planUnits(unitPlanOf(defined(lines[0]).row, before)),
    })
    const changed = existing.filter(w => w.changed)
    return syncUnits(tx, request.scope, request.extraInput.projectCode, [...added, ...changed].map(plan))
  },
  texts: { duplicate: '未导入：楼栋名称或编码与其他楼栋重复' },
})
