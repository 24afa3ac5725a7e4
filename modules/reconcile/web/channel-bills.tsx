import { ImportOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { labelOf } from '#kit/contract/field.ts'
import { addDays } from '#kit/domain/day.ts'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import type { DetailGroup } from '#kit/web/detail/detail-panel.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { toast } from '#kit/web/toast.ts'
import { today } from '#kit/web/date-format.ts'
import type { Actions } from '#kit/web/action.tsx'
import { channel } from '#modules/payments/contract/choices.ts'
import { listChannelBills, pullChannelBill, type ChannelBill } from '../contract/channel-bill.ts'
import { menu, reconcileDayPath } from '../module.ts'
import { BillState, billStateLabel } from './bill-state.tsx'
import { ImportBillDialog } from './import-bill-dialog.tsx'
import './reconcile.css'

const listColumns = buildColumns(listChannelBills.output, [
  { key: 'checkDate', identity: true, width: 112 },
  'channel',
  { key: 'localCount', wideOnly: true },
  'localAmount',
  'localRefund',
  { key: 'channelCount', wideOnly: true },
  'channelAmount',
  'channelRefund',
  'diffCount',
  'openCount',
  { key: 'state', width: 124, render: b => <BillState bill={b} />, text: billStateLabel },
  { key: 'failReason', width: 140, grow: 1 },
  { key: 'source', wideOnly: true },
  { key: 'pullTime', hidePriority: 1 },
  { key: 'operatorName', wideOnly: true },
])

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'open', name: '有差异', filter: { state: ['different'] } },
  { id: 'none', name: '账单未到', filter: { state: ['waiting', 'failed'] } },
  { id: 'same', name: '已平', filter: { state: ['same'] } },
]

const groups = [{ keys: ['checkDate', 'channel'] }]

/** Our records on the left, the channel's on the right. */
const sideGroups: readonly DetailGroup<ChannelBill>[] = [
  {
    title: '双方合计',
    keys: [
      'localCount',
      'channelCount',
      'localAmount',
      'channelAmount',
      'localRefund',
      'channelRefund',
      'diffCount',
      'openCount',
    ],
  },
  { title: '账单来源', keys: ['source', 'pullTime', 'operatorName', 'failReason'] },
]

/** After a bill has come: what it says. */
export const toastBillResult = (bill: ChannelBill): void => {
  ;(bill.openCount ? toast.warning : toast.success)(
    bill.openCount
      ? `${bill.checkDate} 有 ${formatCount(bill.openCount)} 笔差异待处理`
      : `${bill.checkDate} ${billStateLabel(bill)}，渠道 ${formatCount(bill.channelCount)} 笔`,
  )
}

/** 渠道对账 (CLO-5): by channel and day, both sides' figures. */
export default function ChannelBillsPage() {
  const navigate = useNavigate()
  const [openDialog, setOpenDialog] = useState<'pull' | 'import'>()
  const initial = { checkDate: addDays(today(), -1) }
  const close = (): void => setOpenDialog(undefined)
  const rowActions = (bill: ChannelBill): Actions => [
    { label: '查看', run: () => navigate(reconcileDayPath(bill.id)) },
    {
      label: bill.pullTime ? '重新获取' : '获取',
      needs: menu.reconcile.permissions.pull,
      run: async () =>
        toastBillResult(
          await sendAndInvalidate(pullChannelBill, { checkDate: bill.checkDate, channel: bill.channel }),
        ),
    },
  ]
  return (
    <>
      <ListPage
        list={listChannelBills}
        itemName="对账"
        columns={listColumns}
        views={views}
        barFilters={['checkDate', 'channel']}
        filters={['checkDate', 'channel', 'state', 'source', 'diffCount', 'openCount']}
        rowActions={rowActions}
        toolbarActions={[
          {
            label: '导入账单',
            icon: <ImportOutlined />,
            needs: menu.reconcile.permissions.import,
            run: () => setOpenDialog('import'),
          },
        ]}
        primaryAction={{
          label: '获取渠道账单',
          needs: menu.reconcile.permissions.pull,
          run: () => setOpenDialog('pull'),
        }}
        drawer={{
          title: b => `${labelOf(channel, b.channel)} ${b.checkDate}`,
          status: b => <BillState bill={b} />,
          groups: sideGroups,
          openAsPage: b => void navigate(reconcileDayPath(b.id)),
        }}
      />
      {openDialog === 'pull' && (
        <EditDialog
          shape={pullChannelBill.input}
          draftKey={undefined}
          presentation="dialog"
          title="获取渠道账单"
          groups={groups}
          initial={initial}
          submitLabel="获取并核对"
          below={() => <p className="rec-hint">渠道在次日上午生成账单；再次获取同一天不会重复。</p>}
          save={v => sendAndInvalidate(pullChannelBill, v, { quiet: true })}
          onClose={close}
          onDone={b => {
            toastBillResult(b)
            close()
          }}
        />
      )}
      {openDialog === 'import' && (
        <ImportBillDialog
          initial={initial}
          onClose={close}
          onDone={b => {
            toastBillResult(b)
            close()
            void navigate(reconcileDayPath(b.id))
          }}
        />
      )}
    </>
  )
}
