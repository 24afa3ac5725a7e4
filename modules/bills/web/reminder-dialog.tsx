import { paths } from './paths.ts'
import type { BulkResult } from '#kit/contract/bulk-result.ts'
import { defined } from '#kit/domain/defined.ts'
import { asFen } from '#kit/domain/money.ts'
import { useMemo, useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { Link } from 'react-router'
import { requiredConfirmText } from '#kit/web/confirm.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { BulkResultDialog } from '#kit/web/bulk-result-dialog.tsx'
import type { SelectedRows } from '#kit/web/list/selection.ts'
import { useCall, useSend } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import type { Bill } from '../contract/bill.ts'
import type { BillFilter } from '../contract/list.ts'
import { checkReminders, supportedChannels, remindBills, remindBillsByFilter } from '../contract/reminder.ts'
import { reminderChannel, reminderRefusal } from '../contract/choices.ts'
import { menu } from '../module.ts'
import { billName } from './labels.tsx'
import { offerToPrint } from './print-letters.ts'
import './bills.css'

interface ReminderResult extends BulkResult {
  readonly message: string
  readonly notices?: readonly string[]
  readonly isLetter: boolean
}

type ReminderInput = NonNullable<typeof remindBills.input.T>

/** Offers only available channels. */
const offeredInput = {
  ...remindBills.input,
  fields: {
    ...remindBills.input.fields,
    channel: {
      ...defined(remindBills.input.fields.channel),
      choices: {
        ...reminderChannel,
        rows: Object.fromEntries(supportedChannels.map(k => [k, reminderChannel.rows[k]])),
      },
    },
  },
} as typeof remindBills.input

const messageChannels: readonly unknown[] = ['sms', 'wechat', 'email']
const isMessage = (v: Partial<ReminderInput>): boolean => messageChannels.includes(v.channel)

const dialogGroups = [
  {
    keys: [
      'channel',
      { key: 'promiseDate', isHidden: isMessage, help: '到该日之前不自动催缴' },
      { key: 'remark', isHidden: isMessage },
    ],
  },
]

/** Shows which bills may be reminded of over the chosen channel before anything is sent (URG-1). */
function ReminderCheck({
  ids,
  channel,
}: {
  readonly ids: readonly string[]
  readonly channel: ReminderInput['channel']
}) {
  const query = useCall(
    checkReminders,
    { ids: ids.slice(0, 2000), channel },
    { quiet: true, keepPrevious: true },
  )
  if (!query.data) return <p className="bill-note">{query.isError ? query.error.message : '正在检查……'}</p>
  const refused = query.data.filter(c => !c.canRemind)
  const allowed = query.data.filter(c => c.canRemind)
  const payers = new Set(allowed.map(c => c.payerKey))
  const warned = [
    ...Map.groupBy(
      query.data.filter(c => c.warning),
      c => c.warning,
    ),
  ]
  const byReason = [...Map.groupBy(refused, c => c.words ?? '')]
  return (
    <div className={refused.length ? 'bill-note bad' : 'bill-note'} role="status">
      可以催缴 <b>{formatCount(payers.size)}</b> 位客户，{formatCount(allowed.length)} 张账单
      {refused.length > 0 && (
        <>
          ；{formatCount(refused.length)} 张账单会跳过：
          {byReason.map(([w, list]) => `${w} ${list.length}`).join('、')}
        </>
      )}
      {warned.length > 0 && (
        <>
          ；请留意：
          {warned.map(([w, list]) => `${w ? labelOf(reminderRefusal, w) : ''} ${list.length}`).join('、')}
        </>
      )}
    </div>
  )
}

export function ReminderDialog({
  bills,
  ids: selectedIds,
  allMatching,
  title,
  onClose,
}: {
  readonly bills: readonly Bill[]
  readonly ids?: readonly string[] | undefined
  /** Instead of how many bills there are: `催缴「周慧秀」`. */
  readonly title?: string
  readonly allMatching?: SelectedRows<Bill, BillFilter>['allMatching'] | undefined
  readonly onClose: () => void
}) {
  const remind = useSend(remindBills, { quiet: true })
  const remindByFilter = useSend(remindBillsByFilter, { quiet: true })
  const [outcome, showOutcome] = useState<BulkResult>()
  const [resultMessage, setResultMessage] = useState('')
  const canPrint = usePermission()(menu.notice.permissions.letter)
  const ids = useMemo(() => selectedIds ?? bills.map(b => String(b.id)), [selectedIds, bills])
  const initial = useMemo(() => ({ channel: 'sms' as const }), [])
  if (outcome)
    return (
      <BulkResultDialog
        result={outcome}
        title="催缴结果"
        summary={`${resultMessage}；跳过 ${formatCount(outcome.skipped)} 张账单`}
        onClose={onClose}
      />
    )
  return (
    <EditDialog
      shape={offeredInput}
      draftKey={draftKeyOf(remindBills, allMatching ?? ids)}
      title={
        title ??
        (bills.length === 1 && ids.length === 1
          ? `催缴「${billName(defined(bills[0]))}」`
          : `催缴 ${formatCount(allMatching?.count ?? ids.length)} 张账单`)
      }
      groups={dialogGroups}
      initial={initial}
      submitLabel="催缴"
      presentation="dialog"
      below={values => (
        <>
          {allMatching ? (
            <p className="bill-note">
              逐条检查能否催缴，同一缴费人合并为一条；不能催缴的跳过，原因列在结果中
            </p>
          ) : (
            <ReminderCheck ids={ids} channel={values.channel ?? 'sms'} />
          )}
          <p className="bill-note">
            结果在 <Link to={paths.notices}>催缴管理</Link> 查看；书面催缴函登记后即可打印
          </p>
        </>
      )}
      confirmText={v => requiredConfirmText({ count: isMessage(v) ? (allMatching?.count ?? ids.length) : 0 })}
      save={async (values): Promise<ReminderResult> => {
        const result: Omit<ReminderResult, 'isLetter'> = allMatching
          ? await remindByFilter.mutateAsync({
              ...values,
              ...allMatching.filter,
              count: allMatching.count,
              sum: asFen(Number(allMatching.sum.receivable)),
            })
          : await remind.mutateAsync({ ...values, ids: [...ids] })
        return { ...result, isLetter: values.channel === 'letter' || values.channel === 'lawyer' }
      }}
      onClose={onClose}
      onDone={result => {
        const letters = result.isLetter && canPrint ? (result.notices ?? []) : []
        if (result.skipped) {
          setResultMessage(result.message)
          showOutcome(result)
        } else {
          if (!letters.length) {
            toast.success(result.message)
          }
          onClose()
        }
        if (letters.length) {
          void offerToPrint(result.message, letters)
        }
      }}
    />
  )
}
