import { PrinterOutlined } from '@ant-design/icons'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { act, tellDone } from '#kit/web/acts.ts'
import { columns } from '#kit/web/columns.tsx'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { useSend } from '#kit/web/query.ts'
import { Choice } from '#kit/web/status.tsx'
import { toast } from '#kit/web/toast.ts'
import type { Verb } from '#kit/web/verb.tsx'
import { urgeState } from '../contract/choices.ts'
import { feeNotice, type FeeNotice } from '../contract/notice.ts'
import { listNotices, noteNotice, noticeFilters, printLetters, resendNotices } from '../contract/urge.ts'
import { menu } from '../module.ts'
import { openPrint } from './print.ts'
import './bills.css'

const { may } = menu.notice
const levelWords = (level: number): string => (level ? `第 ${level} 级` : '到期前')

const shown = columns(listNotices.output, [
  { key: 'sourceName', title: '房号', identity: true, width: 110 },
  { key: 'payerName', width: 80 },
  { key: 'payerMobile', roomy: true },
  'channel',
  {
    key: 'level',
    title: '级别',
    width: 64,
    align: 'left',
    text: n => levelWords(n.level),
    render: n => levelWords(n.level),
  },
  { key: 'billCount', roomy: true },
  { key: 'totalAmount', strong: true },
  { key: 'content', grow: 1, drop: 1 },
  { key: 'createTime', title: '登记时间' },
  { key: 'sendTime', roomy: true },
  { key: 'promiseDate', title: '承诺日', drop: 2 },
  'state',
  { key: 'failReason', aside: true },
  { key: 'remark', aside: true },
])

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'wait', name: '待发', filter: { state: ['queued', 'sending'] } },
  { id: 'failed', name: '失败', filter: { state: ['failed'] } },
  { id: 'none', name: '无联系方式', filter: { state: ['noContact'] } },
  { id: 'promised', name: '有承诺', filter: { promiseDateFrom: '2000-01-01' } },
  { id: 'hand', name: '电话与上门', filter: { channel: ['phone', 'visit'] } },
  { id: 'letter', name: '书面催缴函', filter: { channel: ['letter', 'lawyer'] } },
]

/** A demand over several objects has no name that a bill is called by: they are found by who owes them. */
const soughtBy = (n: FeeNotice): string =>
  n.sourceName.includes('、') || n.sourceName.includes('…')
    ? (n.payerName ?? n.sourceName.split('、')[0]!)
    : n.sourceName

const noteGroups = [
  {
    keys: [
      { key: 'promiseDate', help: '清空即取消承诺' },
      { key: 'remark', wide: true },
    ],
  },
]

function NoteDialog({ of, onClose }: { readonly of: FeeNotice; readonly onClose: () => void }) {
  const go = useSend(noteNotice, { quiet: true })
  const initial = useMemo(
    () => ({ id: of.id, version: of.version, promiseDate: of.promiseDate, remark: of.remark }),
    [of],
  )
  return (
    <EditDialog
      of={noteNotice.input}
      title={`登记结果「${of.sourceName}」`}
      groups={noteGroups}
      initial={initial as never}
      words="登记"
      as="dialog"
      save={v =>
        go.mutateAsync({
          ...v,
          id: of.id,
          version: of.version,
          ...(v.promiseDate === undefined && of.promiseDate !== undefined ? { clearPromise: true } : {}),
          ...(!v.remark && of.remark ? { clearRemark: true } : {}),
        })
      }
      onClose={onClose}
      onDone={() => {
        toast.success('已登记')
        onClose()
      }}
    />
  )
}

const resend = async (ids: readonly string[]): Promise<boolean> => {
  tellDone(await act(resendNotices, { ids }), '')
  return true
}

const letters = (ids: readonly string[]): void => openPrint(printLetters, { ids })

/** Who was asked to pay, how, and what came of it (URG). */
export default function DemandPage() {
  const navigate = useNavigate()
  const [noting, setNoting] = useState<FeeNotice>()
  const verbs = (n: FeeNotice): Verb[] => [
    { label: '登记结果', may: may.urge, run: () => setNoting(n) },
    ...(n.state === 'failed' ? [{ label: '重发', may: may.urge, run: () => resend([String(n.id)]) }] : []),
    { label: '打印催缴函', may: may.letter, run: () => letters([String(n.id)]) },
    {
      label: '看账单',
      may: menu.bill.may.view,
      run: () =>
        void navigate(`/finance/chargemanage/unpaidbills?keyword=${encodeURIComponent(soughtBy(n))}`),
    },
  ]
  return (
    <>
      <ListPage
        list={listNotices}
        what="催缴"
        columns={shown}
        filters={[...noticeFilters]}
        bar={['buildCode', 'channel', 'level']}
        views={views}
        primary={{
          label: '去催缴',
          may: may.urge,
          run: () => void navigate('/finance/chargemanage/unpaidbills'),
        }}
        row={verbs}
        batch={[
          { label: '打印催缴函', icon: <PrinterOutlined />, may: may.letter, run: t => letters(t.ids) },
          { label: '重发', may: may.urge, run: t => resend(t.ids) },
        ]}
        drawer={{
          title: n => n.sourceName,
          status: n => <Choice of={urgeState} value={n.state} />,
          groups: [
            {
              title: '催缴',
              keys: [
                'payerName',
                'payerMobile',
                'channel',
                { key: 'level', show: (n: FeeNotice) => levelWords(n.level) },
                'billCount',
                'totalAmount',
                'createTime',
                'sendTime',
                'promiseDate',
                'failReason',
                { key: 'content', wide: true },
                'remark',
              ],
            },
          ],
          history: feeNotice.name,
          verbs,
        }}
      />
      {noting && <NoteDialog of={noting} onClose={() => setNoting(undefined)} />}
    </>
  )
}
