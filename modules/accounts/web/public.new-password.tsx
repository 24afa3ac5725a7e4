import { readText } from '#kit/web/controls/read-value.ts'
import { defined } from '#kit/domain/defined.ts'
import { Button, Input } from 'antd'
import type { Control } from '#kit/web/controls/control-kinds.tsx'

// Without signs that look alike: it will be read aloud or copied by hand.
const letters = 'abcdefghjkmnpqrstuvwxyz'
const digits = '23456789'
const pickCharacter = (from: string): string =>
  defined(from[defined(crypto.getRandomValues(new Uint32Array(1))[0]) % from.length])

export const proposePassword = (): string =>
  pickCharacter(letters).toUpperCase() +
  Array.from({ length: 5 }, () => pickCharacter(letters)).join('') +
  Array.from({ length: 4 }, () => pickCharacter(digits)).join('')

/** A first password for somebody else: visible, because it has to be passed on; or a proposed one. */
export const NewPasswordInput: Control = props => (
  <div style={{ display: 'flex', gap: 8 }}>
    <Input
      id={props.id}
      {...(props.describedBy ? { 'aria-describedby': props.describedBy } : {})}
      {...(props.invalid ? { status: 'error' as const, 'aria-invalid': true } : {})}
      autoComplete="off"
      spellCheck={false}
      maxLength={15}
      value={readText(props.value) ?? ''}
      onChange={e => props.onChange(e.target.value)}
      onBlur={props.onBlur}
    />
    <Button onClick={() => props.onChange(proposePassword())}>随机生成</Button>
  </div>
)
