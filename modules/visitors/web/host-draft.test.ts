import { describe, expect, it } from 'vitest'
import {
  canPayParking,
  draftFaults,
  hasFault,
  invitationOf,
  type HostDraft,
  type OfferedKind,
} from './host-draft.ts'

const kind: OfferedKind = {
  visitorKind: 'friend',
  checkType: 'exempt',
  advanceDays: 7,
  maxHours: 24,
  maxPersons: 10,
  allowsCar: true,
  questions: [{ label: '目的', kind: 'text', isRequired: true }],
}

const draft: HostDraft = {
  visitorKind: 'friend',
  begin: '2026-11-29T09:00',
  end: '2026-11-29T11:00',
  personCount: '1',
  reason: ' ',
  visitors: [
    { name: ' 王五 ', mobile: '13800138000', plate: '粤b·12345' },
    { name: '王六', mobile: '', plate: '' },
  ],
  answers: { 目的: ' 做客 ' },
  paysParking: false,
}

describe('an invitation as a host types it', () => {
  it('is sent as it is kept, with as many people as it names', () => {
    expect(hasFault(draftFaults(draft, kind))).toBe(false)
    expect(invitationOf(draft, kind)).toEqual({
      visitorKind: 'friend',
      personCount: 2,
      beginTime: '2026-11-29 09:00:00',
      endTime: '2026-11-29 11:00:00',
      answers: [{ label: '目的', answer: '做客' }],
      visitors: [
        { visitorName: '王五', mobile: '13800138000', plateNo: '粤B12345' },
        { visitorName: '王六' },
      ],
    })
  })

  it('leaves a plate out where no car is let in', () =>
    expect(invitationOf(draft, { ...kind, allowsCar: false })?.visitors[0]).not.toHaveProperty('plateNo'))

  it.each([
    ['no end after the beginning', { end: '2026-11-29T09:00' }, 'end'],
    ['no number of people', { personCount: '0' }, 'persons'],
    ['nobody to call', { visitors: [{ name: '王五', mobile: '', plate: '' }] }, 'mobiles'],
    ['no name', { visitors: [{ name: '', mobile: '13800138000', plate: '' }] }, 'names'],
    ['a wrong plate', { visitors: [{ name: '王五', mobile: '13800138000', plate: 'ABC' }] }, 'plates'],
    ['no answer', { answers: {} }, 'answers'],
  ] as const)('%s', (_, overrides, field) => {
    const faults = draftFaults({ ...draft, ...overrides }, kind)
    expect(hasFault(faults)).toBe(true)
    expect(JSON.stringify(faults[field])).toMatch(/[一-龥]/)
  })
})

it('the parking of a named car may be paid for', () => {
  const paying = { ...draft, paysParking: true }
  expect(canPayParking(paying, kind)).toBe(true)
  expect(invitationOf(paying, kind)).toMatchObject({ hostPaysParking: true })
  const withoutCar = { ...paying, visitors: [{ name: '王六', mobile: '', plate: '' }] }
  expect(canPayParking(withoutCar, kind)).toBe(false)
  expect(invitationOf(withoutCar, kind)).not.toHaveProperty('hostPaysParking')
})
