import { Input } from 'antd'
import type { FocusEvent, KeyboardEvent } from 'react'
import type { MeterMonth } from '../contract/reading.ts'
import { usageUnitOf } from './entry-preview.ts'
import type { RegisterBox, RegisterCheck } from './registers.ts'

interface Props {
  readonly p: MeterMonth
  readonly i: number
  readonly boxes: readonly RegisterBox[]
  readonly times: RegisterCheck | undefined
  readonly closed: boolean
  readonly wrong: boolean
  readonly onTime: (p: MeterMonth, i: number, change: Partial<RegisterBox>) => void
  readonly onLeave: (e: FocusEvent) => void
  readonly onKey: (e: KeyboardEvent<HTMLInputElement>, i: number, p: MeterMonth) => void
}

/** Times of day of one meter in one line under it (MTR-15): what each showed, shows and is charged at. */
export function RegisterRow({ p, i, boxes, times, closed, wrong, onTime, onLeave, onKey }: Props) {
  const box = (k: number, of: 'text' | 'last' | 'price', words: string, width: number, hint: string) => (
    <Input
      size="small"
      inputMode="decimal"
      autoComplete="off"
      style={{ width }}
      data-of={p.meterId}
      {...(of === 'text' ? { 'data-row': i } : {})}
      aria-label={`${p.meterNo} ${boxes[k]!.name} ${words}`}
      placeholder={hint}
      value={boxes[k]![of]}
      {...(wrong && of === 'text'
        ? { status: 'error' as const, 'aria-describedby': `fault-${p.meterId}` }
        : {})}
      onChange={e => onTime(p, k, { [of]: e.target.value })}
      onBlur={onLeave}
      onKeyDown={e => onKey(e, i, p)}
      onFocus={e => e.target.select()}
    />
  )
  return (
    <tr className="times" data-times={p.meterNo}>
      <td colSpan={10}>
        <div role="group" aria-label={`${p.meterNo} 分时读数`}>
          {boxes.map((b, k) => (
            <span key={b.name}>
              <b>{b.name}</b>
              {b.known ? (
                <small>上期 {b.last}</small>
              ) : (
                !closed && <>上期 {box(k, 'last', '上期', 72, '0')}</>
              )}
              {closed ? <span>{b.text || '--'}</span> : box(k, 'text', '本期', 88, '本期')}
              {times?.used[k] !== undefined && (
                <small>
                  {times.used[k]}
                  {p.multiple === '1' ? ` ${usageUnitOf(p)}` : ''}
                </small>
              )}
              {closed
                ? Number(b.price) > 0 && <small>单价 {b.price}</small>
                : box(k, 'price', '单价', 64, '标准价')}
            </span>
          ))}
        </div>
      </td>
    </tr>
  )
}
