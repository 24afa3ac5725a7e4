import type { Dec } from '#kit/contract/field.ts'
import { wrong } from '#kit/contract/wire.ts'
import type { Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handle.ts'
import type { Scope } from '#kit/server/scope.ts'
import { byIds, need } from '#kit/server/table.ts'
import { room } from '#modules/rooms/contract/room.ts'
import { areasOfRooms } from '#modules/rooms/server/public.ts'
import { skipReason } from '../contract/choices.ts'
import { feeFormula, type FeeFormula } from '../contract/formula.ts'
import { feeStandard } from '../contract/standard.ts'
import { standardFee, standardParameters, testParameters, testStandard } from '../contract/trial.ts'
import { bare, byName } from '../domain/define.ts'
import { faultOf } from '../domain/formula/formula.ts'
import type { Prepared } from '../domain/standard.ts'
import { sentence } from '../domain/sentence.ts'
import { asksOf, lacking, tryOut } from '../domain/trial.ts'
import { versionOn, type Version } from '../domain/version.ts'
import { chargedStandards } from './load.ts'

interface Tried {
  readonly id?: number
  readonly formulaId?: number
  readonly expression?: string
  readonly parameters?: readonly string[]
}

interface Found {
  readonly prepared: Prepared
  readonly version: Version | undefined
  readonly labels: ReadonlyMap<string, { label?: string | undefined; required: boolean }>
  readonly name?: string
}

const labelled = (f: Pick<FeeFormula, 'parameters'>): Found['labels'] =>
  new Map(f.parameters?.map(p => [p.name, { label: p.label, required: p.required ?? true }]))

async function found(db: Db, scope: Scope, q: Tried, day: string): Promise<Found> {
  if (q.expression !== undefined)
    return {
      prepared: bare({
        formulaType: 'custom',
        expression: q.expression,
        parameters: q.parameters?.map(name => ({ name, required: true })),
      }),
      version: undefined,
      labels: new Map(q.parameters?.map(p => [p, { required: true }])),
    }
  if (q.id !== undefined) {
    const s = await need(db, feeStandard, scope, q.id)
    const d = (await chargedStandards(db, scope.ownerId, { ids: [s.id] })).get(s.id)!
    const last = d.prepared.standard.versions
    return {
      prepared: d.prepared,
      version: versionOn(last, day) ?? last[0],
      labels: labelled(d.formula),
      name: s.name,
    }
  }
  if (q.formulaId === undefined) throw wrong([{ Field: 'StandardID', Message: '请选择要试算的标准或公式' }])
  const [f] = await byIds(db, feeFormula, scope, [q.formulaId])
  if (!f) throw wrong([{ Field: 'FormulaID', Message: '公式不存在，请重新选择' }])
  return { prepared: bare(f), version: undefined, labels: labelled(f), name: f.name }
}

const unpriced: Readonly<Partial<Record<string, string>>> = {
  share: '公摊的金额由公摊池分得，请到“公摊”里预览',
  imported: '动态金额由导入或手工填写，不计算',
  times: '按次的金额 = 单价 × 次数，下单时计算',
}

/** Reckons and says how; a fault or a gap is an answer too. */
function told(x: Found, values: Record<string, Dec>, day: string, months: number) {
  const { prepared: p } = x
  const why = unpriced[p.standard.formulaType]
  if (why && p.standard.formulaType !== 'times') return { good: false, message: why }
  if (p.fault) {
    const f = faultOf(p.standard.expression ?? '', p.standard.parameters)
    return {
      good: false,
      message: p.fault,
      ...(f ? { at: f.at, length: f.length, ...(f.fix ? { fix: f.fix } : {}) } : {}),
    }
  }
  const asks = asksOf(p, x.version, x.labels)
  const missing = asks.filter(
    a =>
      a.required &&
      values[a.name] === undefined &&
      ((a.name === '单价' || a.name === '金额' ? x.version?.price : undefined) ??
        x.version?.params?.[a.name]) === undefined,
  )
  if (missing.length)
    return {
      good: false,
      message: `还缺 ${missing.map(a => `“${a.name}”`).join('、')}`,
      missing: missing.map(a => a.name),
    }
  const prepared =
    p.standard.formulaType === 'times'
      ? bare(
          { formulaType: 'quantity' },
          {
            ...p.standard,
            formulaType: 'quantity',
            quantityKind: 'given',
            cycle: { type: 'once', months: 1, alignYear: false },
          },
        )
      : p
  const { drawn, skipped } = tryOut(prepared, values, day, months)
  const [bill] = drawn ?? []
  if (!bill)
    return {
      good: false,
      message: skipped?.detail ?? `算不出金额：${skipReason.rows[skipped?.reason ?? 'amountZero'][1]}`,
    }
  return { good: true, amount: bill.amount, exact: bill.snapshot.exact, sentence: sentence(bill.snapshot) }
}

export const trialHandlers = [
  reads(standardParameters, async (q, { db, scope, today }) => {
    const x = await found(db, scope, q, today)
    return lacking(x.prepared, x.version, asksOf(x.prepared, x.version, x.labels))
  }),
  reads(testParameters, async (q, { db, scope, today }) => {
    const x = await found(db, scope, q, today)
    return asksOf(x.prepared, x.version, x.labels)
  }),
  reads(testStandard, async ({ day, months, values, ...q }, { db, scope, today }) =>
    told(await found(db, scope, q, day ?? today), byName(values), day ?? today, months ?? 1),
  ),
  reads(standardFee, async ({ id, roomId, quantity, day = '' }, { db, scope, today }) => {
    const on = day || today
    const x = await found(db, scope, { id }, on)
    const { formulaType } = x.prepared.standard
    const r = roomId === undefined ? undefined : await need(db, room, scope, roomId)
    const areas = r && (await areasOfRooms(db, scope.ownerId, [r.id], on)).get(r.id)
    const asked = new Set(asksOf(x.prepared, x.version, x.labels).map(a => a.name))
    const all = {
      建筑面积: areas?.buildArea,
      套内面积: areas?.innerArea,
      计费面积: areas?.chargeArea ?? areas?.buildArea,
      楼层: r && String(r.floorNum),
      户人数: r && String(r.people),
      系数: x.version?.params?.系数 ?? areas?.feeRatio,
      'A[收费系数]': areas?.feeRatio,
      数量: quantity,
      用量: quantity,
    } as Record<string, Dec | undefined>
    return {
      formulaType,
      ...told(
        x,
        Object.fromEntries(Object.entries(all).filter(([k, v]) => v !== undefined && asked.has(k))) as Record<
          string,
          Dec
        >,
        on,
        x.prepared.standard.cycle.months,
      ),
    }
  }),
]
