import { newPassword } from '../contract/words.ts'
import { changeFault } from '../domain/password.ts'

export const passwordHelp = newPassword().help ?? ''

/** What is wrong with a new password before it is sent. */
export const firstFault = (password: string, loginCode: string, old?: string): string | undefined =>
  password ? changeFault(password, { loginCode, ...(old === undefined ? {} : { old }) }) : '请输入新密码'
