import { findPasswordFault } from '../contract/credential-fields.ts'

/**
 * What is wrong with a password that replaces another (PERM-9): the rule of new ones, not the account's name,
 * not the old one.
 */
export function findPasswordChangeFault(
  password: string,
  now: { loginCode: string; old?: string },
): string | undefined {
  const fault = findPasswordFault(password)
  if (fault) return fault
  if (password.toLowerCase() === now.loginCode.toLowerCase()) return '密码不能与账号相同'
  return password === now.old ? '新密码不能与原密码相同' : undefined
}
