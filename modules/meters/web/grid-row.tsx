import { Checkbox, Input } from 'antd'
import { memo, type ClipboardEvent, type FocusEvent, type KeyboardEvent } from 'react'
import { labelOf, type Day } from '#kit/contract/field.ts'
import { Status } from '#kit/web/status.tsx'
import { MoreActions, type Action } from '#kit/web/action.tsx'
import { anomaly, meterKind, unreadReason } from '../contract/choices.ts'
import type { MeterMonth } from '../contract/reading.ts'
import type { EntryDraft } from './grid-entry.ts'
import { usageUnitOf } from './entry-preview.ts'
import { BillLink } from './labels.tsx'
import { RegisterRow } from './register-row.tsx'
import { toRegisterBoxes, checkEntry, type RegisterBox } from './registers.ts'

interface Props {
  readonly p: MeterMonth
  readonly i: number
  readonly draft: EntryDraft | undefined
  readonly day: Day
  readonly mayEnter: boolean
  readonly mayConfirm: boolean
  readonly verbs: readonly Action[]
  readonly onType: (p: MeterMonth, text: string) => void
  readonly onRoll: (p: MeterMonth, on: boolean) => void
  readonly onTime: (p: MeterMonth, i: number, change: Partial<RegisterBox>) => void
  readonly onLeave: (p: MeterMonth) => void
  readonly onKey: (e: KeyboardEvent<HTMLInputElement>, i: number, p: MeterMonth) => void
  readonly onPaste: (e: ClipboardEvent<HTMLInputElement>, i: number) => void
  readonly onConfirm: (p: MeterMonth) => void
}

/** One meter of the month: what stood before, the box, what the number means while it is typed. */
export const GridRow = memo(function GridRow({
  p,
  i,
  draft,
  day,
  mayEnter,
  mayConfirm,
  verbs,
  onType,
  onRoll,
  onTime,
  onLeave,
  onKey,
  onPaste,
  onConfirm,
}: Props) {
  const text = draft?.text ?? p.curNum ?? ''
  const rollover = draft?.rollover ?? p.isRollover ?? false
  const boxes = draft?.boxes ?? toRegisterBoxes(p)
  const typed = draft && (draft.text !== '' || boxes.some(b => b.text !== ''))
  const seen = typed ? checkEntry(p, draft.text, boxes, rollover, p.readDate ?? day) : undefined
  const billed = p.state === 'billed'
  const usage = seen ? seen.usage : p.usage
  const flags = seen ? seen.flags : (p.anomalies ?? [])
  const fault =
    draft?.state === 'fault' ? draft.fault : draft?.state === 'typing' && seen?.rolls ? seen.fault : undefined
  const closed = billed || !mayEnter
  // From one box of a meter to another is not leaving it.
  const left = (e: FocusEvent): void => {
    if ((e.relatedTarget as HTMLElement | null)?.dataset?.of !== String(p.meterId)) {
      onLeave(p)
    }
  }
  return (
    <>
      <tr
        className={`${draft ? 'going ' : ''}${fault ? 'wrong ' : ''}${p.readingId === undefined ? '' : 'has'}`}
        data-meter={p.meterNo}
      >
        <td className="strong ellipsis" title={p.sourceName}>
          {p.sourceName ?? '--'}
        </td>
        <td className="ellipsis" title={p.meterNo}>
          {p.meterNo}
        </td>
        <td>
          {labelOf(meterKind, p.meterKind)}
          {p.multiple === '1' ? '' : <small> ×{p.multiple}</small>}
        </td>
        <td className="right">{p.before ?? <span className="blank">无</span>}</td>
        <td>{p.beforeDay ?? <span className="blank">--</span>}</td>
        <td className="typed">
          {closed ? (
            <span className="right">{p.curNum ?? '--'}</span>
          ) : (
            <Input
              size="small"
              inputMode="decimal"
              autoComplete="off"
              data-row={i}
              data-of={p.meterId}
              aria-label={`${p.sourceName ?? ''} ${p.meterNo} 本期止数`}
              value={text}
              {...(fault
                ? { status: 'error' as const, 'aria-invalid': true, 'aria-describedby': `fault-${p.meterId}` }
                : {})}
              onChange={e => onType(p, e.target.value)}
              onBlur={left}
              onKeyDown={e => onKey(e, i, p)}
              onPaste={e => onPaste(e, i)}
              onFocus={e => e.target.select()}
            />
          )}
          {(seen?.rolls || (!closed && rollover)) && (
            <Checkbox checked={rollover} onChange={e => onRoll(p, e.target.checked)}>
              翻表
            </Checkbox>
          )}
        </td>
        <td className="right usage">
          {usage === undefined ? (
            p.readingId !== undefined && !p.isBase && !draft ? (
              <span className="blank" title="没有上期读数，不计用量">
                无基准
              </span>
            ) : (
              <span className="blank">--</span>
            )
          ) : (
            <>
              {usage} <small>{usageUnitOf(p)}</small>
            </>
          )}
        </td>
        <td className="told">
          {fault ? (
            <span className="fault" role="alert" id={`fault-${p.meterId}`}>
              {fault}
            </span>
          ) : draft?.state === 'saving' ? (
            <span className="blank">正在保存…</span>
          ) : (
            <>
              {flags.map(f => (
                <Status key={f} tone={p.confirmed && !draft ? 'off' : 'todo'} plain>
                  {labelOf(anomaly, f)}
                </Status>
              ))}
              {!draft && flags.length > 0 && p.state === 'open' && !p.confirmed && mayConfirm && (
                <button type="button" className="linkish" onClick={() => onConfirm(p)}>
                  确认
                </button>
              )}
              {!draft && flags.length > 0 && p.confirmed && <small>已确认</small>}
              {seen?.times?.hint && <small title={seen.times.hint}>{seen.times.hint}</small>}
              {!draft && p.isEstimate && (
                <Status tone="hold" plain>
                  估抄
                </Status>
              )}
              {p.readingId === undefined && p.unread && (
                <Status tone="hold" plain title={p.unreadRemark ?? ''}>
                  未抄：{labelOf(unreadReason, p.unread)}
                </Status>
              )}
              {billed && (
                <>
                  <Status tone="done" plain>
                    已出账
                  </Status>
                  {p.billNo && <BillLink no={p.billNo} />}
                </>
              )}
            </>
          )}
        </td>
        <td>{p.readDate ?? <span className="blank">--</span>}</td>
        <td className="acts">
          {verbs.length > 0 && <MoreActions actions={verbs} plain label={`${p.meterNo} 更多操作`} />}
        </td>
      </tr>
      {boxes.length > 0 && (
        <RegisterRow
          p={p}
          i={i}
          boxes={boxes}
          times={seen?.times}
          closed={closed}
          wrong={fault !== undefined}
          onTime={onTime}
          onLeave={left}
          onKey={onKey}
        />
      )}
    </>
  )
})
