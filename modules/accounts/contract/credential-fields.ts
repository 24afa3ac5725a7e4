import { choiceTable, text, type Field } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'

/** PERM-1. An auditor may view what the roles allow and change nothing. */
export const managerType = choiceTable('ManagerType', '账号类型', {
  owner: [10, '超级管理员'],
  deputy: [20, '子管理员'],
  ordinary: [30, '普通员工'],
  auditor: [40, '只读审计'],
})

const loginNamePattern = /^[A-Za-z0-9][\w.@-]*$/

/** What people type to say who they are; unique in the installation, without regard to case. */
export const loginNameField = (overrides: { fixed?: boolean } = {}): Field<string, true, 'text'> =>
  text('账号', {
    required: true,
    min: 2,
    max: 40,
    wire: ['Logincode', 'LoginCode'],
    searchable: true,
    rule: {
      name: 'loginName',
      test: v =>
        loginNamePattern.test(v) ? undefined : '账号只能用字母、数字和 . _ - @，并以字母或数字开头',
    },
    ...overrides,
  })

const characterClasses = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/]

/** How many of the four classes (small, capital, digit, sign) a password draws on: 0–4. */
export const countCharacterClasses = (password: string): number =>
  characterClasses.filter(c => c.test(password)).length

/**
 * What is wrong with a password somebody chooses (PERM-9): 6–15 characters, no Chinese, no blanks, two
 * classes at least.
 */
export function findPasswordFault(password: string): string | undefined {
  const fault = rules.password.test(password)
  if (fault) return `密码${fault}`
  return countCharacterClasses(password) < 2
    ? '密码至少包含大写字母、小写字母、数字、符号中的两类'
    : undefined
}

type WireNames = string | readonly string[]

/** A password as it is typed to prove oneself: only bounded. */
export const passwordField = (
  label = '密码',
  wire: WireNames = ['Password', 'PassWord'],
): Field<string, true, 'text'> => text(label, { required: true, max: 60, masked: 'secret', wire })

/** A password as it is chosen. */
export const newPasswordField = (
  label = '密码',
  wire: WireNames = ['Password', 'PassWord'],
): Field<string, true, 'text'> =>
  text(label, {
    required: true,
    masked: 'secret',
    wire,
    rule: { name: 'newPassword', test: findPasswordFault },
    help: `${rules.password.hint}，大写字母、小写字母、数字、符号至少两类`,
  })

/** The four characters of a picture, which picture, and the solved task that came with it. */
export const captchaFields = {
  captcha: text('验证码', { max: 8, wire: ['Captcha', 'ImageCode'] }),
  captchaKey: text('验证码编号', { max: 64, wire: 'CaptchaKey' }),
  proof: text('计算证明', { max: 2000, wire: 'Proof', masked: 'secret' }),
}

/** The captcha of a request for an SMS code, which is required. */
export const requiredCaptchaFields = {
  captcha: { ...captchaFields.captcha, required: true as const },
  captchaKey: { ...captchaFields.captchaKey, required: true as const },
  proof: { ...captchaFields.proof, required: true as const },
}
