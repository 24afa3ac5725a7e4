import { expect, it } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import { draftStandard } from './stored-standard.ts'

it('a standard that is being written down says what a new one says, until it says otherwise (FEE-22)', () => {
  expect(draftStandard({})).toEqual({
    id: 0,
    cycleType: 'natural',
    cycleMonths: 1,
    alignYear: true,
    chargeMode: 'ahead',
    startRule: 'fixedDate',
    prorateMode: 'actual',
    advanceDays: 0,
    delayDays: 0,
    dueBase: 'begin',
    dueDays: 30,
    dueSkipHoliday: false,
    roundType: 'halfUp',
    roundUnit: 'fen',
    tiersStretch: true,
  })
  expect(draftStandard({ id: asId(7), cycleMonths: 3, dueDays: undefined })).toMatchObject({
    id: 7,
    cycleMonths: 3,
    dueDays: undefined,
  })
})
