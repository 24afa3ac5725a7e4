import { paths } from './paths.ts'
import { defined } from '#kit/domain/defined.ts'
import { PrinterOutlined } from '@ant-design/icons'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { sendAndInvalidate, toastResult } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { EditDialog } from '#kit/web/form/use-edit.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { useSend } from '#kit/web/query.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { toast } from '#kit/web/toast.ts'
import type { Action } from '#kit/web/action.tsx'
import { reminderState } from '../contract/choices.ts'
import { feeNotice, type FeeNotice } from '../contract/notice.ts'
import { listNotices, recordNoticeResult, noticeFilters, resendNotices } from '../contract/reminder.ts'
import { menu } from '../module.ts'
import { confirmPrinted, printLetters } from './print-letters.ts'
import './bills.css'

const { permissions } = menu.notice
const levelLabel = (level: number): string => (level ? `第 ${level} 级` : '到期前')

const listColumns = buildColumns(listNotices.output, [
  { key: 'sourceName', identity: true, width: 110 },
  { key: 'payerName', width: 80 },
  { key: 'payerMobile', wideOnly: true },
  'channel',
  {
    key: 'level',
    width: 64,
    align: 'left',
    text: n => levelLabel(n.level),
    render: n => levelLabel(n.level),
  },
  { key: 'billCount', wideOnly: true },
  { key: 'totalAmount', strong: true },
  { key: 'content', grow: 1, hidePriority: 1 },
  { key: 'createTime', title: '登记时间' },
  { key: 'sendTime', wideOnly: true },
  { key: 'promiseDate', hidePriority: 2 },
  'state',
  { key: 'failReason', hiddenByDefault: true },
  { key: 'remark', hiddenByDefault: true },
])

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'wait', name: '待发', filter: { state: ['queued', 'sending'] } },
  { id: 'failed', name: '失败', filter: { state: ['failed'] } },
  { id: 'none', name: '无联系方式', filter: { state: ['noContact'] } },
  { id: 'promised', name: '有承诺', filter: { promised: true } },
  { id: 'hand', name: '电话与上门', filter: { channel: ['phone', 'visit'] } },
  { id: 'letter', name: '书面催缴函', filter: { channel: ['letter', 'lawyer'] } },
]

/** A notice about several objects has no single object name: its bills are found by the payer. */
const keywordOf = (n: FeeNotice): string =>
  n.sourceName.includes('、') || n.sourceName.includes('…')
    ? (n.payerName ?? defined(n.sourceName.split('、')[0]))
    : n.sourceName

const noteGroups = [
  {
    keys: [{ key: 'promiseDate', help: '清空即取消承诺' }, 'remark'],
  },
]

function NoteDialog({ of, onClose }: { readonly of: FeeNotice; readonly onClose: () => void }) {
  const go = useSend(recordNoticeResult, { quiet: true })
  const initial = useMemo(
    () => ({ id: of.id, version: of.version, promiseDate: of.promiseDate, remark: of.remark }),
    [of],
  )
  return (
    <EditDialog
      shape={recordNoticeResult.input}
      draftKey={draftKeyOf(recordNoticeResult, of.id)}
      title={`登记结果「${of.sourceName}」`}
      groups={noteGroups}
      initial={initial}
      submitLabel="登记"
      presentation="dialog"
      save={values =>
        go.mutateAsync({
          ...values,
          id: of.id,
          version: of.version,
          ...(values.promiseDate === undefined && of.promiseDate !== undefined ? { clearPromise: true } : {}),
          ...(!values.remark && of.remark ? { clearRemark: true } : {}),
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

const resendSelected = async (ids: readonly string[]): Promise<boolean> => {
  toastResult(await sendAndInvalidate(resendNotices, { ids }), '')
  return true
}

const isWaitingLetter = (n: Pick<FeeNotice, 'channel' | 'state'>): boolean =>
  (n.channel === 'letter' || n.channel === 'lawyer') && n.state === 'queued'

const printNotices = (
  ids: readonly string[],
  list: readonly Pick<FeeNotice, 'id' | 'channel' | 'state'>[],
): Promise<boolean> =>
  printLetters(
    ids,
    list.filter(isWaitingLetter).map(n => String(n.id)),
  )

/** Reminders with their channel and result (URG). */
export default function NoticesPage() {
  const navigate = useNavigate()
  const [noting, setNoting] = useState<FeeNotice>()
  const rowActions = (notice: FeeNotice): Action[] => [
    { label: '登记结果', needs: permissions.urge, run: () => setNoting(notice) },
    ...(notice.state === 'failed'
      ? [{ label: '重发', needs: permissions.urge, run: () => resendSelected([String(notice.id)]) }]
      : []),
    {
      label: '打印催缴函',
      needs: permissions.letter,
      run: () => printNotices([String(notice.id)], [notice]),
    },
    ...(isWaitingLetter(notice)
      ? [{ label: '确认已打印', needs: permissions.letter, run: () => confirmPrinted([String(notice.id)]) }]
      : []),
    {
      label: '查看账单',
      needs: menu.bill.permissions.view,
      run: () => void navigate(`${paths.unpaid}?keyword=${encodeURIComponent(keywordOf(notice))}`),
    },
  ]
  return (
    <>
      <ListPage
        list={listNotices}
        itemName="催缴"
        columns={listColumns}
        filters={[...noticeFilters]}
        barFilters={['buildCode', 'channel', 'level']}
        views={views}
        primaryAction={{
          label: '发起催缴',
          needs: permissions.urge,
          run: () => {
            void navigate(paths.debtors)
            toast.info('请勾选要催缴的客户，再点击「发起催缴」')
          },
        }}
        rowActions={rowActions}
        batchActions={[
          {
            label: '打印催缴函',
            icon: <PrinterOutlined />,
            needs: permissions.letter,
            run: t => printNotices(t.ids, t.rows),
          },
          { label: '重发', needs: permissions.urge, run: t => resendSelected(t.ids) },
        ]}
        drawer={{
          title: n => n.sourceName,
          status: n => <ChoiceStatus choices={reminderState} value={n.state} />,
          groups: [
            {
              title: '催缴',
              keys: [
                'payerName',
                'payerMobile',
                'channel',
                { key: 'level', render: (n: FeeNotice) => levelLabel(n.level) },
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
          historyEntity: feeNotice.name,
          actions: rowActions,
        }}
      />
      {noting && <NoteDialog of={noting} onClose={() => setNoting(undefined)} />}
    </>
  )
}
