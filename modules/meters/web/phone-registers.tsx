import { defined } from '#kit/domain/defined.ts'
import type { RefObject } from 'react'
import type { Decimal } from '#kit/contract/field.ts'
import type { RegisterBox } from './registers.ts'

interface PhoneRegistersProps {
  readonly containerRef: RefObject<HTMLDivElement | null>
  readonly boxes: readonly RegisterBox[]
  readonly used: readonly (Decimal | undefined)[] | undefined
  readonly disabled: boolean
  readonly onChange: (index: number, text: string) => void
  readonly onEnd: () => void
}

/** A box for each register of one meter (MTR-15); Enter goes through them. */
export function PhoneRegisters(props: PhoneRegistersProps) {
  const { containerRef, boxes, used, disabled, onChange, onEnd } = props
  const focusNext = (index: number): void => {
    const inputs = containerRef.current?.querySelectorAll('input')
    if (inputs && index < inputs.length - 1) {
      defined(inputs[index + 1]).focus()
    } else {
      onEnd()
    }
  }
  return (
    <div className="times" ref={containerRef} role="group" aria-label="分时读数">
      {boxes.map((box, index) => (
        <label key={box.name}>
          <span>
            <b>{box.name}</b>
            <small>
              {box.known ? `上期 ${box.last}` : '无则不填'}
              {used?.[index] === undefined ? '' : ` · ${used[index]}`}
            </small>
          </span>
          <input
            inputMode="decimal"
            autoComplete="off"
            enterKeyHint={index < boxes.length - 1 ? 'next' : 'done'}
            aria-label={`${box.name} 本期读数`}
            value={box.text}
            disabled={disabled}
            {...(box.text === '' ? { 'data-empty': '' } : {})}
            onChange={event => onChange(index, event.target.value)}
            onKeyDown={event => {
              if (event.key === 'Enter') {
                focusNext(index)
              }
            }}
          />
        </label>
      ))}
    </div>
  )
}
