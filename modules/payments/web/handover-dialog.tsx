import { useMemo } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { asFen, subtractFen } from '#kit/domain/money.ts'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { displayYuan, displayYuanWithSymbol, formatCount } from '#kit/web/numbers.tsx'
import { useSend } from '#kit/web/query.ts'
import { toastResult } from '#kit/web/record-actions.ts'
import { payMethod } from '../contract/choices.ts'
import { addHandover, previewHandover, type CashierHandover } from '../contract/day-close.ts'
import './payments.css'

type Preview = NonNullable<typeof previewHandover.output.T>

const formGroups = [
  {
    keys: [
      { key: 'handAmount', help: '填写清点后的现金' },
      { key: 'remark', help: '有长短款时注明原因' },
    ],
  },
]

/** Hands over what was received since the last time, with the cash that was counted. */
export function HandoverDialog({
  of: preview,
  project,
  onClose,
  onDone,
}: {
  readonly of: Preview
  readonly project: string
  readonly onClose: () => void
  readonly onDone: (handover: CashierHandover) => void
}) {
  const submitHandover = useSend(addHandover, { quiet: true })
  const initial = useMemo(
    () => ({ projectCode: project, endTime: preview.endTime, expectCash: preview.cashAmount }),
    [preview, project],
  )
  return (
    <EditDialog
      shape={addHandover.input}
      draftKey={draftKeyOf(addHandover, [project, preview.cashAmount])}
      title={`交账（${formatCount(preview.count)} 笔）`}
      groups={formGroups}
      initial={initial}
      submitLabel="提交交账"
      presentation="dialog"
      rules={values =>
        (values as { handAmount?: number; remark?: string }).handAmount !== undefined &&
        (values as { handAmount?: number }).handAmount !== preview.cashAmount &&
        !(values as { remark?: string }).remark?.trim()
          ? { remark: '实交现金与应交不符，请注明原因' }
          : undefined
      }
      save={v => submitHandover.mutateAsync({ ...v, ...initial })}
      onClose={onClose}
      onDone={handover => {
        toastResult(handover, `交账单 ${handover.handNo} 已提交，待其他人确认`)
        onDone(handover)
      }}
      below={values => {
        const handAmount = (values as { handAmount?: unknown }).handAmount
        const diff = typeof handAmount === 'number' ? handAmount - preview.cashAmount : undefined
        return (
          <div className="pay-cash">
            {preview.methods.map(line => (
              <div key={line.method}>
                <span>
                  {labelOf(payMethod, line.method)}（{line.count} 笔）
                </span>
                <span className="figure">{displayYuan(subtractFen(line.received, line.refunded))}</span>
              </div>
            ))}
            <div>
              <b>应交现金</b>
              <b className="figure">{displayYuanWithSymbol(preview.cashAmount)}</b>
            </div>
            {diff !== undefined && (
              <div className={diff ? 'off' : undefined} role="status">
                <span>{diff > 0 ? '长款' : diff < 0 ? '短款' : '现金相符'}</span>
                <span className="figure">{displayYuan(asFen(Math.abs(diff)))}</span>
              </div>
            )}
          </div>
        )
      }}
    />
  )
}
