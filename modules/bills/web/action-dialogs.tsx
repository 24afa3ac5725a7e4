import type { BulkResult } from '#kit/contract/bulk-result.ts'
import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { asFen, sumFen } from '#kit/domain/money.ts'
import { useMemo } from 'react'
import { requiredConfirmText } from '#kit/web/confirm.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { showBulkResult } from '#kit/web/report-bulk-result.tsx'
import { useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { billName } from './labels.tsx'
import { ReminderDialog } from './reminder-dialog.tsx'
import { actionForms, type DialogKind, type DialogRequest } from './action-forms.tsx'
import { type AffectedBills } from './action-previews.tsx'

/** What an action on several bills returns; an action on one bill returns the bill. */
const isBulkAnswer = (answer: unknown): answer is BulkResult & { readonly taskId?: Id } =>
  typeof answer === 'object' && answer !== null && ('success' in answer || 'taskId' in answer)

function FormDialog({
  kind,
  bills,
  ids,
  allMatching,
  onClose,
}: DialogRequest & { readonly kind: Exclude<DialogKind, 'urge'>; readonly onClose: () => void }) {
  const form = actionForms[kind]
  const call = allMatching ? defined(form.filterCall) : form.call
  const send = useSend(call, { quiet: true })
  const single = bills.length === 1 && !(ids && ids.length > 1) ? bills[0] : undefined
  const count = allMatching?.count ?? ids?.length ?? bills.length
  const affected: AffectedBills = {
    bills,
    count,
    sum: key => (allMatching ? asFen(Number(allMatching.sum[key] ?? 0)) : sumFen(bills.map(b => b[key]))),
  }
  const fixed = useMemo(
    () =>
      form.single
        ? { id: defined(single).id, version: defined(single).version }
        : allMatching
          ? {
              ...allMatching.filter,
              count: allMatching.count,
              sum: asFen(Number(allMatching.sum.receivable)),
            }
          : { ids: ids ?? bills.map(b => String(b.id)) },
    [form, single, ids, bills, allMatching],
  )
  const initial = useMemo(() => ({ ...form.initial(bills) }), [form, bills])
  const onDone = (answer: unknown): void => {
    const result = isBulkAnswer(answer) ? answer : undefined
    if (result?.taskId) {
      toast.success(`已转入后台${form.actionLabel} ${formatCount(count)} 条，可在任务中心查看进度`)
      onClose()
      return
    }
    if (result?.skipped || result?.fail) {
      showBulkResult(result, `${form.actionLabel}结果`)
      onClose()
      return
    }
    toast.success(
      single
        ? `已${form.actionLabel}「${billName(single)}」`
        : `已${form.actionLabel} ${formatCount(result?.success ?? 0)} 张账单`,
    )
    onClose()
  }
  return (
    <EditDialog
      shape={call.input}
      draftKey={draftKeyOf(call, fixed)}
      title={
        single
          ? `${form.actionLabel}「${billName(single)}」`
          : `${form.actionLabel} ${formatCount(count)} 张账单`
      }
      groups={(single && form.alone?.groups) ?? form.groups}
      initial={initial}
      submitLabel={form.actionLabel}
      presentation="dialog"
      rules={form.rules ? v => defined(form.rules)(v, bills) : undefined}
      below={form.below ? v => defined(form.below)(v, affected) : undefined}
      confirmText={
        form.single && !form.touches
          ? undefined
          : v => requiredConfirmText({ count, amount: form.touches?.(v, affected) ?? 0 })
      }
      save={v =>
        send.mutateAsync({
          ...(single && form.alone ? form.alone.toInput(v, single) : v),
          ...fixed,
        })
      }
      onClose={onClose}
      onDone={onDone}
    />
  )
}

export function ActionDialog({ of, onClose }: { readonly of: DialogRequest; readonly onClose: () => void }) {
  return of.kind === 'urge' ? (
    <ReminderDialog bills={of.bills} ids={of.ids} allMatching={of.allMatching} onClose={onClose} />
  ) : (
    <FormDialog {...of} kind={of.kind} onClose={onClose} />
  )
}
