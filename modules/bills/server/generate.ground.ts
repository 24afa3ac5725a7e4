import type { Day } from '#kit/domain/day.ts'
import type { Month } from '#kit/domain/month.ts'
import { openStore, sql, type Store, type Tx } from '#kit/server/db.ts'
import { wholeDomain, type Scope } from '#kit/server/scope.ts'
import { knowEntities } from '#kit/server/registry.ts'
import { insert, insertAll } from '#kit/server/table.ts'
import { feeFormula } from '#modules/fees/contract/formula.ts'
import { feeItem, type FeeItem } from '#modules/fees/contract/item.ts'
import { feeRelation } from '#modules/fees/contract/relation.ts'
import { feeStandard, standardVersion, type FeeStandard } from '#modules/fees/contract/standard.ts'
import { billRun, type BillRun } from '../contract/bill.ts'
import type { Asked } from '../contract/run.ts'
import { numberBook, numbers } from './number.ts'
import { prepareRun } from './run-scope.ts'
import { runById, workOff } from './run-work.ts'

export const scopeOf = (ownerId: number): Scope => ({
  ownerId,
  operatorId: 1,
  name: '测试',
  owner: true,
  permissions: new Set(),
  domain: wholeDomain,
  privacy: true,
  projectCode: '',
  ip: '',
  requestId: 'test',
})

let n = 0

export interface Fee {
  readonly itemId: number
  readonly standardId: number
}

export interface Wish {
  readonly item?: Partial<FeeItem>
  readonly formula?: { readonly formulaType: string; readonly expression?: string }
  readonly standard?: Partial<FeeStandard>
  readonly price?: string
  readonly prices?: readonly {
    readonly effectiveDate: string
    readonly endDate?: string
    readonly price: string
  }[]
}

/** A fee item with a formula and a standard of an estate: area × price by the month unless said otherwise. */
export async function layFee(tx: Tx, who: Scope, project: string, w: Wish = {}): Promise<Fee> {
  n++
  const [itemId] = await insertAll(tx, feeItem, who, [
    {
      code: `G${n}`,
      name: `测试项目${n}`,
      feeType: 'cyclic',
      category: 'property',
      incomeKind: 'own',
      inRate: true,
      billMode: 'auto',
      scene: 'roomShop',
      allowMulti: false,
      allowOnline: true,
      autoDeduct: true,
      principalSettles: false,
      lateFeeSwitch: false,
      state: 'on',
      ...w.item,
    },
  ])
  const [formulaId] = await insertAll(tx, feeFormula, who, [
    { name: `测试公式${n}`, isSystem: false, state: 'on', formulaType: 'area', ...w.formula },
  ])
  const [standardId] = await insertAll(tx, feeStandard, who, [
    {
      projectCode: project,
      code: `G${n}`,
      name: `测试标准${n}`,
      feeItemId: itemId,
      formulaId,
      areaKind: 'build',
      cycleType: 'natural',
      cycleMonths: 1,
      alignYear: true,
      chargeMode: 'ahead',
      startRule: 'given',
      prorateMode: 'actual',
      advanceDays: 0,
      delayDays: 0,
      dueBase: 'begin',
      dueDays: 30,
      dueSkipHoliday: false,
      roundType: 'halfUp',
      roundUnit: 'fen',
      tiersStretch: true,
      state: 'on',
      ...w.standard,
    },
  ])
  await insertAll(
    tx,
    standardVersion,
    who,
    (w.prices ?? [{ effectiveDate: '2020-01-01', price: w.price ?? '2.85' }]).map(p => ({
      standardId,
      extraProrate: false,
      ...p,
    })),
  )
  return { itemId: itemId!, standardId: standardId! }
}

export interface Place {
  readonly code: string
  readonly path: string
  readonly buildCode: string
}

export const places = (tx: Pick<Tx, 'rows'>, owner: number, project: string): Promise<Place[]> =>
  tx.rows<Place>(
    sql`
      select code, path, build_code
      from room
      where owner_id = ${owner} and project_code = ${project} and delete_tag = 0
      order by sort_key
    `,
  )

/** Rooms charged by a standard from a day on. */
export const bind = (
  tx: Tx,
  who: Scope,
  project: string,
  fee: Fee,
  rooms: readonly Place[],
  more: object = {},
): Promise<number[]> =>
  insertAll(
    tx,
    feeRelation,
    who,
    rooms.map(r => ({
      projectCode: project,
      sourceType: 'room',
      sourceCode: r.code,
      sourceName: r.path,
      buildCode: r.buildCode,
      feeItemId: fee.itemId,
      standardId: fee.standardId,
      beginDate: '2026-09-01',
      multi: false,
      state: 'charging',
      ...more,
    })),
  )

/**
 * A month's bills of an estate made at once by the engine itself, without a worker: what demo data and
 * benches start from.
 */
export async function generateNow(
  store: Store,
  who: Scope,
  project: string,
  month: Month,
  today: Day,
  asked: Partial<Asked> = {},
  how: { readonly atOnce?: number; readonly patience?: string; readonly begun?: BillRun } = {},
): Promise<BillRun> {
  const run =
    how.begun ??
    (await store.tx(who.ownerId, async tx => {
      const [batchNo] = await numbers(tx, who.ownerId, 'PC', today, 1)
      return insert(tx, billRun, who, {
        projectCode: project,
        batchNo,
        kind: 'wizard',
        month,
        scope: asked as never,
        total: 0,
        done: 0,
        afterId: 0,
        made: 0,
        behind: 0,
        amount: 0,
        state: 'running',
      }) as Promise<BillRun>
    }))
  const ready = () => prepareRun(store.reader(who.ownerId), who, project, asked, { month, today })
  const end = await workOff(
    {
      store,
      scope: who,
      state: 'normal',
      source: 'auto',
      numbers: numberBook(store, who.ownerId, today),
      save: async () => {},
      told: () => {},
      anew: ready,
      ...(how.atOnce ? { atOnce: how.atOnce } : {}),
      ...(how.patience ? { patience: how.patience } : {}),
    },
    await ready(),
    run,
  )
  await store.tx(who.ownerId, tx =>
    tx.run(
      sql`
        update bill_run
        set state = 30, total = ${end.done}, message = ${`生成 ${end.made} 张`}, end_time = now()
        where owner_id = ${who.ownerId} and id = ${run.id}
      `,
    ),
  )
  return end
}

// A process of its own, to be killed: url, company, estate, standard, month, relations at once, the run to go
// on with (0: a new one).
if (import.meta.main) {
  const [url = '', owner, project = '', standard = '', month = '', atOnce, begun] = process.argv.slice(2)
  const store = openStore(url, { pool: 2, bulk: 1 })
  const who = scopeOf(Number(owner))
  knowEntities([feeItem, feeFormula, feeStandard, standardVersion, feeRelation, billRun] as never)
  const run = Number(begun) ? await runById(store.reader(who.ownerId), who.ownerId, Number(begun)) : undefined
  const end = await generateNow(
    store,
    who,
    project,
    month,
    '2026-11-21',
    { standardIds: [standard] },
    { atOnce: Number(atOnce), ...(run ? { begun: run } : {}) },
  )
  console.log(end.made)
  await store.close()
}
