import { defined } from '#kit/domain/defined.ts'
import { isDay, readDay } from '#kit/domain/day.ts'
import { idCardFault, isHongKongMacauDocument } from './id-card.ts'
import type { Rule } from './field.ts'
import { toHalfWidth, countCharacters } from './text.ts'

/**
 * What a form may say more exactly. `field` is how messages call the value; bounds are whole numbers, the
 * rule's own unless given. `zero`: 0 is fine too.
 */
export interface RuleOptions {
  readonly required?: boolean
  readonly field?: string
  readonly min?: number
  readonly max?: number
  readonly zero?: boolean
}

/**
 * One reusable form rule (0§5), the same for form and server. `test` returns a message for the user, or
 * nothing; an empty value is wrong only when required.
 */
export interface FormRule {
  readonly name: string
  readonly label: string
  /** What is under the control before anything is wrong. */
  readonly hint: string
  readonly options: RuleOptions
  readonly test: (value: string, options?: RuleOptions) => string | undefined
  /** A value as it is kept, before it is tested. */
  readonly normalize?: (value: string) => string
  /** The same rule with its bounds and its field's name fixed, for a field's declaration. */
  readonly withOptions: (options: RuleOptions) => FormRule
}

type RuleCheck = (value: string, options: RuleOptions) => string | undefined

/** A rule from its check of a value that is not empty; `missing` is the message for an empty one. */
export function defineRule(
  name: string,
  label: string,
  hint: string,
  check: RuleCheck,
  options: RuleOptions = {},
  missing?: string,
): FormRule {
  return {
    name,
    label,
    hint,
    options,
    test: (value, overrides) => {
      const all = { ...options, ...overrides }
      if (value.trim() === '') return all.required ? (missing ?? `${all.field ?? label}不能为空`) : undefined
      return check(value, all)
    },
    withOptions: overrides => defineRule(name, label, hint, check, { ...options, ...overrides }, missing),
  }
}

/** A rule that one pattern decides. */
const patternRule = (name: string, label: string, hint: string, shape: RegExp, message: string): FormRule =>
  defineRule(name, label, hint, v => (shape.test(v) ? undefined : message))

const isNumber = (v: string): boolean => v.length <= 40 && /^[+-]?\d+(\.\d+)?$/.test(v)

/**
 * The whole part, exactly. For whole bounds, v < bound says the same as its whole part < bound (G-3: no
 * binary fractions).
 */
const integerPart = (v: string): bigint => BigInt(defined(v.replace('+', '').split('.')[0]))
const octetPattern = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const ipPattern = `${octetPattern}(\\.${octetPattern}){3}`
const domainLabelPattern = '[a-z\\d\\u4e00-\\u9fa5]([a-z\\d\\u4e00-\\u9fa5-]{0,61}[a-z\\d\\u4e00-\\u9fa5])?'
const urlPattern = new RegExp(
  `^https?://(${ipPattern}|${domainLabelPattern}(\\.${domainLabelPattern})*\\.?)(:\\d{1,5})?([/?#]\\S*)?$`,
  'i',
)

const emailPattern = new RegExp(
  `^[\\w.!#$%&'*+/=?^\`{|}~-]{1,64}@(${domainLabelPattern}\\.)+[a-z\\u4e00-\\u9fa5][a-z\\d\\u4e00-\\u9fa5-]{1,62}$`,
  'i',
)

const landlinePattern = /^(0\d{2,3}-\d{7,8}(-\d{1,6})?|400-?\d{3}-?\d{4})$/
const mobilePattern = /^1[3-9]\d{9}$/

function lengthFault(v: string, { min = 0, max = Infinity }: RuleOptions): string | undefined {
  const n = countCharacters(v)
  if (n >= min && n <= max) return undefined
  return max === Infinity ? `长度至少 ${min} 个字符` : `长度在 ${min} 到 ${max} 个字符`
}

function integerFault(v: string, { min = 1, max = 9_999_999 }: RuleOptions): string | undefined {
  if (!/^\+?\d+$/.test(v) || v.length > 40) return '请输入正整数'
  const n = integerPart(v)
  return n < BigInt(min) || n > BigInt(max) ? `请输入 ${min} 到 ${max} 的整数` : undefined
}

function decimalFault(value: string, { max = 999_999_999, zero = false }: RuleOptions): string | undefined {
  if (!isNumber(value)) return '请输入数字'
  const isZero = !/[1-9]/.test(value)
  if (value[0] === '-' && !isZero) return '不能为负数'
  if (/\.\d\d\d/.test(value)) return '最多两位小数'
  if (isZero) return zero ? undefined : `必须大于0且小于${max}`
  return integerPart(value) < BigInt(max) ? undefined : zero ? `必须小于${max}` : `必须大于0且小于${max}`
}

/** A mainland ID card, or a document of Hong Kong or Macau. */
function documentFault(v: string): string | undefined {
  const id = toHalfWidth(v).toUpperCase()
  if (isHongKongMacauDocument(id)) return undefined
  return /^[A-Z]|\(/.test(id) ? '港澳证件号格式不正确，如 H12345678 或 A123456(3)' : idCardFault(id)
}

const decimalRule = defineRule('decimal', '小数', '大于0的数，最多两位小数', decimalFault)

/** Days and months of a calendar that is computed: some days beyond them must exist as well. */
export const calendarYears: Rule = {
  name: 'calendarYears',
  test: v => (v >= '1990' && v < '2100' ? undefined : '年份应在 1990 至 2099 之间'),
}

/** `HH:mm` */
export const clockRule: Rule = {
  name: 'clock',
  test: value => (/^([01]\d|2[0-3]):[0-5]\d$/.test(value) ? undefined : '应为 24 小时制时间，如 08:30'),
  hint: '08:30',
}

/**
 * The reusable form rules of 0§5. Values arrive as kept: `normalizeCode` for codes and numbers, `cleanText`
 * for texts (text.ts).
 */
/** `https://anju.example` without a path: where the product is opened from. */
export const siteAddressRule: Rule = {
  name: 'siteAddress',
  test: s => (/^https?:\/\/[\w.:[\]-]+$/.test(s) ? undefined : '站点地址应为 https://域名'),
}

export const rules = {
  required: defineRule('required', '必填', '必填', () => undefined, { required: true, field: '此项' }),
  length: defineRule('length', '长度', '', lengthFault),
  mobile: patternRule('mobile', '手机号', '11位手机号', mobilePattern, '手机号格式不正确'),
  landline: patternRule(
    'landline',
    '固定电话',
    '区号-号码，如 0755-12345678，或 400 电话',
    landlinePattern,
    '格式为：区号-号码',
  ),
  /** Either of the two above: what an alarm or contact number may be. */
  phone: defineRule('phone', '联系电话', '手机号，或 区号-号码', v =>
    mobilePattern.test(v) || landlinePattern.test(v) ? undefined : '请输入手机号，或格式为：区号-号码',
  ),
  idCard: defineRule('idCard', '身份证号', '18位身份证号，或港澳证件号', documentFault),
  /** Read by the letter: 15 or 20 digits. Personal cards of 16 to 19 digits have `bankCard`. */
  bankAccount: patternRule(
    'bankAccount',
    '银行账号',
    '15位或20位数字',
    /^[1-9](\d{14}|\d{19})$/,
    '银行账号应为15位或20位数字，且不以0开头',
  ),
  bankCard: patternRule(
    'bankCard',
    '银行卡号',
    '15到20位数字',
    /^[1-9]\d{14,19}$/,
    '银行卡号应为15到20位数字，且不以0开头',
  ),
  /** One dot may be between the parts of a name (买买提·吐尔逊), as identity cards print it. */
  chineseName: patternRule(
    'chineseName',
    '中文姓名',
    '只能是汉字',
    /^\p{Script=Han}+(·\p{Script=Han}+)*$/u,
    '姓名只能输入汉字',
  ),
  password: defineRule(
    'password',
    '密码',
    '6到15个字符，不含汉字和空格',
    (v, options) =>
      /[\p{Script=Han}\u3000-\u303f\uff00-\uffef\s\p{Cc}]/u.test(v)
        ? '不能包含中文或空格'
        : lengthFault(v, options),
    { min: 6, max: 15 },
  ),
  lettersDigits: patternRule(
    'lettersDigits',
    '字母数字',
    '字母或数字',
    /^[A-Za-z\d]+$/,
    '只能输入字母和数字',
  ),
  /** The combined variant: letters and digits, at least one of each. */
  lettersAndDigits: patternRule(
    'lettersAndDigits',
    '字母数字组合',
    '字母和数字都要有',
    /^(?=.*[A-Za-z])(?=.*\d)[A-Za-z\d]+$/,
    '必须同时包含字母和数字，且只能是字母和数字',
  ),
  ip: patternRule(
    'ip',
    'IP地址',
    '如 192.168.1.10',
    new RegExp(`^${ipPattern}$`),
    'IP地址格式不正确，如 192.168.1.10',
  ),
  url: defineRule('url', '网址', '以 http:// 或 https:// 开头', value => {
    const port = /^[^/]*\/\/[^/?#]*:(\d+)/.exec(value)
    return value.length <= 2000 &&
      urlPattern.test(value) &&
      (!port || (Number(port[1]) >= 1 && Number(port[1]) <= 65_535))
      ? undefined
      : '网址格式不正确，应以 http:// 或 https:// 开头'
  }),
  antenna: patternRule('antenna', '天线号', '1到4', /^[1-4]$/, '请输入1-4的数字'),
  zoneCode: patternRule('zoneCode', '区域编码', '12位数字', /^\d{12}$/, '区域编码应为12位数字'),
  number: defineRule('number', '数字', '数字', v => (isNumber(v) ? undefined : '请输入数字')),
  positiveInteger: defineRule('positiveInteger', '正整数', '大于0的整数', integerFault),
  decimal: decimalRule,
  /** The variant of 0§5 with the lower bound. */
  decimalSmall: decimalRule.withOptions({ max: 99_999 }),
  /** Fee inputs that may also be nothing (2§5). */
  amount: decimalRule.withOptions({ zero: true }),
  email: defineRule('email', '邮箱', '如 name@example.com', v =>
    v.length <= 254 && emailPattern.test(v) && !/^\.|\.\.|\.@/.test(v) ? undefined : '邮箱格式不正确',
  ),
  description: defineRule('description', '描述', '至少20个字符', (v, { min = 20 }) =>
    countCharacters(v.trim()) >= min ? undefined : `描述至少 ${min} 个字符`,
  ),
  date: defineRule(
    'date',
    '日期',
    '',
    v => (isDay(v) || readDay(v) ? undefined : '请选择日期'),
    { required: true },
    '请选择日期',
  ),
} as const satisfies Record<string, FormRule>

export type RuleName = keyof typeof rules

/** A masked value comes back as it was shown; the server then keeps what it has (PERM-7). */
export const maskedPattern = /\*{2,}/

export const allowMasked = (rule: Pick<Rule, 'name' | 'test' | 'hint'>): Rule => ({
  name: rule.name,
  ...(rule.hint ? { hint: rule.hint } : {}),
  test: value => (maskedPattern.test(value) ? undefined : rule.test(value)),
})
