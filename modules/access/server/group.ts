import { refuse, type FieldFault } from '#kit/contract/wire.ts'
import { defined } from '#kit/domain/defined.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { assertReferences } from '#kit/server/crud-references.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { reads, writes, type ReadContext, type WriteContext } from '#kit/server/handler.ts'
import { findPage, requireById, update } from '#kit/server/table.ts'
import { unitFaults } from '#modules/estates/server/public.ts'
import { doorway } from '../contract/doorway.ts'
import {
  bindDoorways,
  doorwayList,
  doorwayGroup,
  doorwayGroups,
  listBoundDoorways,
  listUnboundDoorways,
  pickGroups,
  unbindDoorways,
  type DoorwayGroup,
} from '../contract/group.ts'
import { withDoorwayDevices } from './doorway.ts'
import { markRecords } from './sync/dirty.ts'

type Draft = Pick<DoorwayGroup, 'projectCode' | 'scopeType' | 'buildCodes' | 'unitNames' | 'defaultForRole'>

/** A group for buildings or units names them, and those that there are. */
async function scopeFaults(
  { projectCode, scopeType, buildCodes = [], unitNames = [] }: Draft,
  c: WriteContext,
): Promise<FieldFault[]> {
  const isByPlace = scopeType === 'building' || scopeType === 'unit'
  const isByUnit = scopeType === 'unit'
  if (isByUnit && buildCodes.length && unitNames.length)
    return unitFaults({ projectCode, buildCodes, unitNames }, c, 'Unitnames')
  return [
    ...(isByPlace && !buildCodes.length ? [{ Field: 'Buildcodes', Message: '请选择楼栋' }] : []),
    ...(isByUnit && !unitNames.length ? [{ Field: 'Unitnames', Message: '请填写单元' }] : []),
  ]
}

/** What another kind of group had is not kept: it would come back with the kind. */
const fittingScope = ({
  scopeType,
  buildCodes,
  unitNames,
  defaultForRole,
}: Draft): Partial<DoorwayGroup> => ({
  buildCodes: scopeType === 'building' || scopeType === 'unit' ? buildCodes : undefined,
  unitNames: scopeType === 'unit' ? unitNames : undefined,
  defaultForRole: scopeType === 'building' || scopeType === 'unit' ? defaultForRole : undefined,
})

/** All doors that a group had or has: its people change with it. */
const markDoorways = async (rows: readonly DoorwayGroup[], { tx, scope }: WriteContext): Promise<void> =>
  markRecords(tx, scope.ownerId, doorway.name, [
    ...new Set(rows.flatMap(({ doorwayIds }) => doorwayIds.map(parseId))),
  ])

export const groupServer = crudHandlers(doorwayGroups, {
  unique: { doorway_group_name_live: '该项目已有同名门组，请更换' },
  refusesChangeOf: ['projectCode'],
  check: scopeFaults,
  beforeInsert: fittingScope,
  beforeUpdate: fittingScope,
  afterInsert: (row, c) => markDoorways([row], c),
  afterUpdate: (row, c, before) => markDoorways([before, row], c),
  afterDelete: markDoorways,
  enrich: async rows => rows.map(row => ({ ...row, doorwayCount: row.doorwayIds.length })),
  pickers: [pickGroups],
})

type DoorwayQuery = NonNullable<typeof listBoundDoorways.input.T>

/** Doors of the group's project that fulfil the condition on the group's own. */
async function pageOfDoorways(
  { groupId, ...query }: DoorwayQuery,
  conditionOn: (doorwayIds: readonly string[]) => RawBuilder<unknown>,
  c: ReadContext,
) {
  const { db, scope } = c
  const group = await requireById(db, doorwayGroup, scope, groupId)
  const found = await findPage(
    db,
    doorway,
    scope,
    { ...query, projectCode: group.projectCode },
    { filters: defined(listBoundDoorways.input.filters), where: [conditionOn(group.doorwayIds)] },
  )
  return { ...found, rows: await withDoorwayDevices(found.rows, c) }
}

async function changeDoorways(
  groupId: Id,
  change: (ids: readonly string[]) => readonly string[],
  c: WriteContext,
): Promise<void> {
  const { tx, scope } = c
  const before = await requireById(tx, doorwayGroup, scope, groupId, { lock: true })
  const doorwayIds = [...change(before.doorwayIds)]
  if (doorwayIds.length === before.doorwayIds.length) return refuse('门组中的门没有改变，请刷新后重新选择')
  if (!doorwayIds.length) return refuse('门组至少保留一个门；不再使用的门组请停用或删除')
  await markDoorways([before, await update(tx, doorwayGroup, scope, groupId, { doorwayIds })], c)
}

export const groupHandlers = [
  reads(listBoundDoorways, (query, c) =>
    pageOfDoorways(query, ids => sql`t.id = any(${[...ids]}::bigint[])`, c),
  ),
  reads(listUnboundDoorways, (query, c) =>
    pageOfDoorways(query, ids => sql`t.id <> all(${[...ids]}::bigint[])`, c),
  ),
  writes(bindDoorways, async ({ groupId, doorwayIds }, c) => {
    const { projectCode } = await requireById(c.tx, doorwayGroup, c.scope, groupId)
    await assertReferences({ doorwayIds: doorwayList }, { projectCode, doorwayIds }, c)
    await changeDoorways(groupId, ids => [...new Set([...ids, ...doorwayIds])], c)
  }),
  writes(unbindDoorways, async ({ groupId, doorwayIds }, c) =>
    changeDoorways(groupId, ids => ids.filter(id => !doorwayIds.includes(id)), c),
  ),
]
