import { codeOf, keyOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { latest } from '#kit/domain/day.ts'
import { monthOf, type Month } from '#kit/domain/month.ts'
import { overlaps } from '#kit/domain/period.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { ImportRequest, LineResult, ImportDefinition, ReadyLine } from '#kit/server/sheet-import.ts'
import { hasBuilding, hasProject, outOfDomain } from '#kit/server/scope.ts'
import { live, touch, code } from '#kit/server/sql.ts'
import { feeType, sourceType } from '#modules/fees/contract/choices.ts'
import type { FeeItem } from '#modules/fees/contract/item.ts'
import {
  canOverlap,
  findPayerAt,
  sourceKey,
  loadSources,
  type LocatedSource,
  type SourceType,
} from '#modules/fees/server/public.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { billSheet, importBills, type BillLine, type projectField } from '../contract/import.ts'
import { findImportFindings, type ImportFinding, type LiveBill } from '../domain/redundant.ts'
import { findClosedMonths } from './closed-months.ts'
import { releaseLinks } from './bill-links.ts'
import { findSourcesByName } from './import-sources.ts'
import type { BillDraft } from './issue.ts'
import { issueBatch } from './temporary.ts'
import { effectiveStates, activeStates } from './bill-states.ts'
import { billState } from '../contract/choices.ts'

type ImportRow = Partial<BillLine>
type ImportContext = ImportRequest<{ projectCode: string }>

interface ImportItem {
  id: number
  code: string
  name: string
  feeType: FeeItem['feeType']
  allowMulti: boolean
  off: boolean
}

/** What stands in the way and may be abolished first. */
export interface ObstructingBills {
  readonly bills: readonly { readonly id: number; readonly begin: Day; readonly end: Day }[]
  readonly says: string
}

interface ExistingBill extends LiveBill {
  readonly relationId?: number
}

/** Live bills of objects and items, for BILL-8. Needs bill_source. */
async function findExistingBills(
  db: Db,
  owner: number,
  project: string,
  places: readonly { readonly type: SourceType; readonly code: string }[],
  lock: boolean,
): Promise<ExistingBill[]> {
  if (!places.length) return []
  // Relations before bills: what is replaced takes back how far they are billed.
  if (lock) {
    await db.rows(
      sql`
        select 1
        from fee_relation r
        join unnest(
          ${places.map(p => codeOf(sourceType, p.type))}::smallint[], ${places.map(p => p.code)}::text[]
        ) as w(source_type, source_code) on r.source_type = w.source_type
          and r.source_code = w.source_code
        where r.owner_id = ${owner} and r.project_code = ${project} and ${live('r')}
        order by r.id
        for no key update of r
      `,
    )
  }
  const rows = await db.rows<
    Omit<ExistingBill, 'sourceType' | 'refund' | 'state' | 'source'> & {
      sourceType: number
      state: number
      refundState: number
      bought: boolean
    }
  >(sql`
    select b.id, b.source_type, b.source_code, b.fee_item_id as item_id, b.begin_date as begin,
      b.end_date as end, (b.amount * 100)::bigint as amount, (b.paid_principal * 100)::bigint as paid,
      b.refund_state, b.state, b.create_time as created, b.relation_id
    from unnest(
      ${places.map(p => codeOf(sourceType, p.type))}::smallint[], ${places.map(p => p.code)}::text[]
    ) as w(source_type, source_code)
    join bill b on b.owner_id = ${owner}
      and b.project_code = ${project}
      and b.source_type = w.source_type
      and b.source_code = w.source_code
      and ${live('b')}
      and b.state in ${effectiveStates} ${
        lock
          ? sql`order by b.id
      for update of b`
          : sql``
      }
  `)
  const typeOf = new Map(places.map(p => [codeOf(sourceType, p.type), p.type]))
  return rows.map(r => ({
    ...r,
    sourceType: typeOf.get(r.sourceType)!,
    source: 'auto',
    refund: r.refundState ? 'refunded' : 'none',
    state: r.state === codeOf(billState, 'pending') ? 'pending' : 'normal',
  }))
}

const typeAndCodeKey = (type: string, code: string): string => `${type}\n${code}`

export const billImporter: ImportDefinition<BillLine, typeof projectField, ObstructingBills> = {
  kind: 'bills.bill',
  calls: importBills,
  sheet: billSheet,
  templateOptions: async (db, { scope }) => ({
    feeItemId: (await findFeeItems(db, scope.ownerId)).filter(i => !i.off).map(i => i.name),
  }),
  openSession: async (db, ask, _lines, lock) => {
    const {
      scope,
      more: { projectCode: project },
    } = ask
    const owner = scope.ownerId
    if (!hasProject(scope.domain, project)) throw outOfDomain()
    const all = await findFeeItems(db, owner)
    const byId = new Map(all.map(i => [i.id, i]))
    let called: Awaited<ReturnType<typeof findSourcesByName>>
    let known = new Map<string, ExistingBill[]>()
    let located: ReadonlyMap<string, LocatedSource> = new Map()
    let carried: ReadonlySet<Month> = new Set()
    const twins = new Map<string, { begin: Day; end: Day; row: ImportRow; n: number }[]>()
    const typeOf = (row: ImportRow): SourceType => row.sourceType ?? 'room'
    const codeIn = (row: ImportRow): string | undefined => {
      const c = row.sourceName === undefined ? [] : called(typeOf(row), row.sourceName)
      return c.length === 1 ? c[0] : undefined
    }
    const findings = (row: ImportRow): readonly ImportFinding[] => {
      const code = codeIn(row)
      if (code === undefined || !row.beginDate || !row.endDate || !row.feeItemId) return []
      const item = byId.get(row.feeItemId)
      return findImportFindings(
        {
          begin: row.beginDate,
          end: row.endDate,
          itemId: row.feeItemId,
          repeats: item !== undefined && canOverlap(item),
        },
        known.get(typeAndCodeKey(typeOf(row), code)) ?? [],
      )
    }
    /** Refunded and pending ones of the same days: the database lets no second live bill stand there. */
    const inTheWay = (row: ImportRow): ObstructingBills | undefined => {
      const code = codeIn(row)
      const all = findings(row)
      const item = byId.get(row.feeItemId ?? 0)
      if (code === undefined || !item || canOverlap(item) || all.some(f => f.level === 'error'))
        return undefined
      const bills = (known.get(typeAndCodeKey(typeOf(row), code)) ?? []).filter(
        b =>
          all.some(f => f.billId === b.id) &&
          b.itemId === row.feeItemId &&
          overlaps(b, { begin: row.beginDate!, end: row.endDate! }),
      )
      return bills.length
        ? { bills, says: all.find(f => bills.some(b => b.id === f.billId))!.message }
        : undefined
    }
    return {
      findReferences: (_, name) => {
        const hit = all.filter(i => i.name === name)
        return (hit.length ? hit : all.filter(i => i.code === name)).map(i => i.id)
      },
      findExisting: async settled => {
        called = await findSourcesByName(
          db,
          owner,
          project,
          settled.flatMap(l =>
            l.row.sourceName === undefined ? [] : [{ type: typeOf(l.row), name: l.row.sourceName }],
          ),
        )
        const places = new Map(
          settled.flatMap(l => {
            const code = codeIn(l.row)
            return code === undefined
              ? []
              : [[typeAndCodeKey(typeOf(l.row), code), { type: typeOf(l.row), code }] as const]
          }),
        )
        carried = await findClosedMonths(db, owner, project, [
          ...new Set(settled.flatMap(l => (l.row.beginDate ? [monthOf(l.row.beginDate)] : []))),
        ])
        const [stand, sources] = await Promise.all([
          findExistingBills(db, owner, project, [...places.values()], lock),
          loadSources(
            db,
            owner,
            project,
            [...places.values()].map(p => ({ sourceType: p.type, sourceCode: p.code })),
            ask.today,
          ),
        ])
        known = Map.groupBy(stand, b => typeAndCodeKey(b.sourceType, b.sourceCode))
        located = sources
        for (const l of settled) {
          const { beginDate: begin, endDate: end } = l.row
          const code = codeIn(l.row)
          if (code === undefined || !begin || !end) continue
          const k = `${typeAndCodeKey(typeOf(l.row), code)}\n${l.row.feeItemId}`
          twins.set(k, [...(twins.get(k) ?? []), { begin, end, row: l.row, n: l.line }])
        }
        return new Map(
          settled.flatMap(l => {
            const t = inTheWay(l.row)
            return t ? [[l.line, t] as const] : []
          }),
        )
      },
      describeExisting: there => ({ says: there.says, remedy: '选择「先作废原账单，再导入」，或留着原账单' }),
      warnRow: row => [
        ...(row.beginDate && carried.has(monthOf(row.beginDate))
          ? [
              {
                column: 'beginDate',
                says: `${monthOf(row.beginDate)} 已结转，这张账单会记在以后月份的“往期调整”里`,
                remedy: '确认要补记再导入，否则改账期',
              },
            ]
          : []),
        ...findings(row)
          .filter(f => f.level === 'warning' && !inTheWay(row)?.bills.some(b => b.id === f.billId))
          .slice(0, 3)
          .map(f => ({ column: 'beginDate', says: f.message, remedy: '确认无误可继续导入' })),
      ],
      checkRow: row => {
        const faults: { column: string; says: string; remedy: string }[] = []
        const fault = (column: string, says: string, remedy: string): void => {
          faults.push({ column, says, remedy })
        }
        const type = typeOf(row)
        const hits = row.sourceName === undefined ? [] : called(type, row.sourceName)
        const code = codeIn(row)
        const item = row.feeItemId === undefined ? undefined : byId.get(row.feeItemId)
        if (row.sourceName !== undefined && !hits.length) {
          fault(
            'sourceName',
            `没有找到「${row.sourceName}」`,
            type === 'room'
              ? '填「楼栋-单元-房号」，如 3-2-1502；不是房屋的请填对象类型'
              : '核对对象类型与名称',
          )
        }
        if (hits.length > 1) {
          fault(
            'sourceName',
            `有 ${hits.length} 个对象叫「${row.sourceName}」`,
            type === 'room' ? '填完整的「楼栋-单元-房号」' : '改填它的编码',
          )
        }
        if (item?.off) {
          fault('feeItemId', `收费项目「${item.name}」已停用`, '先启用该收费项目，或换一个')
        }
        if (row.beginDate && row.endDate && row.endDate < row.beginDate) {
          fault('endDate', '账期止不能早于账期起', '核对账期')
        }
        if (
          row.beginDate &&
          row.endDate &&
          row.endDate > `${Number(row.beginDate.slice(0, 4)) + 3}${row.beginDate.slice(4)}`
        ) {
          fault('endDate', '一张账单的账期不能超过三年', '分成几张账单')
        }
        if (row.dueDate && row.beginDate && row.dueDate < '2000-01-01') {
          fault('dueDate', '应缴日过早', '核对应缴日')
        }
        const at =
          code === undefined ? undefined : located.get(sourceKey({ sourceType: type, sourceCode: code }))
        if (at?.buildCode !== undefined && !hasBuilding(scope.domain, project, at.buildCode)) {
          fault('sourceName', '不在你的数据权限内', '请有权限的同事导入')
        }
        for (const f of findings(row)) {
          if (f.level === 'error') {
            fault('beginDate', f.message, '按提示处理那张账单，或删去这一行')
          }
        }
        const twin =
          code === undefined || !row.beginDate || !row.endDate || (item && canOverlap(item))
            ? undefined
            : twins
                .get(`${typeAndCodeKey(type, code)}\n${row.feeItemId}`)
                ?.find(x => x.row !== row && overlaps(x, { begin: row.beginDate!, end: row.endDate! }))
        const first =
          twin && twins.get(`${typeAndCodeKey(type, code!)}\n${row.feeItemId}`)!.find(x => x.row === row)
        if (
          twin &&
          first &&
          twin.n < first.n &&
          !(
            twin.begin === row.beginDate &&
            twin.end === row.endDate &&
            twin.row.sourceName === row.sourceName
          )
        ) {
          fault(
            'beginDate',
            `与第 ${twin.n} 行的账期重叠`,
            '同一对象同一项目的账期不能重叠，改账期或删去一行',
          )
        }
        return faults
      },
      apply: (tx, ready) =>
        writeRows(tx, ask, ready, row => ({
          code: codeIn(row)!,
          at: located.get(sourceKey({ sourceType: typeOf(row), sourceCode: codeIn(row)! }))!,
          type: typeOf(row),
          item: byId.get(row.feeItemId!)!,
        })),
    }
  },
}

const findFeeItems = async (db: Db, owner: number): Promise<ImportItem[]> =>
  (
    await db.rows<Omit<ImportItem, 'feeType'> & { feeType: number }>(
      sql`
        select id, code, name, fee_type, allow_multi, state <> ${code(enabledState, 'on')} as off
        from fee_item
        where owner_id = ${owner} and ${live()}
        order by id
      `,
    )
  ).map(i => ({ ...i, feeType: keyOf(feeType, i.feeType)! }))

interface ResolvedSource {
  readonly code: string
  readonly at: LocatedSource
  readonly type: SourceType
  readonly item: ImportItem
}

async function writeRows(
  tx: Tx,
  ask: ImportContext,
  ready: readonly ReadyLine<BillLine, ObstructingBills>[],
  placeOf: (row: BillLine) => ResolvedSource,
): Promise<ReadonlyMap<number, LineResult>> {
  const {
    scope,
    today,
    mode,
    more: { projectCode: project },
  } = ask
  const out = new Map<number, LineResult>()
  const going = ready.filter(r => {
    if (r.existing && mode !== 'replace') {
      out.set(r.line, { did: 'skipped', says: '跳过：同账期已有已退款或待审核的账单' })
      return false
    }
    return true
  })
  const replaced = going.flatMap(r => r.existing?.bills ?? [])
  if (replaced.length) {
    const gone = await tx.rows<{
      id: number
      billNo: string
      relationId?: number
      refType?: string
      refId?: number
    }>(sql`
      update bill
      set state = ${code(billState, 'abolished')}, abolish_time = ${scope.time}::timestamptz, abolish_by = ${scope.operatorId}, abolish_reason = '导入时替换',
        ${touch(scope)}
      where owner_id = ${scope.ownerId}
        and id = any(${replaced.map(b => b.id)})
        and ${live()}
        and state in ${activeStates}
        and paid_principal = 0
        and late_fee_paid = 0
        and invoice_state = 0
        and (lock_until is null or lock_until <= ${scope.time}::timestamptz)
      returning id, bill_no, relation_id, ref_type, ref_id
    `)
    if (gone.length !== replaced.length) return refuse('要替换的账单有的正在支付中或已开票，请处理后重新导入')
    await releaseLinks(tx, scope, gone)
  }
  const drafts = going.map(({ row, existing }): Omit<BillDraft, 'billNo'> => {
    const { code, at, type, item } = placeOf(row)
    return {
      sourceType: type,
      sourceCode: code,
      sourceName: at.name,
      buildCode: at.buildCode,
      payer: findPayerAt(at.source, row.beginDate),
      item: { id: item.id, name: item.name, feeType: item.feeType, allowMulti: item.allowMulti },
      begin: row.beginDate,
      end: row.endDate,
      amount: row.amount,
      dueDate: row.dueDate ?? latest(row.endDate, today),
      remark: row.remark,
      replaces: existing?.bills[0]?.id,
    }
  })
  if (!drafts.length) return out
  try {
    await issueBatch(tx, scope, { project, source: 'imported' }, 'imported', drafts, today, {
      message: `导入 ${drafts.length} 张`,
    })
  } catch (e) {
    if (['23P01', '23505'].includes((e as { code?: string }).code ?? ''))
      return refuse('导入期间有人生成了同账期的账单，这次没有写入；请重新上传，已有的会提示出来')
    throw e
  }
  for (const r of going) {
    out.set(r.line, { did: 'added', says: r.existing ? '已作废原账单并导入' : '已导入' })
  }
  return out
}
