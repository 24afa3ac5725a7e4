import { useEffect, useRef } from 'react'

/** A plain checkbox with a half-checked state; hundreds of them stay quick. */
export function PlainCheckbox({
  on,
  half = false,
  off,
  label,
  onChange,
}: {
  readonly on: boolean
  readonly half?: boolean
  readonly off?: string | undefined
  readonly label: string
  readonly onChange: (on: boolean) => void
}) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) {
      box.current.indeterminate = half && !on
    }
  }, [half, on])
  return (
    <input
      ref={box}
      type="checkbox"
      checked={on}
      disabled={off !== undefined}
      title={off}
      aria-label={label}
      onChange={e => onChange(e.target.checked)}
      onClick={e => e.stopPropagation()}
    />
  )
}

/** A checkbox that cannot be changed. */
export const CheckMark = ({ on }: { readonly on: boolean }) => (
  <span className={on ? 'tick' : 'tick none'} role="img" aria-label={on ? '有' : '无'}>
    {on ? '✓' : '–'}
  </span>
)
