import { ImportOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { labelOf } from '#kit/contract/field.ts'
import { addDays } from '#kit/domain/day.ts'
import { act } from '#kit/web/acts.ts'
import { columns } from '#kit/web/columns.tsx'
import type { Group } from '#kit/web/detail/detail-panel.tsx'
import { count } from '#kit/web/figure.tsx'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { Choice } from '#kit/web/status.tsx'
import { toast } from '#kit/web/toast.ts'
import { today } from '#kit/web/when.ts'
import type { Verbs } from '#kit/web/verb.tsx'
import { channel } from '#modules/payments/contract/choices.ts'
import { listBills, pullBill, type ChannelBill } from '../contract/bill.ts'
import { billState } from '../contract/choices.ts'
import { menu } from '../module.ts'
import { ImportBill } from './import-bill.tsx'
import { seeDay } from './places.ts'
import './reconcile.css'

const shown = columns(listBills.output, [
  { key: 'checkDate', identity: true, width: 112 },
  'channel',
  { key: 'localCount', roomy: true },
  'localAmount',
  'localRefund',
  { key: 'channelCount', roomy: true },
  'channelAmount',
  'channelRefund',
  'diffCount',
  'openCount',
  'state',
  { key: 'failReason', width: 140, grow: 1 },
  { key: 'source', roomy: true },
  { key: 'pullTime', drop: 1 },
  { key: 'operatorName', roomy: true },
])

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'open', name: '有差异', filter: { state: ['different'] } },
  { id: 'none', name: '没有账单', filter: { state: ['waiting', 'failed'] } },
  { id: 'same', name: '已平', filter: { state: ['same'] } },
]

const groups = [{ keys: ['checkDate', 'channel'] }]

/** Ours on the left, the channel's on the right. */
const sides: readonly Group<ChannelBill>[] = [
  {
    title: '两边合计',
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
  { title: '账单来源', keys: ['source', 'pullTime', 'operatorName', { key: 'failReason', wide: true }] },
]

/** After a bill has come: what it says. */
export const told = (b: ChannelBill): void => {
  ;(b.openCount ? toast.warning : toast.success)(
    b.openCount
      ? `${b.checkDate} 有 ${count(b.openCount)} 笔差异待处理`
      : `${b.checkDate} 已平，渠道 ${count(b.channelCount)} 笔`,
  )
}

/** 渠道对账 (CLO-5): by channel and day, both sides' figures. */
export default function ReconcilePage() {
  const navigate = useNavigate()
  const [asking, ask] = useState<'pull' | 'import'>()
  const initial = { checkDate: addDays(today(), -1) }
  const close = (): void => ask(undefined)
  const verbs = (b: ChannelBill): Verbs => [
    { label: '查看', run: () => navigate(seeDay(b.id)) },
    {
      label: b.pullTime ? '重新拉取' : '拉取',
      may: menu.reconcile.may.pull,
      run: async () => told(await act(pullBill, { checkDate: b.checkDate, channel: b.channel })),
    },
  ]
  return (
    <>
      <ListPage
        list={listBills}
        what="对账"
        columns={shown}
        views={views}
        bar={['checkDate', 'channel']}
        filters={['checkDate', 'channel', 'state', 'source', 'diffCount', 'openCount']}
        row={verbs}
        tools={[
          {
            label: '导入账单',
            icon: <ImportOutlined />,
            may: menu.reconcile.may.import,
            run: () => ask('import'),
          },
        ]}
        primary={{ label: '拉取账单', may: menu.reconcile.may.pull, run: () => ask('pull') }}
        drawer={{
          title: b => `${labelOf(channel, b.channel)} ${b.checkDate}`,
          status: b => <Choice of={billState} value={b.state} />,
          groups: sides,
          page: b => void navigate(seeDay(b.id)),
        }}
      />
      {asking === 'pull' && (
        <EditDialog
          of={pullBill.input}
          as="dialog"
          title="拉取渠道账单"
          groups={groups}
          initial={initial}
          words="拉取并核对"
          below={() => <p className="rec-hint">渠道在次日上午生成账单；再拉取同一天不会重复。</p>}
          save={v => act(pullBill, v, { quiet: true })}
          onClose={close}
          onDone={b => {
            told(b as ChannelBill)
            close()
          }}
        />
      )}
      {asking === 'import' && (
        <ImportBill
          initial={initial}
          onClose={close}
          onDone={b => {
            told(b)
            close()
            void navigate(seeDay(b.id))
          }}
        />
      )}
    </>
  )
}
