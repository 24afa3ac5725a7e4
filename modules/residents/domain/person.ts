import { birthDateOf, idCardFault, sexOf } from '#kit/contract/id-card.ts'
import { rules, maskedPattern } from '#kit/contract/rules.ts'
import { toHalfWidth } from '#kit/contract/text.ts'
import type { FieldFault } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Resident } from '../contract/resident.ts'

export type PersonFacts = Partial<
  Pick<
    Resident,
    'name' | 'mobile' | 'certType' | 'certNo' | 'birthday' | 'gender' | 'phone2' | 'emergencyPhone'
  >
>

/** A document's number as kept: half width, capitals, without blanks. */
export const normalizeCertNo = (certNo: string): string =>
  toHalfWidth(certNo).replace(/\s+/g, '').toUpperCase()

/** What is wrong with a document's number; a mainland card has its check digit. */
export function certFault(type: Resident['certType'], certNo: string | undefined): string | undefined {
  if (!certNo) return undefined
  const normalized = normalizeCertNo(certNo)
  if (type === undefined || type === 'idCard')
    return /^\d{15}$/.test(normalized)
      ? '身份证号应为18位，请填写新证的号码'
      : type === 'idCard' || /^\d{17}[\dX]$/.test(normalized)
        ? rules.idCard.test(normalized)
        : '请先选择证件类型'
  if (type === 'hongKong')
    return rules.idCard.test(normalized) && !/^\d{8,18}$/.test(normalized)
      ? '港澳台证件号格式不正确，如 H12345678'
      : undefined
  return /^[A-Z\d一-龥()-]{5,30}$/.test(normalized) ? undefined : '证件号应为5到30位字母或数字'
}

/** What the document itself says, where the form leaves it out: kind, birthday, sex. */
export function completeFromCert<T extends PersonFacts>(person: T): T {
  if (!person.certNo || maskedPattern.test(person.certNo)) return person
  const certNo = normalizeCertNo(person.certNo)
  const isMainlandCard =
    (person.certType === undefined || person.certType === 'idCard') &&
    /^\d{17}[\dX]$/.test(certNo) &&
    !idCardFault(certNo)
  if (!isMainlandCard) return { ...person, certNo }
  return {
    ...person,
    certNo,
    certType: 'idCard',
    birthday: person.birthday ?? birthDateOf(certNo),
    gender:
      person.gender === undefined || person.gender === 'unknown'
        ? sexOf(certNo) === 1
          ? 'male'
          : 'female'
        : person.gender,
  }
}

/**
 * Everything that is wrong with a person's own facts. A child has no mobile; a firm's document is its
 * licence.
 */
export function personFaults(person: PersonFacts, today: Day): FieldFault[] {
  const faults: FieldFault[] = []
  const addFault = (Field: string, Message: string | undefined): void => {
    if (Message) {
      faults.push({ Field, Message })
    }
  }
  for (const [field, value, label] of [
    ['Mobile', person.mobile, '手机号'],
    ['Phone2', person.phone2, '备用电话'],
    ['EmergencyPhone', person.emergencyPhone, '紧急电话'],
    ['CertNo', person.certNo, '证件号'],
  ] as const) {
    if (value && maskedPattern.test(value)) {
      addFault(field, `${label}含有星号，请填写完整的号码`)
    }
  }
  if (!faults.some(f => f.Field === 'CertNo')) {
    addFault('CertNo', certFault(person.certType, person.certNo))
  }
  if (person.certType && !person.certNo) {
    addFault('CertNo', '选了证件类型，请填写证件号')
  }
  if (person.birthday && person.birthday > today) {
    addFault('Birthday', '生日不能晚于今天')
  } else if (person.birthday && person.birthday < '1850-01-01') {
    addFault('Birthday', '生日不能早于1850年，请核对')
  } else if (
    person.birthday &&
    person.certType === 'idCard' &&
    person.certNo &&
    !certFault('idCard', person.certNo) &&
    birthDateOf(normalizeCertNo(person.certNo)) !== person.birthday
  ) {
    addFault('Birthday', `生日与身份证号不一致（身份证上是 ${birthDateOf(normalizeCertNo(person.certNo))}）`)
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
