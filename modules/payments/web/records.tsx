import { parseId } from '#kit/domain/id.ts'
import { useMemo } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { addDays, firstOfMonth } from '#kit/domain/day.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { displayYuan } from '#kit/web/numbers.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { today } from '#kit/web/date-format.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { recordState } from '../contract/choices.ts'
import { listRecords, getRecord, type PayRecord } from '../contract/record.ts'
import { exportRecords, importHistory } from '../contract/import-export.ts'
import { keptMoney } from '../domain/tender-sums.ts'
import { menu } from '../module.ts'
import { recordPath } from './paths.ts'
import { describeMethod, formatMethods, isMixed } from './format-methods.ts'
import { RecordDetails, recordGroups } from './record-sections.tsx'
import { useRecordActions } from './record-actions.tsx'

/** The drawer loads the record with its details; the list's rows have none. */
const hasDetails = (r: PayRecord): r is PayRecord & NonNullable<typeof getRecord.output.T> => 'details' in r

/** A filter by method counts a mixed payment in part: beside 组合 stands what the whole brought. */
const describeWithWhole = (record: PayRecord): string =>
  isMixed(record)
    ? `组合，共 ${displayYuan(keptMoney(record.methods, record.changeAmount))}`
    : describeMethod(record)

/** A user who opens what prestore paid sees it and its sum. */
const columnsFor = (offset: boolean, isByMethod: boolean) =>
  buildColumns(listRecords.output, [
    { key: 'recordNo', identity: true, width: 150 },
    { key: 'receiptNo', width: 124, hidePriority: 1 },
    { key: 'sourceName', width: 120, grow: 1 },
    { key: 'payerName', width: 84, grow: 1, hidePriority: 2 },
    'recordType',
    {
      key: 'payMethod',
      ...(isByMethod ? { width: 132, grow: 1 } : offset ? { width: 92, grow: 1 } : {}),
      render: isByMethod ? describeWithWhole : describeMethod,
      text: formatMethods,
    },
    'receivedAmount',
    { key: 'principalAmount', wideOnly: true, hidePriority: 2 },
    { key: 'lateFeeAmount', wideOnly: true, hidePriority: 2 },
    { key: 'toPrestore', hiddenByDefault: true },
    { key: 'prestoreAmount', hiddenByDefault: !offset },
    { key: 'couponAmount', hiddenByDefault: !offset },
    { key: 'refundedAmount', wideOnly: true, hidePriority: 1 },
    'payTime',
    { key: 'cashierName', width: 84, grow: 1, wideOnly: true, hidePriority: 1 },
    { key: 'printCount', hiddenByDefault: true },
    { key: 'isHistory', hiddenByDefault: true },
    'state',
  ])

/** 收款记录: everything that was taken, refunded or deducted. */
export default function RecordsPage() {
  const navigate = useNavigate()
  const { rowActions, print, dialogs } = useRecordActions()
  const day = today()
  const project = useProject()
  const params = new URLSearchParams(useLocation().search)
  const offset = params.get('offset') === '1'
  const isByMethod = params.has('payMethod')
  const columns = useMemo(() => columnsFor(offset, isByMethod), [offset, isByMethod])
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
  const openRecord = (r: PayRecord): void => void navigate(recordPath(r.id))
  return (
    <>
      <ListPage
        list={listRecords}
        itemName="收款记录"
        keywordPlaceholder="流水号/收据号/收费对象/缴费人"
        columns={columns}
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
        barFilters={['payMethod', 'payDay', 'cashierId']}
        views={views}
        rowActions={rowActions}
        export={exportRecords}
        import={project ? importHistory : undefined}
        importInput={{ projectCode: project }}
        batchActions={[
          {
            label: '打印收据',
            needs: menu.record.permissions.print,
            disabledReason: t => (t.count > 200 ? '一次最多打印 200 张' : undefined),
            run: t => print(t.ids.map(parseId)),
          },
        ]}
        drawer={{
          title: r => r.receiptNo ?? r.recordNo,
          width: 880,
          status: r => <ChoiceStatus choices={recordState} value={r.state} />,
          loadCall: getRecord,
          groups: recordGroups,
          afterGroups: r => hasDetails(r) && <RecordDetails of={r} details={r.details} />,
          historyEntity: 'payRecord',
          openAsPage: openRecord,
          actions: r => [...rowActions(r), { label: '查看详情', run: () => openRecord(r) }],
        }}
      />
      {dialogs}
    </>
  )
}
