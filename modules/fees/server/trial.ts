import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Decimal } from '#kit/contract/field.ts'
import { invalidField } from '#kit/contract/wire.ts'
import type { Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds, requireById } from '#kit/server/table.ts'
import { room } from '#modules/rooms/contract/room.ts'
import { findRoomAreas } from '#modules/rooms/server/public.ts'
import { skipReason } from '../contract/choices.ts'
import { feeFormula, type FeeFormula } from '../contract/formula.ts'
import { feeStandard } from '../contract/standard.ts'
import {
  calculateStandardFee,
  listStandardParameters,
  listTestParameters,
  testStandard,
} from '../contract/trial.ts'
import { prepareFormula, toValuesByName } from '../domain/definition-rules.ts'
import { findFormulaFault } from '../domain/formula/formula.ts'
import type { PreparedStandard } from '../domain/standard.ts'
import { explainAmount } from '../domain/amount-explanation.ts'
import { listTrialParameters, findMissingParameters, runTrial } from '../domain/trial.ts'
import { versionOn, type PriceVersion } from '../domain/version.ts'
import { loadChargeableStandards } from './chargeable-standards.ts'

interface TrialTarget {
  readonly id?: Id
  readonly formulaId?: Id
  readonly expression?: string
  readonly parameters?: readonly string[]
}

interface TrialSubject {
  readonly prepared: PreparedStandard
  readonly version: PriceVersion | undefined
  readonly labels: ReadonlyMap<string, { label?: string | undefined; required: boolean }>
  readonly name?: string
}

const labelParameters = (f: Pick<FeeFormula, 'parameters'>): TrialSubject['labels'] =>
  new Map(f.parameters?.map(p => [p.name, { label: p.label, required: p.required ?? true }]))

async function loadTrialSubject(db: Db, scope: Scope, target: TrialTarget, day: Day): Promise<TrialSubject> {
  if (target.expression !== undefined)
    return {
      prepared: prepareFormula({
        formulaType: 'custom',
        expression: target.expression,
        parameters: target.parameters?.map(name => ({ name, required: true })),
      }),
      version: undefined,
      labels: new Map(target.parameters?.map(p => [p, { required: true }])),
    }
  if (target.id !== undefined) {
    const standard = await requireById(db, feeStandard, scope, target.id)
    const draft = defined(
      (await loadChargeableStandards(db, scope.ownerId, { ids: [standard.id] })).get(standard.id),
    )
    const last = draft.prepared.standard.versions
    return {
      prepared: draft.prepared,
      version: versionOn(last, day) ?? last[0],
      labels: labelParameters(draft.formula),
      name: standard.name,
    }
  }
  if (target.formulaId === undefined) throw invalidField('StandardID', '请选择要试算的标准或公式')
  const [f] = await findByIds(db, feeFormula, scope, [target.formulaId])
  if (!f) throw invalidField('FormulaID', '公式不存在，请重新选择')
  return { prepared: prepareFormula(f), version: undefined, labels: labelParameters(f), name: f.name }
}

const noTrialMessages: Readonly<Partial<Record<string, string>>> = {
  share: '公摊的金额由公摊池分得，请到“公摊”里预览',
  imported: '动态金额由导入或手工填写，不计算',
  times: '按次的金额 = 单价 × 次数，下单时计算',
}

/** Computes an amount and explains it; a fault or a missing value is a result, not a refusal. */
function runAndDescribe(subject: TrialSubject, values: Record<string, Decimal>, day: Day, months: number) {
  const { prepared: standard } = subject
  const noTrialMessage = noTrialMessages[standard.standard.formulaType]
  if (noTrialMessage && standard.standard.formulaType !== 'times')
    return { isComputed: false, message: noTrialMessage }
  if (standard.fault) {
    const fault = findFormulaFault(standard.standard.expression ?? '', standard.standard.parameters)
    return {
      isComputed: false,
      message: standard.fault,
      ...(fault ? { at: fault.at, length: fault.length, ...(fault.fix ? { fix: fault.fix } : {}) } : {}),
    }
  }
  const parameters = listTrialParameters(standard, subject.version, subject.labels)
  const missing = parameters.filter(
    a =>
      a.required &&
      values[a.name] === undefined &&
      ((a.name === '单价' || a.name === '金额' ? subject.version?.price : undefined) ??
        subject.version?.params?.[a.name]) === undefined,
  )
  if (missing.length)
    return {
      isComputed: false,
      message: `还缺 ${missing.map(a => `“${a.name}”`).join('、')}`,
      missing: missing.map(a => a.name),
    }
  const prepared =
    standard.standard.formulaType === 'times'
      ? prepareFormula(
          { formulaType: 'quantity' },
          {
            ...standard.standard,
            formulaType: 'quantity',
            quantityKind: 'manual',
            cycle: { type: 'once', months: 1, alignYear: false },
          },
        )
      : standard
  const { drawn, skipped } = runTrial(prepared, values, day, months)
  const [bill] = drawn ?? []
  if (!bill)
    return {
      isComputed: false,
      message: skipped?.detail ?? `金额无法计算：${skipReason.rows[skipped?.reason ?? 'amountZero'][1]}`,
    }
  return {
    isComputed: true,
    amount: bill.amount,
    exact: bill.snapshot.exact,
    sentence: explainAmount(bill.snapshot),
  }
}

export const trialHandlers = [
  reads(listStandardParameters, async (q, { db, scope, today }) => {
    const x = await loadTrialSubject(db, scope, q, today)
    return findMissingParameters(x.prepared, x.version, listTrialParameters(x.prepared, x.version, x.labels))
  }),
  reads(listTestParameters, async (q, { db, scope, today }) => {
    const x = await loadTrialSubject(db, scope, q, today)
    return listTrialParameters(x.prepared, x.version, x.labels)
  }),
  reads(testStandard, async ({ day, months, values, ...query }, { db, scope, today }) =>
    runAndDescribe(
      await loadTrialSubject(db, scope, query, day ?? today),
      toValuesByName(values),
      day ?? today,
      months ?? 1,
    ),
  ),
  reads(calculateStandardFee, async ({ id, roomId, quantity, day }, { db, scope, today }) => {
    const on = day ?? today
    const subject = await loadTrialSubject(db, scope, { id }, on)
    const { formulaType } = subject.prepared.standard
    const chosenRoom = roomId === undefined ? undefined : await requireById(db, room, scope, roomId)
    const areas =
      chosenRoom && (await findRoomAreas(db, scope.ownerId, [chosenRoom.id], on)).get(chosenRoom.id)
    const requested = new Set(
      listTrialParameters(subject.prepared, subject.version, subject.labels).map(a => a.name),
    )
    const known: Readonly<Record<string, Decimal | undefined>> = {
      建筑面积: areas?.buildArea,
      套内面积: areas?.innerArea,
      计费面积: areas?.chargeArea ?? areas?.buildArea,
      楼层: chosenRoom && String(chosenRoom.floorNum),
      户人数: chosenRoom && String(chosenRoom.people),
      系数: subject.version?.params?.系数 ?? areas?.feeRatio,
      'A[收费系数]': areas?.feeRatio,
      数量: quantity,
      用量: quantity,
    }
    return {
      formulaType,
      ...runAndDescribe(
        subject,
        Object.fromEntries(
          Object.entries(known).flatMap(([name, value]) =>
            value !== undefined && requested.has(name) ? [[name, value]] : [],
          ),
        ),
        on,
        subject.prepared.standard.cycle.months,
      ),
    }
  }),
]
