import { newPasswordField } from '../contract/credential-fields.ts'
import { findPasswordChangeFault } from '../domain/password.ts'

export const passwordHelp = newPasswordField().help ?? ''

interface TypedPassword {
  /** What its field is called: `密码`, or `新密码` where there was one. */
  readonly label: string
  readonly password: string
  readonly again: string
  readonly loginCode: string
  readonly old?: string
}

function findAgainFault({ label, password, again }: TypedPassword): string | undefined {
  if (!again) return `请再次输入${label}`
  return again === password ? undefined : `两次输入的${label}不一致`
}

/** What is wrong with a new password before it is sent, by the fields of `NewPasswordFields`. */
export function findNewPasswordFaults(typed: TypedPassword): { Password?: string; again?: string } {
  const { label, password, loginCode, old } = typed
  const fault = password
    ? findPasswordChangeFault(password, { loginCode, ...(old === undefined ? {} : { old }) })
    : `请输入${label}`
  const againFault = findAgainFault(typed)
  return { ...(fault ? { Password: fault } : {}), ...(againFault ? { again: againFault } : {}) }
}
