import type { Id } from '#kit/domain/id.ts'
import type { BulkResult } from '#kit/contract/bulk-result.ts'
import { maskedPattern } from '#kit/contract/rules.ts'
import { defined } from '#kit/domain/defined.ts'
import { columnOf, storedKeys, type Entity } from '#kit/contract/entity.ts'
import type { Field, Fields } from '#kit/contract/field.ts'
import { invalidInput, notFound, refuse, Refused, type FieldFault } from '#kit/contract/wire.ts'
import { bulkResultOf, judgeRecords } from './bulk-result.ts'
import { crudContext, presentRows, type Served, type Stored, type Values } from './crud-read.ts'
import { referenceFaults, wireName, withoutZeroReferences } from './crud-references.ts'
import { sql, type Tx } from './db.ts'
import { assertDeletable } from './dependents.ts'
import type { WriteContext } from './handler.ts'
import { checkPicture } from './picture.ts'
import { restoreMasked } from './privacy.ts'
import { saveSearchText } from './search-column.ts'
import { findByIds, insert, remove, requireById, update, withAllFields } from './table.ts'

/** A masked value that comes back as it was shown keeps what is stored; one that is new must be whole. */
const maskedValueFaults = (fields: Fields, draft: Values): FieldFault[] =>
  Object.entries<Field>(fields).flatMap(([key, field]) => {
    const value = draft[key]
    if (!field.masked || typeof value !== 'string' || !maskedPattern.test(value)) return []
    // A phone is a 手机, what it is called by is a 手机号.
    const noun = field.label === '手机' ? '手机号' : field.label
    return [{ Field: wireName(key, field), Message: `${noun}含有星号，请填写完整的号码` }]
  })

async function pictureFaults(
  { crud, hooks }: Served,
  draft: Values,
  { app, scope }: WriteContext,
  before: Values | undefined,
): Promise<FieldFault[]> {
  const faults: FieldFault[] = []
  for (const key of hooks.pictures ?? []) {
    const field = crud.entity.fields[key] as Field
    const kept = new Set([before?.[key]].flat())
    for (const picture of [draft[key]].flat()) {
      if (kept.has(picture)) continue
      const fileKey = picture as string | undefined
      faults.push(
        ...(await checkPicture(app.files, scope.ownerId, fileKey, wireName(key, field), field.label)),
      )
    }
  }
  return faults
}

/** What an edit may not change and says otherwise. */
const fixedFaults = ({ crud, hooks }: Served, draft: Values, before: Values): FieldFault[] =>
  (hooks.refusesChangeOf ?? []).flatMap(key => {
    if (draft[key] === undefined || draft[key] === before[key]) return []
    const f = crud.entity.fields[key] as Field
    const isProject = key === 'projectCode' && crud.entity.key !== key
    const Message = isProject ? `${crud.itemName}不能改到其他项目` : `${f.label}保存后不能修改`
    return [{ Field: wireName(key, f), Message }]
  })

async function assertValid(served: Served, draft: Values, c: WriteContext, before?: Stored): Promise<void> {
  const fixed = before ? fixedFaults(served, draft, before) : []
  if (fixed.length) throw invalidInput(fixed)
  const missing = await referenceFaults(served, draft, c, before)
  const own = await (served.hooks.check?.(draft, c, before) ?? [])
  const faults = [
    ...(await pictureFaults(served, draft, c, before)),
    ...maskedValueFaults(served.crud.entity.fields, draft),
    ...missing,
    // What is not there is wrong in no other way.
    ...own.filter(({ Field }) => !missing.some(fault => fault.Field === Field)),
  ]
  if (faults.length) throw invalidInput(faults)
}

/** Start values of the stored fields that have one. */
export const startValues = (entity: Entity<any>): Values =>
  Object.fromEntries(
    storedKeys(entity).flatMap(key => {
      const { initial } = entity.fields[key] as Field
      return initial === undefined || key === 'version' ? [] : [[key, initial]]
    }),
  )

/** The next codes of these fields: `{ merchantNo: 'SH000123' }`. */
async function nextCodes(
  tx: Tx,
  prefixes: readonly (readonly [key: string, prefix: string])[],
): Promise<Values> {
  if (!prefixes.length) return {}
  const columns = prefixes.map(([key, prefix]) => sql`next_code(${prefix}) as ${sql.id(columnOf(key))}`)
  return defined(await tx.one<Record<string, string>>(sql`select ${sql.join(columns)}`))
}

/** What an edit cannot change, whatever the form sent. */
const immutableValues = (entity: Entity<any>, before: Values): Values =>
  Object.fromEntries(
    storedKeys(entity)
      .filter(key => (entity.fields[key] as Field).immutable)
      .map(key => [key, before[key]]),
  )

/** After the row is written: its search text, what follows from it, and how it is answered. */
async function finishWrite(
  served: Served,
  row: Stored,
  c: WriteContext,
  hook: (() => Promise<unknown> | undefined) | undefined,
): Promise<Values> {
  const { searchText } = served.hooks
  if (searchText) {
    await saveSearchText(c.tx, served.crud.entity, c.scope, searchText, row)
  }
  await hook?.()
  return defined((await presentRows(served, [row], crudContext(c)))[0])
}

type Draft = Values & { readonly id?: Id; readonly version?: number }

export async function addRow(
  served: Served,
  { id: _id, version: _version, ...sent }: Draft,
  c: WriteContext,
): Promise<Values> {
  const { hooks, crud } = served
  const draft = withoutZeroReferences(crud.entity, sent)
  await hooks.lock?.(c)
  await assertValid(served, draft, c)
  const values: Values = {
    ...startValues(crud.entity),
    ...draft,
    ...(await hooks.beforeInsert?.(draft, c)),
  }
  const uncoded = Object.entries(hooks.codes ?? {}).flatMap(([key, prefix]) =>
    prefix && !values[key] ? [[key, prefix] as const] : [],
  )
  const row = (await insert(c.tx, crud.entity, c.scope, {
    ...values,
    ...(await nextCodes(c.tx, uncoded)),
  })) as Stored
  return finishWrite(served, row, c, () => hooks.afterInsert?.(row, c, draft))
}

export async function editRow(
  served: Served,
  { id, version, ...input }: Draft,
  c: WriteContext,
): Promise<Values> {
  const { hooks, crud } = served
  const { entity } = crud
  if (!id) return refuse(`缺少要修改的${crud.itemName}`)
  await hooks.lock?.(c)
  const before = (await requireById(c.tx, entity, c.scope, id, { lock: true })) as Stored
  const draft = withoutZeroReferences(entity, restoreMasked(entity.fields, input, before, c.scope))
  await assertValid(served, draft, c, before)
  const values = {
    ...withAllFields(defined(crud.edit ?? crud.save).input, draft),
    ...immutableValues(entity, before),
    ...(await hooks.beforeUpdate?.(draft, c, before)),
  }
  const row = (await update(c.tx, entity, c.scope, id, values, { version })) as Stored
  return finishWrite(served, row, c, () => hooks.afterUpdate?.(row, c, before))
}

/** Why one record is not deleted: the module refuses it, or it is still in use (BASE-5). */
async function findRefusal(
  { crud: { entity }, hooks }: Served,
  row: Stored,
  c: WriteContext,
): Promise<Refused | undefined> {
  try {
    await hooks.beforeDelete?.([row], c)
    await assertDeletable(c.tx, c.scope, entity.name, `${entity.label}「${nameOf(entity, row)}」`, [row])
    return undefined
  } catch (error) {
    if (error instanceof Refused) return error
    throw error
  }
}

const nameOf = (entity: Entity<any>, row: Stored): string => String(row[entity.title])

/**
 * Into the bin, answered record by record (G-11): what is refused stays, with the reason. One record alone is
 * refused in so many words.
 */
export async function deleteRows(
  served: Served,
  { ids, reason }: { readonly ids: readonly string[]; readonly reason: string },
  c: WriteContext,
): Promise<BulkResult> {
  const { crud, hooks } = served
  const { entity } = crud
  const { tx, scope } = c
  await hooks.lock?.(c)
  const found = (await findByIds(tx, entity, scope, ids, {
    lock: true,
  })) as readonly unknown[] as readonly Stored[]
  if (!found.length) throw notFound()
  const refusals = new Map<Id, Refused>()
  for (const row of found) {
    const refusal = await findRefusal(served, row, c)
    if (refusal && ids.length === 1) throw refusal
    if (refusal) {
      refusals.set(row.id, refusal)
    }
  }
  const { allowed, refused } = judgeRecords(
    found,
    row => refusals.get(row.id)?.message,
    row => nameOf(entity, row),
  )
  if (allowed.length) {
    await remove(
      tx,
      entity,
      scope,
      allowed.map(row => row.id),
      reason,
    )
    await hooks.afterDelete?.(allowed, c)
  }
  return bulkResultOf(ids, found, refused)
}
