import { useState } from 'react'
import type { Actions } from '#kit/web/action.tsx'
import { buildColumns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { confirmAndSend, sendAndToast } from '#kit/web/record-actions.ts'
import { getCashierView } from '#modules/payments/contract/cashier.ts'
import { getRecord } from '#modules/payments/contract/record.ts'
import type { Activity } from '../contract/activity.ts'
import {
  activitySigns,
  addSign,
  cancelSign,
  checkIn,
  exportSigns,
  undoCheckIn,
  type ActivitySign,
} from '../contract/sign.ts'
import { hasFee, unpaidMark } from '../domain/fee.ts'
import { menu } from '../module.ts'
import { cashierPath, paymentPath } from './paths.ts'

const AttendanceSheet = lazyComponent(() => import('./attendance-sheet.tsx').then(m => m.AttendanceSheet))

/** Of an activity that costs something, with what each owes and has paid. */
const columnsOf = (isCharged: boolean) =>
  buildColumns(activitySigns.list.output, [
    // With sums, its column holds the label of their line.
    { key: 'userName', identity: true, width: isCharged ? 160 : 110 },
    isCharged ? { key: 'mobile', width: 128, hidePriority: 2 } : { key: 'mobile', width: 128 },
    { key: 'roomPath', grow: 1, hidePriority: 1 },
    { key: 'personCount', width: 72 },
    ...(isCharged
      ? ([
          { key: 'feeAmount', width: 92 },
          { key: 'paidAmount', width: 92 },
          { key: 'refundDue', width: 92 },
          { key: 'payState', width: 104 },
        ] as const)
      : []),
    { key: 'waitNo', width: 88, hidePriority: 3 },
    { key: 'signTime', width: 150, hidePriority: 2 },
    { key: 'checkInTime', width: 150, hidePriority: 2 },
    { key: 'remark', width: 140, hidePriority: 3 },
    'state',
  ])

const freeColumns = columnsOf(false)
const feeColumns = columnsOf(true)

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'signed', name: '未签到', filter: { state: ['signed'] } },
  { id: 'checkedIn', name: '已签到', filter: { state: ['checkedIn'] } },
  { id: 'waiting', name: '候补', filter: { state: ['waiting'] } },
  { id: 'cancelled', name: '已取消', filter: { state: ['cancelled'] } },
]

const feeViews = [
  ...views,
  { id: 'unpaid', name: '未缴费', filter: { payState: ['unpaid'] } },
  { id: 'partlyPaid', name: '只缴了一部分', filter: { payState: ['unpaid'], paidAmountFrom: 1 } },
  { id: 'refundDue', name: '待退费', filter: { payState: ['refundDue'] } },
]

const { permissions } = menu.activity

const moneyText = ({ payState }: ActivitySign): readonly string[] => {
  if (payState === 'unpaid') return ['未缴的账单作废']
  return payState === 'paid' ? ['已缴的费用列入待退费，请到收款记录退款'] : []
}

const cancelOne = (row: ActivitySign) => {
  const { id, userName, personCount } = row
  return confirmAndSend(cancelSign, {
    actionLabel: '取消报名',
    okLabel: '取消报名',
    unit: '个报名',
    title: `取消「${userName ?? ''}」的报名`,
    consequences: [`释放 ${personCount} 个名额，由候补住户按顺序递补`, ...moneyText(row), '将通知本人'],
    reason: { presets: ['本人要求', '不符合参加条件', '重复报名'] },
    input: reason => ({ id, reason }),
    doneText: '已取消报名',
  })
}

/** Where the fee of a sign-up is taken, or goes back. */
function moneyAction(row: ActivitySign): Actions[number] {
  const { payState, recordId } = row
  if (payState === 'unpaid')
    return { label: '收款', needs: getCashierView.needs, run: () => navigateTo(cashierPath(row)) }
  return (
    payState === 'refundDue' &&
    recordId !== undefined && {
      label: '退费',
      needs: getRecord.needs,
      run: () => navigateTo(paymentPath(recordId)),
    }
  )
}

const actionsOf = (row: ActivitySign): Actions => [
  row.state === 'signed' && {
    label: '签到',
    needs: permissions.checkIn,
    run: () => sendAndToast(checkIn, { id: row.id }, `「${row.userName ?? ''}」已签到${unpaidMark(row)}`),
  },
  row.state === 'checkedIn' && {
    label: '撤销签到',
    needs: permissions.checkIn,
    run: () => sendAndToast(undoCheckIn, { id: row.id }, '已撤销签到'),
  },
  moneyAction(row),
  (row.state === 'signed' || row.state === 'waiting') && {
    label: '取消报名',
    needs: permissions.sign,
    danger: true,
    run: () => cancelOne(row),
  },
]

/** 报名: who comes, who waits, who has come. */
export function Signs({ of }: { readonly of: Activity }) {
  const [isPrinting, setPrinting] = useState(false)
  const form = useEdit({
    itemName: '报名',
    add: addSign,
    nameOf: (row: ActivitySign) => row.userName ?? '',
    groups: [{ keys: [{ key: 'userId', wide: true }, 'personCount', { key: 'remark', wide: true }] }],
    presentation: 'dialog',
    initial: { activityId: of.id, personCount: 1 },
    savedText: row =>
      `已登记「${row.userName ?? ''}」${row.state === 'waiting' ? '，名额已满，进入候补' : ''}`,
  })
  return (
    <>
      <ListPage
        embedded
        pageSize={15}
        list={activitySigns.list}
        itemName="报名"
        columns={hasFee(of) ? feeColumns : freeColumns}
        views={hasFee(of) ? feeViews : views}
        fixedFilter={{ activityId: [String(of.id)] }}
        filters={hasFee(of) ? ['state', 'payState', 'buildCode'] : ['state', 'buildCode']}
        barFilters={['buildCode']}
        export={exportSigns}
        primaryAction={of.state === 'published' ? { ...form.addAction, label: '代为报名' } : undefined}
        toolbarActions={[{ label: '打印签到表', needs: permissions.export, run: () => setPrinting(true) }]}
        rowActions={actionsOf}
        isDimmed={row => row.state === 'cancelled'}
      />
      {form.dialog}
      {isPrinting && <AttendanceSheet of={of} onDone={() => setPrinting(false)} />}
    </>
  )
}
