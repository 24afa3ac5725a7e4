import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { refuse } from '#kit/contract/wire.ts'
import { codeOf } from '#kit/contract/field.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { registerDependentRows, assertDeletable } from '#kit/server/dependents.ts'
import { reads, uniqueMessages, writes, type WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import {
  findByIds,
  insert,
  requireById,
  findPage,
  remove,
  findAll,
  update,
  withAllFields,
} from '#kit/server/table.ts'
import { notDeleted, code } from '#kit/server/sql.ts'
import { scene, relationState } from '../contract/choices.ts'
import {
  addItem,
  deleteItems,
  editItem,
  feeItem,
  type FeeItem,
  itemFilters,
  listItemsByScene,
  listItems,
  getItem,
  setItemState,
} from '../contract/item.ts'
import { depositItemRules } from '../domain/deposit-item.ts'
import { validateLateRates } from '../domain/definition-rules.ts'
import { selectableScenes } from '../domain/scenes.ts'
import { assertNoFaults, setDefinitionState, withStandardCounts } from './definitions.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'

uniqueMessages({ fee_item_code_live: '已有此编码的收费项目', fee_item_name_live: '已有同名的收费项目' })

// FEE-5: an item stays while a standard uses it.
registerDependentRows('feeItem', {
  label: '收费标准',
  table: 'fee_standard',
  where: (item: FeeItem) => sql`fee_item_id = ${item.id}`,
})

/** Refuses another scene while relations use the item. */
async function assertSceneUnused(tx: Tx, ownerId: Id, itemId: Id): Promise<void> {
  const { count } = defined(
    await tx.one<{ count: number }>(sql`
      select count(*)::int as count
      from fee_relation
      where owner_id = ${ownerId} and fee_item_id = ${itemId} and ${notDeleted()}
        and state <> ${code(relationState, 'ended')}
    `),
  )
  if (count) {
    assertNoFaults(editItem.input, [
      { key: 'scene', message: `已有 ${count} 个收费关联在用该收费项目，不能换适用场景` },
    ])
  }
}

/**
 * Refuses when an object is charged by two standards of the item at once. The exclusion constraint would
 * refuse it too, with a message for nobody.
 */
async function assertNoOverlap(tx: Tx, ownerId: Id, itemId: Id): Promise<void> {
  const overlap = await tx.one<{ name: string }>(sql`
    select a.source_name as name
    from fee_relation a
    join fee_relation b on b.run_place = a.run_place
      and b.owner_id = ${ownerId}
      and b.id > a.id
      and daterange(b.begin_date, b.end_date, '[]') && daterange(a.begin_date, a.end_date, '[]')
    where a.owner_id = ${ownerId}
      and a.fee_item_id = ${itemId}
      and b.fee_item_id = ${itemId}
      and ${notDeleted('a')}
      and ${notDeleted('b')}
    limit 1
  `)
  if (overlap) {
    assertNoFaults(editItem.input, [
      { key: 'allowMulti', message: `「${overlap.name}」同时绑定了该收费项目的两个标准，请先结束其中一个` },
    ])
  }
}

/** FEE-7: the exclusion constraint reads the relation's own `multi`. */
async function setAllowMulti(tx: Tx, scope: Scope, itemId: Id, allowMulti: boolean): Promise<void> {
  if (!allowMulti) {
    await assertNoOverlap(tx, scope.ownerId, itemId)
  }
  await tx.execute(sql`
    update fee_relation
    set multi = ${allowMulti}, update_time = ${scope.time}::timestamptz
    where owner_id = ${scope.ownerId} and fee_item_id = ${itemId} and ${notDeleted()}
  `)
}

async function updateItem(
  { id, version, ...draft }: NonNullable<typeof editItem.input.T>,
  { tx, scope }: WriteContext,
): Promise<FeeItem> {
  if (!id) return refuse('缺少要修改的收费项目')
  const before = await requireById(tx, feeItem, scope, id, { lock: true })
  assertNoFaults(editItem.input, validateLateRates(draft.lateRates))
  if (before.scene !== draft.scene) {
    await assertSceneUnused(tx, scope.ownerId, id)
  }
  const after = await update(
    tx,
    feeItem,
    scope,
    id,
    {
      ...withAllFields(editItem.input, draft),
      ...depositItemRules(before.feeType),
      code: before.code,
      feeType: before.feeType,
    },
    { version },
  )
  if (before.allowMulti !== after.allowMulti) {
    await setAllowMulti(tx, scope, id, after.allowMulti)
  }
  return after
}

export const itemHandlers = [
  reads(listItems, async (q, { db, scope }) => {
    const found = await findPage(db, feeItem, scope, q, { filters: itemFilters })
    return { ...found, rows: await withStandardCounts(db, scope.ownerId, 'fee_item_id', found.rows) }
  }),
  reads(getItem, async ({ id }, { db, scope }) =>
    defined(
      (
        await withStandardCounts(db, scope.ownerId, 'fee_item_id', [
          await requireById(db, feeItem, scope, id),
        ])
      )[0],
    ),
  ),
  reads(listItemsByScene, (query, { db, scope }) =>
    findAll(db, feeItem, scope, query.feeType ? { feeType: [query.feeType] } : {}, {
      filters: ['feeType'],
      where: [
        sql`t.state = ${code(enabledState, 'on')}`,
        ...(query.scene
          ? [sql`t.scene = any(${selectableScenes(query.scene).map(s => codeOf(scene, s))}::int[])`]
          : []),
      ],
    }),
  ),
  writes(addItem, async ({ id: _id, version: _version, ...d }, { tx, scope }) => {
    assertNoFaults(addItem.input, validateLateRates(d.lateRates))
    return insert(tx, feeItem, scope, { ...d, ...depositItemRules(d.feeType), state: 'on' })
  }),
  writes(editItem, (input, context) => updateItem(input, context)),
  writes(deleteItems, async ({ ids, reason }, { tx, scope }) => {
    for (const i of await findByIds(tx, feeItem, scope, ids, { lock: true })) {
      await assertDeletable(tx, scope, 'feeItem', `收费项目「${i.name}」`, [i])
    }
    await remove(tx, feeItem, scope, ids, reason)
  }),
  writes(setItemState, async (query, { tx, scope, today }) =>
    setDefinitionState(
      tx,
      feeItem,
      scope,
      await findByIds(tx, feeItem, scope, query.ids, { lock: true }),
      query,
      'fee_item_id',
      today,
    ),
  ),
]
