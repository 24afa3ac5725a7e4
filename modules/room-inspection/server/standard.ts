import type { Id } from '#kit/domain/id.ts'
import { pickFields } from '#kit/contract/field.ts'
import { invalidField, notFound, refuse } from '#kit/contract/wire.ts'
import { crudHandlers, joinServers } from '#kit/server/crud.ts'
import { assertReferences } from '#kit/server/crud-references.ts'
import { defineImport } from '#kit/server/crud-import.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { findAll, insert, insertAll, remove, requireById, update } from '#kit/server/table.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import {
  addStandardSet,
  copyStandard,
  exportItems,
  exportStandards,
  getStandardForm,
  importItems,
  inspectionItem,
  inspectionItems,
  inspectionStandard,
  inspectionStandards,
  saveStandardForm,
  type InspectionItem,
  type InspectionStandard,
} from '../contract/standard.ts'
import { standardSets } from '../domain/standard-sets.ts'

export const itemsOfStandard = (db: Db, scope: Scope, standardId: Id): Promise<InspectionItem[]> =>
  findAll(db, inspectionItem, scope, {}, { where: [sql`t.standard_id = ${standardId}`] })

async function countItems(db: Db, scope: Scope, ids: readonly Id[]): Promise<ReadonlyMap<Id, number>> {
  const rows = await db.rows<{ id: Id; count: number }>(sql`
    select standard_id as id, count(*)::int as count
    from inspection_item
    where owner_id = ${scope.ownerId} and standard_id = any(${[...ids]}::bigint[]) and ${notDeleted()}
    group by standard_id
  `)
  return new Map(rows.map(row => [row.id, row.count]))
}

/** A standard that sheets were made by is switched off instead. */
async function assertUnused(tx: Tx, scope: Scope, standards: readonly InspectionStandard[]): Promise<void> {
  const used = await tx.one<{ name: string }>(sql`
    select s.standard_name as name
    from inspection_standard s
    where s.owner_id = ${scope.ownerId}
      and s.id = any(${standards.map(s => s.id)}::bigint[])
      and exists (
        select 1
        from room_inspection i
        where i.owner_id = ${scope.ownerId} and i.standard_id = s.id and ${notDeleted('i')}
      )
    order by s.id
    limit 1
  `)
  if (used) refuse(`「${used.name}」已有验房单使用，不能删除；请改为停用`)
}

/** Two of the same part and name would look the same in a sheet. */
function assertDistinct(items: readonly { readonly part: string; readonly itemName: string }[]): void {
  const seen = new Set<string>()
  items.forEach((item, i) => {
    const key = `${item.part}\n${item.itemName}`
    if (seen.has(key)) throw invalidField(`Items[${i}].ItemName`, '同一部位已有此项目，请更换')
    seen.add(key)
  })
}

interface ItemLine {
  readonly id?: Id | undefined
  readonly part: string
  readonly itemName: string
  readonly method?: string | undefined
}

/** The items become the lines: those without a line go, the others are changed where a line differs. */
async function saveItems(tx: Tx, scope: Scope, standardId: Id, lines: readonly ItemLine[]): Promise<void> {
  assertDistinct(lines)
  const before = new Map((await itemsOfStandard(tx, scope, standardId)).map(item => [item.id, item]))
  const rows = lines.map((line, i) => ({
    standardId,
    part: line.part,
    itemName: line.itemName,
    method: line.method,
    sort: (i + 1) * 10,
    known: line.id ? before.get(line.id) : undefined,
  }))
  if (lines.some(line => line.id && !before.has(line.id))) throw notFound()
  const kept = new Set(rows.map(row => row.known?.id))
  const removed = [...before.keys()].filter(id => !kept.has(id))
  // Renamed items may swap their names: those that change leave the unique key before they come back.
  const changed = rows.filter(
    ({ known, ...row }) =>
      known &&
      (known.part !== row.part ||
        known.itemName !== row.itemName ||
        known.method !== row.method ||
        known.sort !== row.sort),
  )
  const replaced = [...removed, ...changed.flatMap(row => row.known?.id ?? [])]
  if (replaced.length) {
    await remove(tx, inspectionItem, scope, replaced)
  }
  await insertAll(
    tx,
    inspectionItem,
    scope,
    rows.filter(row => !row.known || changed.includes(row)).map(({ known: _known, ...row }) => row),
  )
}

async function addStandard(
  tx: Tx,
  scope: Scope,
  values: Pick<InspectionStandard, 'standardName' | 'roomTypes' | 'orderTypeId'>,
  items: readonly ItemLine[],
): Promise<InspectionStandard> {
  const added = await insert(tx, inspectionStandard, scope, { ...values, state: 'on' })
  await saveItems(
    tx,
    scope,
    added.id,
    items.map(({ part, itemName, method }) => ({ part, itemName, method })),
  )
  return added
}

const itemImport = defineImport(inspectionItems, importItems, {
  match: [['standardId', 'part', 'itemName']],
  load: (db, { scope }) => findAll(db, inspectionStandard, scope),
  references: {
    standardId: (name, standards) => standards.filter(s => s.standardName === name).map(s => s.id),
  },
})

export const standardServer = joinServers(
  crudHandlers(inspectionStandards, {
    unique: { inspection_standard_name_live: '已有此名称的验房标准，请更换' },
    enrich: async (rows, { db, scope }) => {
      const counts = await countItems(
        db,
        scope,
        rows.map(row => row.id),
      )
      return rows.map(row => ({ ...row, itemCount: counts.get(row.id) ?? 0 }))
    },
    beforeDelete: (rows, { tx, scope }) => assertUnused(tx, scope, rows),
    export: exportStandards,
  }),
  crudHandlers(inspectionItems, {
    unique: { inspection_item_live: '同一部位已有此项目，请更换' },
    import: itemImport,
    export: exportItems,
  }),
)

/** The type that faults of an inspected room become orders of, where the company has the usual one. */
export const findRectificationType = async (db: Db, scope: Scope): Promise<Id | undefined> =>
  (
    await db.one<{ id: Id }>(sql`
      select id
      from work_order_type
      where owner_id = ${scope.ownerId}
        and type_code = 'RW'
        and state = ${code(enabledState, 'on')}
        and ${notDeleted()}
    `)
  )?.id

export const standardHandlers = [
  reads(getStandardForm, async ({ id }, { db, scope }) => ({
    ...(await requireById(db, inspectionStandard, scope, id)),
    items: await itemsOfStandard(db, scope, id),
  })),
  writes(saveStandardForm, async ({ id, version, items, ...draft }, c) => {
    const { tx, scope } = c
    const before = id ? await requireById(tx, inspectionStandard, scope, id, { lock: true }) : undefined
    await assertReferences(pickFields(inspectionStandard.fields, ['orderTypeId']), draft, c, { before })
    if (!id) return addStandard(tx, scope, draft, items)
    await saveItems(tx, scope, id, items)
    return update(
      tx,
      inspectionStandard,
      scope,
      id,
      { roomTypes: undefined, orderTypeId: undefined, ...draft },
      { version },
    )
  }),
  writes(copyStandard, async ({ id, standardName }, { tx, scope }) => {
    const { roomTypes, orderTypeId } = await requireById(tx, inspectionStandard, scope, id)
    const items = await itemsOfStandard(tx, scope, id)
    return addStandard(tx, scope, { standardName, roomTypes, orderTypeId }, items)
  }),
  writes(addStandardSet, async ({ standardSet }, { tx, scope }) => {
    const { items, ...preset } = standardSets[standardSet]
    const [known] = await findAll(
      tx,
      inspectionStandard,
      scope,
      {},
      { where: [sql`t.standard_name = ${preset.standardName}`], limit: 1 },
    )
    if (known) return refuse(`已有「${preset.standardName}」，无需再次新增`)
    return addStandard(tx, scope, { ...preset, orderTypeId: await findRectificationType(tx, scope) }, items)
  }),
]
