import type { Id } from '#kit/domain/id.ts'
import {
  editRelation,
  endRelations,
  resumeRelations,
  stopRelations,
} from '#modules/fees/contract/relation-calls.ts'
import { replaceMeter } from '#modules/meters/contract/meter-calls.ts'
import { addReading, deleteReadings, editReading } from '#modules/meters/contract/reading.ts'
import { createOrder } from '#modules/payments/contract/order.ts'
import { payBills } from '#modules/payments/contract/payment.ts'
import { voidRecord } from '#modules/payments/contract/record.ts'
import { requestRefund } from '#modules/payments/contract/refund.ts'
import { deductRooms } from '#modules/prestore/contract/account.ts'
import {
  abolishBills,
  deleteBills,
  recoverBills,
  reverseWriteOff,
  writeOffBills,
} from '../contract/actions.ts'
import {
  changePayer,
  markBills,
  mergeBill,
  setDiscount,
  setLateFee,
  splitBill,
} from '../contract/adjustments.ts'
import { generateMeterBills } from '../contract/meter-fee.ts'
import { repriceBills } from '../contract/reprice.ts'
import { undoRun } from '../contract/run.ts'
import { addPreFee } from '../contract/temporary.ts'
import { refreshLateFees } from './late-fee-refresh.ts'
import type { ActionCase, Scene } from './action-stage.fixtures.ts'
import { byIds, owedAmount, payInCash, reason, today, type StageContext } from './stage-context.fixtures.ts'

/**
 * Everything that changes the state of a bill, its reading or its relation, each with the state it begins in.
 */
export function createActionCases({
  t,
  ownerId,
  project,
  fee,
  water,
  payerId,
  generate,
}: StageContext): Readonly<Record<string, ActionCase>> {
  const withReason = (id: Id, fields: object) => ({ id, reason, ...fields })
  const read = (s: Scene, curNum: string, readDate: string) => ({
    meterId: s.meter,
    readDate,
    curNum,
    month: readDate.slice(0, 7),
    reason,
  })
  return {
    generate: { from: 'abolished', run: s => () => generate(fee.standardId, s.room) },
    prepay: { from: 'open', run: s => [addPreFee, { relationIds: [String(s.relation)], count: 1 }] },
    discount: { from: 'open', run: s => [setDiscount, { ...byIds(s.bill), kind: 'amount', amount: 1000 }] },
    waive: { from: 'open', run: s => [setLateFee, { ...byIds(s.bill), kind: 'waive', amount: 50 }] },
    fix: { from: 'open', run: s => [setLateFee, { ...byIds(s.bill), kind: 'fix', amount: 300 }] },
    split: { from: 'open', run: s => [splitBill, withReason(s.bill, { on: '2026-10-16' })] },
    merge: { from: 'split', run: s => [mergeBill, withReason(s.bill, {})] },
    payer: {
      from: 'open',
      run: s => [changePayer, { ...byIds(s.bill), payerKind: 'resident', payerId }],
    },
    mark: { from: 'open', run: s => [markBills, { ids: [String(s.bill)], disputed: true }] },
    writeOff: { from: 'open', run: s => [writeOffBills, byIds(s.bill)] },
    reverse: { from: 'off', run: s => [reverseWriteOff, byIds(s.bill)] },
    abolish: { from: 'open', run: s => [abolishBills, byIds(s.bill)] },
    abolishAll: { from: 'open', run: s => [abolishBills, byIds(...s.bills.toReversed())] },
    recover: { from: 'abolished', run: s => [recoverBills, { ...byIds(s.bill), resetDue: false }] },
    erase: { from: 'open', run: s => [deleteBills, byIds(s.bill)] },
    reprice: { from: 'open', run: s => [repriceBills, byIds(...s.bills)] },
    undo: { from: 'open', run: s => [undoRun, { id: s.batch, onlyUnpaid: true, reason }] },
    pay: { from: 'open', run: s => payInCash(project, s, owedAmount) },
    payPart: {
      from: 'open',
      run: s => [
        payBills,
        {
          projectCode: project,
          billIds: [String(s.bill)],
          expectAmount: owedAmount,
          methods: [{ method: 'cash', amount: 4000 }],
        },
      ],
    },
    deduct: { from: 'open', run: s => [deductRooms, { projectCode: project, roomCodes: [s.room.code] }] },
    order: {
      from: 'open',
      run: s => [createOrder, { projectCode: project, billIds: [String(s.bill)], expectAmount: owedAmount }],
    },
    void: { from: 'paid', run: s => [voidRecord, { id: s.record ?? 0, reason }] },
    refund: {
      from: 'paid',
      run: s => [
        requestRefund,
        {
          recordId: s.record ?? 0,
          lines: [{ detailId: s.detail ?? 0, principal: 10_000, late: 105 }],
          refundWay: 'cash',
          billAfter: 'owed',
          reason,
        },
      ],
    },
    refundAbolished: {
      from: 'paid',
      run: s => [
        requestRefund,
        {
          recordId: s.record ?? 0,
          lines: [{ detailId: s.detail ?? 0, principal: 10_000, late: 105 }],
          refundWay: 'prestore',
          billAfter: 'abolished',
          reason,
        },
      ],
    },
    end: {
      from: 'open',
      run: s => [endRelations, { ids: [String(s.relation)], endDate: '2026-10-15', reason }],
    },
    stop: { from: 'open', run: s => [stopRelations, { ids: [String(s.relation)], reason }] },
    resume: {
      from: 'stopped',
      run: s => [resumeRelations, { ids: [String(s.relation)], resumeMode: 'onwards' }],
    },
    relation: {
      from: 'open',
      run: s => [
        editRelation,
        {
          id: s.relation,
          projectCode: project,
          sourceType: 'room',
          sourceCode: s.room.code,
          standardId: fee.standardId,
          beginDate: '2026-09-01',
          endDate: '2026-10-31',
          remark: reason,
        },
      ],
    },
    night: { from: 'open', run: () => () => refreshLateFees(t.database, ownerId, today) },
    bill: {
      from: 'waiting',
      run: s => [generateMeterBills, { projectCode: project, readingIds: [String(s.reading)] }],
    },
    meterRun: { from: 'waiting', run: s => () => generate(water.standardId, s.room) },
    putRight: {
      from: 'waiting',
      run: s => [editReading, { ...read(s, '30', '2026-10-20'), id: s.reading }],
    },
    unread: { from: 'waiting', run: s => [deleteReadings, byIds(s.reading ?? 0)] },
    readNext: { from: 'waiting', run: s => [addReading, read(s, '55', '2026-11-20')] },
    replace: {
      from: 'waiting',
      run: s => [
        replaceMeter,
        {
          meterId: s.meter,
          oldEndNum: '40',
          newMeterNo: `N${s.meter}`,
          newInitNum: '0',
          newMultiple: '1',
          replaceDate: '2026-11-01',
          reason,
        },
      ],
    },
    abolished: { from: 'metered', run: s => [abolishBills, byIds(s.bill)] },
    halved: { from: 'metered', run: s => [splitBill, withReason(s.bill, { amount: 3000 })] },
    readOn: { from: 'metered', run: s => [addReading, read(s, '55', '2026-11-20')] },
    putWrong: {
      from: 'metered',
      run: s => [editReading, { ...read(s, '30', '2026-10-20'), id: s.reading }],
    },
    replaced: {
      from: 'metered',
      run: s => [
        replaceMeter,
        {
          meterId: s.meter,
          oldEndNum: '40',
          newMeterNo: `N${s.meter}`,
          newInitNum: '0',
          newMultiple: '1',
          replaceDate: '2026-11-01',
          reason,
        },
      ],
    },
    rerun: { from: 'metered', run: s => () => generate(water.standardId, s.room) },
  }
}
