import { useMemo } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { asFen, displayYuan, displayYuanWithSymbol } from '#kit/domain/money.ts'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { toastResult } from '#kit/web/record-actions.ts'
import { parkPayMethod } from '#modules/parking-lanes/contract/choices.ts'
import { handOverShift, previewShift } from '../contract/shift.ts'
import { differenceText, handOverFault } from '../domain/cash-difference.ts'
import './parking-booth.css'

type Preview = NonNullable<typeof previewShift.output.T>

interface HandedShift {
  readonly id: Id
  readonly boothName: string
}

const groups = [
  {
    keys: [
      { key: 'handAmount', help: '填写清点后的现金' },
      { key: 'remark', help: '有长短款时注明原因' },
    ],
  },
]

const diffOf = (handAmount: unknown, { cashAmount }: Preview) =>
  typeof handAmount === 'number' ? asFen(handAmount - cashAmount) : undefined

const waivedText = ({ freeCount, priceCount }: Preview): string =>
  `免费放行 ${freeCount} 次${priceCount ? `、改价 ${priceCount} 次` : ''}，免收`

/** The figures of the sheet, and what the counted cash differs by. */
function Sums({ preview, handAmount }: { readonly preview: Preview; readonly handAmount: unknown }) {
  const diff = diffOf(handAmount, preview)
  return (
    <>
      <dl className="booth-sums">
        {preview.methods.map(({ method, amount, count }) => (
          <div key={method}>
            <dt>
              {labelOf(parkPayMethod, method)}（{count} 笔）
            </dt>
            <dd>{displayYuan(amount)}</dd>
          </div>
        ))}
        <div>
          <dt>{waivedText(preview)}</dt>
          <dd>{displayYuan(preview.waivedAmount)}</dd>
        </div>
        <div className="total">
          <dt>现金应交</dt>
          <dd>{displayYuanWithSymbol(preview.cashAmount)}</dd>
        </div>
      </dl>
      {diff !== undefined && (
        <p className={diff ? 'booth-diff off' : 'booth-diff'} role="status">
          {differenceText(diff) ?? '现金相符'}
        </p>
      )}
    </>
  )
}

interface FormProps {
  readonly shift: HandedShift
  readonly preview: Preview
  readonly onClose: () => void
}

function HandOverForm({ shift, preview, onClose }: FormProps) {
  const sending = useSend(handOverShift, { quiet: true })
  const target = useMemo(() => ({ id: shift.id, expectCash: preview.cashAmount }), [shift.id, preview])
  return (
    <EditDialog
      shape={handOverShift.input}
      title={`交班「${shift.boothName}」`}
      draftKey={draftKeyOf(handOverShift, [shift.id])}
      groups={groups}
      initial={target}
      submitLabel="交班"
      presentation="dialog"
      rules={values => {
        const diff = diffOf(values.handAmount, preview)
        const fault = diff === undefined ? undefined : handOverFault(diff, values.remark)
        return fault === undefined ? undefined : { remark: fault }
      }}
      save={values => sending.mutateAsync({ ...values, ...target })}
      onClose={onClose}
      onDone={answer => {
        toastResult(answer, '已交班，待接班人确认')
        onClose()
      }}
      below={values => <Sums preview={preview} handAmount={values.handAmount} />}
    />
  )
}

/** 交班: the cash is counted and handed over; the sheet is that of the moment it was opened. */
export function HandOverDialog({
  of: [shift],
  onClose,
}: {
  readonly of: readonly HandedShift[]
  readonly onClose: () => void
}) {
  const preview = useCall(previewShift, { id: shift?.id ?? 0 }, { staleMs: 0, enabled: shift !== undefined })
  return (
    shift &&
    preview.data && (
      <HandOverForm key={preview.data.cashAmount} shift={shift} preview={preview.data} onClose={onClose} />
    )
  )
}
