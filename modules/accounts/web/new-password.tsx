import { Button, Input } from 'antd'
import type { Control } from '#kit/web/controls/kinds.tsx'

// Without signs that look alike: it will be read aloud or copied by hand.
const letters = 'abcdefghjkmnpqrstuvwxyz'
const digits = '23456789'
const pick = (from: string): string => from[crypto.getRandomValues(new Uint32Array(1))[0]! % from.length]!

export const proposed = (): string =>
  pick(letters).toUpperCase() +
  Array.from({ length: 5 }, () => pick(letters)).join('') +
  Array.from({ length: 4 }, () => pick(digits)).join('')

/** A first password for somebody else: visible, because it has to be passed on; or a proposed one. */
export const NewPassword: Control = p => (
  <div style={{ display: 'flex', gap: 8 }}>
    <Input
      id={p.id}
      {...(p.describedBy ? { 'aria-describedby': p.describedBy } : {})}
      {...(p.invalid ? { status: 'error' as const, 'aria-invalid': true } : {})}
      autoComplete="off"
      spellCheck={false}
      maxLength={15}
      value={(p.value as string | undefined) ?? ''}
      onChange={e => p.onChange(e.target.value)}
      onBlur={p.onBlur}
    />
    <Button onClick={() => p.onChange(proposed())}>随机生成</Button>
  </div>
)
