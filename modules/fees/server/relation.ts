import { refuse, invalidInput, type FieldFault, invalidField } from '#kit/contract/wire.ts'
import { sql, type Db, type RawBuilder, type Tx } from '#kit/server/db.ts'
import type { Day } from '#kit/domain/day.ts'
import { reads, uniqueMessages, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findAll, findPage, insert, requireById, update, withAllFields } from '#kit/server/table.ts'
import { sourceType } from '../contract/choices.ts'
import {
  addRelation,
  editRelation,
  getRelation,
  listAreaRelations,
  listCarRelations,
  listPlaceRelations,
  listRelations,
  listRelationsOfCompany,
  listRelationsOfSource,
  listRelationsOfUser,
  listRoomRelations,
} from '../contract/relation-calls.ts'
import { feeRelation, relationFilters, type FeeRelation } from '../contract/relation.ts'
import { publishRelationEnd } from './billing-hooks.ts'
import { selectObjects, type SourceType } from './chargeable-objects.ts'
import type { ChargeableStandard } from './chargeable-standards.ts'
import {
  paidByCompany,
  paidByUser,
  relationConditions,
  toRelationColumnFilters,
} from './relation-conditions.ts'
import { enrichRelation, enrichRelations } from './relation-enrichment.ts'
import {
  findOverlapFaults,
  requireStandard,
  validateRelation,
  type RelationDraft,
} from './relation-validation.ts'

uniqueMessages({ fee_relation_once: '该对象在该段时间刚刚绑定了同一收费项目的标准，请刷新后重试' })

interface BoundObject {
  readonly name: string
  readonly buildCode?: string
  readonly open: boolean
}

/** The object of a new relation, with the fault where there is none or it cannot be charged. */
async function findBoundObject(
  tx: Tx,
  scope: Scope,
  draft: RelationDraft,
): Promise<{ readonly object?: BoundObject | undefined; readonly faults: FieldFault[] }> {
  const object = await tx.one<BoundObject>(
    sql`
      select name, build_code, open
      from (${selectObjects(scope, draft.projectCode, draft.sourceType, { codes: [draft.sourceCode] })}) o
    `,
  )
  if (object?.open) return { object, faults: [] }
  const Message = object
    ? `「${object.name}」已停用，请先启用`
    : `该项目没有该${sourceType.rows[draft.sourceType][1]}，请重新选择`
  return { object, faults: [{ Field: 'SourceCode', Message }] }
}

const missingBeginFaults = ({ standard }: ChargeableStandard, draft: RelationDraft): FieldFault[] =>
  standard.startRule === 'fixedDate' && !draft.beginDate
    ? [{ Field: 'BeginDate', Message: `标准「${standard.name}」从指定日期起收，请填写起收日期` }]
    : []

/** The begin of a relation that has been billed since it is fixed. */
function changedBeginFaults(before: FeeRelation, draft: RelationDraft): FieldFault[] {
  const { billedTo, beginDate } = before
  const isBilled = billedTo && (beginDate === undefined || billedTo >= beginDate)
  return isBilled && beginDate !== draft.beginDate
    ? [
        {
          Field: 'BeginDate',
          Message: `已计费至 ${billedTo}，不能再改起收日期；请结束该关联后重新绑定`,
        },
      ]
    : []
}

/** Whether an edit charges an ended relation again: its end moves later, or is removed. */
const isReopened = (before: FeeRelation, draft: RelationDraft): boolean =>
  before.state === 'ended' &&
  (draft.endDate === undefined || (before.endDate !== undefined && draft.endDate > before.endDate))

const handleRelationList = (call: typeof listRelations, type?: SourceType) =>
  reads(call, async (query, { db, scope, today }) => {
    const found = await findPage(db, feeRelation, scope, toRelationColumnFilters(query), {
      filters: relationFilters,
      where: relationConditions(query, today, type),
    })
    return { ...found, rows: await enrichRelations(db, scope, found.rows, today) }
  })

/** The relations that a payer pays, by object and item. */
const findPaidRelations = async (db: Db, scope: Scope, where: RawBuilder<unknown>, today: Day) =>
  enrichRelations(
    db,
    scope,
    await findAll(db, feeRelation, scope, { order: 'sourceName,feeItemId' }, { where: [where] }),
    today,
  )

export const relationHandlers = [
  handleRelationList(listRelations),
  handleRelationList(listRoomRelations, 'room'),
  handleRelationList(listPlaceRelations, 'parkPlace'),
  handleRelationList(listAreaRelations, 'publicArea'),
  handleRelationList(listCarRelations, 'car'),
  reads(getRelation, async ({ id }, { db, scope, today }) =>
    enrichRelation(db, scope, await requireById(db, feeRelation, scope, id), today),
  ),
  reads(listRelationsOfSource, async (query, { db, scope, today }) => {
    const projectCode = query.projectCode ?? scope.projectCode
    if (!projectCode) throw invalidField('ProjectCode', '请先选择项目')
    const found = await findAll(
      db,
      feeRelation,
      scope,
      { projectCode, order: 'feeItemId,-beginDate' },
      { where: relationConditions({ sourceCode: query.sourceCode }, today, query.sourceType) },
    )
    return enrichRelations(db, scope, found, today)
  }),
  reads(listRelationsOfUser, ({ userId }, { db, scope, today }) =>
    findPaidRelations(db, scope, paidByUser(scope.ownerId, userId), today),
  ),
  reads(listRelationsOfCompany, ({ companyId }, { db, scope, today }) =>
    findPaidRelations(db, scope, paidByCompany(scope.ownerId, companyId, today), today),
  ),
  writes(addRelation, async ({ id: _id, version: _version, ...draft }, { tx, scope, today }) => {
    const chargeable = await requireStandard(tx, scope, draft)
    const { item } = chargeable
    const isMetered = chargeable.prepared.metered
    const faults = await validateRelation(tx, scope, draft, { isMetered, exceptId: 0 })
    faults.push(...missingBeginFaults(chargeable, draft))
    const { object, faults: objectFaults } = await findBoundObject(tx, scope, draft)
    faults.push(...objectFaults)
    if (!faults.length && !item.allowMulti) {
      faults.push(...(await findOverlapFaults(tx, scope, draft, item.id, 0)))
    }
    if (faults.length || !object) throw invalidInput(faults)
    const added = await insert(tx, feeRelation, scope, {
      ...draft,
      sourceName: object.name,
      buildCode: object.buildCode,
      feeItemId: item.id,
      multi: item.allowMulti,
      state: 'charging',
    })
    return enrichRelation(tx, scope, added, today)
  }),
  writes(editRelation, async ({ id, version, ...input }, { tx, scope, today, now }) => {
    if (!id) return refuse('缺少要修改的收费关联')
    const before = await requireById(tx, feeRelation, scope, id, { lock: true })
    const { projectCode, sourceCode, sourceName, billedTo } = before
    const draft = { ...input, projectCode, sourceType: before.sourceType, sourceCode }
    const { prepared } = await requireStandard(tx, scope, draft, before)
    const faults = await validateRelation(tx, scope, draft, { isMetered: prepared.metered, exceptId: id })
    faults.push(...changedBeginFaults(before, draft))
    if (!faults.length && !before.multi) {
      faults.push(...(await findOverlapFaults(tx, scope, draft, before.feeItemId, id)))
    }
    if (faults.length) throw invalidInput(faults)
    const values: Record<string, unknown> = { ...withAllFields(editRelation.input, draft) }
    for (const fixed of ['sourceType', 'sourceCode', 'projectCode']) {
      delete values[fixed]
    }
    if (isReopened(before, draft)) {
      Object.assign(values, { state: 'charging', stopReason: undefined })
    }
    const after = await update(tx, feeRelation, scope, id, values, { version })
    const { endDate } = draft
    if (endDate && billedTo && endDate < billedTo && endDate !== before.endDate) {
      await publishRelationEnd(tx, scope, [{ id, endDate, billedTo, sourceName }], {
        today,
        now,
        reason: draft.remark,
      })
    }
    return enrichRelation(tx, scope, after, today)
  }),
]
