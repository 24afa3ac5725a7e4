import { Checkbox, Input } from 'antd'
import { memo, type ClipboardEvent, type FocusEvent, type KeyboardEvent } from 'react'
import { labelOf, type Day } from '#kit/contract/field.ts'
import { Status } from '#kit/web/status.tsx'
import { MoreActions, type Action } from '#kit/web/action.tsx'
import { anomaly, meterKind, unreadReason } from '../contract/choices.ts'
import type { MeterMonth } from '../contract/month-grid.ts'
import type { EntryDraft } from './grid-drafts.ts'
import { usageUnitOf } from './entry-preview.ts'
import { BillLink } from './labels.tsx'
import { RegisterRow } from './register-row.tsx'
import { checkEntry, toRegisterBoxes, type EntryCheck, type RegisterBox } from './registers.ts'

interface GridRowProps {
  readonly meter: MeterMonth
  readonly index: number
  readonly draft: EntryDraft | undefined
  readonly day: Day
  readonly canEnter: boolean
  readonly canConfirm: boolean
  readonly actions: readonly Action[]
  readonly onType: (meter: MeterMonth, text: string) => void
  readonly onRollover: (meter: MeterMonth, isRollover: boolean) => void
  readonly onRegister: (meter: MeterMonth, index: number, change: Partial<RegisterBox>) => void
  readonly onLeave: (meter: MeterMonth) => void
  readonly onKey: (event: KeyboardEvent<HTMLInputElement>, meter: MeterMonth) => void
  readonly onPaste: (event: ClipboardEvent<HTMLInputElement>, index: number) => void
  readonly onConfirm: (meter: MeterMonth) => void
}

/** What is shown of a meter: the draft where there is one, else the saved reading. */
interface RowState {
  readonly text: string
  readonly rollover: boolean
  readonly boxes: readonly RegisterBox[]
  readonly check: EntryCheck | undefined
  readonly fault: string | undefined
}

function rowStateOf(meter: MeterMonth, draft: EntryDraft | undefined, day: Day): RowState {
  const text = draft?.text ?? meter.curNum ?? ''
  const rollover = draft?.rollover ?? meter.isRollover ?? false
  const boxes = draft?.boxes ?? toRegisterBoxes(meter)
  const isTyped = draft && (draft.text !== '' || boxes.some(b => b.text !== ''))
  const check = isTyped ? checkEntry(meter, text, boxes, rollover, meter.readDate ?? day) : undefined
  const offersRollover = draft?.state === 'typing' && check?.rolls
  const fault = draft?.state === 'fault' ? draft.fault : offersRollover ? check.fault : undefined
  return { text, rollover, boxes, check, fault }
}

/** One meter of the month: the reading before, the box, and what the number means while it is typed. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { meter, index, draft, day, canEnter, actions, onType, onRollover, onLeave, onKey, onPaste } = props
  const { text, rollover, boxes, check, fault } = rowStateOf(meter, draft, day)
  const isClosed = meter.state === 'billed' || !canEnter
  // Moving from one box to another of the same meter does not leave it.
  const handleBlur = (event: FocusEvent): void => {
    const next = event.relatedTarget
    if (!(next instanceof HTMLElement) || next.dataset.of !== String(meter.meterId)) {
      onLeave(meter)
    }
  }
  const faultProps = {
    status: 'error' as const,
    'aria-invalid': true,
    'aria-describedby': `fault-${meter.meterId}`,
  }
  return (
    <>
      <tr
        className={`${draft ? 'going ' : ''}${fault ? 'wrong ' : ''}${meter.readingId === undefined ? '' : 'has'}`}
        data-meter={meter.meterNo}
      >
        <td className="strong ellipsis" title={meter.sourceName}>
          {meter.sourceName ?? '--'}
        </td>
        <td className="ellipsis" title={meter.meterNo}>
          {meter.meterNo}
        </td>
        <td>
          {labelOf(meterKind, meter.meterKind)}
          {meter.multiple === '1' ? '' : <small> ×{meter.multiple}</small>}
        </td>
        <td className="right">{meter.before ?? <span className="blank">无</span>}</td>
        <td>{meter.beforeDay ?? <span className="blank">--</span>}</td>
        <td className="typed">
          {isClosed ? (
            <span className="right">{meter.curNum ?? '--'}</span>
          ) : (
            <Input
              size="small"
              inputMode="decimal"
              autoComplete="off"
              data-row={index}
              data-of={meter.meterId}
              aria-label={`${meter.sourceName ?? ''} ${meter.meterNo} 本期止数`}
              value={text}
              {...(fault ? faultProps : {})}
              onChange={event => onType(meter, event.target.value)}
              onBlur={handleBlur}
              onKeyDown={event => onKey(event, meter)}
              onPaste={event => onPaste(event, index)}
              onFocus={event => event.target.select()}
            />
          )}
          {(check?.rolls || (!isClosed && rollover)) && (
            <Checkbox checked={rollover} onChange={event => onRollover(meter, event.target.checked)}>
              翻表
            </Checkbox>
          )}
        </td>
        <td className="right usage">
          <UsageText meter={meter} usage={check ? check.usage : meter.usage} isSaved={!draft} />
        </td>
        <td className="notice">
          <RowNotes {...props} check={check} fault={fault} />
        </td>
        <td>{meter.readDate ?? <span className="blank">--</span>}</td>
        <td className="actions">
          {actions.length > 0 && <MoreActions actions={actions} plain label={`${meter.meterNo} 更多操作`} />}
        </td>
      </tr>
      {boxes.length > 0 && (
        <RegisterRow
          meter={meter}
          rowIndex={index}
          boxes={boxes}
          check={check?.times}
          isClosed={isClosed}
          hasFault={fault !== undefined}
          onRegister={props.onRegister}
          onBlur={handleBlur}
          onKey={onKey}
        />
      )}
    </>
  )
})

function UsageText({
  meter,
  usage,
  isSaved,
}: {
  readonly meter: MeterMonth
  readonly usage: string | undefined
  readonly isSaved: boolean
}) {
  if (usage !== undefined)
    return (
      <>
        {usage} <small>{usageUnitOf(meter)}</small>
      </>
    )
  return meter.readingId !== undefined && !meter.isBase && isSaved ? (
    <span className="blank" title="没有上期读数，不计用量">
      无基准
    </span>
  ) : (
    <span className="blank">--</span>
  )
}

type RowNotesProps = Pick<GridRowProps, 'meter' | 'draft' | 'canConfirm' | 'onConfirm'> &
  Pick<RowState, 'check' | 'fault'>

/** The fault, or what is special about the reading: anomalies, estimate, not read, billed. */
function RowNotes({ meter, draft, canConfirm, onConfirm, check, fault }: RowNotesProps) {
  if (fault)
    return (
      <span className="fault" role="alert" id={`fault-${meter.meterId}`}>
        {fault}
      </span>
    )
  if (draft?.state === 'saving') return <span className="blank">正在保存…</span>
  const anomalies = check ? check.flags : (meter.anomalies ?? [])
  const isSaved = !draft
  const isDoubtful = isSaved && anomalies.length > 0 && !meter.confirmed
  return (
    <>
      {anomalies.map(a => (
        <Status key={a} tone={meter.confirmed && isSaved ? 'off' : 'todo'} plain>
          {labelOf(anomaly, a)}
        </Status>
      ))}
      {isDoubtful && meter.state === 'open' && canConfirm && (
        <button type="button" className="linkish" onClick={() => onConfirm(meter)}>
          确认
        </button>
      )}
      {isSaved && anomalies.length > 0 && meter.confirmed && <small>已确认</small>}
      {check?.times?.hint && <small title={check.times.hint}>{check.times.hint}</small>}
      {isSaved && meter.isEstimate && (
        <Status tone="hold" plain>
          估抄
        </Status>
      )}
      {meter.readingId === undefined && meter.unread && (
        <Status tone="hold" plain title={meter.unreadRemark ?? ''}>
          未抄：{labelOf(unreadReason, meter.unread)}
        </Status>
      )}
      {meter.state === 'billed' && (
        <>
          <Status tone="done" plain>
            已出账
          </Status>
          {meter.billNo && <BillLink no={meter.billNo} />}
        </>
      )}
    </>
  )
}
