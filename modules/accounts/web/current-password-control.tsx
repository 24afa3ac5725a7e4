import Password from 'antd/es/input/Password'
import type { Control } from '#kit/web/controls/control-kinds.tsx'
import { readText } from '#kit/web/controls/read-value.ts'

/** The password of the signed-in user, asked for again before a sensitive action. */
export const CurrentPasswordControl: Control = props => (
  <Password
    id={props.id}
    {...(props.invalid ? { status: 'error' as const, 'aria-invalid': true } : {})}
    autoComplete="current-password"
    value={readText(props.value) ?? ''}
    onChange={e => props.onChange(e.target.value)}
    onBlur={props.onBlur}
  />
)
