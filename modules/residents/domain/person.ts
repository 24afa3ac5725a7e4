import { birthDateOf, idCardFault, sexOf } from '#kit/contract/id-card.ts'
import { rules } from '#kit/contract/rules.ts'
import { toHalfWidth } from '#kit/contract/text.ts'
import type { FieldFault } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Resident } from '../contract/resident.ts'
import { maskedPattern } from '../contract/labels.ts'

export type PersonFacts = Partial<
  Pick<
    Resident,
    'name' | 'mobile' | 'certType' | 'certNo' | 'birthday' | 'gender' | 'phone2' | 'emergencyPhone'
  >
>

/** A document's number as kept: half width, capitals, without blanks. */
export const normalizeCertNo = (no: string): string => toHalfWidth(no).replace(/\s+/g, '').toUpperCase()

/** What is wrong with a document's number; a mainland card has its check digit. */
export function certFault(type: Resident['certType'], no: string | undefined): string | undefined {
  if (!no) return undefined
  const c = normalizeCertNo(no)
  if (type === undefined || type === 'idCard')
    return /^\d{15}$/.test(c)
      ? '身份证号应为18位，请填写新证的号码'
      : type === 'idCard' || /^\d{17}[\dX]$/.test(c)
        ? idCardFault(c)
        : '请先选择证件类型'
  if (type === 'hongKong')
    return rules.idCard.test(c) && !/^\d{8,18}$/.test(c) ? '港澳台证件号格式不正确，如 H12345678' : undefined
  return /^[A-Z\d一-龥()-]{5,30}$/.test(c) ? undefined : '证件号应为5到30位字母或数字'
}

/** What the document itself says, where the form leaves it out: kind, birthday, sex. */
export function completeFromCert<T extends PersonFacts>(p: T): T {
  if (!p.certNo || maskedPattern.test(p.certNo)) return p
  const certNo = normalizeCertNo(p.certNo)
  const mainland =
    (p.certType === undefined || p.certType === 'idCard') &&
    /^\d{17}[\dX]$/.test(certNo) &&
    !idCardFault(certNo)
  if (!mainland) return { ...p, certNo }
  return {
    ...p,
    certNo,
    certType: 'idCard',
    birthday: p.birthday ?? birthDateOf(certNo),
    gender:
      p.gender === undefined || p.gender === 'unknown' ? (sexOf(certNo) === 1 ? 'male' : 'female') : p.gender,
  }
}

/**
 * Everything that is wrong with a person's own facts. A child has no mobile; a firm's document is its
 * licence.
 */
export function personFaults(p: PersonFacts, today: Day): FieldFault[] {
  const faults: FieldFault[] = []
  const say = (Field: string, Message: string | undefined): void => {
    if (Message) {
      faults.push({ Field, Message })
    }
  }
  for (const [field, v, label] of [
    ['Mobile', p.mobile, '手机号'],
    ['Phone2', p.phone2, '备用电话'],
    ['EmergencyPhone', p.emergencyPhone, '紧急电话'],
    ['CertNo', p.certNo, '证件号'],
  ] as const) {
    if (v && maskedPattern.test(v)) {
      say(field, `${label}含有星号，请填写完整的号码`)
    }
  }
  if (!faults.some(f => f.Field === 'CertNo')) {
    say('CertNo', certFault(p.certType, p.certNo))
  }
  if (p.certType && !p.certNo) {
    say('CertNo', '选了证件类型，请填写证件号')
  }
  if (p.birthday && p.birthday > today) {
    say('Birthday', '生日不能晚于今天')
  } else if (p.birthday && p.birthday < '1850-01-01') {
    say('Birthday', '生日不能早于1850年，请核对')
  } else if (
    p.birthday &&
    p.certType === 'idCard' &&
    p.certNo &&
    !certFault('idCard', p.certNo) &&
    birthDateOf(normalizeCertNo(p.certNo)) !== p.birthday
  ) {
    say('Birthday', `生日与身份证号不一致（身份证上是 ${birthDateOf(normalizeCertNo(p.certNo))}）`)
  }
  return faults
}

/** Bands of the statistics, in years of life. */
export const ageBands = [
  ['0–6岁', 0, 6],
  ['7–17岁', 7, 17],
  ['18–44岁', 18, 44],
  ['45–59岁', 45, 59],
  ['60–79岁', 60, 79],
  ['80岁以上', 80, 200],
] as const
