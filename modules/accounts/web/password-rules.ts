import { newPasswordField } from '../contract/credential-fields.ts'
import { findPasswordChangeFault } from '../domain/password.ts'

export const passwordHelp = newPasswordField().help ?? ''

/** What is wrong with a new password before it is sent. */
export const findNewPasswordFault = (password: string, loginCode: string, old?: string): string | undefined =>
  password
    ? findPasswordChangeFault(password, { loginCode, ...(old === undefined ? {} : { old }) })
    : '请输入新密码'
