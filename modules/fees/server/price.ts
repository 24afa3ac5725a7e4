import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { addDays } from '#kit/domain/day.ts'
import { notFound, refuse, staleVersion, invalidInput, invalidField } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { assertDeletable } from '#kit/server/dependents.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { hasProject, outOfDomain, type Scope } from '#kit/server/scope.ts'
import { columnOf, storedKeys, type Entity } from '#kit/contract/entity.ts'
import {
  insert,
  requireById,
  remove,
  findAll,
  update,
  withAllFields,
  requireByIds,
} from '#kit/server/table.ts'
import { notDeleted, touch, code } from '#kit/server/sql.ts'
import { feeStandard, standardVersion, type StandardVersion } from '../contract/standard.ts'
import {
  changePrice,
  copyStandards,
  correctVersion,
  deleteVersion,
  listVersions,
} from '../contract/standard-calls.ts'
import { feeFormula } from '../contract/formula.ts'
import { validatePrice, isSamePrice } from '../domain/price-rules.ts'
import { priceRefusal } from '../domain/price-change.ts'
import { insertVersion } from '../domain/version.ts'
import { assertNoFaults, findVersions } from './definitions.ts'
import { countOutdatedBills, findVersionUsage, type VersionUsage } from './billing-hooks.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'

const toVersionSpans = (list: readonly StandardVersion[]) =>
  list.map(v => ({ ...v, from: v.effectiveDate, to: v.endDate }))

/** The columns of a standard or a price that are copied: all that a form can set. */
const listCopiedColumns = (of: Entity, but: readonly string[]): string[] =>
  storedKeys(of)
    .filter(k => !['id', 'version', 'createTime', 'updateTime', ...but].includes(k))
    .map(columnOf)

async function copyStandardRows(
  tx: Tx,
  scope: Scope,
  ids: readonly Id[],
  projects: readonly string[],
): Promise<ReadonlySet<string>> {
  const cols = listCopiedColumns(feeStandard, ['projectCode', 'state'])
  const prices = listCopiedColumns(standardVersion, ['standardId'])
  const inserted = await tx.rows<{
    id: Id
    code: string
    projectCode: string
  }>(sql`
    insert into fee_standard (
      owner_id, create_by, update_by, project_code, state, ${sql.join(cols.map(c => sql.id(c)))}
    )
    select ${scope.ownerId}::bigint, ${scope.operatorId}::bigint, ${scope.operatorId}::bigint, p.code, ${code(enabledState, 'on')},
      ${sql.join(cols.map(c => sql`s.${sql.id(c)}`))}
    from fee_standard s
    cross join unnest(${[...projects]}::text[]) as p(code)
    where s.owner_id = ${scope.ownerId}
      and s.id = any(${[...ids]})
      and s.project_code <> p.code
      and ${notDeleted('s')}
    on conflict do nothing
    returning id, code, project_code
  `)
  // One statement for all prices, whatever the number of projects.
  await tx.execute(sql`
    insert into fee_standard_version (
      owner_id, create_by, update_by, standard_id, ${sql.join(prices.map(c => sql.id(c)))}
    )
    select ${scope.ownerId}::bigint, ${scope.operatorId}::bigint, ${scope.operatorId}::bigint, n.id,
      ${sql.join(prices.map(c => sql`v.${sql.id(c)}`))}
    from fee_standard_version v
    join fee_standard s on s.owner_id = ${scope.ownerId} and s.id = v.standard_id
    join unnest(
      ${inserted.map(m => m.id)}::bigint[], ${inserted.map(m => m.code)}::text[]
    ) as n(id, code) on n.code = s.code
    where v.owner_id = ${scope.ownerId} and s.id = any(${[...ids]}) and ${notDeleted('v')}
    returning id
  `)
  await audit(
    tx,
    scope,
    inserted.map(standard => ({
      action: 'insert' as const,
      entity: 'feeStandard',
      entityId: standard.id,
      projectCode: standard.projectCode,
      after: { code: standard.code, copied: true },
    })),
  )
  return new Set(inserted.map(m => `${m.projectCode} ${m.code}`))
}

/** What to do instead of correcting a price that bills use. */
const inUseMessage = (day: string, u: VersionUsage): string =>
  u.paid
    ? `${day} 起的价格已有 ${u.bills} 张账单在用，其中 ${u.paid} 张已收款，不能更正。请自其后的日期起调价，未缴的账单可在调价后按新价格重新生成`
    : `${day} 起的价格已有 ${u.bills} 张未缴账单在用，不能直接更正。请先作废这些账单，更正后重新出账；或自其后的日期起调价，再按新价格重新生成`

export const priceHandlers = [
  reads(listVersions, async ({ standardId }, { db, scope }) => {
    await requireById(db, feeStandard, scope, standardId)
    const list = await findAll(
      db,
      standardVersion,
      scope,
      {},
      { where: [sql`t.standard_id = ${standardId}`] },
    )
    const uses = await findVersionUsage(
      db,
      scope.ownerId,
      standardId,
      list.map(v => v.id),
      1,
    )
    return list.map(v => ({ ...v, used: uses.has(v.id) }))
  }),
  writes(changePrice, async ({ standardId, ...price }, { tx, scope }) => {
    // The lock on the standard lets one user after the other add a price.
    const standard = await requireById(tx, feeStandard, scope, standardId, { lock: true })
    const formula = await requireById(tx, feeFormula, scope, standard.formulaId)
    const no = priceRefusal(formula.formulaType)
    if (no) refuse(`「${standard.name}」的${no}`)
    assertNoFaults(changePrice.input, validatePrice(price, formula))
    const known = toVersionSpans(await findVersions(tx, scope, standardId))
    let placed: ReturnType<typeof insertVersion<(typeof known)[number]>>
    try {
      placed = insertVersion(known, price.effectiveDate)
    } catch (e) {
      if (e instanceof RangeError) throw invalidInput([{ Field: 'EffectiveDate', Message: e.message }])
      throw e
    }
    if (placed.shorten && isSamePrice(placed.shorten.version, price))
      throw invalidField('Price', `与 ${placed.shorten.version.effectiveDate} 起的价格相同，没有要调的`)
    if (placed.shorten) {
      await update(
        tx,
        standardVersion,
        scope,
        placed.shorten.version.id,
        { endDate: placed.shorten.to },
        { reason: price.reason },
      )
    }
    const made = await insert(tx, standardVersion, scope, {
      ...price,
      standardId,
      endDate: placed.to,
      extraProrate: price.extraProrate ?? false,
    })
    return { ...made, oldBills: await countOutdatedBills(tx, scope.ownerId, standardId) }
  }),
  writes(deleteVersion, async ({ id, reason }, { tx, scope, today }) => {
    const values = await requireById(tx, standardVersion, scope, id)
    await requireById(tx, feeStandard, scope, values.standardId, { lock: true })
    const list = await findVersions(tx, scope, values.standardId)
    const at = list.findIndex(x => x.id === id)
    const before = list[at - 1]
    if (at < 0) throw notFound()
    if (values.effectiveDate <= today)
      return refuse(`${values.effectiveDate} 起的价格已经生效，不能撤销；请另加一个价格版本`)
    if (!before) return refuse('这是唯一的价格，不能撤销；请改为停用或删除收费标准')
    await assertDeletable(tx, scope, 'feeStandardVersion', `${values.effectiveDate} 起的价格`, [values])
    await remove(tx, standardVersion, scope, [id], reason)
    // Only where the two versions were adjacent: a gap between them stays.
    if (before.endDate === addDays(values.effectiveDate, -1)) {
      await update(tx, standardVersion, scope, before.id, { endDate: values.endDate }, { reason })
    }
  }),
  writes(correctVersion, async ({ id, version, reason, ...input }, { tx, scope }) => {
    const { standardId } = await requireById(tx, standardVersion, scope, id)
    const standard = await requireById(tx, feeStandard, scope, standardId, { lock: true })
    const formula = await requireById(tx, feeFormula, scope, standard.formulaId)
    // Waits for transactions that write bills by this price (`lockPrices`), so that their bills are seen.
    const old = await requireById(tx, standardVersion, scope, id, { lock: true })
    if (old.version !== version) throw staleVersion()
    assertNoFaults(correctVersion.input, validatePrice(input, formula))
    const use = (await findVersionUsage(tx, scope.ownerId, standardId, [id], 1000)).get(id)
    if (use) return refuse(inUseMessage(old.effectiveDate, use))
    // The corrected price is a new row: abolished bills keep the id of the wrong one and are offered for a
    // new computation when they are recovered.
    await tx.execute(
      sql`
        update fee_standard_version
        set delete_tag = 1, ${touch(scope)}
        where owner_id = ${scope.ownerId} and id = ${id}
      `,
    )
    const cols = sql.join(listCopiedColumns(standardVersion, []).map(c => sql.id(c)))
    const corrected = defined(
      await tx.one<{ id: Id }>(
        sql`
        insert into fee_standard_version (owner_id, create_by, update_by, ${cols})
        select ${scope.ownerId}::bigint, ${scope.operatorId}::bigint, ${scope.operatorId}::bigint, ${cols}
        from fee_standard_version
        where owner_id = ${scope.ownerId} and id = ${id}
        returning id
      `,
      ),
    )
    return update(
      tx,
      standardVersion,
      scope,
      corrected.id,
      {
        ...withAllFields(correctVersion.input, input),
        reason: old.reason,
        extraProrate: input.extraProrate ?? false,
      },
      { reason },
    )
  }),
  writes(copyStandards, async ({ ids, projects }, { tx, scope }) => {
    for (const p of projects) {
      if (!hasProject(scope.domain, p)) throw outOfDomain()
    }
    const list = await requireByIds(tx, feeStandard, scope, ids, { lock: true })
    const duplicates = [...Map.groupBy(list, s => s.code).values()].filter(g => g.length > 1)
    if (duplicates.length)
      return refuse(`编码 ${defined(defined(duplicates[0])[0]).code} 选了两个标准，请只留一个`)
    const copied = await copyStandardRows(
      tx,
      scope,
      list.map(s => s.id),
      [...new Set(projects)],
    )
    const failed = list.flatMap(standard =>
      [...new Set(projects)]
        .filter(p => !copied.has(`${p} ${standard.code}`))
        .map(part => ({
          id: standard.id,
          code: standard.code,
          reason:
            part === standard.projectCode
              ? `「${standard.name}」就在项目 ${part}`
              : `项目 ${part} 已有编码 ${standard.code} 或同名的标准，未改动`,
        })),
    )
    return { success: copied.size, fail: 0, skipped: failed.length, rows: failed }
  }),
]
