import { defined } from '#kit/domain/defined.ts'
import { Input } from 'antd'
import type { FocusEvent, KeyboardEvent } from 'react'
import type { MeterMonth } from '../contract/month-grid.ts'
import { usageUnitOf } from './entry-preview.ts'
import type { RegisterBox, RegisterCheck } from './registers.ts'

interface RegisterRowProps {
  readonly meter: MeterMonth
  readonly rowIndex: number
  readonly boxes: readonly RegisterBox[]
  readonly check: RegisterCheck | undefined
  readonly isClosed: boolean
  readonly hasFault: boolean
  readonly onRegister: (meter: MeterMonth, index: number, change: Partial<RegisterBox>) => void
  readonly onBlur: (event: FocusEvent) => void
  readonly onKey: (event: KeyboardEvent<HTMLInputElement>, meter: MeterMonth) => void
}

const boxFields = {
  text: { label: '本期', width: 88, placeholder: '本期' },
  last: { label: '上期', width: 72, placeholder: '0' },
  price: { label: '单价', width: 64, placeholder: '标准价' },
} as const

/** The registers of one meter in a line under it (MTR-15): what each showed, shows and is charged at. */
export function RegisterRow(props: RegisterRowProps) {
  const { meter, rowIndex, boxes, check, isClosed, hasFault, onRegister, onBlur, onKey } = props
  const inputFor = (index: number, key: keyof typeof boxFields) => (
    <Input
      size="small"
      inputMode="decimal"
      autoComplete="off"
      style={{ width: boxFields[key].width }}
      data-of={meter.meterId}
      {...(key === 'text' ? { 'data-row': rowIndex } : {})}
      aria-label={`${meter.meterNo} ${defined(boxes[index]).name} ${boxFields[key].label}`}
      placeholder={boxFields[key].placeholder}
      value={defined(boxes[index])[key]}
      {...(hasFault && key === 'text'
        ? { status: 'error' as const, 'aria-describedby': `fault-${meter.meterId}` }
        : {})}
      onChange={event => onRegister(meter, index, { [key]: event.target.value })}
      onBlur={onBlur}
      onKeyDown={event => onKey(event, meter)}
      onFocus={event => event.target.select()}
    />
  )
  return (
    <tr className="times" data-times={meter.meterNo}>
      <td colSpan={10}>
        <div role="group" aria-label={`${meter.meterNo} 分时读数`}>
          {boxes.map((box, index) => (
            <span key={box.name}>
              <b>{box.name}</b>
              {box.known ? <small>上期 {box.last}</small> : !isClosed && <>上期 {inputFor(index, 'last')}</>}
              {isClosed ? <span>{box.text || '--'}</span> : inputFor(index, 'text')}
              {check?.used[index] !== undefined && (
                <small>
                  {check.used[index]}
                  {meter.multiple === '1' ? ` ${usageUnitOf(meter)}` : ''}
                </small>
              )}
              {isClosed ? Number(box.price) > 0 && <small>单价 {box.price}</small> : inputFor(index, 'price')}
            </span>
          ))}
        </div>
      </td>
    </tr>
  )
}
