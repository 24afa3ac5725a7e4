import { useMemo } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { addDays, firstOfMonth } from '#kit/domain/day.ts'
import { columns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { Choice } from '#kit/web/status.tsx'
import { today } from '#kit/web/when.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { recordState } from '../contract/choices.ts'
import { listRecords, oneRecord, type PayDetail, type PayRecord } from '../contract/record.ts'
import { exportRecords, importHistory } from '../contract/transfer.ts'
import { menu } from '../module.ts'
import { seeRecord } from './places.ts'
import { RecordMore, methodsOf, recordGroups } from './record-body.tsx'
import { useRecordVerbs } from './record-verbs.tsx'

/** Who follows what prestore paid sees it and its sum. */
const shownOf = (offset: boolean) =>
  columns(listRecords.output, [
    { key: 'recordNo', identity: true, width: 116 },
    { key: 'receiptNo', width: 124, drop: 1 },
    { key: 'sourceName', width: 120, grow: 1 },
    { key: 'payerName', width: 84, grow: 1, drop: 2 },
    'recordType',
    {
      key: 'payMethod',
      ...(offset ? { width: 92, grow: 1 } : {}),
      render: r => (r.methods.length > 1 ? '组合' : undefined) ?? methodsOf(r).split(' ')[0],
      text: methodsOf,
    },
    'receivedAmount',
    { key: 'principalAmount', roomy: true, drop: 2 },
    { key: 'lateFeeAmount', roomy: true, drop: 2 },
    { key: 'changeAmount', aside: true },
    { key: 'toPrestore', aside: true },
    { key: 'prestoreAmount', aside: !offset },
    { key: 'couponAmount', aside: !offset },
    { key: 'refundedAmount', roomy: true, drop: 1 },
    'payTime',
    { key: 'cashierName', width: 84, grow: 1, roomy: true, drop: 1 },
    { key: 'printCount', aside: true },
    { key: 'isHistory', aside: true },
    'state',
  ])

const usual = shownOf(false)
const withOffset = shownOf(true)

/** 收款记录: everything that was taken, given back or deducted. */
export default function RecordsPage() {
  const navigate = useNavigate()
  const { verbs, print, dialogs } = useRecordVerbs()
  const day = today()
  const project = useProject()
  const offset = new URLSearchParams(useLocation().search).get('offset') === '1'
  const views = useMemo(
    () => [
      { id: '', name: '全部', filter: {} },
      { id: 'today', name: '今天', filter: { payDayFrom: day, payDayTo: day } },
      {
        id: 'month',
        name: '本月',
        filter: {
          payDayFrom: firstOfMonth(day),
          payDayTo: addDays(firstOfMonth(addDays(firstOfMonth(day), 32)), -1),
        },
      },
      { id: 'voided', name: '已作废', filter: { state: ['voided'] } },
      { id: 'refund', name: '退款', filter: { recordType: ['refund'] } },
      { id: 'deduction', name: '冲抵', filter: { recordType: ['deduction'] } },
    ],
    [day],
  )
  const see = (r: PayRecord): void => void navigate(seeRecord(r.id))
  return (
    <>
      <ListPage
        list={listRecords}
        what="收款记录"
        sought="流水号/收据号/缴费对象/缴费人"
        columns={offset ? withOffset : usual}
        filters={[
          'payMethod',
          'payDay',
          'recordType',
          'state',
          'cashierId',
          'buildCode',
          'receivedAmount',
          'isHistory',
          'offset',
        ]}
        bar={['payMethod', 'payDay', 'cashierId']}
        views={views}
        row={verbs}
        dim={r => r.state === 'voided'}
        export={exportRecords}
        import={project ? importHistory : undefined}
        importGiven={{ projectCode: project }}
        batch={[
          {
            label: '打印收据',
            may: menu.record.may.print,
            why: t => (t.count > 200 ? '一次最多打印 200 张' : undefined),
            run: t => print(t.ids.map(Number)),
          },
        ]}
        drawer={{
          title: r => r.receiptNo ?? r.recordNo,
          width: 880,
          status: r => <Choice of={recordState} value={r.state} />,
          one: oneRecord as never,
          groups: recordGroups,
          more: r => (
            <RecordMore of={r} details={(r as PayRecord & { details: readonly PayDetail[] }).details} />
          ),
          history: 'payRecord',
          page: see,
          verbs: r => [...verbs(r), { label: '查看详情', run: () => see(r) }],
        }}
      />
      {dialogs}
    </>
  )
}
