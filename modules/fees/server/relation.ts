import { codeOf } from '#kit/contract/field.ts'
import { refuse, invalidInput, type FieldFault } from '#kit/contract/wire.ts'
import { sql, type Db, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { reads, uniqueMessages, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import {
  insert,
  requireById,
  findPage,
  findAll,
  update,
  withAllFields,
  type TableQuery,
} from '#kit/server/table.ts'
import { live } from '#kit/server/sql.ts'
import {
  addRelation,
  listAreaRelations,
  listCarRelations,
  editRelation,
  listRelations,
  getRelation,
  listPlaceRelations,
  listRelationsOfCompany,
  listRelationsOfSource,
  listRelationsOfUser,
  listRoomRelations,
} from '../contract/relation-calls.ts'
import { scene, sourceType } from '../contract/choices.ts'
import { feeRelation, relationFilters, type FeeRelation } from '../contract/relation.ts'
import { isSceneAllowed } from '../domain/definition-rules.ts'
import { publishRelationEnd } from './billing-hooks.ts'
import { loadChargeableStandards } from './chargeable-standards.ts'
import { selectObjects, type SourceType } from './chargeable-objects.ts'

uniqueMessages({ fee_relation_once: '该对象在这段时间刚刚绑定了同一收费项目的标准，请刷新后重试' })
type RelationListInput = NonNullable<typeof listRelations.input.T>
type Sql = RawBuilder<any>
export const toRelationColumnFilters = ({ sourceCode: _, priced: __, live: ___, ...q }: RelationListInput) =>
  q

export const relationConditions = (q: RelationListInput, today: string, of?: SourceType): Sql[] => [
  ...(of ? [sql`t.source_type = ${codeOf(sourceType, of) as number}`] : []),
  ...(q.sourceCode ? [sql`t.source_code = ${q.sourceCode}`] : []),
  ...(q.priced ? [sql`t.price_override is not null`] : []),
  ...(q.live ? [sql`t.state <> 30 and (t.end_date is null or t.end_date >= ${today})`] : []),
]

/** What a resident pays: named as the payer, charged himself, or living in the room. */
export const paidByUser = (owner: number, user: number): Sql => sql`(
  t.payer_kind = 1
  and t.payer_id = ${user}
  or t.source_type = 70
  and t.source_code = ${String(user)}
  or t.source_type = 10
  and (t.project_code, t.source_code) in (
    select r.project_code, r.code
    from user_room u
    join room r on r.owner_id = u.owner_id and r.id = u.room_id
    where u.owner_id = ${owner} and u.user_id = ${user} and u.status = 20 and ${live('u')}
  )
)`

/** What a company pays: named as the payer, charged itself, or holding the room now. */
const paidByCompany = (owner: number, company: number, today: string): Sql => sql`(
  t.payer_kind = 2
  and t.payer_id = ${company}
  or t.source_type = 50
  and (t.project_code, t.source_code) in (
    select c.project_code, c.company_no from company c where c.owner_id = ${owner} and c.id = ${company}
  )
  or t.source_type = 10
  and (t.project_code, t.source_code) in (
    select r.project_code, r.code
    from company_room x
    join room r on r.owner_id = x.owner_id and r.id = x.room_id
    where x.owner_id = ${owner}
      and x.company_id = ${company}
      and ${live('x')}
      and x.begin_date <= ${today}
      and (x.end_date is null or x.end_date >= ${today})
  )
)`

interface PriceAndPayer {
  id: number
  price?: string
  payer?: string
}

/** The price that holds today, and who pays where the relation itself names him. */
export async function enrichRelations(
  db: Db,
  scope: Scope,
  list: readonly FeeRelation[],
  today: string,
): Promise<readonly FeeRelation[]> {
  if (!list.length) return list
  const beside = new Map(
    (
      await db.rows<PriceAndPayer>(sql`
        select r.id, trim_scale(coalesce(r.price_override, v.price))::text as price,
          coalesce(p.name, c.name) as payer
        from fee_relation r
        left join lateral (
          select price
          from fee_standard_version v
          where v.owner_id = r.owner_id and v.standard_id = r.standard_id and ${live('v')}
          order by v.effective_date > ${today}, abs(v.effective_date - ${today}::date)
          limit 1
        ) v on true
        left join resident p on p.owner_id = r.owner_id and r.payer_kind = 1 and p.id = r.payer_id
        left join company c on c.owner_id = r.owner_id and r.payer_kind = 2 and c.id = r.payer_id
        where r.owner_id = ${scope.ownerId} and r.id = any(${list.map(r => r.id)})
      `)
    ).map(b => [b.id, b]),
  )
  return list.map(r => {
    const b = beside.get(r.id)
    return {
      ...r,
      ...(b?.price === undefined ? {} : { price: b.price }),
      ...(b?.payer ? { payerName: b.payer } : {}),
    }
  })
}

const enrichRelation = async (db: Db, scope: Scope, r: FeeRelation, today: string): Promise<FeeRelation> =>
  (await enrichRelations(db, scope, [r], today))[0]!

type RelationDraft = NonNullable<typeof addRelation.input.T>

/**
 * FEE-7 in words, before the guard in the database speaks: what else of the item the object has in those
 * days.
 */
async function findOverlapFaults(
  tx: Tx,
  scope: Scope,
  d: Pick<RelationDraft, 'projectCode' | 'sourceType' | 'sourceCode' | 'beginDate' | 'endDate'>,
  item: number,
  but: number,
): Promise<FieldFault[]> {
  const there = await tx.one<{
    name: string
    standard: string
    begin?: string
    end?: string
  }>(sql`
    select r.source_name as name, s.name as standard, r.begin_date as begin, r.end_date as end
    from fee_relation r
    join fee_standard s on s.owner_id = r.owner_id and s.id = r.standard_id
    where r.owner_id = ${scope.ownerId}
      and r.project_code = ${d.projectCode}
      and r.source_type = ${codeOf(sourceType, d.sourceType) as number}
      and r.source_code = ${d.sourceCode}
      and r.fee_item_id = ${item}
      and ${live('r')}
      and not r.multi
      and r.id <> ${but}
      and daterange(r.begin_date, r.end_date, '[]') && daterange(
        ${d.beginDate ?? null}::date, ${d.endDate ?? null}::date, '[]'
      )
    order by r.begin_date
    limit 1
  `)
  return there
    ? [
        {
          Field: 'BeginDate',
          Message: `「${there.name}」${there.begin ? `${there.begin} 起` : ''}${there.end ? `至 ${there.end}` : there.begin ? '' : '一直'}已按「${there.standard}」收费，请先结束它，或错开起止日期`,
        },
      ]
    : []
}

/** What a draft says of a relation's days, free ranges and payer. */
async function validateRelation(db: Db, scope: Scope, d: RelationDraft): Promise<FieldFault[]> {
  const out: FieldFault[] = []
  const wrongAt = (Field: string, Message: string): void => {
    out.push({ Field, Message })
  }
  if (d.beginDate && d.endDate && d.endDate < d.beginDate) {
    wrongAt('EndDate', '止收日期不能早于起收日期')
  }
  d.free?.forEach((f, i) => {
    if (f.end < f.begin) {
      wrongAt(`FreeJson[${i}].End`, '免收期的止不能早于起')
    } else if (d.free!.some((o, j) => j < i && o.begin <= f.end && f.begin <= o.end)) {
      wrongAt(`FreeJson[${i}].Begin`, '与上面的免收期重叠')
    }
  })
  if ((d.payerId === undefined) !== (d.payerKind === undefined)) {
    wrongAt(d.payerId === undefined ? 'PayerID' : 'PayerKind', '缴费人与类别要一起选')
  } else if (
    d.payerId !== undefined &&
    !(await db.one(
      sql`
        select 1 as there
        from ${sql.table(d.payerKind === 'company' ? 'company' : 'resident')}
        where owner_id = ${scope.ownerId} and id = ${d.payerId} and ${live()}
      `,
    ))
  ) {
    wrongAt('PayerID', '缴费人不存在，请重新选择')
  }
  if (
    d.meterId !== undefined &&
    !(await db.one(
      sql`
        select 1 as there
        from meter
        where owner_id = ${scope.ownerId}
          and project_code = ${d.projectCode}
          and id = ${d.meterId}
          and ${live()}
      `,
    ))
  ) {
    wrongAt('MeterID', '该项目没有这个仪表，请重新选择')
  }
  return out
}

async function requireStandard(tx: Tx, scope: Scope, d: RelationDraft, before?: FeeRelation) {
  const s = (await loadChargeableStandards(tx, scope.ownerId, { ids: [d.standardId] })).get(d.standardId)
  const say = (Message: string): never => {
    throw invalidInput([{ Field: 'StandardID', Message }])
  }
  if (!s || s.standard.projectCode !== d.projectCode) return say('该项目没有这个收费标准，请重新选择')
  if (before?.standardId === d.standardId) return s
  if (s.standard.state === 'off' || s.item.state === 'off')
    return say(
      `${s.standard.state === 'off' ? '收费标准' : '收费项目'}「${s.standard.state === 'off' ? s.standard.name : s.item.name}」已停用，请先启用或换一个`,
    )
  if (before && s.item.id !== before.feeItemId)
    return say(`只能换成「${before.feeItemName}」的标准；别的收费项目请另外绑定`)
  if (!isSceneAllowed(s.item.scene, d.sourceType))
    return say(
      `收费项目「${s.item.name}」的适用场景是${scene.rows[s.item.scene][1]}，不能用于${sourceType.rows[d.sourceType][1]}`,
    )
  return s
}

const handleRelationList = (call: typeof listRelations, of?: SourceType) =>
  reads(call, async (q, { db, scope, today }) => {
    const found = await findPage(db, feeRelation, scope, toRelationColumnFilters(q), {
      filters: relationFilters,
      where: relationConditions(q, today, of),
    })
    return { ...found, rows: await enrichRelations(db, scope, found.rows, today) }
  })

export const relationHandlers = [
  handleRelationList(listRelations),
  handleRelationList(listRoomRelations, 'room'),
  handleRelationList(listPlaceRelations, 'parkPlace'),
  handleRelationList(listAreaRelations, 'publicArea'),
  handleRelationList(listCarRelations, 'car'),
  reads(getRelation, async ({ id }, { db, scope, today }) =>
    enrichRelation(db, scope, await requireById(db, feeRelation, scope, id), today),
  ),
  reads(listRelationsOfSource, async (q, { db, scope, today }) => {
    const project = q.projectCode ?? scope.projectCode
    if (!project) throw invalidInput([{ Field: 'ProjectCode', Message: '请先选择项目' }])
    return enrichRelations(
      db,
      scope,
      await findAll(
        db,
        feeRelation,
        scope,
        { projectCode: project, order: 'feeItemId,-beginDate' } as TableQuery,
        {
          where: relationConditions({ sourceCode: q.sourceCode }, today, q.sourceType),
        },
      ),
      today,
    )
  }),
  reads(listRelationsOfUser, async ({ userId }, { db, scope, today }) =>
    enrichRelations(
      db,
      scope,
      await findAll(
        db,
        feeRelation,
        scope,
        { order: 'sourceName,feeItemId' },
        { where: [paidByUser(scope.ownerId, userId)] },
      ),
      today,
    ),
  ),
  reads(listRelationsOfCompany, async ({ companyId }, { db, scope, today }) =>
    enrichRelations(
      db,
      scope,
      await findAll(
        db,
        feeRelation,
        scope,
        { order: 'sourceName,feeItemId' },
        { where: [paidByCompany(scope.ownerId, companyId, today)] },
      ),
      today,
    ),
  ),
  writes(addRelation, async ({ id: _, version: __, ...d }, { tx, scope, today }) => {
    const s = await requireStandard(tx, scope, d)
    const faults = await validateRelation(tx, scope, d)
    if (s.standard.startRule === 'given' && !d.beginDate) {
      faults.push({ Field: 'BeginDate', Message: `标准「${s.standard.name}」从指定日期起收，请填写起收日期` })
    }
    const o = await tx.one<{ name: string; buildCode?: string; open: boolean }>(
      sql`
        select name, build_code, open
        from (${selectObjects(scope, d.projectCode, d.sourceType, { codes: [d.sourceCode] })}) o
      `,
    )
    if (!o) {
      faults.push({
        Field: 'SourceCode',
        Message: `该项目没有这个${sourceType.rows[d.sourceType][1]}，请重新选择`,
      })
    } else if (!o.open) {
      faults.push({ Field: 'SourceCode', Message: `「${o.name}」已停用，请先启用` })
    }
    if (!faults.length && !s.item.allowMulti) {
      faults.push(...(await findOverlapFaults(tx, scope, d, s.item.id, 0)))
    }
    if (faults.length) throw invalidInput(faults)
    return enrichRelation(
      tx,
      scope,
      await insert(tx, feeRelation, scope, {
        ...d,
        sourceName: o!.name,
        buildCode: o!.buildCode,
        feeItemId: s.item.id,
        multi: s.item.allowMulti,
        state: 'charging',
      }),
      today,
    )
  }),
  writes(editRelation, async ({ id, version, ...said }, { tx, scope, today, now }) => {
    if (!id) return refuse('缺少要修改的收费关联')
    const before = await requireById(tx, feeRelation, scope, id, true)
    const d = {
      ...said,
      projectCode: before.projectCode,
      sourceType: before.sourceType,
      sourceCode: before.sourceCode,
    }
    await requireStandard(tx, scope, d, before)
    const faults = await validateRelation(tx, scope, d)
    const { billedTo } = before
    if (
      billedTo &&
      before.beginDate !== d.beginDate &&
      (before.beginDate === undefined || billedTo >= before.beginDate)
    ) {
      faults.push({
        Field: 'BeginDate',
        Message: `已计费至 ${billedTo}，不能再改起收日期；请结束这个关联后重新绑定`,
      })
    }
    if (!faults.length && !before.multi) {
      faults.push(...(await findOverlapFaults(tx, scope, d, before.feeItemId, id)))
    }
    if (faults.length) throw invalidInput(faults)
    const {
      sourceType: _,
      sourceCode: __,
      projectCode: ___,
      ...rest
    } = withAllFields(editRelation.input, d) as Record<string, unknown>
    const reopened =
      before.state === 'ended' &&
      (d.endDate === undefined || (before.endDate !== undefined && d.endDate > before.endDate))
    const after = await update(
      tx,
      feeRelation,
      scope,
      id,
      { ...rest, ...(reopened ? { state: 'charging', stopReason: undefined } : {}) },
      { version },
    )
    if (d.endDate && billedTo && d.endDate < billedTo && d.endDate !== before.endDate) {
      await publishRelationEnd(
        tx,
        scope,
        [{ id, endDate: d.endDate, billedTo, sourceName: before.sourceName }],
        {
          today,
          now,
          reason: d.remark,
        },
      )
    }
    return enrichRelation(tx, scope, after, today)
  }),
]
