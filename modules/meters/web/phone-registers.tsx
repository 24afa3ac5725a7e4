import type { RefObject } from 'react'
import type { Dec } from '#kit/contract/field.ts'
import type { RegisterBox } from './registers.ts'

interface Props {
  readonly at: RefObject<HTMLDivElement | null>
  readonly boxes: readonly RegisterBox[]
  readonly used: readonly (Dec | undefined)[] | undefined
  readonly disabled: boolean
  readonly onChange: (i: number, text: string) => void
  readonly onEnd: () => void
}

/** Times of day of one meter, a box each (MTR-15); Enter goes through them. */
export function PhoneRegisters({ at, boxes, used, disabled, onChange, onEnd }: Props) {
  return (
    <div className="times" ref={at} role="group" aria-label="分时读数">
      {boxes.map((b, i) => (
        <label key={b.name}>
          <span>
            <b>{b.name}</b>
            <small>
              {b.known ? `上期 ${b.last}` : '没有就留空'}
              {used?.[i] === undefined ? '' : ` · ${used[i]}`}
            </small>
          </span>
          <input
            inputMode="decimal"
            autoComplete="off"
            enterKeyHint={i < boxes.length - 1 ? 'next' : 'done'}
            aria-label={`${b.name} 本期读数`}
            value={b.text}
            disabled={disabled}
            {...(b.text === '' ? { 'data-empty': '' } : {})}
            onChange={e => onChange(i, e.target.value)}
            onKeyDown={e => {
              if (e.key !== 'Enter') return
              const all = at.current?.querySelectorAll('input')
              if (all && i < all.length - 1) {
                all[i + 1]!.focus()
              } else {
                onEnd()
              }
            }}
          />
        </label>
      ))}
    </div>
  )
}
