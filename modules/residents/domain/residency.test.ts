import { keysOfRecord } from '#kit/domain/records.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { expect, it } from 'vitest'
import { residencyStatus } from '../contract/labels.ts'
import {
  residencyFaults,
  residencyStatusMachine,
  findPayer,
  roomStateAfter,
  findNextMainOwner,
  type CurrentResidency,
} from './residency.ts'
import { certFault, completeFromCert, personFaults } from './person.ts'

it('BASE-10: these transitions and no others', () => {
  const statuses = keysOfRecord(residencyStatus.rows)
  const allowed = statuses.flatMap(a =>
    statuses
      .filter(b => residencyStatusMachine.canTransition(a, b))
      .map(b => `${residencyStatus.rows[a][0]}→${residencyStatus.rows[b][0]}`),
  )
  expect(allowed.toSorted()).toEqual(['10→20', '10→40', '20→30', '30→20', '40→10'])
  expect(residencyStatusMachine.checkTransition('left', 'left')).toBe('已经是“已迁出”，无需重复操作')
})

it('BASE-11: the state follows who lives there', () => {
  expect(roomStateAfter('vacant', { people: 1, nonTenants: 1 }, false)).toBe('lived')
  expect(roomStateAfter('vacant', { people: 2, nonTenants: 0 }, false)).toBe('let')
  expect(roomStateAfter('lived', { people: 1, nonTenants: 0 }, true)).toBe('let')
  expect(roomStateAfter('let', { people: 0, nonTenants: 0 }, true)).toBe('vacant')
  expect(roomStateAfter('fitting', { people: 0, nonTenants: 0 }, true)).toBe('vacant')
  // Nobody left just now: a room whose people were never entered stays as the operator set it.
  expect(roomStateAfter('lived', { people: 0, nonTenants: 0 }, false)).toBeUndefined()
  expect(roomStateAfter('pending', { people: 1, nonTenants: 1 }, false)).toBeUndefined()
  expect(roomStateAfter('own', { people: 0, nonTenants: 0 }, true)).toBeUndefined()
})

it('BASE-9: main owner and payer', () => {
  const residencyWith = (
    id: Id,
    relation: CurrentResidency['relation'],
    extra: Partial<CurrentResidency> = {},
  ): CurrentResidency => ({
    id,
    relation,
    isMain: false,
    isPayer: false,
    ...extra,
  })
  expect(
    findNextMainOwner([
      residencyWith(asId(3), 'family'),
      residencyWith(asId(2), 'owner', { inDate: '2025-01-01' }),
      residencyWith(asId(1), 'owner', { inDate: '2024-01-01' }),
    ])?.id,
  ).toBe(1)
  expect(findNextMainOwner([residencyWith(asId(3), 'tenant')])).toBeUndefined()
  expect(
    findPayer([residencyWith(asId(1), 'owner', { isMain: true }), residencyWith(asId(2), 'tenant')])?.id,
  ).toBe(1)
  expect(
    findPayer([
      residencyWith(asId(1), 'owner', { isMain: true }),
      residencyWith(asId(2), 'tenant', { isPayer: true }),
    ])?.id,
  ).toBe(2)
})

it('reports the faults of a residency', () => {
  const fields = (draft: Parameters<typeof residencyFaults>[0]) =>
    residencyFaults(draft, '2026-11-21').map(f => f.Field)
  expect(fields({ relation: 'tenant', isMain: true })).toEqual(['IsMain'])
  expect(fields({ relation: 'tenant', leaseBegin: '2026-05-01', leaseEnd: '2026-04-01' })).toEqual([
    'LeaseEnd',
  ])
  expect(fields({ relation: 'owner', inDate: '2026-11-22' })).toEqual(['InDate'])
  expect(fields({ relation: 'owner', leaseBegin: '2026-01-01' })).toEqual(['LeaseBegin'])
  expect(fields({ relation: 'owner', inDate: '2026-11-21', isMain: true })).toEqual([])
})

it('reports the faults of a person at their fields', () => {
  const faultsByField = (person: Parameters<typeof personFaults>[0]) =>
    Object.fromEntries(personFaults(person, '2026-11-21').map(f => [f.Field, f.Message]))
  expect(faultsByField({ certType: 'idCard', certNo: '110101199003074517' })).toEqual({
    CertNo: '身份证号校验位不正确，请核对',
  })
  expect(faultsByField({ birthday: '2026-11-22' })).toEqual({ Birthday: '生日不能晚于今天' })
  // The rule of an ID card takes numbers of Hong Kong and Macau too (0§5).
  expect(faultsByField({ certType: 'idCard', certNo: 'H12345678' })).toEqual({})
  expect(faultsByField({ certType: 'idCard', certNo: 'A123456(3)' })).toEqual({})
  expect(faultsByField({ certType: 'idCard' })).toEqual({ CertNo: '选了证件类型，请填写证件号' })
  expect(faultsByField({ mobile: '138 **** 6021' })).toEqual({ Mobile: '手机号含有星号，请填写完整的号码' })
  expect(
    faultsByField({ certType: 'idCard', certNo: '11010519491231002X', birthday: '1949-12-30' }).Birthday,
  ).toContain('1949-12-31')
  expect(certFault(undefined, 'E12345678')).toBe('请先选择证件类型')
  expect(certFault('passport', 'E12345678')).toBeUndefined()
})

it('takes birthday and gender from the identity card', () => {
  expect(completeFromCert({ certNo: '11010519491231002x' })).toEqual({
    certNo: '11010519491231002X',
    certType: 'idCard',
    birthday: '1949-12-31',
    gender: 'female',
  })
  expect(completeFromCert({ certNo: 'E1234567', certType: 'passport' })).toEqual({
    certNo: 'E1234567',
    certType: 'passport',
  })
})
